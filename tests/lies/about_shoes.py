"""Lies about electronic shoes: the house's own, and those that its seats mix."""

from typing import Any

from natural9.core.cards import parse_cards, show_cards
from natural9.table.shoes.mixing import nonce_commitment
from natural9.table.shoes.shuffler import Shuffled
from tests.lies.lie import (
    Lie,
    Tell,
    changed,
    leave_out,
    left_out,
    move_after,
    put_after,
    record_of,
    say,
    say_beside,
    the,
    twin,
)
from tests.lies.shown import Shown

OWN, MIXED = {"stream": "table/4"}, {"stream": "table/3"}


def _exchanged(stream: dict[str, Any]) -> Tell:
    """After the last card: another order that begins with the cards that were dealt, and a commitment to fit."""

    def tell(shown: Shown) -> None:
        line = the(shown, "shoe-revealed", **stream)
        said = record_of(line)
        cards = said["order"].split()
        order = [*cards[: said["dealt"]], *reversed(cards[said["dealt"] :])]
        other = Shuffled(said["decks"], b"s" * 32, parse_cards(" ".join(order)))
        say(line, order=show_cards(other.order), salt=other.salt.hex())
        for one in shown.entries:
            one["body"] = one["body"].replace(said["commitment"], other.commitment)
            one["documents"] = [
                [key.replace(said["commitment"], other.commitment), digest] for key, digest in one["documents"]
            ]

    return tell


def _dealt_from_the_houses_order(shown: Shown) -> None:
    """The seats' nonces are listed and have no part in the cards: those come as the house ordered them."""
    order = record_of(the(shown, "shoe-revealed", **MIXED))["order"].split()
    dealt = [one for one in shown.entries if one["kind"] == "card-dealt" and one["stream"] == "table/3"]
    for line, card in zip(dealt, order, strict=False):
        say(line, card=card)


def _order_short_of_a_card(shown: Shown) -> None:
    line = the(shown, "shoe-revealed", **OWN)
    order = record_of(line)["order"].split()
    say(line, order=" ".join([*order[:-1], order[0]]))


def _shown_and_played_on(shown: Shown) -> None:
    """Whoever is the house's friend can read there what comes."""
    line, opened = the(shown, "shoe-revealed", **OWN), the(shown, "betting-opened", 1, **OWN)
    before = [one["kind"] for one in shown.entries[: shown.entries.index(opened)] if one["stream"] == "table/4"]
    say(line, dealt=before.count("card-dealt"))
    move_after(shown, line, shown.entries[shown.entries.index(opened) - 1])


def _nonce_dropped(shown: Shown) -> None:
    """Seat 2 has committed and revealed, and is not in the list."""
    opened = the(shown, "shoe-mix-opened", **MIXED)
    say(opened, seats=[one for one in record_of(opened)["seats"] if one[0] != 2])
    leave_out(shown, the(shown, "nonce-revealed", seat=2))
    say(the(shown, "shoe-mixed"), seats=[1])


def _never_committed(shown: Shown) -> None:
    """As though seat 2 had not taken part at all."""
    leave_out(shown, the(shown, "nonce-committed", seat=2))
    _nonce_dropped(shown)


def _left_out_though_revealed(shown: Shown) -> None:
    say(the(shown, "shoe-mixed"), seats=[1], left_out=[2, 3])


def _unrevealed(shown: Shown) -> None:
    """The house keeps back what seat 2 revealed, because another order suits it better."""
    leave_out(shown, the(shown, "nonce-revealed", seat=2))
    _left_out_though_revealed(shown)


def _of_a_seat_that_did_not_commit(shown: Shown) -> None:
    """A seat of the house's own joins when it knows what the others reveal."""
    nonce = f"{99:064x}"
    opened = the(shown, "shoe-mix-opened", **MIXED)
    made = nonce_commitment(table="3", shoe=1, seat=9, nonce=nonce)
    say(opened, seats=[*record_of(opened)["seats"], [9, made]])
    line = the(shown, "nonce-revealed", seat=2)
    more = say_beside(say(twin(line), seat=9, nonce=nonce), by="3-9", command=None, request=None)
    put_after(shown, line, {**more, "request": ""})
    say(the(shown, "shoe-mixed"), seats=[1, 2, 9])


def _mix_skipped(shown: Shown) -> None:
    """The house would rather choose the next order alone: no seat is listed, and nothing is mixed."""
    for kind in ("shoe-mix-opened", "shoe-mixed"):
        leave_out(shown, the(shown, kind, 1, **MIXED))


def _hidden_from_first_to_last(shown: Shown) -> None:
    leave_out(shown, the(shown, "shoe-committed", **OWN))
    leave_out(shown, the(shown, "shoe-revealed", **OWN))


def _revealed_before_the_list(shown: Shown) -> None:
    move_after(shown, the(shown, "nonce-revealed", seat=1), the(shown, "nonce-committed", seat=3))


LIES = (
    Lie("a shoe is committed to with another hash", changed("shoe-committed", where=OWN, commitment="ab" * 32)),
    Lie("a shoe is never committed to", left_out("shoe-committed", **OWN)),
    Lie("a shoe is exchanged after it was committed to", changed("shoe-revealed", where=OWN, salt="00" * 32)),
    Lie("a shoe has a card too many and one too few", _order_short_of_a_card),
    Lie("a shoe is said to have dealt fewer cards", changed("shoe-revealed", where=OWN, dealt=3)),
    Lie("a shoe is never revealed", left_out("shoe-revealed", **OWN)),
    Lie("a shoe is neither committed to nor revealed", _hidden_from_first_to_last),
    Lie("a shoe is revealed and played on", _shown_and_played_on),
    Lie("a shoe's number is left out", changed("shoe-loaded", 1, where=OWN, shoe=3)),
    Lie("a shoe of other decks is loaded", changed("shoe-loaded", where=OWN, decks=6)),
    Lie("another order is committed to after the last card, with the same cards dealt", _exchanged(OWN)),
    Lie("the same, of a shoe that the seats have mixed", _exchanged(MIXED)),
    Lie("a mixed shoe is dealt in the house's own order", _dealt_from_the_houses_order),
    Lie("a seat's nonce is left out of the list", _nonce_dropped),
    Lie("a seat is said never to have taken part", _never_committed),
    Lie("a seat is left out though it has revealed", _left_out_though_revealed),
    Lie("what a seat has revealed is suppressed", _unrevealed),
    Lie("a seat reveals that did not commit", _of_a_seat_that_did_not_commit),
    Lie("a seat reveals something else than it committed to", changed("nonce-revealed", nonce=f"{7:064x}")),
    Lie("a seat reveals before all commitments are listed", _revealed_before_the_list),
    Lie("a shoe that its seats should mix is loaded without a mix", _mix_skipped),
    Lie("a mix by another rule", changed("shoe-mix-opened", rule="natural9 mix 0")),
    Lie("a mix that names another checkpoint", changed("shoe-mix-opened", checkpoint="")),
    Lie("a mix that names a checkpoint that never was", changed("shoe-mix-opened", checkpoint=f"27 {'A' * 43}=")),
    Lie(
        "a shoe is played before it is mixed",
        lambda shown: move_after(shown, the(shown, "shoe-mixed", **MIXED), the(shown, "betting-opened", **MIXED)),
    ),
)
