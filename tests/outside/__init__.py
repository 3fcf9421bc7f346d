"""A client of the running server that shares nothing with it but the wire: no type, no helper, no reading of its file.

It keeps its own books of what it asked and was told, and holds the journal against them. `tests/nemesis` plays with it
while processes are killed, at the moments of the protocol that `moments.py` lists. `test_independent.py` sees to it
that nothing here imports the program.
"""
