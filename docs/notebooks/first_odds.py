# %% [markdown]
# # First odds
#
# What a wager costs, exactly: from a rule pack to a house edge, a pay table that you change, and a shoe that is not
# fresh. Everything here is a fraction until it is printed.

# %%
from fractions import Fraction

from natural9.games import game_ids, load_game
from natural9.odds import Composition, columns_of, odds, odds_for_edge, what_if

game_ids()

# %% [markdown]
# A game is data: wagers, each a list of pay rows with the paragraph of the approved rules.

# %%
tiger = load_game("mbs-tiger")
for row in tiger.wager("tiger").rows:
    print(row.pays, row.called, row.paragraph)

# %% [markdown]
# `odds` prices every wager of a game for a shoe. A result as columns goes into any table library as it is:
# `pandas.DataFrame(columns)`, `polars.DataFrame(columns)`, `pyarrow.table(columns)`.

# %%
fresh = Composition.of(decks=8)
priced = odds(tiger, fresh)
columns = columns_of(priced)
for wager, edge in zip(columns["wager"], columns["house_edge"], strict=True):
    print(f"{wager:14}{edge:10.4%}")

# %%
assert priced.wager("tiger").house_edge == Fraction(47209656769, 282970916865)

# %% [markdown]
# What if the three-card six paid 25 to 1? And what would it have to pay for an edge of ten percent?

# %%
tried = what_if(tiger, "tiger", 2, "25:1")
print(f"{float(odds(tried, fresh).wager('tiger').house_edge):.4%}")
for needed in odds_for_edge(tiger.wager("tiger"), fresh, Fraction(10, 100)):
    print(needed.pays, "->", f"{float(needed.exact):.4f}:1" if needed.exact else "nothing does")

# %% [markdown]
# A shoe remembers. With twenty of its 32 sixes gone, Tiger costs nearly twice as much.

# %%
depleted = fresh.without("6" * 20)
before, after = (odds(tiger, shoe).wager("tiger").house_edge for shoe in (fresh, depleted))
print(f"{float(before):.4%} -> {float(after):.4%}")
assert after > before * Fraction(17, 10)
