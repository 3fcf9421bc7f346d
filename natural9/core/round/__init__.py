"""One round of play, from the opening of bets to settlement or void: `decide`, `evolve`, and what may be done next.

rws-nc 1.18, rws-nc-super-six-plus 1:round-of-play, mbs 1.1.13.
"""

from natural9.core.round.decide import decide, what_next, what_to_report
from natural9.core.round.evolve import evolve, fold
from natural9.core.round.refusal import Refusal
from natural9.core.round.state import RoundState

__all__ = ["Refusal", "RoundState", "decide", "evolve", "fold", "what_next", "what_to_report"]
