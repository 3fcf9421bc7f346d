"""Real servers under faults: killed, stopped, restarted, their disk full or slow, the links to them cut, held or slow.

Everything here plays at one machine with the client and the books of `tests/outside`; `tests/cluster` does the same to
several. Nothing here imports the program: it is run by its command line, and spoken to over the wire.
"""
