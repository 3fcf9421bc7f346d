"""What a table is: its state, what each event changes and moves, and who may see what of it."""
