"""One venue on several machines: each node has some of the tables, and carries what is asked of the others."""
