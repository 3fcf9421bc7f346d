"""`natural9 replay`: a round of the journal step by step, as it was seen."""

import sys
from datetime import tzinfo
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from natural9.cli.records import VenueArgument, check_table, read_records, show_time, zone_of
from natural9.cli.shared import JsonOption, console, print_json
from natural9.cli.tables import settlement_table, table
from natural9.core.errors import BadInput
from natural9.core.money import show_cents
from natural9.games.citations import cited
from natural9.server.reports.examination import games_beside
from natural9.store.contract import Store
from natural9.table.audit.check_round import check_chain, check_steps
from natural9.table.audit.history import history_of
from natural9.table.audit.recall import Recalled, RoundSummary, SeatRecalled, last_rounds, recall, tables

TableArgument = Annotated[str, typer.Argument(metavar="[TABLE]", help="The id of a table.", show_default=False)]
RoundArgument = Annotated[int, typer.Argument(metavar="[ROUND]", help="The number of the round.", show_default=False)]
LAST_ROUNDS = 20


def replay(
    venue: VenueArgument,
    table_id: TableArgument = "",
    round_number: RoundArgument = 0,
    listed: Annotated[bool, typer.Option("--list", help="List the tables, or the last rounds of one.")] = False,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each step.")] = False,
    json: JsonOption = False,
) -> int:
    """Show a round step by step, checked against the rules.

    It shows every seat's settlement with its paragraphs. It works while the server runs. Without TABLE it lists the
    tables. Exit 1 if a step does not follow from the rules.

    Example: natural9 replay my-venue nc-1 17
    """
    if listed and round_number:
        raise BadInput("bad-usage", f"--list shows the last rounds: leave out {round_number}, or leave out --list")
    if listed or not table_id:
        _list(venue, table_id, json=json)
        return 0
    if round_number < 1:
        raise BadInput("no-such-round", f"which round of table {table_id}? Give its number; --list shows the last ones")
    load_game = games_beside(venue)

    async def read(store: Store) -> tuple[Recalled, str]:
        await check_table(venue, store, table_id)
        history = await history_of(store, table_id, round_number)
        chain = await check_chain(store, history[0].stream, history[0].seq, history[-1].seq)
        wrong = chain or check_steps(history, load_game)
        return await recall(store, table_id, round_number), wrong

    told, wrong = read_records(venue, read)
    if json:
        print_json({"recall": told, "holds": not wrong, "wrong": wrong})
    else:
        _show(told, wrong, zone_of(venue), step=step)
    return 1 if wrong else 0


def _list(venue: Path, table_id: str, *, json: bool) -> None:
    if not table_id:
        found = read_records(venue, tables)
        if json:
            print_json([{"table": name, "last_round": last} for name, last in found.items()])
            return
        dealt = table("table", "last round", right=["last round"])
        for name, last in found.items():
            dealt.add_row(name, str(last))
        console().print(dealt if found else "No table has dealt a round yet.")
        return

    async def read_last(store: Store) -> list[RoundSummary]:
        await check_table(venue, store, table_id)
        return await last_rounds(store, table_id, LAST_ROUNDS)

    rounds = read_records(venue, read_last)
    if json:
        print_json(rounds)
        return
    zone = zone_of(venue)
    shown = table("round", "opened", "status", "cards", "result", "staked", "returned", right=["staked", "returned"])
    for one in rounds:
        result = f"{one.winner} {one.player_total}-{one.banker_total}" if one.winner else ""
        money = (show_cents(one.staked_cents), show_cents(one.returned_cents))
        shown.add_row(str(one.round), show_time(one.opened_at_ms, zone), one.status, one.cards, result, *money)
    console().print(shown if rounds else f"Table {escape(table_id)} has dealt no round yet.")


def _show(told: Recalled, wrong: str, zone: tzinfo, *, step: bool) -> None:
    out = console()
    opened = show_time(told.opened_at_ms, zone)
    out.print(
        f"{told.label}: table {escape(told.table)}, round {told.round}, {escape(told.game)}, {opened}", style="bold"
    )
    if told.dealers:
        out.print(escape(f"dealt by {', '.join(told.dealers)}"))
    for one in told.steps:
        mark = "!" if one.correction else " "
        by = f"{one.by} ({one.rank})" if one.rank else one.by
        said = escape(f"{show_time(one.at_ms, zone, '%H:%M:%S')} {mark} {cited(one.says, one.paragraph)}, by {by}")
        out.print(said, style="yellow" if one.correction else None)
        if step and sys.stdin.isatty():
            input()
    _show_end(out, told)
    for seat in told.seats:
        _show_seat(out, seat)
    out.print(escape(f"WRONG: {wrong}") if wrong else "Every step follows the rules, and the chain holds.")


def _show_end(out: Console, told: Recalled) -> None:
    hands = f"Player {told.player_cards or '-'}, Banker {told.banker_cards or '-'}"
    if told.winner:
        hands += f": {told.winner} wins" if told.winner != "tie" else ": a tie"
        hands += f", {told.player_total} to {told.banker_total}"
    out.print(f"{hands} ({told.status}{f': {escape(told.void_why.said)}' if told.void_why else ''})", style="bold")


def _show_seat(out: Console, seat: SeatRecalled) -> None:
    before, after = show_cents(seat.credit_before_cents), show_cents(seat.credit_after_cents)
    out.print(f"\nSeat {seat.seat}: credit {before} before, {after} after")
    lines = (*seat.lines, *seat.insurance_lines)
    if lines:
        out.print(settlement_table(lines))
    if seat.void_returned_cents:
        out.print(f"  void: {show_cents(seat.void_returned_cents)} returned")
    if seat.bought_cents or seat.cashed_out_cents:
        out.print(f"  bought {show_cents(seat.bought_cents)}, cashed out {show_cents(seat.cashed_out_cents)}")
