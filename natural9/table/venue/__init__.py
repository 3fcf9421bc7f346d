"""The venue file as values: tables, limits, timers; every mistake with its line."""
