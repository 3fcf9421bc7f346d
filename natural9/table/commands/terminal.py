"""What a player's terminal asks of a live table. These are the wire's own types: one definition for both sides.

Every tap carries the request id that its sender made: the same id again gets the same answer, however long ago that
was. With other content it is refused where the two might be taken for each other: a tap about the same round or the
next, and whatever is about no round. The journal keeps the tap beside the events that it led to.
"""

from typing import Annotated

from msgspec import Meta, Struct

from natural9.core.money import MAX_CENTS
from natural9.core.table_of_play import Hand

Request = Annotated[str, Meta(min_length=1, max_length=64, description="An id that the sender makes, new for each")]
Cents = Annotated[int, Meta(ge=1, le=MAX_CENTS)]
RoundNumber = Annotated[int, Meta(ge=0, le=2**53)]
ShoeNumber = Annotated[int, Meta(ge=1, le=2**53)]
Minutes = Annotated[int, Meta(ge=1, le=7 * 24 * 60)]
VoucherCount = Annotated[int, Meta(ge=0, le=2**53)]
WagerId = Annotated[str, Meta(min_length=1, max_length=40)]


def _tag(name: str) -> str:
    """A class's name as it is written on the wire: TakeBack is take-back."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


class Tap(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag=_tag):
    request: Request


class BetTap(Tap, frozen=True, kw_only=True):
    """`round` is the one that the player saw: a bet that comes late can never land in the next."""

    round: RoundNumber


class Bet(BetTap, frozen=True, kw_only=True):
    """Lay this much on a spot, on top of what lies there."""

    wager: WagerId
    cents: Cents


class TakeBack(BetTap, frozen=True, kw_only=True):
    """Take back part of a bet; without an amount, all of it."""

    wager: WagerId
    cents: Cents | None = None


class Clear(BetTap, frozen=True, kw_only=True):
    """Take back all bets."""


class Undo(BetTap, frozen=True, kw_only=True):
    """Take back the last change of bets in this round."""


class Double(BetTap, frozen=True, kw_only=True):
    """Lay as much again on every spot where limits and credit allow it; the answer says which stay as they are."""


class ReBet(BetTap, frozen=True, kw_only=True):
    """Lay the bets of the last round that this terminal played."""


class LayBets(BetTap, frozen=True, kw_only=True):
    """Lay all of these, each on top of what lies on its spot; or none of them."""

    bets: Annotated[dict[WagerId, Cents], Meta(min_length=1, max_length=40)]


class Insure(BetTap, frozen=True, kw_only=True):
    hand: Hand
    cents: Cents


class CashOut(Tap, frozen=True, kw_only=True):
    """Turn credit into a voucher; without an amount, all of it.

    `vouchers` is how many the player's terminal had printed: one that comes late can never print another.
    """

    cents: Cents | None = None
    vouchers: VoucherCount | None = None


class InsertVoucher(Tap, frozen=True, kw_only=True):
    number: Annotated[str, Meta(min_length=1, max_length=64)]
    code: Annotated[str, Meta(min_length=1, max_length=64)]


class InsertBill(Tap, frozen=True, kw_only=True):
    """No message of a terminal: its bill acceptor holds a bill, and asks what is to become of it."""

    cents: Cents


class PlayTap(Tap, frozen=True, kw_only=True):
    """About the player's own session."""


class SetPlayLimits(PlayTap, frozen=True, kw_only=True):
    """All own limits; None is no limit. A lower one holds at once. A higher one is noted, and holds when it is asked
    for again after the cooling-off."""

    time_min: Minutes | None = None
    loss_cents: Cents | None = None
    stake_cents: Cents | None = None


class TakeBreak(PlayTap, frozen=True, kw_only=True):
    """Lock own betting for so long."""

    minutes: Minutes


class ContinuePlay(PlayTap, frozen=True, kw_only=True):
    """The reality check was seen, or the player is back after a while."""


class EndSession(PlayTap, frozen=True, kw_only=True):
    """Only without credit and bets."""


class CardOut(PlayTap, frozen=True, kw_only=True):
    """Take the player's card out; only without credit and bets."""


class CardIn(PlayTap, frozen=True, kw_only=True):
    """No message of a terminal: the server asks it of the table once card and PIN are found right."""

    player: str
    points_per_100: int


class BarCard(PlayTap, frozen=True, kw_only=True):
    """No message of a terminal, either: the player was excluded, or the account closed."""

    player: str


class MixTap(Tap, frozen=True, kw_only=True):
    """About mixing the next shoe; in any state of the table, locked or not."""

    shoe: ShoeNumber


class CommitNonce(MixTap, frozen=True, kw_only=True):
    """Fix what this seat mixes into the next shoe: a hash of it. Another one takes its place until the shoe is due."""

    commitment: Annotated[str, Meta(min_length=64, max_length=64)]


class RevealNonce(MixTap, frozen=True, kw_only=True):
    """Reveal what this seat has committed to, once all commitments are listed."""

    nonce: Annotated[str, Meta(min_length=64, max_length=129)]


class CallAttendant(Tap, frozen=True, kw_only=True):
    """Call an attendant to this seat, or take the call back; in any state of the table, locked or not."""

    wanted: bool = True


TerminalCommand = (
    Bet
    | TakeBack
    | Clear
    | Undo
    | Double
    | ReBet
    | LayBets
    | Insure
    | CashOut
    | InsertVoucher
    | SetPlayLimits
    | TakeBreak
    | ContinuePlay
    | EndSession
    | CardOut
    | CommitNonce
    | RevealNonce
    | CallAttendant
)
OfTheServer = CardIn | BarCard | InsertBill
