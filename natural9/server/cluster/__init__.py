"""Several processes that play one venue."""
