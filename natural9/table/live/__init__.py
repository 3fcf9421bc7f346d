"""The table at work: one writer, its journal and the way back after a power cut."""
