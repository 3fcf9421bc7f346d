"""An alarm of a table: a fault, or an irregularity that waits. Somebody takes it, and everybody sees who.

It ends by what ends its cause: the fault is cleared, the irregularity decided or withdrawn.
"""

from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.journal import table_events
from natural9.table.commands import staff
from natural9.table.commands.refusals import TableCode
from natural9.table.state.state import TableState


def take_alarm(state: TableState, command: staff.TakeAlarm, by: str, why: str) -> list[Event] | Refusal:
    alarm = state.alarms.get(command.alarm)
    if alarm is None:
        return Refusal(TableCode.NO_SUCH_ALARM, say("This alarm is over: nobody needs to see to it any more"))
    if alarm.taken_by == by:
        return Refusal(TableCode.ALARM_TAKEN, say("You have this alarm already"))
    return [table_events.AlarmTaken(alarm=command.alarm, by=by)]
