"""The tables that several commands print: pay rows, insurance rows, settlement lines."""

from collections.abc import Iterable, Mapping, Sequence

from rich.table import Table
from rich.text import Text

from natural9.core.insurance import InsuranceRow
from natural9.core.money import show_cents
from natural9.core.settlement import InsuranceLine, Line
from natural9.core.wagers import Wager
from natural9.games.citations import citation


def table(*columns: str, right: Iterable[str] = ()) -> Table:
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    numbers = set(right)
    for column in columns:
        made.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    return made


def other_names(names: Mapping[str, str]) -> str:
    """Those that are not English."""
    return " ".join(name for language, name in names.items() if language != "en")


def pay_table(wagers: Iterable[Wager]) -> Table:
    """What each wager pays: the first line that fits."""
    pays = table("wager", "", "when", "pays", "rule", right=["pays"])
    for wager in wagers:
        name, names = f"{wager.id}{' (optional)' if wager.optional else ''}", other_names(wager.names)
        for row in wager.rows:
            pays.add_row(name, Text(names), Text(row.called), row.pays, citation(row.paragraph))
            name = names = ""
        pays.add_row("", "", Text("otherwise", "dim"), Text("loses", "dim"), Text(citation(wager.paragraph), "dim"))
    return pays


def insurance_table(rows: Iterable[InsuranceRow]) -> Table:
    offered = table("insurance", "window", "Player", "Banker", "wins if", "pays", "rule", right=["pays"])
    for row in rows:
        player, banker = points_words(row.player_totals), points_words(row.banker_totals)
        offered.add_row(row.hand, row.window, player, banker, row.wins_if, row.odds.text, citation(row.paragraph))
    return offered


def settlement_table(lines: Sequence[Line]) -> Table:
    """Each bet's end, and the sum of them."""
    money = ("stake", "returned", "net")
    settled = table("wager", "stake", "result", "odds", "returned", "net", "rule", right=money)
    for line in lines:
        ended = (line.result, line.odds or "", show_cents(line.returned_cents), signed(line.net_cents))
        settled.add_row(_wager(line), show_cents(line.stake_cents), *ended, citation(line.paragraph))
    staked, returned = sum(line.stake_cents for line in lines), sum(line.returned_cents for line in lines)
    total = (show_cents(staked), "", "", show_cents(returned), signed(returned - staked))
    settled.add_row("total", *total, "", style="bold")
    return settled


def points_words(points: tuple[int, ...]) -> str:
    return str(points[0]) if len(points) == 1 else f"{points[0]}-{points[-1]}"


def signed(cents: int) -> str:
    return f"+{show_cents(cents)}" if cents > 0 else show_cents(cents)


def _wager(line: Line) -> str:
    return f"{line.wager}\n  ({line.window})" if isinstance(line, InsuranceLine) else line.wager
