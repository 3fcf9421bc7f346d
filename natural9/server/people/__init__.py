"""The people of the venue and their devices: who they are, how they sign in, and who may do what."""
