"""Who may act in which rank: what the office says of its people, held against what they did at tables."""

from natural9.core.events import Event
from natural9.journal.people_events import AdministratorClaimed, RoleChanged, StaffAdded
from natural9.table.audit.findings import Wrong

PEOPLE_TAGS = frozenset(shape.TAG for shape in (AdministratorClaimed, RoleChanged, StaffAdded))


class RankAudit:
    """The roles that each person has had so far. Streams are sequenced each on its own, so that an order given just
    before a role changed may stand after it: every role that somebody ever had counts. Of whom the office knows nothing
    nothing is said: a journal may begin before its people do."""

    def __init__(self) -> None:
        self._roles: dict[str, set[str]] = {}

    def account(self, event: Event) -> None:
        match event:
            case StaffAdded(id=id, role=role) | RoleChanged(id=id, after=role):
                self._roles.setdefault(id, set()).add(role)
            case AdministratorClaimed(id=id):
                self._roles.setdefault(id, set()).add("administrator")
            case _:
                pass

    def acted(self, person: str, rank: str) -> Wrong:
        roles = self._roles.get(person)
        if roles is None or rank in roles:
            return None
        return f"{person} acts as {rank}", f"{person} is {' and '.join(sorted(roles))}"
