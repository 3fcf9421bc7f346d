"""Several nodes of one venue."""
