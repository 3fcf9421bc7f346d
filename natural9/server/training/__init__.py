"""Training a dealer: a real table where the program plays the felt, makes the mistakes and asks the questions."""
