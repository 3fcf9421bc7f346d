"""The live table around the round. For now: its events as records."""
