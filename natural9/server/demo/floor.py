"""The demo's venue: a table for each of the nine games, seven that play by themselves and two that a dealer leads.

The one for training stands beside them (`server/training/floor.py`).
"""

from typing import Final, NamedTuple

HOST: Final = "127.0.0.1"


class Pace(NamedTuple):
    """How fast the tables of the demo play, in seconds."""

    betting_s: float
    insurance_s: float
    reveal_s: float
    result_s: float
    mix_s: float  # how long seats may take to reveal what they mix into a shoe
    squeeze_s: float = 0  # at the one table that leaves its players the time


HUMAN: Final = Pace(betting_s=15, insurance_s=8, reveal_s=1, result_s=5, mix_s=5, squeeze_s=8)
FAST: Final = Pace(betting_s=1, insurance_s=0.6, reveal_s=0.08, result_s=0.3, mix_s=1)


def venue_file(*, port: int, pace: Pace) -> str:
    """The text of its venue.toml, at this pace."""
    timers = f"betting = {pace.betting_s}, reveal = {pace.reveal_s}, result = {pace.result_s}, mix = {pace.mix_s}"
    tables = _TABLES.format(timers=timers, insurance=pace.insurance_s, squeeze=pace.squeeze_s)
    return venue_head("Natural Nine, a demonstration", port=port) + tables


def venue_head(name: str, *, port: int) -> str:
    """All of a venue.toml but its tables."""
    return _HEAD.format(name=name, host=HOST, port=port)


_HEAD: Final = """\
# The demo's own venue. It is written anew whenever the demo starts.

[venue]
name = "{name}"
currency = "SGD"
zone = "Asia/Singapore"
day_starts = "06:00"
voucher_days = 30
public_insurance_odds = true

[lobby]
side_by_side = 4

[server]
host = "{host}"
port = {port}
"""
_TABLES: Final = """
[players]
on = true
points_per_100 = 10

[[table]]
id = "nc-1"
title = "Non-Commission 1"
game = "rws-nc"
decks = 8
joint_shoe = true
seats = 60
minimum = 5
maximum = 5000
limits = [
  {{ wager = "tie", min = 1, max = 500 }},
  {{ wager = "player-pair", min = 1, max = 400 }},
  {{ wager = "banker-pair", min = 1, max = 400 }},
]
seat_maximum = 10000
timers = {{ {timers}, squeeze = {squeeze} }}

[[table]]
id = "tiger-1"
title = "Tiger 1"
game = "mbs-tiger"
decks = 8
joint_shoe = true
seats = 60
minimum = 10
maximum = 3000
limits = [
  {{ wager = "tie", max = 300 }},
  {{ wager = "tiger", min = 5, max = 200 }},
  {{ wager = "small-tiger", min = 5, max = 100 }},
  {{ wager = "big-tiger", min = 5, max = 50 }},
  {{ wager = "tiger-tie", min = 5, max = 50 }},
  {{ wager = "tiger-pair", min = 5, max = 100 }},
]
timers = {{ {timers} }}

[[table]]
id = "fortune-1"
title = "Fortune Six 1"
game = "mbs-fortune-six-nc"
decks = 8
joint_shoe = true
seats = 60
minimum = 5
maximum = 2000
seat_minimum = 5
timers = {{ {timers} }}

[[table]]
id = "tiger-nc-1"
title = "Tiger No Commission 1"
game = "mbs-tiger-nc"
decks = 8
joint_shoe = true
seats = 60
minimum = 10
maximum = 3000
limits = [
  {{ wager = "tie", max = 300 }},
  {{ wager = "tiger", min = 5, max = 200 }},
  {{ wager = "small-tiger", min = 5, max = 100 }},
  {{ wager = "big-tiger", min = 5, max = 50 }},
  {{ wager = "tiger-tie", min = 5, max = 50 }},
  {{ wager = "tiger-pair", min = 5, max = 100 }},
]
timers = {{ {timers} }}

[[table]]
id = "super-6-1"
title = "Super 6 1"
game = "mbs-super-6-nc"
decks = 8
joint_shoe = true
seats = 60
minimum = 5
maximum = 2000
limits = [
  {{ wager = "tie", max = 500 }},
  {{ wager = "super-6", max = 500 }},
]
timers = {{ {timers} }}

[[table]]
id = "no-commission-1"
title = "No Commission 1"
game = "mbs-nc"
decks = 6
joint_shoe = true
seats = 60
minimum = 5
maximum = 5000
limits = [
  {{ wager = "tie", max = 500 }},
  {{ wager = "player-pair", max = 400 }},
  {{ wager = "banker-pair", max = 400 }},
]
timers = {{ {timers} }}

[[table]]
id = "super-plus-1"
title = "Super Six Plus 1"
game = "rws-nc-super-six-plus"
decks = 6
joint_shoe = true
seats = 60
minimum = 5
maximum = 2000
timers = {{ {timers} }}

# A dealer leads; the cards come from the shuffler. Nine boxes, so nine seats.
[[table]]
id = "insurance-1"
title = "Insurance 1"
game = "rws-nc-insurance"
decks = 8
joint_shoe = true
layout = "bean-9"
mode = "dealer"
minimum = 20
maximum = 10000
limits = [
  {{ wager = "tie", min = 5, max = 1000 }},
  {{ wager = "player-pair", min = 5, max = 1000 }},
  {{ wager = "banker-pair", min = 5, max = 1000 }},
]
timers = {{ {timers}, insurance = {insurance} }}

# A dealer with real cards, typed in as they are drawn.
[[table]]
id = "super-six-1"
title = "Super Six 1"
game = "mbs-super-six-nc"
decks = 8
seats = 60
mode = "dealer"
shoe = "read"
minimum = 10
maximum = 5000
limits = [
  {{ wager = "tie", min = 5, max = 1000 }},
  {{ wager = "super-six", min = 5, max = 500 }},
]
timers = {{ {timers} }}
"""
