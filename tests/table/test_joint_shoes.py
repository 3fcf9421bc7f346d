"""Shoes that nobody chooses alone: who commits, what is listed, who reveals, and that nobody is ever stuck."""

import asyncio
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.cards import parse_cards, show_cards
from natural9.core.round import commands as round_commands
from natural9.core.round.state import Phase
from natural9.games import load_game
from natural9.journal.line import BY_PROGRAM, encode_line, read_body
from natural9.server.reports.shoes import shoe_shown
from natural9.store.contract import Written
from natural9.store.memory import MemoryStore
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.automatic import next_step
from natural9.table.shoes.mixing import check_mix, mix_message, mixed_order, nonce_commitment
from natural9.table.shoes.shuffler import Shuffled, check_reveal, parse_dealt, shuffled_shoe
from natural9.table.state.console_view import console_sees
from natural9.table.state.seat_view import one_seat_sees
from natural9.table.state.shoe_mix import MOST_COMMITMENTS
from natural9.table.state.view import everybody_sees
from natural9.table.venue.file import Burn, Mode, ShoeSource
from tests.table.live import DEALER, SUPERVISOR, LiveTable, live_table, table_config, terminal
from tests.table.stories import rewritten, with_record
from tests.table.test_shoebox import deal_round, play_shoe
from tests.table.test_verify import Rewrite, changed, found_in, the
from tests.verifier.lines import exported, outside

JOINT = table_config(shoe=ShoeSource.SHUFFLER, joint_shoe=True, cut_cards=8 * 52 - 20)
ALONE = replace(JOINT, joint_shoe=False)
UNATTENDED = replace(JOINT, mode=Mode.AUTOMATIC)


def nonce_of(seat: int) -> str:
    return f"{seat:064x}" + (" 我的 words" if seat % 2 else "")


async def commit(table: LiveTable, *seats: int, nonce: str = "", shoe: int = 0) -> None:
    shoe = shoe or everybody_sees(table.state).shoe.mix.next_shoe  # type: ignore[union-attr]
    for seat in seats:
        made = nonce_commitment(table="1", shoe=shoe, seat=seat, nonce=nonce or nonce_of(seat))
        await table.do(taps.CommitNonce, terminal(seat), shoe=shoe, commitment=made)


async def reveal(table: LiveTable, *seats: int, shoe: int = 1) -> None:
    for seat in seats:
        await table.do(taps.RevealNonce, terminal(seat), shoe=shoe, nonce=nonce_of(seat))


async def opened(config: Any = JOINT, *seats: int) -> LiveTable:
    """Open for play, with commitments of these seats for its first shoe."""
    table = await live_table(config)
    await commit(table, *seats)
    await table.do(staff.OpenTable, SUPERVISOR)
    return table


async def loaded(*seats: int, config: Any = JOINT) -> LiveTable:
    """A first shoe that these seats are asked to reveal for."""
    table = await opened(config, *seats)
    await table.do(staff.LoadNewShoe, DEALER)
    return table


async def holds(table: LiveTable) -> None:
    await table.check_history()
    found = await verify(table.store, load_game=load_game)
    assert found.fault is None, found.fault


async def test_all_commitments_stand_in_the_journal_before_anything_is_revealed_and_the_cards_come_as_mixed() -> None:
    table = await loaded(9, 2)
    await reveal(table, 2)
    assert (await table.refused(staff.StartRound, DEALER)).code == "not-mixed"
    await reveal(table, 9)
    dealt = await play_shoe(table)
    await table.do(staff.LoadNewShoe, DEALER)
    tags = [line.event.TAG for line in await table.journal()]
    in_order = ["nonce-committed", "shoe-committed", "shoe-mix-opened", "shoe-loaded", "nonce-revealed", "shoe-mixed"]
    assert [tag for tag in dict.fromkeys(tags) if tag in in_order] == in_order
    assert tags.index("shoe-mixed") < tags.index("betting-opened")
    listed, revealed = (await table.happened("shoe-mix-opened"))[0], (await table.happened("shoe-revealed"))[0]
    assert listed.commitment == revealed.commitment
    assert [seat for seat, _ in listed.seats] == [2, 9]
    assert (listed.rule, listed.reveal_ms, listed.checkpoint) == ("natural9 mix 1", 5_000, "")
    [mixed] = (await table.happened("shoe-mixed"))[:1]
    assert (mixed.seats, mixed.left_out) == ((2, 9), ())
    message = mix_message(listed.commitment, "", {2: nonce_of(2), 9: nonce_of(9)})
    order = mixed_order(parse_cards(revealed.order), message)
    assert [str(card) for card in order[: revealed.dealt]] == dealt
    assert dealt != revealed.order.split()[: revealed.dealt]
    await holds(table)


async def test_what_anybody_is_shown_of_a_mixed_shoe_can_be_checked() -> None:
    table = await loaded(2, 9)
    await reveal(table, 2)
    assert (await shoe_shown(table.store, "1", 1)).mix is None  # who still reveals sees nobody's
    await table.pass_ms(5_000)
    await play_shoe(table)
    await table.do(staff.LoadNewShoe, DEALER)
    shown = await shoe_shown(table.store, "1", 1)
    assert shown.mix
    assert [(one.seat, one.nonce) for one in shown.mix.seats] == [(2, nonce_of(2)), (9, None)]
    assert check_mix("1", 1, shown.mix).holds
    assert shown.order
    assert shown.salt
    assert shown.dealt
    order = parse_cards(shown.order)
    mixed = shown.mix.order(shown.commitment, order)
    checks = check_reveal(8, bytes.fromhex(shown.salt), order, shown.commitment, parse_dealt(shown.dealt), mixed)
    assert all(check.holds for check in checks)


async def test_a_table_whose_seats_take_no_part_goes_on_at_once() -> None:
    table = await loaded()
    assert (await table.happened("shoe-mixed"))[0].seats == ()
    await table.do(staff.StartRound, DEALER)
    await deal_round(table)
    await holds(table)


async def test_who_does_not_reveal_in_time_is_left_out_and_may_take_part_in_the_next() -> None:
    table = await loaded(1, 2)
    await reveal(table, 2)
    await table.pass_ms(4_999)
    assert await table.happened("shoe-mixed") == []
    await table.pass_ms(1)
    [mixed] = await table.happened("shoe-mixed")
    assert (mixed.seats, mixed.left_out) == ((2,), (1,))
    late = await table.refused(taps.RevealNonce, terminal(1), shoe=1, nonce=nonce_of(1))
    assert late.code == "other-shoe"
    await play_shoe(table)
    await commit(table, 1)
    await table.do(staff.LoadNewShoe, DEALER)
    await reveal(table, 1, shoe=2)
    assert [(one.seats, one.left_out) for one in await table.happened("shoe-mixed")] == [((2,), (1,)), ((1,), ())]
    await holds(table)


async def test_the_last_commitment_of_a_seat_counts() -> None:
    table = await live_table(JOINT)
    await commit(table, 3, nonce="ab" * 32)
    await commit(table, 3)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.LoadNewShoe, DEALER)
    assert (await table.refused(taps.RevealNonce, terminal(3), shoe=1, nonce="ab" * 32)).code == "bad-nonce"
    await reveal(table, 3)
    assert (await table.happened("shoe-mixed"))[0].seats == (3,)


async def test_refusals_say_why_and_change_nothing() -> None:
    table = await live_table(JOINT)
    other = nonce_commitment(table="1", shoe=2, seat=1, nonce=nonce_of(1))
    commit_as = {"shoe": 2, "commitment": other}
    assert (await table.refused(taps.CommitNonce, terminal(1), **commit_as)).code == "other-shoe"
    assert (await table.refused(taps.CommitNonce, terminal(1), shoe=1, commitment="F" * 64)).code == "bad-nonce"
    assert (await table.refused(taps.CommitNonce, terminal(201), shoe=1, commitment=other)).code == "no-such-seat"
    assert (await table.refused(taps.RevealNonce, terminal(1), shoe=1, nonce=nonce_of(1))).code == "other-shoe"
    await commit(table, 1, 2)
    same = nonce_commitment(table="1", shoe=1, seat=1, nonce=nonce_of(1))
    assert (await table.refused(taps.CommitNonce, terminal(1), shoe=1, commitment=same)).code == "already-mixed"
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.LoadNewShoe, DEALER)
    for seat, nonce, code in (
        (3, nonce_of(3), "bad-nonce"),  # not in the list
        (1, nonce_of(2), "bad-nonce"),  # another's
        (1, "x" * 64, "bad-nonce"),
        (1, nonce_of(1) + "\n", "bad-nonce"),
    ):
        assert (await table.refused(taps.RevealNonce, terminal(seat), shoe=1, nonce=nonce)).code == code
    assert (await table.refused(taps.RevealNonce, terminal(1), shoe=2, nonce=nonce_of(1))).code == "other-shoe"
    assert (await table.refused(staff.StartRound, DEALER)).code == "not-mixed"
    assert (await table.refused(staff.LoadNewShoe, SUPERVISOR, why="again")).code == "shoe-not-spent"
    await reveal(table, 1)
    assert (await table.refused(taps.RevealNonce, terminal(1), shoe=1, nonce=nonce_of(1))).code == "already-mixed"
    await table.pass_ms(5_000)
    await holds(table)


async def test_where_the_house_alone_shuffles_nobody_takes_part() -> None:
    table = await live_table(ALONE)
    assert everybody_sees(table.state).shoe.mix is None
    made = nonce_commitment(table="1", shoe=1, seat=1, nonce=nonce_of(1))
    assert (await table.refused(taps.CommitNonce, terminal(1), shoe=1, commitment=made)).code == "not-joint"
    await table.open()
    assert await table.happened("shoe-mix-opened") == []


async def test_a_locked_terminal_and_a_fault_keep_nobody_from_taking_part() -> None:
    table = await loaded(1, 2)
    await table.do(staff.LockTerminal, SUPERVISOR, seat=1, why="a look")
    table.writer.raise_fault("reading-shoe", "it is gone")  # type: ignore[arg-type]
    await table.settle_down()
    await reveal(table, 1, 2)
    await table.pass_ms(60_000)
    assert await table.happened("shoe-mixed") == []  # a fault holds every table where it is
    await table.do(staff.ClearFault, SUPERVISOR, fault="reading-shoe", why="back")
    assert (await table.happened("shoe-mixed"))[0].seats == (1, 2)
    await holds(table)


async def test_no_card_is_burnt_before_the_shoe_is_mixed() -> None:
    table = await loaded(1, config=replace(JOINT, burn=Burn.FIRST_CARD))
    assert (await table.refused(round_commands.BurnCards, DEALER)).code == "not-mixed"
    assert "burn" not in console_sees(table.state).commands
    await table.pass_ms(5_000)
    await table.do(round_commands.BurnCards, DEALER)
    await play_shoe(table)
    await table.do(staff.LoadNewShoe, DEALER)
    await holds(table)


def with_list(entries: list[Written], change: Callable[[list[Any]], list[Any]]) -> list[Written]:
    at = the("shoe-mix-opened", entries)
    seats = msgspec.json.decode(entries[at].body)["record"]["seats"]
    return [*entries[:at], with_record(entries[at], seats=change(seats)), *entries[at + 1 :]]


def dropped(kind: str) -> Rewrite:
    return lambda entries: [one for place, one in enumerate(entries) if place != the(kind, entries)]


def twice(kind: str) -> Rewrite:
    return lambda entries: [*entries[: the(kind, entries) + 1], *_once_more(entries, the(kind, entries))]


def _once_more(entries: list[Written], at: int) -> list[Written]:
    return [entries[at]._replace(request="", body=_unasked(entries[at].body)), *entries[at + 1 :]]


def _unasked(body: bytes) -> bytes:
    """The same line, as the program's own."""
    line = read_body(body)
    return encode_line(line.event, BY_PROGRAM)


STEPS = ("committed", "listed", "one-revealed", "mixed", "in-play")


@pytest.mark.parametrize("step", STEPS)
async def test_a_power_cut_at_any_step_loses_nothing(step: str) -> None:
    """Cut off twice there, the table goes on with the same commitments and reveals, and deals as mixed."""
    table = await live_table(JOINT)

    async def cut(now: str) -> None:
        nonlocal table
        if now == step:
            table = await (await table.restart()).restart()
            await table.check_history()

    await commit(table, 1, 2, 3)
    await cut("committed")
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.LoadNewShoe, DEALER)
    await cut("listed")
    await reveal(table, 1)
    await cut("one-revealed")
    await reveal(table, 3)
    await table.pass_ms(5_000)
    await cut("mixed")
    await table.do(staff.StartRound, DEALER)
    await table.do(round_commands.CloseBetting, DEALER)
    if step == "in-play":
        await table.crash()
        table = await table.again(seen_ms=table.now_ms)
    while table.state.round.due:
        await table.do(round_commands.DealCard, DEALER)
    await table.do(round_commands.DeclareResult, DEALER)
    await table.do(round_commands.Settle, DEALER)
    await play_shoe(table)
    await table.do(staff.LoadNewShoe, DEALER)
    [mixed, _] = await table.happened("shoe-mixed")
    assert (mixed.seats, mixed.left_out) == ((1, 3), (2,))
    await holds(table)


async def test_who_is_asked_to_reveal_has_the_full_time_again_after_a_power_cut() -> None:
    table = await loaded(1)
    await table.pass_ms(4_000)
    table = await table.restart()
    await table.pass_ms(4_999)
    await reveal(table, 1)
    assert (await table.happened("shoe-mixed"))[0].seats == (1,)


async def test_commitments_outlive_a_snapshot() -> None:
    table = await loaded()
    await commit(table, 4)
    await table.do(staff.StartRound, DEALER)  # which keeps a snapshot
    await commit(table, 5)
    table = await table.restart()
    assert [one_seat_sees(table.state, seat).nonce != "" for seat in (4, 5, 6)] == [True, True, False]
    await table.check_history()


async def test_an_unattended_table_mixes_by_itself() -> None:
    table = await live_table(replace(UNATTENDED, cut_cards=8 * 52 - 6))
    await commit(table, 1, 2)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.pass_ms(5_000)
    await reveal(table, 1)  # and seat 2 has vanished
    for _ in range(200):
        await table.pass_ms(1_000)
        if table.state.round.shoe_number == 2:
            break
    assert [(one.seats, one.left_out) for one in await table.happened("shoe-mixed")] == [((1,), (2,)), ((), ())]
    await holds(table)


async def test_the_first_shoe_of_an_unattended_table_leaves_time_to_take_part() -> None:
    table = await live_table(replace(UNATTENDED, wait_for_players=True))
    table.ears.people = 0
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.pass_ms(60_000)
    assert await table.happened("shoe-committed") == []  # nobody is there
    table.ears.people = 2
    await table.pass_ms(0)
    await commit(table, 1)
    await table.pass_ms(4_999)
    assert await table.happened("shoe-committed") == []
    await commit(table, 2)
    await table.pass_ms(1)
    assert [seat for seat, _ in (await table.happened("shoe-mix-opened"))[0].seats] == [1, 2]
    await reveal(table, 1, 2)
    await table.pass_ms(5_000)
    assert table.state.round.phase is Phase.BETTING_OPEN


async def test_a_terminal_that_never_commits_holds_up_the_first_shoe_no_longer_than_stated() -> None:
    table = await live_table(replace(UNATTENDED, wait_for_players=True))
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.pass_ms(5_000)
    assert table.state.round.phase is Phase.BETTING_OPEN


async def test_a_seat_sees_what_it_is_to_reveal_and_everybody_how_far_it_is() -> None:
    table = await live_table(JOINT)
    await commit(table, 1, 2)
    promised = nonce_commitment(table="1", shoe=1, seat=1, nonce=nonce_of(1))
    assert (one_seat_sees(table.state, 1).nonce, one_seat_sees(table.state, 1).to_reveal) == (promised, "")
    await table.do(staff.OpenTable, SUPERVISOR)
    table.ears.seats.clear()
    await table.do(staff.LoadNewShoe, DEALER)
    assert {view.seat: view.to_reveal for view in table.ears.seats}[1] == promised
    mix = everybody_sees(table.state).shoe.mix
    assert mix
    assert (mix.next_shoe, mix.shoe, mix.listed, mix.revealed, mix.ends_at_ms) == (2, 1, 2, 0, table.now_ms + 5_000)
    await reveal(table, 1)
    assert (one_seat_sees(table.state, 1).nonce, one_seat_sees(table.state, 1).to_reveal) == ("", "")
    mix = everybody_sees(table.state).shoe.mix
    assert mix
    assert (mix.listed, mix.revealed) == (2, 1)
    await table.pass_ms(5_000)
    assert table.ears.seats[-1].to_reveal == ""
    mix = everybody_sees(table.state).shoe.mix
    assert mix
    assert (mix.shoe, mix.ends_at_ms) == (None, None)


async def test_nothing_stored_or_said_shows_the_mixed_order() -> None:
    orders: list[Shuffled] = []

    def shuffle(decks: int) -> Shuffled:
        orders.append(shuffled_shoe(decks))
        return orders[-1]

    table = await LiveTable(JOINT, MemoryStore(), shuffle=shuffle).start()
    await commit(table, 1)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.LoadNewShoe, DEALER)
    await reveal(table, 1)
    coming = mixed_order(orders[0].order, mix_message(orders[0].commitment, "", {1: nonce_of(1)}))
    in_use = table.shoebox.waiting(table.state)
    assert in_use
    assert in_use.coming == coming
    await play_shoe(table)
    await table.do(staff.LoadNewShoe, DEALER)
    bodies = [entry.body for entry in await table.store.entries(limit=10**6)]
    kept = [*bodies, *(await table.store.documents("")).values()]
    everything = "\n".join([*map(repr, table.ears.told), *[one.decode("latin-1") for one in kept]])
    assert show_cards(coming[:6]) not in everything
    assert show_cards(orders[0].order[:6]) in everything  # the house's own is revealed


async def test_a_table_that_stops_mixing_finishes_what_was_listed() -> None:
    """The venue file says otherwise after a restart: the shoe that was listed is mixed all the same."""
    table = await loaded(1)
    table = await table.restart(ALONE)
    await reveal(table, 1)
    await play_shoe(table)
    await table.do(staff.LoadNewShoe, DEALER)
    assert len(await table.happened("shoe-mix-opened")) == 1
    await holds(table)


async def test_the_list_names_the_last_cosigned_checkpoint() -> None:
    said: list[str] = [""]
    table = await LiveTable(JOINT, MemoryStore(), checkpoint=lambda: said[0]).start()
    await commit(table, 1)
    await table.do(staff.OpenTable, SUPERVISOR)
    size, root = await table.store.tree()
    said[0] = f"{size} {b64encode(root).decode()}"
    await table.do(staff.LoadNewShoe, DEALER)
    assert (await table.happened("shoe-mix-opened"))[0].checkpoint == said[0]
    await reveal(table, 1)
    dealt = await play_shoe(table)
    await table.do(staff.LoadNewShoe, DEALER)
    [revealed] = await table.happened("shoe-revealed")
    message = mix_message(revealed.commitment, said[0], {1: nonce_of(1)})
    assert dealt == list(map(str, mixed_order(parse_cards(revealed.order), message)[: revealed.dealt]))
    await holds(table)


@pytest.mark.parametrize("checkpoint", ["1 cm9vdA==", "0 cm9vdA==", "99 cm9vdA==", "cm9vdA==", "-1 cm9vdA=="])
async def test_a_checkpoint_that_the_journal_never_had_is_found(checkpoint: str) -> None:
    table = await LiveTable(JOINT, MemoryStore(), checkpoint=lambda: checkpoint).start()
    await commit(table, 1)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.LoadNewShoe, DEALER)
    found = await verify(table.store, load_game=load_game)
    assert found.fault
    assert f"a shoe is mixed with the checkpoint {checkpoint}" in found.fault.words


async def test_the_step_of_a_shoe_that_is_mixed_is_gone() -> None:
    table = await loaded(1)
    step = next_step(table.state, seated=1)
    assert step
    assert step.command == staff.MixShoe()
    assert step.due_ms == table.now_ms + 5_000
    await reveal(table, 1)
    assert next_step(table.state, seated=1) is None  # the dealer's


@settings(max_examples=30, deadline=None)
@given(data=st.data(), burns=st.booleans(), unattended=st.booleans())
def test_nobody_is_stuck_whoever_vanishes_and_whenever_the_power_goes(
    data: st.DataObject, burns: bool, unattended: bool
) -> None:
    """Any seats commit, any of those reveal, in any order, with power cuts in between: the shoe is mixed with exactly
    those who revealed, no later than stated, and what is dealt is what anybody can compute."""

    async def story() -> None:
        config = replace(UNATTENDED if unattended else JOINT, burn=Burn.FIRST_CARD if burns else Burn.NONE)
        table = await live_table(config)
        table.ears.people = 0

        async def maybe_cut() -> None:
            nonlocal table
            if data.draw(st.booleans(), label="power cut"):
                table = await table.restart()
                table.ears.people = 0
                await table.check_history()

        seats = data.draw(st.lists(st.integers(1, 5), unique=True), label="seats that commit")
        await commit(table, *seats)
        await maybe_cut()
        await table.do(staff.OpenTable, SUPERVISOR)
        if not unattended:
            await table.do(staff.LoadNewShoe, DEALER)
        vanished = data.draw(st.sets(st.sampled_from(seats)) if seats else st.just(set[int]()), label="vanished")
        for seat in seats:
            if seat not in vanished:
                await reveal(table, seat)
                await maybe_cut()
        if vanished:
            assert await table.happened("shoe-mixed") == []
            await table.pass_ms(5_000)
        [mixed] = await table.happened("shoe-mixed")
        assert set(mixed.left_out) == vanished
        assert set(mixed.seats) == set(seats) - vanished
        await maybe_cut()
        if not unattended:
            if burns:
                await table.do(round_commands.BurnCards, DEALER)
            await play_shoe(table)
            await table.do(staff.LoadNewShoe, DEALER)
        else:
            for _ in range(400):
                await table.pass_ms(1_000)
                if len(await table.happened("shoe-revealed")) == 1:
                    break
        assert len(await table.happened("shoe-revealed")) == 1
        await holds(table)

    asyncio.run(asyncio.wait_for(story(), 60))


LIES: dict[str, tuple[Rewrite, str]] = {
    "a commitment that no seat made": (
        lambda every: with_list(every, lambda seats: [*seats, [7, "ab" * 32]]),
        "seat 7 takes no part",
    ),
    "a commitment left out": (lambda every: with_list(every, lambda seats: seats[1:]), "seat 1 has committed to"),
    "a commitment exchanged": (
        lambda every: with_list(every, lambda seats: [[1, "ab" * 32], *seats[1:]]),
        "seat 1 has committed to",
    ),
    "seats out of order": (lambda every: with_list(every, lambda seats: seats[::-1]), "by their numbers"),
    "another commitment of the house": (changed("shoe-mix-opened", commitment="ab" * 32), "it is "),
    "another rule": (changed("shoe-mix-opened", rule="natural9 mix 2"), "natural9 mix 1"),
    "another checkpoint": (changed("shoe-mix-opened", checkpoint="8 cm9vdA=="), "by the order that entry"),
    "another nonce": (changed("nonce-revealed", nonce="ab" * 32), "has committed to by"),
    "another seat's nonce": (changed("nonce-revealed", seat=2), "has committed to by"),
    "a nonce of no seat": (changed("nonce-revealed", seat=9), "not in the list"),
    "a nonce revealed twice": (twice("nonce-revealed"), "has revealed already"),
    "a nonce dropped": (dropped("nonce-revealed"), "did not"),
    "a commitment dropped": (dropped("nonce-committed"), "takes no part"),
    "the list dropped": (dropped("shoe-mix-opened"), "what its seats mix in is listed first"),
    "a seat left out that revealed": (changed("shoe-mixed", seats=[1], left_out=[2, 3]), "1, 2 revealed, 3 did not"),
    "a seat taken in that did not reveal": (changed("shoe-mixed", seats=[1, 2, 3], left_out=[]), "1, 2 revealed"),
    "the mix dropped": (dropped("shoe-mixed"), "is mixed first"),
    "mixed twice": (twice("shoe-mixed"), "listed, once"),
    "the mix of another shoe": (changed("shoe-mixed", shoe=4), "listed, once"),
    "a commitment for a shoe that is over": (changed("nonce-committed", shoe=9), "the next"),
    "a commitment that is no hash": (changed("nonce-committed", commitment="x"), "a SHA-256"),
}


@pytest.mark.parametrize("lie", LIES)
async def test_verify_finds_every_lie_about_a_mix(lie: str) -> None:
    table = await LiveTable(JOINT, MemoryStore()).start()
    await commit(table, 1, 2, 3)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.LoadNewShoe, DEALER)
    await reveal(table, 1, 2)
    await table.pass_ms(5_000)
    await play_shoe(table)
    await table.do(staff.LoadNewShoe, DEALER)
    await holds(table)
    rewrite, words = LIES[lie]
    assert isinstance(table.store, MemoryStore)
    fault = (await found_in(table.store, rewrite)).fault
    assert fault is not None
    assert words in fault.words


async def test_a_seat_changes_its_mind_so_often_and_no_oftener() -> None:
    """Nobody fills the journal with commitments; the last one stands, and the next shoe begins anew."""
    table = await opened(JOINT)
    for change in range(MOST_COMMITMENTS):
        await commit(table, 1, nonce=f"{change:064x}")
    too_many = {"shoe": 1, "commitment": "ab" * 32}
    refused = await table.refused(taps.CommitNonce, terminal(1), **too_many)
    assert refused.code == "already-mixed"
    assert refused.message == "Seat 1 has changed what it mixes into shoe 1 often enough: the last stands"
    table = await table.restart()
    assert (await table.refused(taps.CommitNonce, terminal(1), **too_many)).code == "already-mixed"
    await commit(table, 2)
    await table.do(staff.LoadNewShoe, DEALER)
    [listed] = await table.happened("shoe-mix-opened")
    last = nonce_commitment(table="1", shoe=1, seat=1, nonce=f"{MOST_COMMITMENTS - 1:064x}")
    assert listed.seats[0] == (1, last)
    await commit(table, 1, shoe=2)
    await holds(table)
    assert isinstance(table.store, MemoryStore)

    def once_more(entries: list[Written]) -> list[Written]:
        at = the("nonce-committed", entries, MOST_COMMITMENTS)  # of seat 2
        return [*entries[:at], with_record(entries[at], seat=1), *entries[at + 1 :]]

    fault = (await found_in(table.store, once_more)).fault
    assert fault
    assert fault.should == "8 times at most"


async def test_whether_seats_mix_stands_in_the_journal_and_so_does_a_change_of_it() -> None:
    """So that a mix which is left out cannot go unnoticed."""
    table = await live_table(ALONE)
    await table.do(staff.OpenTable, SUPERVISOR)
    table = await table.restart(JOINT)
    table = await table.restart(JOINT)
    [opened], [changed] = await table.happened("table-opened"), await table.happened("settings-changed")
    assert (opened.joint_shoe, changed.joint_shoe) == (False, True)
    assert str(changed.describe()).endswith("a dealer deals, a shuffler, and the seats mix")
    await table.do(staff.LoadNewShoe, DEALER)
    await table.pass_ms(0)
    await table.do(staff.StartRound, DEALER)
    await table.check_history()
    table = await table.restart(JOINT)  # also by a snapshot
    assert len(await table.happened("settings-changed")) == 1


@pytest.mark.parametrize("left_out", [("shoe-mix-opened", "shoe-mixed"), ("shoe-committed",)])
async def test_a_shoe_without_a_mix_or_a_commitment_is_named(left_out: tuple[str, ...]) -> None:
    table = await live_table(JOINT)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.LoadNewShoe, DEALER)
    await table.pass_ms(0)
    assert isinstance(table.store, MemoryStore)
    without = await rewritten(table.store, lambda every: [one for one in every if one.kind not in left_out])
    for one in (table.store, without):
        found, outside_says = (await verify(one, load_game=load_game)).fault, outside(await exported(one))
        assert bool(found) == bool(outside_says) == (one is without), (found, outside_says)
