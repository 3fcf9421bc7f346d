"""Who may do what: the table is whole, and says what the house rules say."""

from pathlib import Path

import pytest

from natural9.core.errors import BadInput
from natural9.core.staff import Rank
from natural9.games.loader import paragraphs
from natural9.server.people.permissions import (
    TABLE,
    Action,
    Role,
    action_of,
    allowed,
    load_permissions,
    may,
    permissions,
    refusal,
)
from natural9.table.commands.staff import BY_TAG


def test_every_action_stands_in_the_table_once() -> None:
    assert set(permissions()) == set(Action)
    assert TABLE.read_text().count("[action.") == len(Action)


@pytest.mark.parametrize("action", Action)
def test_whoever_ranks_higher_may_too(action: Action) -> None:
    ranked = [may(Role(rank.tag), action) for rank in Rank]
    assert ranked == sorted(ranked), "mbs 6.2"


@pytest.mark.parametrize("action", Action)
def test_an_auditor_reads_all_and_changes_nothing(action: Action) -> None:
    assert may(Role.AUDITOR, action) is not permissions()[action].changes


def test_an_administrator_manages_people_and_devices_but_not_the_game() -> None:
    changes = {action for action in allowed(Role.ADMINISTRATOR) if permissions()[action].changes}
    assert changes == {Action.MANAGE_STAFF, Action.MANAGE_DEVICES}
    assert [role for role in Role if may(role, Action.MANAGE_STAFF)] == [Role.ADMINISTRATOR]


def test_what_a_cashier_changes_is_money_and_players_accounts() -> None:
    changes = {action for action in allowed(Role.CASHIER) if permissions()[action].changes}
    money = {Action.CREDIT_TERMINAL, Action.REDEEM_VOUCHER, Action.HAND_PAY, Action.KEEP_DRAWER}
    assert changes == money | {Action.KEEP_PLAYERS, Action.EXCLUDE_PLAYER}


@pytest.mark.parametrize("action", Action)
def test_a_refusal_names_all_who_may_and_the_paragraph(action: Action) -> None:
    line = permissions()[action]
    for role in set(Role) - line.roles:
        denied = refusal(role, action)
        assert denied.code == "not-allowed"
        assert denied.message.startswith(f"a{'n' if role.title[0] == 'A' else ''} {role.title} may not {line.says}: ")
        takes = denied.message.partition("it takes ")[2]
        for other in line.roles:
            assert other.title in takes or (other.rank and "or above" in takes)
        assert denied.paragraph == line.paragraph


@pytest.mark.parametrize("action", Action)
def test_a_paragraph_is_of_the_rules_or_of_the_requirements(action: Action) -> None:
    paragraph = permissions()[action].paragraph
    kind, _, number = paragraph.partition(" ")
    assert paragraph in paragraphs() or (kind == "requirement" and 1 <= int(number) <= 49)


LAST = TABLE.read_text()[TABLE.read_text().index("[action.sign-appointment]") :]


def changed(tmp_path: Path, before: str, after: str) -> Path:
    text = TABLE.read_text()
    assert before in text
    path = tmp_path / "permissions.toml"
    path.write_text(text.replace(before, after, 1))
    return path


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("[action.deal]", "[action.steal]", "no action 'steal'"),
        (LAST, "", "nothing says who may sign-appointment"),
        ('from = "dealer"', 'from = "dealing"', "from cannot be 'dealing'; did you mean dealer?"),
        ('from = "dealer"', 'from = "cashier"', "`from` names a rank of the pit, not cashier"),
        ('also = ["cashier", "auditor", "administrator"]', 'also = ["dealer"]', "dealer is a rank of the pit"),
        ('also = ["cashier"]\nchanges = true', 'also = ["auditor"]\nchanges = true', "an auditor reads all"),
        ('also = ["administrator"]\nchanges = true', "changes = true", "nobody may do it"),
        ('paragraph = "requirement 46"', 'paragraph = ""', "it needs a sentence and a paragraph"),
        ('paragraph = "requirement 46"', 'paragraf = "requirement 46"', "'paragraf'; did you mean paragraph?"),
        ('  "cut-card",\n', "", "nothing says who may give cut-card"),
        ('commands = ["hand-pay"]\n', "", "nothing says who may give hand-pay"),
        ('commands = ["rule-on-bet"]', 'commands = ["rule-on-bet", "settle"]', "'settle' stands under two actions"),
        ('commands = ["rule-on-bet"]', 'commands = ["rule-on-bet", "reshuffle"]', "there is no command 'reshuffle'"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_table_is_named(tmp_path: Path, before: str, after: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        load_permissions(changed(tmp_path, before, after))


DEALT = (
    "open-betting", "close-betting", "deal", "cut-card", "new-shoe", "open-insurance", "close-insurance",
    "waive-insurance", "declare", "settle", "correct-card", "correct-result",
)  # fmt: skip
NAMED_AS_THEIR_ACTION = (
    "void-round", "freeze-round", "open-table", "pause-table", "resume-table", "close-table", "change-limits",
    "lock-terminal", "unlock-terminal", "clear-fault", "credit-terminal", "hand-pay", "void-voucher",
)  # fmt: skip
TAKES = {
    **dict.fromkeys(DEALT, Action.DEAL),  # the dealer's ordinary work
    "sign-on": Action.SIGN_ON,
    "sign-off": Action.SIGN_ON,
    "report": Action.REPORT_IRREGULARITY,
    "decide": Action.DECIDE_IRREGULARITY,
    "take-call": Action.ANSWER_CALL,
    "clear-call": Action.ANSWER_CALL,
    "take-alarm": Action.TAKE_ALARM,
    **{tag: Action(tag) for tag in NAMED_AS_THEIR_ACTION},
}


@pytest.mark.parametrize("tag", TAKES)
def test_every_command_of_staff_takes_one_action(tag: str) -> None:
    assert action_of(tag) is TAKES[tag]


def test_a_new_command_that_nobody_may_give_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BY_TAG, "change-felt", BY_TAG["settle"])
    with pytest.raises(BadInput, match="nothing says who may give change-felt"):
        load_permissions(TABLE)
