"""What the house shows to whoever trusts nobody: its checkpoints, their key, and proofs."""
