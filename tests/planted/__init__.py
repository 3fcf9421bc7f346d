"""Bugs that a good engineer could make, planted on purpose into a copy: every one must be caught.

    python -m tests.planted --all          every bug, by the checks that it names
    python -m tests.planted NAME --wide    one bug, by all tests of its room: which of them catches it?

A bug is data (`bugs/`, a file for each room): the text that is replaced, what replaces it, and which checks catch it.
"""
