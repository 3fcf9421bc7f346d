"""Somebody else who watches a house: follows its checkpoints, cosigns them, raises the alarm at a second history."""
