"""The command line: one file a command. What it prints and how it exits is a contract."""
