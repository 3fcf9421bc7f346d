"""Somebody else who watches a house: follows its checkpoints, cosigns them, and cries out at a second history."""
