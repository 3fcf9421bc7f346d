"""What anybody can check without trusting the house: the Merkle tree, signed checkpoints, cosignatures and proofs."""
