"""The store that keeps a venue's records in one SQLite file."""
