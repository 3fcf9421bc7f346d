"""Supervisors: they come to a table, look at what lies there, and decide what waits: the right one, one whose rank is
too low, or two at once."""

import asyncio
from typing import Any, Final

from natural9.core.irregularities import Kind, Remedy
from natural9.core.staff import Rank
from natural9.games.citations import citation
from natural9.torture.corrections import find_everything
from natural9.torture.felt import is_whole, names
from natural9.torture.people import of_rank, titled
from natural9.torture.seam import Answer, Picture
from natural9.torture.table_staff import TableStaff

_ORDERED: Final = frozenset({Remedy.RECONSTRUCT, Remedy.USE_IN_NEXT_ROUND, Remedy.CONTINUE})
_FAILS: Final = 4  # refusals in a row after which a shift manager ends it


async def decide_what_waits(at: TableStaff, picture: Picture) -> None:
    """The first report that waits, or any of several."""
    waiting = at.chance.choice(picture["table"]["waiting"])
    reported = next(one for one in picture["console"]["reported"] if one["report"] == waiting["report"])
    await at.pause(0.5, 5)
    if at.refused > _FAILS:
        await _end_it(at, reported)
    elif reported["confirm"]:
        await _confirm(at, waiting, reported)
    elif not waiting["remedies"] or _never_happened(at, waiting, reported):
        await withdraw(at, reported)
    elif at.rarely(0.15):
        await _two_at_once(at, waiting, reported)
    else:
        await _decide(at, waiting, reported)


def _never_happened(at: TableStaff, waiting: Picture, reported: Picture) -> bool:
    """It was reported by mistake, or a reader read a card that nobody drew."""
    if not reported["withdraw_rank"]:
        return False
    named = list(reported["cards"])
    drawn = names(at.felt.stray)
    is_phantom = at.has_real_cards and any(named.count(card) > drawn.count(card) for card in named)
    return is_phantom or (at.felt.round, reported["report"]) in at.false_reports


async def withdraw(at: TableStaff, reported: Picture) -> None:
    """By the rank that may; nothing has happened."""
    if not reported["withdraw_rank"]:
        await _end_it(at, reported)
        return
    words = f"withdraws report {reported['report']}: it was a mistake"
    rank = Rank.parse(reported["withdraw_rank"])
    await at.by_rank(rank, words, "withdraw-report", at.why(), report=reported["report"])


async def _decide(at: TableStaff, waiting: Picture, reported: Picture) -> None:
    remedy = at.least_used({f"{waiting['kind']} {one['remedy']}": one for one in waiting["remedies"]})
    fields = _decision(at, waiting, reported, remedy)
    words = _words(waiting, remedy, fields)
    rank = Rank.parse(waiting["rank"])
    if at.rarely(0.1):  # what reaches into money or cards needs a reason
        answer = await at.by_rank(rank, words, "decide", "", **fields)
    else:
        answer = await at.by_rank(rank, words, "decide", at.why(), **fields)
    if not answer.done and answer.code == "card-too-many":
        await find_everything(at)
    _settled_by_cards(at, reported, remedy, answer)


async def _two_at_once(at: TableStaff, waiting: Picture, reported: Picture) -> None:
    """Each at a console of their own, each as they see it: one decides, the other is told that nothing waits."""
    one, other = of_rank(Rank.parse(waiting["rank"]), at.chance)[:2]
    remedies = [at.chance.choice(waiting["remedies"]) for _ in range(2)]
    at.tell(f"table {at.id}: {titled(one)} and {titled(other)} decide at the same moment")
    answers = await asyncio.gather(
        *[
            at.order(who, _words(waiting, remedy, fields), "decide", at.why(), **fields)
            for who, remedy, fields in [
                (who, remedy, _decision(at, waiting, reported, remedy))
                for who, remedy in zip((one, other), remedies, strict=True)
            ]
        ]
    )
    for remedy, answer in zip(remedies, answers, strict=True):
        _settled_by_cards(at, reported, remedy, answer)


def _words(waiting: Picture, remedy: Picture, fields: Picture) -> str:
    cards = f", with {' '.join(fields['cards'])}" if fields.get("cards") else ""
    other = ", and has other cards brought" if fields.get("replace_shoe") else ""
    by = citation(remedy["paragraph"])
    return f'decides "{Kind(waiting["kind"]).words}" by {by}: {Remedy(remedy["remedy"]).words}{cards}{other}'


def _decision(at: TableStaff, waiting: Picture, reported: Picture, remedy: Picture) -> dict[str, Any]:
    """The order that says so; the cards as they really came or lay."""
    word, named = Remedy(remedy["remedy"]), list(reported["cards"])
    fields: dict[str, Any] = {"report": reported["report"], "remedy": word.value}
    if word is Remedy.DECIDE_ORDER:
        at.chance.shuffle(named)
        fields["cards"] = named
    elif word in _ORDERED and len(named) > 1:
        fields["cards"] = sorted(named, key=names(at.felt.stray).index) if at.has_real_cards else named
    elif word is Remedy.SETTLE_BY_CARDS and at.has_real_cards:
        wrong = at.felt.wrong.get(reported["about_round"] or 0)
        lay = wrong.lay if wrong else at.felt.lies
        as_many = wrong or (reported["about_round"] is None and len(lay) == len(at.felt.registered))
        if is_whole(lay) and as_many:
            fields["cards"] = names(lay)
    if waiting["may_replace_shoe"] and at.chance.random() < 0.3:
        fields["replace_shoe"] = True
    return fields


def _settled_by_cards(at: TableStaff, reported: Picture, remedy: Picture, answer: Answer) -> None:
    """What was decided about an earlier round is done with it; another set of cards is in the shoe."""
    if answer.done and reported["about_round"] is not None:
        at.felt.wrong.pop(reported["about_round"], None)


async def _confirm(at: TableStaff, waiting: Picture, reported: Picture) -> None:
    """After an interruption somebody looks at the felt."""
    picture = await at.see()
    lies = names(at.felt.lies) if picture["table"]["phase"] != "betting-open" else []
    words = f"confirms the cards as they lie, {' '.join(lies) or 'none'}"
    fields: dict[str, Any] = {"report": reported["report"], "remedy": "confirm-cards", "cards": lies}
    answer = await at.by_rank(Rank.PIT_SUPERVISOR, words, "decide", at.why(), **fields)
    if answer.done or answer.code in ("rank-too-low", "no-irregularity"):
        return
    await find_everything(at)
    answer = await at.by_rank(Rank.PIT_SUPERVISOR, words, "decide", at.why(), **fields)
    if not answer.done:
        words = "confirms the cards that the screen shows"
        answer = await at.by_rank(
            Rank.PIT_SUPERVISOR, words, "decide", at.why(), report=reported["report"], remedy="confirm-cards"
        )
        if answer.done:
            at.felt.believe_the_screen(await at.see())


async def _end_it(at: TableStaff, reported: Picture) -> None:
    """Nothing else was possible: whoever may withdraws it, or the shift manager voids the round."""
    who = of_rank(Rank.SHIFT_MANAGER, at.chance)[0]
    if reported["withdraw_rank"]:
        words = f"withdraws report {reported['report']}: nobody can say what happened"
        answer = await at.order(who, words, "withdraw-report", at.why(), report=reported["report"])
        if answer.done:
            return
    await at.order(who, "voids the round: nobody can say what happened", "void-round", at.why())


async def clear_faults(at: TableStaff, picture: Picture) -> None:
    """A fault holds the table until somebody has seen to it."""
    fault = next(iter(picture["table"]["faults"]))
    await at.pause(0.5, 10)
    await at.by_rank(Rank.PIT_SUPERVISOR, f"clears the fault {fault}", "clear-fault", at.why(), fault=fault)
