"""The mathematics: exact odds of every wager for any shoe, simulation, and what counting cards is worth.

Par sheets are in `natural9.odds.parsheet`. Nothing is loaded from here, since numba comes along with most of it: a
server that has priced nothing does without.
"""
