"""A dispute pack: one round on paper, for whoever was not there, with what proves it."""
