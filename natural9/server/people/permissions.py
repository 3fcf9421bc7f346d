"""Who may do what: one table in data, checked whenever it is read."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, reduce
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from natural9.core.errors import BadInput
from natural9.core.saying import Said, name_of, named, say
from natural9.core.staff import Rank
from natural9.games.source import Source
from natural9.table.commands.staff import BY_TAG

TABLE: Final = Path(__file__).with_name("permissions.toml")


class Role(StrEnum):
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit-supervisor"
    PIT_MANAGER = "pit-manager"
    SHIFT_MANAGER = "shift-manager"
    CASHIER = "cashier"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"

    @property
    def rank(self) -> Rank | None:
        """The rank in the pit; cashier, auditor and administrator have none."""
        return _RANKS.get(self)

    @property
    def title(self) -> Said:  # type: ignore[override]  # the casino's word, as Rank has it
        return name_of(self.value)


_RANKS: Final = {Role(rank.tag): rank for rank in Rank}


class Action(StrEnum):
    SEE_TABLE = "see-table"
    DEAL = "deal"
    SIGN_ON = "sign-on"
    REPORT_IRREGULARITY = "report-irregularity"
    DECIDE_IRREGULARITY = "decide-irregularity"
    VOID_ROUND = "void-round"
    RULE_ON_BET = "rule-on-bet"
    FREEZE_ROUND = "freeze-round"
    EXPORT_ROUND = "export-round"
    SEE_SHOE = "see-shoe"
    OPEN_TABLE = "open-table"
    PAUSE_TABLE = "pause-table"
    RESUME_TABLE = "resume-table"
    CLOSE_TABLE = "close-table"
    CHANGE_LIMITS = "change-limits"
    LOCK_TERMINAL = "lock-terminal"
    UNLOCK_TERMINAL = "unlock-terminal"
    RELEASE_SEAT = "release-seat"
    ANSWER_CALL = "answer-call"
    TAKE_ALARM = "take-alarm"
    CLEAR_FAULT = "clear-fault"
    CREDIT_TERMINAL = "credit-terminal"
    REDEEM_VOUCHER = "redeem-voucher"
    VOID_VOUCHER = "void-voucher"
    HAND_PAY = "hand-pay"
    SIGN_CASH = "sign-cash"
    KEEP_DRAWER = "keep-drawer"
    SEE_DRAWER = "see-drawer"
    SEE_PLAYERS = "see-players"
    KEEP_PLAYERS = "keep-players"
    EXCLUDE_PLAYER = "exclude-player"
    LIFT_EXCLUSION = "lift-exclusion"
    SEE_MONEY = "see-money"
    RECALL_ROUND = "recall-round"
    SEARCH_RECORDS = "search-records"
    SEE_REPORTS = "see-reports"
    SEE_EVENTS = "see-events"
    VERIFY_JOURNAL = "verify-journal"
    SEE_PEOPLE = "see-people"
    MANAGE_STAFF = "manage-staff"
    MANAGE_DEVICES = "manage-devices"
    SIGN_SEAT_OVER = "sign-seat-over"
    SIGN_APPOINTMENT = "sign-appointment"


@dataclass(frozen=True, slots=True)
class Permission:
    """One line of the table; `commands` are the tags of the staff commands that it takes this action to give."""

    action: Action
    says: str
    roles: frozenset[Role]
    changes: bool
    paragraph: str
    commands: tuple[str, ...]

    @property
    def who(self) -> Said:
        """Those who may, for a sentence: "a Pit Manager or above or an Auditor"."""
        names = [_one(role) for role in Role if role in self.roles and role.rank is None]
        if lowest := min((role.rank for role in self.roles if role.rank), default=None):
            one = lowest.title
            names.insert(0, say("a {role} or above", role=one) if lowest < max(Rank) else say("a {role}", role=one))
        return reduce(lambda one, other: say("{one} or {other}", one=one, other=other), names)


@dataclass(frozen=True, slots=True)
class Denied:
    """Why a person may not, who may, and where that follows from."""

    code: str
    message: Said
    paragraph: str


class _Line(Struct, forbid_unknown_fields=True):
    says: str
    changes: bool
    paragraph: str
    lowest: Role | None = field(name="from", default=None)
    also: list[Role] = []
    commands: list[str] = []


class _File(Struct, forbid_unknown_fields=True):
    action: dict[str, _Line]


def load_permissions(path: Path) -> dict[Action, Permission]:
    """Read and check a table: every action once, every role known, nothing missing, no auditor who changes things,
    and for every command of staff one action that it takes."""
    source = Source(path)
    lines = source.read(_File).action
    for tag in lines:
        if tag not in set(Action):
            raise BadInput("bad-permissions", f"{path.name}: the server has no action {tag!r}")
    missing = [action for action in Action if action not in lines]
    if missing:
        raise BadInput("bad-permissions", f"{path.name}: nothing says who may {', '.join(missing)}")
    _check_commands(path, [tag for line in lines.values() for tag in line.commands])
    return {action: _permission(path, action, lines[action]) for action in Action}


def _check_commands(path: Path, listed: list[str]) -> None:
    if strange := [tag for tag in listed if tag not in BY_TAG]:
        raise BadInput("bad-permissions", f"{path.name}: there is no command {strange[0]!r}: take it out")
    if twice := [tag for tag, times in Counter(listed).items() if times > 1]:
        raise BadInput("bad-permissions", f"{path.name}: the command {twice[0]!r} stands under two actions: choose one")
    if missing := [tag for tag in BY_TAG if tag not in listed]:
        raise BadInput("bad-permissions", f"{path.name}: nothing says who may give {', '.join(missing)}")


def _permission(path: Path, action: Action, line: _Line) -> Permission:
    def refuse(why: str) -> BadInput:
        return BadInput("bad-permissions", f"{path.name}: {action}: {why}")

    if not line.says or not line.paragraph:
        raise refuse("it needs a sentence and a paragraph")
    if line.lowest and not line.lowest.rank:
        raise refuse(f"`from` names a rank of the pit, not {line.lowest}; {line.lowest} belongs under `also`")
    if ranked := [role for role in line.also if role.rank]:
        raise refuse(f"{ranked[0]} is a rank of the pit: name the lowest that may under `from`")
    lowest = line.lowest.rank if line.lowest else None
    roles = {role for role, rank in _RANKS.items() if lowest and rank >= lowest} | set(line.also)
    if not roles:
        raise refuse("nobody may do it")
    if line.changes == (Role.AUDITOR in roles):
        raise refuse("an auditor reads all and changes nothing")
    return Permission(action, line.says, frozenset(roles), line.changes, line.paragraph, tuple(line.commands))


@cache
def permissions() -> dict[Action, Permission]:
    return load_permissions(TABLE)


@cache
def _action_by_command() -> dict[str, Action]:
    return {tag: one.action for one in permissions().values() for tag in one.commands}


def action_of(command: str) -> Action:
    """Which permission a command of staff takes, by its tag; the rules check the rank that a clause names besides."""
    return _action_by_command()[command]


def may(role: Role, action: Action) -> bool:
    return role in permissions()[action].roles


def allowed(role: Role) -> list[Action]:
    """All that a role may do: a screen shows no button beyond these."""
    return [action for action in Action if may(role, action)]


def refusal(role: Role, action: Action) -> Denied:
    """What to tell someone who may not."""
    line = permissions()[action]
    why = say("{one} may not {do}: it takes {who}", one=_one(role), do=named(line.says), who=line.who)
    return Denied("not-allowed", why, line.paragraph)


def _one(role: Role) -> Said:
    return say("an {role}", role=role.title) if role.value[0] == "a" else say("a {role}", role=role.title)
