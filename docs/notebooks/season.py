# %% [markdown]
# # A season of a table
#
# A table deals some 400 rounds a day. What does the house keep in a season of 90 days, how far may a day stray, does
# a simulation of the whole season agree with theory?

# %%
from math import sqrt

from natural9.games import load_game
from natural9.odds import Composition, bets_together, session_of, simulate

GAME, DECKS = load_game("mbs-tiger"), 8
ROUNDS_A_DAY, DAYS = 400, 90
# What lies on the felt in a usual round, all seats together.
FELT = {"player": 300, "banker": 500, "tie": 20, "tiger": 25, "small-tiger": 10, "big-tiger": 5}

# %% [markdown]
# ## Theory
#
# One round is exact, covariances and all: Tiger wins only when Banker does. A day is that round's distribution,
# convolved with itself.

# %%
round_ = bets_together(GAME, Composition.of(decks=DECKS), FELT)
day = session_of({-net: chance for net, chance in round_.nets.items()}, rounds=ROUNDS_A_DAY)
staked = sum(FELT.values()) * ROUNDS_A_DAY
print(f"a day: the house keeps {day.mean:,.0f} of {staked:,} staked ({day.mean / staked:.2%})")
print(f"give or take {day.standard_deviation:,.0f}")
low, high = day.interval(0.95)
print(f"95 days of 100 lie between {low:,.0f} and {high:,.0f}; the house ends ahead on {day.ahead:.1%} of days")

# %% [markdown]
# ## A season, dealt
#
# The same rounds from whole shoes to the cut card. Every wager is held against its exact value; |z| beyond 4 would be
# news.

# %%
season = simulate(GAME, rounds=ROUNDS_A_DAY * DAYS, seed=2026, decks=DECKS)
kept = -sum(FELT[one.id] * one.mean for one in season.wagers if one.id in FELT) * season.rounds
expected, spread = DAYS * day.mean, sqrt(DAYS) * day.standard_deviation
print(f"{season.rounds:,} rounds in {season.shoes:,} shoes: kept {kept:,.0f}, expected {expected:,.0f} ± {spread:,.0f}")
for one in season.wagers:
    print(f"{one.id:12} {one.mean:+.4f} ± {one.stderr:.4f}, exact {float(one.exact):+.4f}, z {one.z:+.1f}")

# %%
assert abs(kept - expected) < 4 * spread
assert all(abs(one.z) < 4 for one in season.wagers)
