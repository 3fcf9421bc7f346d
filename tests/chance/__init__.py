"""Statistics of the shuffler."""
