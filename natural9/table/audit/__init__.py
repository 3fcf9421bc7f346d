"""The journal read again: recalled, derived and verified."""
