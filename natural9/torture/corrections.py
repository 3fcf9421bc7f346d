"""A record that is not what lay on the felt, found at once or rounds later, and corrected by whoever may."""

from natural9.core.cards import Card
from natural9.torture.felt import WrongRecord, is_whole, names
from natural9.torture.seam import Answer, Picture
from natural9.torture.table_staff import TableStaff


async def correct_this_round(at: TableStaff, picture: Picture) -> None:
    """The record is made what lies in the hands."""
    felt = at.felt
    lies, registered = felt.lies, felt.registered
    if not lies:
        return
    console = picture["console"]
    if console["correction"] is None:
        return
    wrong = [place for place, pair in enumerate(zip(lies, registered, strict=False)) if pair[0] != pair[1]]
    if len(lies) == len(registered) and len(wrong) == 1 and at.chance.random() < 0.5:
        answer = await _one_card(at, wrong[0] + 1, lies[wrong[0]])
    else:
        answer = await _all_cards(at, lies)
    if not answer.done and answer.code == "card-too-many":
        await find_everything(at)
        answer = await _all_cards(at, lies)
    if not answer.done and answer.code != "irregularity-pending":
        felt.believe_the_screen(picture)


async def _one_card(at: TableStaff, place: int, card: Card, **earlier: int) -> Answer:
    words = f"corrects card {place}{_of(earlier)} to {card}"
    return await at.up_the_ranks(words, "correct-card", at.why(), place=place, card=str(card), **earlier)


async def _all_cards(at: TableStaff, lay: tuple[Card, ...], **earlier: int) -> Answer:
    words = f"corrects the cards{_of(earlier)} to {' '.join(names(lay))}"
    return await at.up_the_ranks(words, "correct-result", at.why(), cards=names(lay), **earlier)


def _of(earlier: dict[str, int]) -> str:
    return f" of round {earlier['round']}" if earlier else ""


async def correct_earlier(at: TableStaff, number: int, wrong: WrongRecord) -> bool:
    """A round that is over. False where the count says that it cannot be, as yet."""
    if not wrong.is_whole and is_whole(wrong.registered):
        await found_later(at, number)
        return True
    places = [place for place, card in enumerate(wrong.lay) if wrong.registered[place : place + 1] != (card,)]
    at.tell(f"table {at.id}: the cameras show that {' '.join(names(wrong.lay))} lay in round {number}")
    if at.chance.random() < 0.3 and wrong.is_whole and not at.quiet:
        answer = await at.order(
            at.dealer,
            f"reports that round {number} had a wrong result",
            "report",
            kind="wrong-result",
            about_round=number,
            detail="other cards lay there",
        )
        if answer.done:
            return True  # whoever decides it names the cards
    if len(places) == 1 and len(wrong.lay) == len(wrong.registered) and at.chance.random() < 0.5:
        answer = await _one_card(at, places[0] + 1, wrong.lay[places[0]], round=number)
    else:
        answer = await _all_cards(at, wrong.lay, round=number)
    if answer.done or answer.code != "card-too-many":
        at.felt.wrong.pop(number, None)
        return True
    return False


async def found_later(at: TableStaff, number: int) -> None:
    """What lay there is no whole round: it cannot be settled by that, whatever was done then."""
    at.felt.wrong.pop(number, None)
    words = f"reports that a hand of round {number} had a wrong number of cards"
    await at.order(at.dealer, words, "report", kind="found-later", about_round=number, detail="seen by the cameras")


async def find_everything(at: TableStaff) -> None:
    """By the count a card cannot be there: every record is held against the cameras, until nothing changes any more."""
    for _ in range(3):
        before = len(at.felt.wrong)
        for number, wrong in sorted(at.felt.wrong.items()):
            if wrong.is_whole or not is_whole(wrong.registered):
                await _all_found(at, number, wrong)
        if len(at.felt.wrong) in (0, before):
            return


async def _all_found(at: TableStaff, number: int, wrong: WrongRecord) -> None:
    answer = await _all_cards(at, wrong.lay, round=number)
    if answer.done or answer.code == "bad-correction":
        at.felt.wrong.pop(number, None)
