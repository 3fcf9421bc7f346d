"""What each document lets be done about an irregularity, once more: written from docs/journal.md ("Clauses"), with the
paragraphs that the outside verifier leaves out.

A line: the kind; `!` and the rank, where it is none of a pit supervisor; the remedies in order, each with its paragraph
and after a slash its condition (d a card is due, n none is, e the outcome is established, u it is not, p in play);
then `later RANK`, `settled` (reported until the next round begins), `void` (after a void, too), `first` (only after the
first card), `stand` and `shoe` with their paragraphs. `~` stands for "interpretation ".
"""

from functools import cache
from typing import Final, NamedTuple

from natural9.torture.outside import load_verifier

rules: Final = load_verifier()
SUPERVISOR: Final = "pit-supervisor"
_ANY: Final = "continue={0} reconstruct={0} settle-by-cards={0} no-effect={0} discard={0} void={0}/p"
_NOT_COVERED: Final = f"not-covered !shift-manager {_ANY} later shift-manager settled void"

_MBS: Final = f"""
foreign-card void=5.1.1 stand 5.1.2
shortage-or-excess void=5.1.1 stand 5.1.2
unshuffled-cards void=5.1.1 stand 5.1.2
wrong-number-of-cards reconstruct=5.7 void=5.2
excess-or-exposed reconstruct=5.7 void=5.2/d discard=~drawn-after-the-last-card/n settled void
insufficient-cards void=5.3
wrong-area !dealer reconstruct=5.7
wrong-result settle-by-cards=6.3 later shift-manager settled
drawn-together-order-known !dealer reconstruct=5.8 settled void
drawn-together-order-unknown void=5.8.1/d discard=~drawn-after-the-last-card/n settled void
order-altered reconstruct=5.7 void=5.2
face-up-in-shoe !dealer continue=5.6 first
table-interruption void=5.9.1/u continue=5.9.2/e
terminal-interruption !dealer continue=5.10
late-bet !dealer refuse-bet=5.5
withdrawn-bet !dealer bet-stands=5.4
{_NOT_COVERED.format("6.1")}
"""
_RWS_NC: Final = f"""
foreign-card void=5.3.1 stand 5.3
shortage-or-excess void=5.3.2 stand 5.3
wrong-number-of-cards reconstruct=5.4 void=5.3.3 settled stand 5.3
insufficient-cards void=5.3.4 stand 5.3
unshuffled-cards void=5.3.5 stand 5.3
excess-or-exposed reconstruct=5.4/d void=5.3.3/d use-in-next-round=5.4/n discard=5.4/n settled void
wrong-area !dealer reconstruct=5.5
wrong-result settle-by-cards=5.6 later shift-manager settled
drawn-together-order-known reconstruct=5.4 discard=5.4/n settled void
drawn-together-order-unknown decide-order=5.7 discard=5.4/n settled void shoe 5.7.1
face-up-in-shoe continue=5.4
table-interruption continue=5.1.1/e void=5.1.2/u
terminal-interruption !dealer continue=5.2
late-bet !dealer refuse-bet=3.7
withdrawn-bet !dealer bet-stands=5.9
found-later no-effect=5.8 later pit-supervisor settled void
{_NOT_COVERED.format("5.12")}
"""
_INSURANCE: Final = f"""
foreign-card void=5.1.1 stand 5.1.1
wrong-number-of-cards reconstruct=5.1.2 void=5.1.2 settled
insufficient-cards void=5.1.3
late-bet !dealer refuse-bet=5.2
withdrawn-bet !dealer bet-stands=5.3
{_NOT_COVERED.format("~shift-manager-where-silent")}
"""
_SUPER_SIX_PLUS: Final = f"""
foreign-card void=5.1.1 stand 5.1
shortage-or-excess void=5.1.2 stand 5.1
wrong-number-of-cards reconstruct=5.1.3 void=5.1.3 settled stand 5.1
insufficient-cards void=5.1.4 stand 5.1
late-bet !dealer refuse-bet=3.2
withdrawn-bet !dealer bet-stands=~withdrawn-bet-stands
{_NOT_COVERED.format("~shift-manager-where-silent")}
"""
TEXTS: Final = {
    "mbs": _MBS,
    "rws-nc": _RWS_NC,
    "rws-nc-insurance": _INSURANCE,
    "rws-nc-super-six-plus": _SUPER_SIX_PLUS,
}
CONFIRM: Final = (("confirm-cards", "interpretation felt-decides"),)
_OF_DRAWN: Final = {"discard", "decide-order", "use-in-next-round"}
_OF_EARLIER: Final = {"continue", "no-effect", "settle-by-cards"}
_AFTER_VOID: Final = _OF_DRAWN | {"continue", "no-effect", "reconstruct"}


class BookClause(NamedTuple):
    kind: str
    rank: str
    remedies: tuple[tuple[str, str, str], ...]  # remedy, paragraph, condition
    later: str
    settled: bool
    void: bool
    first: bool
    stand: str
    shoe: str


class May(NamedTuple):
    """What may be decided about a report, and by whom."""

    rank: str
    remedies: tuple[tuple[str, str], ...]
    stand: str
    shoe: str


def document_of(game: str) -> str:
    return "mbs" if game.startswith("mbs") else game


def _paragraph(document: str, text: str) -> str:
    return f"interpretation {text[1:]}" if text.startswith("~") else f"{document} {text}"


@cache
def clauses(document: str) -> dict[str, BookClause]:
    found = {}
    for line in TEXTS[document].strip().splitlines():
        kind, *words = line.split(" ")
        rank = words.pop(0)[1:] if words[0].startswith("!") else SUPERVISOR
        remedies = []
        while words and "=" in words[0]:
            remedy, _, rest = words.pop(0).partition("=")
            paragraph, _, condition = rest.partition("/")
            remedies.append((remedy, _paragraph(document, paragraph), condition))
        after = dict(zip(words, [*words, ""][1:], strict=True))
        marks = {name: _paragraph(document, after[name]) if name in after else "" for name in ("stand", "shoe")}
        flags = ("settled" in words, "void" in words, "first" in words)
        found[kind] = BookClause(
            kind, rank, tuple(remedies), after.get("later", ""), *flags, marks["stand"], marks["shoe"]
        )
    return found


def clause_of(game: str, kind: str, cards_dealt: int) -> BookClause:
    all_of_it = clauses(document_of(game))
    found = all_of_it.get(kind, all_of_it["not-covered"])
    return all_of_it["not-covered"] if found.first and not cards_dealt else found


def what_may_be_decided(
    game: str,
    offered: tuple[str, ...],
    kind: str,
    *,
    phase: str,
    cards: tuple[str, ...],
    held: tuple[str, ...],
    names_cards: bool,
    earlier: bool,
    confirm: bool = False,
) -> May:
    """As things stand, by docs/journal.md, "What may be decided"."""
    if confirm:
        return May(SUPERVISOR, CONFIRM, "", "")
    clause = clause_of(game, kind, len(cards))
    playing, ranks = phase not in ("settled", "void"), "".join(card[0] for card in cards)
    due = playing and rules.next_hand(ranks) is not None
    holds = {"": True, "p": playing, "d": due, "n": not due}
    if any(condition in ("e", "u") for _, _, condition in clause.remedies):
        sure = _is_established(game, offered, ranks, "".join(card[0] for card in held))
        holds |= {"e": sure, "u": not sure}
    forgets = {"no-effect", "settle-by-cards"} if names_cards and not earlier and clause.kind == "not-covered" else {}
    remedies = tuple(
        (remedy, paragraph)
        for remedy, paragraph, condition in clause.remedies
        if holds[condition] and remedy not in forgets and _in_reach(remedy, phase, names_cards, earlier)
    )
    rank = clause.later or clause.rank if earlier else clause.rank
    return May(rank, remedies, clause.stand, "" if earlier else clause.shoe)


def _in_reach(remedy: str, phase: str, names_cards: bool, earlier: bool) -> bool:
    if earlier:
        return remedy in _OF_EARLIER
    if not names_cards and (remedy in _OF_DRAWN or (remedy == "reconstruct" and phase in ("settled", "void"))):
        return False
    return phase != "void" or remedy in _AFTER_VOID


@cache
def _is_established(game: str, offered: tuple[str, ...], ranks: str, held: str) -> bool:
    """Some wager is already won or lost, however the round ends; the held cards that it takes are known."""
    for rank in held:
        ranks += rank if rules.next_hand(ranks) else ""
    return any(rules.fate(game, wager, ranks) for wager in offered)
