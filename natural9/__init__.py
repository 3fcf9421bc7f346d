"""natural9: an electronic baccarat table, from the approved rules to the last cent."""

__version__ = "0.1.0"
