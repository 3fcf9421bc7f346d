"""An earlier round put right: its cards decide, whenever it is found (interpretations found-late, record-of-a-card).

`earlier` is that round as the journal tells it, corrections and rulings since included. Nothing of the round at the
table changes by it (rws-nc 5.8) but the count of the shoe, where both were dealt from the same one.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from natural9.core.cards import Card, name_cards
from natural9.core.errors import BadInput
from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Outcome
from natural9.core.round import commands, events
from natural9.core.round.betting import Decision
from natural9.core.round.refusal import Code, Refusal, rank_too_low
from natural9.core.round.reporting import RECORD, cannot_be_there
from natural9.core.round.settling import insurance_undone, seat_settled
from natural9.core.round.state import CONCLUDED, Phase, RoundState
from natural9.core.saying import say
from natural9.core.staff import Rank, Staff
from natural9.core.table_of_play import is_complete, played_count
from natural9.core.wagers import Result

_NO_RULES: Final = say("This round was played under other rules: the shift manager rules on its bets instead")


def is_earlier(state: RoundState, number: int | None) -> bool:
    """Whether a command is about a round before the one at the table."""
    return number is not None and number != state.number


def found(state: RoundState, earlier: RoundState | None, number: int) -> RoundState | Refusal:
    """The earlier round, if there was one of this number."""
    if earlier is None or earlier.number != number:
        none = say("There is no round {number} before round {round}", number=number, round=state.number)
        return Refusal(Code.NO_SUCH_ROUND, none)
    if earlier.rules is None:
        return Refusal(Code.BAD_CORRECTION, _NO_RULES)
    assert earlier.phase in CONCLUDED, "no round opens before the last is concluded"
    return earlier


def correct_earlier(
    state: RoundState,
    earlier: RoundState | None,
    command: commands.CorrectCard | commands.CorrectResult,
    by: Staff,
    why: str,
) -> Decision:
    """Another suit is the dealer's to correct, another rank the pit supervisor's, a result the shift manager's."""
    round_ = found(state, earlier, command.round or 0)
    if isinstance(round_, Refusal):
        return round_
    if not why.strip():
        return Refusal(Code.REASON_NEEDED, commands.CORRECTED_WHY)
    cards = _cards(round_, command)
    if isinstance(cards, Refusal):
        return cards
    rank, paragraph = _authority(round_, cards)
    what = say("correct round {round}", round=round_.number)
    return rank_too_low(by, rank, what, paragraph) or _corrected(state, round_, cards, by, why, paragraph)


def settled_by_cards(
    state: RoundState,
    earlier: RoundState | None,
    number: int,
    cards: tuple[Card, ...],
    by: Staff,
    why: str,
    paragraph: str,
) -> Decision:
    """The same by a decision about a report, whose rank is checked already. Without cards: those registered stand."""
    round_ = found(state, earlier, number)
    if isinstance(round_, Refusal):
        return round_
    if not cards or cards == round_.cards:
        return ()
    return _corrected(state, round_, cards, by, why, paragraph)


def _cards(earlier: RoundState, command: commands.CorrectCard | commands.CorrectResult) -> tuple[Card, ...] | Refusal:
    if isinstance(command, commands.CorrectResult):
        cards = command.cards
    else:
        if command.place > len(earlier.cards):
            none = say(
                "Round {round} has no card {place}: {cards}",
                round=earlier.number,
                place=command.place,
                cards=name_cards(earlier.cards),
            )
            return Refusal(Code.BAD_CORRECTION, none)
        cards = (*earlier.cards[: command.place - 1], command.card, *earlier.cards[command.place :])
    if cards == earlier.cards:
        same = say("{cards} are the registered cards: there is nothing to correct", cards=name_cards(cards))
        return Refusal(Code.BAD_CORRECTION, same)
    return cards


def _authority(earlier: RoundState, cards: tuple[Card, ...]) -> tuple[Rank, str]:
    """Who may correct, by what it changes."""
    if tuple(card.rank for card in cards) == earlier.ranks:
        return Rank.DEALER, RECORD
    if not changes_result(earlier, cards):
        return Rank.PIT_SUPERVISOR, RECORD
    clause = earlier.game.document.clause(Kind.WRONG_RESULT, cards_dealt=len(cards))
    paragraph = next(remedy.paragraph for remedy in clause.remedies if remedy.do is Remedy.SETTLE_BY_CARDS)
    return clause.rank_later or clause.rank, paragraph


def changes_result(earlier: RoundState, cards: tuple[Card, ...]) -> bool:
    """Whether a settled round would have ended otherwise, for any wager or insurance, by these cards."""
    ranks = tuple(card.rank for card in cards)
    if earlier.phase is Phase.VOID:
        return False
    if not is_complete(ranks):
        return True
    return Outcome.of(ranks) != earlier.outcome or bool(insurance_undone(earlier, ranks))


def _corrected(
    state: RoundState, earlier: RoundState, cards: tuple[Card, ...], by: Staff, why: str, paragraph: str
) -> Decision:
    if refusal := _cannot_have_lain(state, earlier, cards):
        return refusal
    ranks = tuple(card.rank for card in cards)
    outcome = Outcome.of(ranks) if earlier.phase is Phase.SETTLED else None
    won = [wager.id for wager in earlier.wagers if outcome and wager.result(outcome) is Result.WIN]
    corrected = events.EarlierCardsCorrected(
        round=earlier.number,
        shoe=earlier.shoe_number,
        was=tuple(map(str, earlier.cards)),
        cards=tuple(map(str, cards)),
        from_old_set=min(earlier.from_old_set, len(earlier.cards)),
        won=tuple(won),
        by=by.id,
        why=why,
        paragraph=paragraph,
    )
    taken_up = events.RoundTakenUp(about_round=earlier.number)
    if outcome is None or not changes_result(earlier, cards):
        return (taken_up, corrected)
    return (taken_up, corrected, *_settled_again(earlier, cards, outcome))


def _settled_again(earlier: RoundState, cards: tuple[Card, ...], outcome: Outcome) -> Iterator[events.RoundEvent]:
    """Every seat whose money changes. A ruling on one of its bets stands above the cards, before and after."""
    ranks = tuple(card.rank for card in cards)
    undone = insurance_undone(earlier, ranks)
    played = earlier._replace(cards=cards)
    for number, seat in earlier.seats.items():
        back = [bet for bet in undone if bet.seat == number]
        gone = {(one.window, one.hand) for one in back}
        kept = tuple(bet for bet in seat.insurance if (bet.window, bet.hand) not in gone)
        settled = seat_settled(played, number, seat._replace(insurance=kept), outcome)
        back_cents = sum([one.cents for one in back])
        ruled = _by_rulings(earlier, number, settled)
        returned = settled.returned_cents + back_cents + ruled
        if returned == seat.returned_cents and not back:
            continue
        yield events.EarlierSeatSettled(
            round=earlier.number,
            seat=number,
            staked_cents=seat.staked_cents,
            was_cents=seat.returned_cents,
            lines=settled.lines,
            insurance=settled.insurance,
            insurance_back_cents=back_cents,
            ruled_cents=ruled,
            returned_cents=returned,
        )


def _by_rulings(state: RoundState, number: int, settled: events.SeatSettled) -> int:
    """What rulings add to a seat's settlement, or take from it; one on a bet that is another by now rules nothing."""
    paid, staked = Counter[str](), Counter[str]()
    for line in (*settled.lines, *settled.insurance):
        paid[line.wager] += line.returned_cents
        staked[line.wager] += line.stake_cents
    return sum(
        ruling.returned_cents - paid[wager]
        for (seat, wager), ruling in state.ruled.items()
        if seat == number and staked[wager] == ruling.stake_cents
    )


def _cannot_have_lain(state: RoundState, earlier: RoundState, cards: tuple[Card, ...]) -> Refusal | None:
    ranks = tuple(card.rank for card in cards)
    if earlier.phase is Phase.VOID and (len(cards) != len(earlier.cards) or played_count(ranks) != len(ranks)):
        as_many = say(
            "Round {round} was void with {cards}: name as many", round=earlier.number, cards=name_cards(earlier.cards)
        )
        return Refusal(Code.BAD_CORRECTION, as_many)
    if earlier.phase is Phase.SETTLED and not is_complete(ranks):
        try:
            Outcome.of(ranks)
        except BadInput as error:
            return Refusal.of(Code.BAD_CORRECTION, error)
    if earlier.shoe_number != state.shoe_number or state.shoe is None:
        return None
    old = min(earlier.from_old_set, len(earlier.cards))
    back, drawn = state.shoe.with_back(earlier.cards[old:]), cards[old:]
    for card in set(drawn):
        if drawn.count(card) > back.left(card):
            return Refusal(Code.CARD_TOO_MANY, cannot_be_there(card, back.decks), RECORD)
    return None
