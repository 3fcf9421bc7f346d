"""The count of clauses: from a journal, by paragraph, once for each order."""

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.torture.clauses import Exercised, clauses, documents, remedies
from tests.table.live import DEALER, SHIFT_MANAGER, SUPERVISOR, LiveTable, live_table, table_config


async def counted(table: LiveTable) -> Exercised:
    found = Exercised()
    for line in await table.journal():
        found.hear(table.config.id, line)
    await table.stop()
    return found


async def a_foreign_card(game: str) -> LiveTable:
    table = await live_table(table_config(game))
    await table.open()
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("9H")
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.FOREIGN_CARD)
    return table


def test_every_paragraph_about_irregularities_is_wanted_and_every_remedy_of_every_clause() -> None:
    assert set(documents()) == {"mbs", "rws-nc", "rws-nc-insurance", "rws-nc-super-six-plus"}
    assert {"mbs 5.1.1", "mbs 6.3", "rws-nc 5.7.1", "rws-nc 3.7", "rws-nc-insurance 5.3"} <= set(clauses())
    assert "rws-nc-super-six-plus: interpretation shift-manager-where-silent" in clauses()
    assert "mbs foreign-card: void" in remedies()
    assert Exercised().missing() == [*clauses(), *remedies()]


async def test_a_void_counts_its_clause_what_leads_it_in_and_what_stands_once() -> None:
    table = await a_foreign_card("mbs-tiger")
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.VOID, why="another back")
    found = await counted(table)
    assert found.paragraphs == {"mbs 5.1.1": 1, "mbs 5.1": 2, "mbs 5.1.2": 1}
    assert found.remedies == {"mbs foreign-card: void": 1}


async def test_a_decision_by_more_than_the_rank_counts_that_a_higher_rank_may() -> None:
    table = await a_foreign_card("mbs-tiger")
    await table.do(round_commands.DecideIrregularity, SHIFT_MANAGER, remedy=Remedy.VOID, why="another back")
    assert (await counted(table)).paragraphs["mbs 6.2"] == 1


async def test_a_refusal_exercises_nothing() -> None:
    table = await a_foreign_card("rws-nc")
    await table.refused(round_commands.DecideIrregularity, DEALER, remedy=Remedy.VOID, why="another back")
    found = await counted(table)
    assert not found.paragraphs
    assert not found.remedies


async def test_where_a_document_is_silent_its_reading_counts_for_that_document() -> None:
    table = await live_table(table_config("rws-nc-super-six-plus"))
    await table.open()
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.UNSHUFFLED_CARDS)
    await table.do(round_commands.DecideIrregularity, SHIFT_MANAGER, remedy=Remedy.CONTINUE)
    found = await counted(table)
    assert found.paragraphs == {"rws-nc-super-six-plus: interpretation shift-manager-where-silent": 1}
    assert found.remedies == {"rws-nc-super-six-plus not-covered: continue": 1}


async def test_terminals_that_went_dark_count_by_whether_they_had_bet() -> None:
    table = await live_table(table_config("rws-nc"))
    await table.buy(1, 10_000)
    await table.open()
    await table.bet(1, "player", 100)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.TERMINAL_INTERRUPTION, seats=(1, 2))
    await table.do(round_commands.DecideIrregularity, DEALER, remedy=Remedy.CONTINUE)
    await table.deal("9H 2C KD 2D")
    await table.do(round_commands.DeclareResult, DEALER)
    await table.do(round_commands.Settle, DEALER)
    found = await counted(table)
    assert found.paragraphs == {"rws-nc 5.2": 1, "rws-nc 5.2.1": 1, "rws-nc 5.2.2": 1}
