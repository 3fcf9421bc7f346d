"""Several nodes of one venue under a nemesis that kills, stops, cuts off and slows down whatever there is.

The client is that of `tests/outside`, roaming from node to node: nothing here imports the program. It is run by its
command line, PostgreSQL and NATS by theirs, and between them stands a proxy for every link (`links.py`).
"""
