"""The demo: a venue in a folder of its own, with staff, terminals and bots, to be looked at and thrown away."""
