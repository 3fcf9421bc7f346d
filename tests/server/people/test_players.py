"""Players' accounts: card and PIN, locks, closing, and exclusions that nobody shortens."""

import asyncio

import pytest

from natural9.core.errors import BadInput
from natural9.journal import player_events as events
from natural9.server.people.players import LOCK_MS, LOCKS_AFTER, Players, card_text
from natural9.server.people.records import PLAYER
from tests.server.people.house import House, house
from tests.table.stores import SlowStore

AT = "terminal-1-3"


async def venue() -> tuple[House, Players]:
    found = await house()
    return found, found.accounts.players


async def refused(players: Players, card: str, pin: str) -> str:
    with pytest.raises(BadInput) as error:
        await players.check(card, pin, device=AT)
    return error.value.code


def other(pin: str) -> str:
    return "271828" if pin != "271828" else "314159"


async def test_a_player_has_a_number_a_card_and_a_pin_and_is_found_by_them() -> None:
    _, players = await venue()
    mei, tan = await players.add("Mei", by="cass"), await players.add(" Mr  Tan ", by="cass")
    assert (mei.number, tan.number) == ("10001", "10002")
    assert players.find("10002").name == "Mr Tan"
    for card in (mei.card, mei.card.lower().replace("-", " "), card_text(mei.card)):
        assert (await players.check(card, mei.pin, device=AT)).number == "10001"
    assert await refused(players, mei.card, tan.pin) == "card-refused"
    assert await refused(players, "0000-0000-0000", mei.pin) == "card-refused"


async def test_nothing_that_opens_an_account_and_no_name_is_in_the_journal_nor_the_pin_anywhere() -> None:
    found, players = await venue()
    mei = await players.add("Mei Ling", by="cass")
    await players.check(mei.card, mei.pin, device=AT)
    await players.change_pin(mei.number, mei.pin, "719304", device=AT)
    await refused(players, mei.card, mei.pin)
    new = await players.new_card(mei.number, by="cass")
    pin = await players.new_pin(mei.number, by="cass")
    await asyncio.sleep(0)
    entries = [entry.body for entry in await found.store.entries(limit=1000)]
    kept = list((await found.store.documents("")).values())
    for secret in (mei.card, new.card, mei.card.replace("-", ""), mei.pin, "719304", pin.pin):
        assert not any(secret.encode() in one for one in (*entries, *kept)), secret
    assert not any(b"Mei" in one for one in entries)


async def test_wrong_pins_lock_the_card_for_a_while_wherever_they_are_typed() -> None:
    found, players = await venue()
    mei = await players.add("Mei", by="cass")
    for _ in range(LOCKS_AFTER - 1):
        await refused(players, mei.card, other(mei.pin))
    await players.check(mei.card, mei.pin, device=AT)  # counting starts anew
    for _ in range(LOCKS_AFTER):
        await refused(players, mei.card, other(mei.pin))
    assert await refused(players, mei.card, mei.pin) == "card-refused"
    assert players.status(players.find(mei.number)) == "locked"
    again = await house(found.store, clock=found.clock)  # a restart forgets no lock
    assert await refused(again.accounts.players, mei.card, mei.pin) == "card-refused"
    found.clock.pass_ms(LOCK_MS)
    assert (await again.accounts.players.check(mei.card, mei.pin, device=AT)).number == mei.number
    tags = await found.tags()
    assert tags.count("player-locked-out") == 1


async def test_guesses_sent_at_once_are_counted_one_by_one() -> None:
    found, players = await venue()
    mei = await players.add("Mei", by="cass")
    guesses = [players.check(mei.card, other(mei.pin), device=AT) for _ in range(20)]
    await asyncio.gather(*guesses, return_exceptions=True)
    await asyncio.sleep(0)
    failed = [one.failures for one in await found.history() if isinstance(one, events.PlayerPinFailed)]
    assert failed == list(range(1, LOCKS_AFTER + 1))
    assert await refused(players, mei.card, mei.pin) == "card-refused"
    pin = await players.new_pin(mei.number, by="cass")
    await players.check(mei.card, pin.pin, device=AT)


async def test_a_new_card_and_a_new_pin_take_the_place_of_the_former() -> None:
    found, players = await venue()
    mei = await players.add("Mei", by="cass")
    card = (await players.new_card(mei.number, by="cass")).card
    assert await refused(players, mei.card, mei.pin) == "card-refused"
    pin = (await players.new_pin(mei.number, by="cass")).pin
    assert pin == mei.pin or await refused(players, card, mei.pin) == "card-refused"
    again = await house(found.store, clock=found.clock)
    assert (await again.accounts.players.check(card, pin, device=AT)).number == mei.number


async def test_a_pin_that_staff_issue_meanwhile_is_not_overwritten() -> None:
    _, players = await venue()
    mei = await players.add("Mei", by="cass")
    changing = asyncio.ensure_future(players.change_pin(mei.number, mei.pin, "719304", device=AT))
    await asyncio.sleep(0)  # the former is being judged, and is right; what it is to become is hashed after staff's
    issued = await players.new_pin(mei.number, by="cass")
    with pytest.raises(BadInput) as error:
        await changing
    assert error.value.code == "card-refused"
    await players.check(mei.card, issued.pin, device=AT)
    assert await refused(players, mei.card, "719304") == "card-refused"


@pytest.mark.parametrize("pin", ["12345", "1234567", "abcdef", "١٢٣٤٥٦", "111111", "123456", "987654"])
async def test_a_bad_pin_is_refused_and_changes_nothing(pin: str) -> None:
    _, players = await venue()
    mei = await players.add("Mei", by="cass")
    with pytest.raises(BadInput) as error:
        await players.change_pin(mei.number, mei.pin, pin, device=AT)
    assert error.value.code == "bad-pin"
    await players.check(mei.card, mei.pin, device=AT)
    await players.change_pin(mei.number, mei.pin, "719304", device=AT)
    await players.check(mei.card, "719304", device=AT)


async def test_a_closed_account_does_not_play_until_it_is_opened_again() -> None:
    _, players = await venue()
    mei = await players.add("Mei", by="cass")
    assert players.may_play(mei.number)
    await players.close(mei.number, by="cass")
    assert not players.may_play(mei.number)
    assert await refused(players, mei.card, mei.pin) == "card-closed"
    for twice in (players.close, players.new_card, players.new_pin):
        with pytest.raises(BadInput) as error:
            await twice(mei.number, by="cass")
        assert error.value.code == "player-closed"
    await players.reopen(mei.number, by="cass")
    assert players.may_play(mei.number)
    assert not players.may_play("10099")


async def test_an_exclusion_holds_until_it_is_lifted_and_never_ends_by_itself() -> None:
    found, players = await venue()
    mei = await players.add("Mei", by="cass")
    await players.exclude(mei.number, until_day="2026-10-21", own=False, why="a guest of ours", by="pat")
    found.clock.pass_ms(400 * 24 * 60 * 60 * 1000)  # however late it is
    assert not players.may_play(mei.number)
    again = await house(found.store, clock=found.clock)
    assert not again.accounts.players.may_play(mei.number)
    await players.lift(mei.number, why="the month is over", by="sue")
    assert players.may_play(mei.number)
    with pytest.raises(BadInput, match="is not excluded"):
        await players.lift(mei.number, why="again", by="sue")


@pytest.mark.parametrize("until_day", ["2026-10-21", ""])
async def test_nobody_lifts_what_a_player_asked_for_before_its_end(until_day: str) -> None:
    _, players = await venue()
    mei = await players.add("Mei", by="cass")
    await players.exclude(mei.number, until_day=until_day, own=True, why="asked for it", by="cass")
    with pytest.raises(BadInput) as error:
        await players.lift(mei.number, why="changed their mind", by="sue")
    assert error.value.code == "self-excluded"
    for until, own in (("2026-09-30", True), ("2026-12-31", False), (until_day, False), (until_day, True)):
        with pytest.raises(BadInput) as error:  # nothing milder takes its place
            await players.exclude(mei.number, until_day=until, own=own, why="less", by="cass")
        assert error.value.code == "player-excluded"
    if until_day:
        await players.exclude(mei.number, until_day="2026-12-31", own=True, why="more", by="cass")


@pytest.mark.parametrize(("day", "why"), [("2026-09-21", "x"), ("soon", "x"), ("2026-13-01", "x"), ("2027-01-01", " ")])
async def test_a_mistake_in_an_exclusion_is_refused_and_changes_nothing(day: str, why: str) -> None:
    _, players = await venue()
    mei = await players.add("Mei", by="cass")
    with pytest.raises(BadInput):
        await players.exclude(mei.number, until_day=day, own=False, why=why, by="pat")
    assert players.may_play(mei.number)


async def test_play_is_stopped_before_an_exclusion_is_written_and_nobody_cards_in_meanwhile() -> None:
    found, players = await venue()
    mei = await players.add("Mei", by="cass")
    seen: list[tuple[bool, bool]] = []

    async def stop_play(number: str) -> None:
        seen.append((players.may_play(number), "player-excluded" in await found.tags()))

    players.stop_play = stop_play
    await players.exclude(mei.number, until_day="", own=False, why="trouble", by="pat")
    assert seen == [(False, False)]
    assert (await found.tags())[-1] == "player-excluded"
    assert PLAYER + mei.number in await found.store.documents(PLAYER)


async def test_an_account_that_is_reopened_while_an_exclusion_is_on_its_way_does_not_play() -> None:
    _, players = await venue()
    mei = await players.add("Mei", by="cass")
    stopped = asyncio.Event()

    async def stop_play(number: str) -> None:
        await stopped.wait()

    players.stop_play = stop_play
    excluding = asyncio.ensure_future(
        players.exclude(mei.number, until_day="", own=False, why="trouble", by="pat"),
    )
    await asyncio.sleep(0)
    players.stop_play = _at_once
    await players.close(mei.number, by="cass")
    await players.reopen(mei.number, by="cass")
    assert not players.may_play(mei.number)
    stopped.set()
    await excluding
    assert not players.may_play(mei.number)


async def _at_once(number: str) -> None:
    pass


@pytest.mark.parametrize("grant", ["lift", "reopen"])
async def test_nobody_cards_in_before_the_journal_says_that_they_may_again(grant: str) -> None:
    """A table's entries wait for none of the office's: the card-in would stand before what allows it."""
    store = SlowStore()
    players = (await house(store)).accounts.players
    mei = await players.add("Mei", by="cass")
    if grant == "lift":
        await players.exclude(mei.number, until_day="", own=False, why="trouble", by="pat")
    else:
        await players.close(mei.number, by="cass")
    store.slow = True
    lifting = (
        players.lift(mei.number, why="over", by="pat") if grant == "lift" else players.reopen(mei.number, by="pat")
    )
    granting = asyncio.ensure_future(lifting)
    while not store.queued:
        await asyncio.sleep(0)
    assert not players.may_play(mei.number)
    await store.let_one_be_durable()
    await granting
    assert players.may_play(mei.number)
