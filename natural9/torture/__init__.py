"""The simulated floor: the real program under every fault and every mistake that a seed can think of."""
