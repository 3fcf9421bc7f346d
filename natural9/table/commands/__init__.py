"""What may be asked of a table, and what it leads to."""
