"""An alarm has an age and somebody who sees to it: kept in the journal, over a power cut, until its cause is over."""

from natural9.core.irregularities import Kind
from natural9.core.round import commands as round_commands
from natural9.core.saying import verbatim
from natural9.table.commands import staff
from natural9.table.state.console_view import AlarmView
from tests.table.live import DEALER, MANAGER, SUPERVISOR, LiveTable, live_table


def told(table: LiveTable) -> list[tuple[str, int, str]]:
    return [(one.alarm, one.at_ms, one.taken_by) for one in table.ears.told[-1].alarms]


async def with_a_fault() -> LiveTable:
    table = await live_table()
    table.writer.raise_fault("printer", verbatim("no paper"))
    await table.settle_down()
    return table


async def test_a_fault_is_taken_by_name_and_ends_when_it_is_cleared() -> None:
    table = await with_a_fault()
    raised = table.now_ms
    assert told(table) == [("printer", raised, "")]
    await table.pass_ms(90_000)
    await table.do(staff.TakeAlarm, SUPERVISOR, alarm="printer")
    assert told(table) == [("printer", raised, "pat")], "its age goes on"
    assert (await table.refused(staff.TakeAlarm, SUPERVISOR, alarm="printer")).code == "alarm-taken"
    await table.do(staff.TakeAlarm, MANAGER, alarm="printer")  # who takes it over has it
    assert told(table) == [("printer", raised, "max")]
    await table.do(staff.ClearFault, MANAGER, fault="printer", why="new paper")
    assert told(table) == []
    assert (await table.refused(staff.TakeAlarm, SUPERVISOR, alarm="printer")).code == "no-such-alarm"
    await table.check_history()


async def test_an_irregularity_that_waits_is_one_until_it_is_decided() -> None:
    table = await live_table()
    await table.open()
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.NOT_COVERED)
    [alarm] = table.ears.told[-1].alarms
    waits = AlarmView(
        alarm="report-1", at_ms=table.now_ms, taken_by="", fault=None, kind=Kind.NOT_COVERED, rank="shift-manager"
    )
    assert alarm == waits
    await table.do(staff.TakeAlarm, SUPERVISOR, alarm="report-1")
    assert told(table) == [("report-1", alarm.at_ms, "pat")]
    await table.do(round_commands.WithdrawReport, SUPERVISOR, report=1, why="a mistake")
    assert told(table) == []
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.NOT_COVERED)
    assert [taken_by for _, _, taken_by in told(table)] == [""], "another report is another alarm"
    await table.check_history()


async def test_its_age_and_who_has_it_outlive_a_power_cut() -> None:
    table = await with_a_fault()
    await table.do(staff.TakeAlarm, SUPERVISOR, alarm="printer")
    before = table.state.alarms
    await table.pass_ms(5_000)
    again = await table.restart()
    assert again.state.alarms == before
