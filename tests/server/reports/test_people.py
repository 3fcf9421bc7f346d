"""What an auditor reads of staff and devices, and that no secret is among it."""

from natural9.server.people.devices import Place
from natural9.server.people.permissions import Role, may
from natural9.server.reports.asker import Asker
from natural9.server.reports.devices import DEVICES
from natural9.server.reports.sheets import as_csv
from natural9.server.reports.staff import STAFF
from tests.server.people.house import PEER, house


async def test_everybody_is_there_with_role_status_and_where_it_is_locked_and_without_secrets() -> None:
    venue = await house()
    await venue.administrator()
    await venue.person("mei", "dealer")
    await venue.person("gone", "cashier")
    await venue.fail("mei", 3)
    await venue.fail("mei", 3, device="terminal-1-3")
    await venue.accounts.disable("gone", by="ada")
    issued = await venue.accounts.add("new", name="New", role="auditor", by="ada")
    rows = await STAFF.rows(venue.store, Asker(venue.clock.now_ms), {})
    assert [(one.id, one.role, one.status, one.locked_from) for one in rows] == [
        ("ada", "administrator", "active", ""),
        ("gone", "cashier", "disabled", ""),
        ("mei", "dealer", "locked", f"{PEER}, device/terminal-1-3"),
        ("new", "auditor", "no-password", ""),
    ]
    assert rows[-1].code_expires_at_ms == issued.expires_ms
    told = as_csv(STAFF.row, rows)
    kept = [one.password_hash for one in venue.accounts.all()] + [
        one.code.hash for one in venue.accounts.all() if one.code
    ]
    for secret in (*venue.secrets, issued.code, *filter(None, kept), "argon2"):
        assert secret not in told


async def test_every_device_is_there_and_without_secrets() -> None:
    venue = await house()
    devices = venue.accounts.devices
    places = [Place("terminal", "2", 1), Place("terminal", "1", 7), Place("display"), Place("display", "1")]
    codes = await devices.add(places, by="ada")
    enrolled = await devices.enrol(codes[1].code, peer=PEER)
    await devices.revoke("display-1", by="ada")
    rows = await DEVICES.rows(venue.store, Asker(0), {})
    assert [(one.id, one.kind, one.table, one.seat, one.status) for one in rows] == [
        ("display-all", "display", "", None, "waiting"),
        ("display-1", "display", "1", None, "revoked"),
        ("terminal-1-7", "terminal", "1", 7, "enrolled"),
        ("terminal-2-1", "terminal", "2", 1, "waiting"),
    ]
    assert [one.id for one in await DEVICES.rows(venue.store, Asker(0), {"table": "2"})] == ["terminal-2-1"]
    told = as_csv(DEVICES.row, rows)
    for secret in (enrolled.session.nonce, *(one.code for one in codes), *(one.secret_hash for one in devices.all())):
        assert not secret or secret not in told


def test_an_auditor_and_an_administrator_read_them() -> None:
    assert {role for role in Role if may(role, STAFF.permission)} == {Role.AUDITOR, Role.ADMINISTRATOR}
    assert DEVICES.permission is STAFF.permission
