"""Inputs that nobody means: every part that reads what others wrote is fed with them, from seeds.

`python -m bench.fuzz` feeds a million; `test_fuzz.py` a few of each.
"""
