"""The whole floor on a simulated clock, network, disk and shoe, all from one seed."""
