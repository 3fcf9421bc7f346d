"""A client of the running server that shares nothing with it but the wire: no type, no helper, no reading of its file.

It keeps its own books of what it asked and was told, kills the server's processes at moments of the protocol, and
holds the journal against its books. `test_independent.py` sees to it that nothing here imports the program.
"""
