# %% [markdown]
# # Is this side bet safe to offer?
#
# A house edge says what a wager costs somebody who does not look at the cards. This asks what it is worth to somebody
# who does: how far the edge strays as the shoe is dealt, what perfect play wins, what a count on fingers wins, and
# what the cut card does about it.

# %%
from natural9.games import load_game
from natural9.odds import columns_of, edge_by_penetration, wager_vulnerability

GAME, WAGER, SHOES = load_game("mbs-tiger"), "big-tiger", 300

# %% [markdown]
# ## How far does the edge stray?
#
# In the mean it stays that of a fresh shoe. Its spread from shoe to shoe grows with every card.

# %%
strays = columns_of(edge_by_penetration(GAME, WAGER, shoes=SHOES // 3))
for left, edge, spread, often in zip(
    strays["cards_left_from"], strays["house_edge"], strays["spread"], strays["favourable"], strict=True
):
    print(f"{left:4} cards left: edge {edge:7.2%}, spread {spread:6.2%}, favours the bettor {often:6.2%}")

# %%
assert strays["spread"][-1] > 10 * strays["spread"][0]

# %% [markdown]
# ## What does perfect play win, and what does a count?
#
# Whole shoes, priced exactly before every round; a unit is staked when the expectation is positive. The counts are
# judged by the same expectation.

# %%
found = wager_vulnerability(GAME, WAGER, shoes=SHOES)
plays = columns_of(found)
for cut, strategy, units in zip(plays["cards_behind_cut"], plays["strategy"], plays["units_per_shoe"], strict=True):
    if cut in (14, 52, 104):
        print(f"{cut:4} cards behind the cut card, {strategy:10} {units:+.4f} units a shoe")

# %% [markdown]
# ## The verdict
#
# Perfect play at 14 cards behind the cut card wins about 0.31 units a shoe (two million shoes say 0.3118(5): see
# [every wager](../vulnerability.md)). A table maximum of 200 makes that some 60 a shoe for somebody who bets one round
# in twenty-six and needs a computer; the best tags have three quarters of it. Moving the cut card to one deck from the
# end takes more than three quarters of that away.

# %%
first, deck = (next(depth for depth in found.depths if depth.cut == cut) for cut in (14, 52))
assert first.perfect.worth_per_shoe.value > 2 * deck.perfect.worth_per_shoe.value > 0
