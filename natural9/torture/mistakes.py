"""What goes wrong at a table, as the rulebooks know it: each mistake, when it can happen, and what is done then.

Nothing here says how it is mended: a report says what happened, and the clause of the game's own document answers it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from natural9.core.irregularities import Kind
from natural9.core.staff import Rank
from natural9.torture.dealer import BETWEEN, DEALING, FloorDealer
from natural9.torture.seam import Answer, Picture

Mishap = Callable[[FloorDealer, Picture], Awaitable[None]]

BETTING: Final = frozenset({"betting-open"})
IN_PLAY: Final = DEALING | {"betting-open", "four-cards-insurance", "third-card-insurance", "complete"}
CLOSED: Final = IN_PLAY - BETTING
ANY: Final = IN_PLAY | {"settled", "void"}
OVER: Final = frozenset({"settled"})
NO_CARD_DUE: Final = frozenset({"complete", "settled", "void"})


class Mistake(NamedTuple):
    """`real`: only with real cards in somebody's hand."""

    name: str
    phases: frozenset[str]
    happens: Mishap
    real: bool = False
    weight: int = 2


async def report(dealer: FloorDealer, kind: Kind, says: str, **names: Any) -> Answer:
    words = f"reports: {says}"
    return await dealer.at.order(dealer.at.dealer, words, "report", kind=kind.value, detail=says[:200], **names)


# Reports of what is seen.


def seen(kind: Kind, says: str) -> Mishap:
    """Nothing but the report."""

    async def happens(dealer: FloorDealer, picture: Picture) -> None:
        await report(dealer, kind, says)

    return happens


def drawn(kind: Kind, says: str, *, cards: int = 1) -> Mishap:
    """Cards left the shoe out of turn, and are reported by name. A reader reads them itself; what it cannot tell is
    reported without."""

    async def happens(dealer: FloorDealer, picture: Picture) -> None:
        felt, phase = dealer.at.felt, picture["table"]["phase"]
        if dealer.reader:
            await _past_the_reader(dealer, picture)
            return
        came = felt.draw_out_of_turn(cards)
        if len(came) < cards:
            felt.put_back()
            return
        names = [str(card) for card in came]
        if kind is Kind.DRAWN_TOGETHER_ORDER_UNKNOWN:
            dealer.at.chance.shuffle(names)
        answer = await report(dealer, kind, f"{says} ({phase}): {' '.join(names)}", cards=names)
        if not answer.done:
            felt.put_back()

    return happens


async def _past_the_reader(dealer: FloorDealer, picture: Picture) -> None:
    """While a card is due what passes the reader is that card: a card out of turn comes when none is."""
    at = dealer.at
    if picture["table"]["phase"] in DEALING or picture["console"]["held"] or dealer.reader is None:
        return
    for card in at.felt.draw_out_of_turn():
        at.tell(f"table {at.id}: {card} slips out of the reading shoe")
        dealer.reader.read(str(card))
    await at.pause(0.5, 1)
    at.look()
    if at.felt.drawn and not (await at.see())["table"]["waiting"]:
        at.felt.drawn.clear()  # nobody has seen it: it goes to the discards


async def empty_shoe(dealer: FloorDealer, picture: Picture) -> None:
    dealer.at.felt.shoe.clear()
    if dealer.reader and dealer.at.chance.random() < 0.5:
        dealer.reader.read("EMPTY")
        await dealer.at.pause(0.5, 1)
    else:
        await dealer.report_empty()


async def terminals_go_dark(dealer: FloorDealer, picture: Picture) -> None:
    """Some have bet, some have not."""
    have_bet = [one["seat"] for one in picture["console"]["seats"] if one["bets"]]
    others = [seat for seat in range(1, min(dealer.at.config.seats, 12) + 1) if seat not in have_bet]
    dark = sorted({dealer.at.chance.choice(group) for group in (have_bet, others) if group})
    says = f"the terminals of seats {dark} went dark"
    await report(dealer, Kind.TERMINAL_INTERRUPTION, says, seats=dark)


async def found_later(dealer: FloorDealer, picture: Picture) -> None:
    if picture["table"]["round"] > 1:
        about = dealer.at.chance.randrange(max(1, picture["table"]["round"] - 5), picture["table"]["round"])
        await report(dealer, Kind.FOUND_LATER, f"in round {about} a card was burnt out of turn", about_round=about)


async def wrong_result(dealer: FloorDealer, picture: Picture) -> None:
    """Somebody is sure that the wrong hand was paid: the cards are looked at."""
    await report(dealer, Kind.WRONG_RESULT, "a player says that the other hand has won")


async def something_else(dealer: FloorDealer, picture: Picture) -> None:
    """No clause covers it; now and then a card has to do with it."""
    kind = Kind.NOT_COVERED
    if dealer.reader is None and dealer.at.has_real_cards and dealer.at.chance.random() < 0.5:
        await drawn(kind, "a card fell to the floor")(dealer, picture)
    else:
        await report(dealer, kind, "a glass was spilt over the layout")


async def reported_by_mistake(dealer: FloorDealer, picture: Picture) -> None:
    """It only looked so."""
    kind = dealer.at.chance.choice((Kind.FOREIGN_CARD, Kind.UNSHUFFLED_CARDS, Kind.ORDER_ALTERED, Kind.NOT_COVERED))
    answer = await report(dealer, kind, f"{kind.words}, and it only looked so")
    if answer.done:
        newest = max([one["report"] for one in (await dealer.at.see())["console"]["reported"]], default=0)
        dealer.at.false_reports.add((dealer.at.felt.round, newest))


# Bets after the call.


async def late_bet(dealer: FloorDealer, picture: Picture) -> None:
    lie = [(one["seat"], wager, cents) for one in picture["console"]["seats"] for wager, cents in one["bets"].items()]
    lie += [
        (one["seat"], f"{bet['hand']}-insurance", bet["cents"])
        for one in picture["console"]["seats"]
        for bet in one["insurance"][-1:]
    ]
    if lie:
        seat, wager, cents = dealer.at.chance.choice(lie)
        amount = {} if dealer.at.chance.random() < 0.6 else {"cents": cents}
        says = f"seat {seat} laid {wager} after the call of no more bets"
        await report(dealer, Kind.LATE_BET, says, seat=seat, wager=wager, **amount)


async def withdrawn_bet(dealer: FloorDealer, picture: Picture) -> None:
    gone = [
        (one["seat"], wager, cents) for one in picture["console"]["seats"] for wager, cents in one["withdrawn"].items()
    ]
    if gone:
        seat, wager, cents = dealer.at.chance.choice(gone)
        says = f"seat {seat} took {wager} away after the call of no more bets"
        await report(dealer, Kind.WITHDRAWN_BET, says, seat=seat, wager=wager, cents=cents)


# The dealer's hand and fingers.


async def wrong_area(dealer: FloorDealer, picture: Picture) -> None:
    """The card goes to the wrong hand, and the console is told so."""
    due, held = picture["console"]["due"], picture["console"]["held"]
    if due is None or dealer.reader or dealer.at.felt.laid > len(dealer.at.felt.registered):
        return
    other = "banker" if due == "player" else "player"
    card = held[0] if held else str(dealer.lay() or "")
    if card:
        words = f"draws {card}, which is the {due.title()}'s, and puts it in the {other.title()} area"
        await dealer.order(words, "deal", card=card, put_at=other)


async def keyed_twice(dealer: FloorDealer, picture: Picture) -> None:
    """One card lies there, and the key is pressed twice."""
    if dealer.reader or picture["console"]["held"] or dealer.at.felt.laid > len(dealer.at.felt.registered):
        return
    card = dealer.lay()
    if card:
        await asyncio.gather(*[dealer.key(card) for _ in range(2)])


async def wrong_call(dealer: FloorDealer, picture: Picture) -> None:
    """The other hand is announced."""
    shows = picture["console"]["shows"]
    called = dealer.at.chance.choice([one for one in ("player", "banker", "tie") if one != shows])
    await dealer.order(f"announces {called}", "declare", winner=called)


async def out_of_turn(dealer: FloorDealer, picture: Picture) -> None:
    """A key that is not due: it is refused, and nothing changes."""
    may = picture["console"]["commands"]
    tags = ("open-betting", "close-betting", "declare", "settle", "open-insurance", "close-insurance", "new-shoe")
    tag = dealer.at.chance.choice([tag for tag in tags if tag not in may])
    await dealer.order(f"presses {tag} out of turn", tag)


async def pressed_twice(dealer: FloorDealer, picture: Picture) -> None:
    may = [tag for tag in ("close-betting", "declare", "settle") if tag in picture["console"]["commands"]]
    if may:
        await asyncio.gather(*[dealer.order(f"presses {may[0]} twice", may[0]) for _ in range(2)])


async def cut_card_early(dealer: FloorDealer, picture: Picture) -> None:
    if "cut-card" in picture["console"]["commands"]:
        await dealer.order("finds the cut card, put too deep into the shoe", "cut-card")


# What the floor does about a table.


async def squeeze(dealer: FloorDealer, picture: Picture) -> None:
    """rws-nc-insurance 4.1.4: a player may see the Banker's card first, and the second window is gone for everybody."""
    may, seats = picture["console"]["commands"], [one["seat"] for one in picture["console"]["seats"]]
    if "take-back-waiver" in may:
        await _by_rank(dealer, "take-back-waiver", "takes the waiver back", picture)
    elif "waive-insurance" in may and seats:
        words = "lets a player squeeze the Banker's card first"
        answer = await _by_rank(dealer, "waive-insurance", words, picture, seat=seats[0])
        if answer.done and dealer.at.rarely(0.5):
            await _by_rank(dealer, "take-back-waiver", "takes the waiver back: the player has thought better", picture)


async def burn_what_waits(dealer: FloorDealer, picture: Picture) -> None:
    held = picture["console"]["held"]
    if held and "discard-held" in picture["console"]["commands"]:
        answer = await _by_rank(dealer, "discard-held", f"has {held[0]} burnt", picture, cards=[held[0]])
        if answer.done:
            dealer.at.felt.burn([held[0]])


async def other_cards(dealer: FloorDealer, picture: Picture) -> None:
    """Marked cards: another shoe before the cut card."""
    if "new-shoe" in picture["console"]["commands"]:
        held = picture["console"]["held"]
        burnt = held[: dealer.at.chance.randrange(len(held) + 1)]
        await _by_rank(dealer, "new-shoe", "has other cards brought before the cut card", picture, discard=burnt)


async def _by_rank(dealer: FloorDealer, tag: str, words: str, picture: Picture, **fields: Any) -> Answer:
    least = Rank.parse(picture["console"]["ranks"].get(tag, "dealer"))
    return await dealer.at.by_rank(least, words, tag, dealer.at.why(), **fields)


async def fire_alarm(dealer: FloorDealer, picture: Picture) -> None:
    await dealer.at.by_rank(Rank.SHIFT_MANAGER, "voids the round: a fire alarm", "void-round", "a fire alarm")


async def ruling(dealer: FloorDealer, picture: Picture) -> None:
    """A quarrel: the shift manager rules on one bet, of this round or of one before."""
    at = dealer.at
    bets = [(one["seat"], wager, cents) for one in picture["console"]["seats"] for wager, cents in one["bets"].items()]
    if not bets:
        return
    seat, wager, cents = at.chance.choice(bets)
    fields: dict[str, Any] = {"seat": seat, "wager": wager}
    if picture["table"]["phase"] == "settled":
        fields["returned_cents"] = at.chance.choice((0, cents, 2 * cents))
    elif picture["table"]["round"] > 1 and at.chance.random() < 0.5:
        fields |= {"round": picture["table"]["round"] - 1, "returned_cents": cents}
    words = f"rules on seat {seat}'s bet on {wager}"
    await at.by_rank(Rank.SHIFT_MANAGER, words, "rule-on-bet", "a quarrel", **fields)


async def two_reports(dealer: FloorDealer, picture: Picture) -> None:
    """One comes seldom alone."""
    await report(dealer, Kind.ORDER_ALTERED, "the order of the cards was changed")
    await report(dealer, Kind.TABLE_INTERRUPTION, "the table was dark for a moment")


async def dispute(dealer: FloorDealer, picture: Picture) -> None:
    number = picture["table"]["round"]
    await dealer.at.by_rank(Rank.PIT_SUPERVISOR, f"freezes round {number}", "freeze-round", "a dispute", round=number)


async def beyond_their_rank(dealer: FloorDealer, picture: Picture) -> None:
    """A dealer tries what is not theirs: it is refused."""
    tag, fields = dealer.at.chance.choice(
        [("void-round", {}), ("close-table", {}), ("rule-on-bet", {"seat": 1, "wager": "player"}), ("open-table", {})]
    )
    await dealer.at.order(dealer.at.dealer, f"tries {tag}", tag, dealer.at.why(), **fields)


MISTAKES: Final = (
    Mistake("foreign card", ANY, seen(Kind.FOREIGN_CARD, "a card with another back came out")),
    Mistake("wrong set", ANY, seen(Kind.SHORTAGE_OR_EXCESS, "one card is there too often")),
    Mistake("unshuffled cards", ANY, seen(Kind.UNSHUFFLED_CARDS, "the cards come in the order of a new deck")),
    Mistake(
        "wrong number of cards",
        ANY,
        seen(Kind.WRONG_NUMBER_OF_CARDS, "three cards lie in a hand, and it is not that far"),
    ),
    Mistake(
        "one card too many in a hand",
        CLOSED,
        drawn(Kind.WRONG_NUMBER_OF_CARDS, "a hand got a card too many"),
        real=True,
    ),
    Mistake("empty shoe", DEALING, empty_shoe, real=True),
    Mistake(
        "exposed card", ANY, drawn(Kind.EXCESS_OR_EXPOSED, "a card slipped out and lies exposed"), real=True, weight=3
    ),
    Mistake(
        "card after the last",
        NO_CARD_DUE,
        drawn(Kind.EXCESS_OR_EXPOSED, "one more card was drawn"),
        real=True,
        weight=4,
    ),
    Mistake("wrong area", DEALING, wrong_area, real=True, weight=4),
    Mistake("wrong result", CLOSED | OVER, wrong_result),
    Mistake(
        "two together",
        ANY,
        drawn(Kind.DRAWN_TOGETHER_ORDER_KNOWN, "two cards came together", cards=2),
        real=True,
        weight=3,
    ),
    Mistake(
        "two together, order unknown",
        ANY,
        drawn(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, "nobody saw which came first", cards=2),
        real=True,
        weight=4,
    ),
    Mistake("order altered", IN_PLAY, seen(Kind.ORDER_ALTERED, "two cards did not come as they lay in the shoe")),
    Mistake("card out of the middle", IN_PLAY, drawn(Kind.ORDER_ALTERED, "a card came out of the middle"), real=True),
    Mistake("boxed card", IN_PLAY, seen(Kind.FACE_UP_IN_SHOE, "a card lies boxed in the shoe")),
    Mistake("next card face up", CLOSED, drawn(Kind.FACE_UP_IN_SHOE, "the next card lies face up"), real=True),
    Mistake("dark table", IN_PLAY, seen(Kind.TABLE_INTERRUPTION, "the table was dark for a minute"), weight=4),
    Mistake("dark terminals", IN_PLAY, terminals_go_dark, weight=3),
    Mistake("late bet", CLOSED, late_bet, weight=4),
    Mistake("withdrawn bet", CLOSED, withdrawn_bet, weight=4),
    Mistake("found later", ANY, found_later),
    Mistake("something else", ANY, something_else, weight=6),
    Mistake("false report", ANY, reported_by_mistake),
    Mistake("two reports", IN_PLAY, two_reports),
    Mistake("keyed twice", DEALING, keyed_twice, real=True),
    Mistake("wrong call", frozenset({"complete"}), wrong_call, weight=4),
    Mistake("out of turn", ANY, out_of_turn),
    Mistake("pressed twice", IN_PLAY, pressed_twice),
    Mistake("early cut card", ANY, cut_card_early, real=True, weight=1),
    Mistake("squeeze", DEALING | {"third-card-insurance"}, squeeze, weight=8),
    Mistake("burnt card", ANY, burn_what_waits, real=True, weight=6),
    Mistake("other cards", BETWEEN, other_cards, weight=1),
    Mistake("fire alarm", IN_PLAY | OVER, fire_alarm, weight=2),  # also of a round that is settled
    Mistake("ruling", CLOSED | OVER, ruling, weight=3),
    Mistake("dispute", ANY, dispute, weight=1),
    Mistake("beyond their rank", ANY, beyond_their_rank, weight=1),
)


async def go_wrong(dealer: FloorDealer, picture: Picture) -> None:
    """Something does, of what can at this moment; rather what has not happened yet."""
    at, phase = dealer.at, picture["table"]["phase"]
    can = [
        one
        for one in MISTAKES
        if phase in one.phases and (at.has_real_cards or not one.real) and one.name not in at.never
    ]
    if can:
        [mistake] = at.chance.choices(can, [one.weight / (1 + at.used[one.name]) ** 2 for one in can])
        given = at.given
        await mistake.happens(dealer, picture)
        at.used[mistake.name] += at.given > given
