"""A whole floor played from a seed, with everything that can go wrong, and judged from outside."""
