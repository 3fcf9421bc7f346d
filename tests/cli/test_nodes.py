"""`natural9 nodes`: who has what, read from the database alone."""

import asyncio
import json
from pathlib import Path

from natural9.store.contract import Access
from natural9.store.opening import open_store
from natural9.store.postgres.address import address_of
from natural9.store.postgres.leases import Leases, NodeCard
from tests import json_page
from tests.cli.test_command import complaint, run
from tests.server.live_server import table, venue_file
from tests.store.postgres_server import new_place

TABLES = ["venue", "table/a", "table/b"]


def venue(folder: Path) -> str:
    """A folder whose records are in a database that was used before; the address."""
    place = new_place()
    address = address_of(place)
    assert address
    (folder / "venue.toml").write_text(
        venue_file(table("a", "rws-nc"), table("b", "rws-nc"))
        + f'[cluster]\nnats = ["nats://127.0.0.1:4222"]\ndatabase = "{address}"\n'
    )
    asyncio.run(open_store(folder, Access.SERVE).close())
    return address


async def join(address: str, name: str, streams: list[str], barred: str = "", rules: str = "rules") -> Leases:
    card = NodeCard(name, "0.1.0", "program", rules, f"http://{name}.example", barred)
    leases = await Leases.open(address, card, lease_s=60.0)  # nobody renews it here
    await leases.claim(streams)
    return leases


def test_who_has_what(tmp_path: Path) -> None:
    address = venue(tmp_path)

    async def looked() -> None:
        one = await join(address, "node-1", TABLES[:2])
        two = await join(address, "node-2", TABLES, "it is another program")
        shown = await asyncio.to_thread(run, "nodes", str(tmp_path))
        assert shown.returncode == 1
        first, second = (line for line in shown.stdout.splitlines() if ".example" in line)
        assert first.split()[:3] == ["node-1", "alive", "http://node-1.example"]
        assert first.split()[-1] == "2"
        assert second.split()[:3] == ["node-2", "takes", "nothing"]
        assert "node-2 takes nothing: it is another program" in shown.stdout.splitlines()
        assert [line.split()[:2] for line in shown.stdout.splitlines()[-3:]] == [
            ["the", "office"], ["a", "node-1"], ["b", "nobody"],
        ]  # fmt: skip
        three = await join(address, "node-3", TABLES)
        four = await join(address, "node-4", TABLES, rules="others")
        told = await asyncio.to_thread(run, "nodes", str(tmp_path), "--json")
        assert told.returncode == 0
        said = json.loads(told.stdout)
        json_page.hold("nodes", said)
        had = [(row["node"], row["office"] is not None, [one["id"] for one in row["tables"]]) for row in said]
        assert had == [("node-1", True, ["a"]), ("node-2", False, []), ("node-3", False, ["b"]), ("node-4", False, [])]
        assert [row["takes_tables"] for row in said] == [True, False, True, False]
        assert said[3]["why_not"] == "its rules are not those that are played"
        first, [table] = said[0], said[0]["tables"]
        assert (first["url"], first["is_alive"], 0 <= first["lag_ms"] < 60_000) == ("http://node-1.example", True, True)
        assert (table["epoch"], 0 < table["lease_ms"] <= 60_000, table["since"] >= first["since"]) == (1, True, True)
        for leases in (one, two, three, four):
            await leases.close()

    asyncio.run(looked())
    assert run("nodes", str(tmp_path)).returncode == 1
    by_address = json.loads(run("nodes", address, "--json").stdout)
    [nobody] = by_address
    assert (nobody["node"], nobody["office"] is not None, [one["id"] for one in nobody["tables"]]) == (
        "",
        True,
        ["a", "b"],
    )


def test_before_any_node_has_joined(tmp_path: Path) -> None:
    venue(tmp_path)
    shown = run("nodes", str(tmp_path))
    assert (shown.returncode, shown.stdout.splitlines()[0]) == (1, "No node has ever joined.")


def test_one_process_has_no_nodes(tmp_path: Path) -> None:
    (tmp_path / "venue.toml").write_text(venue_file(table("a", "rws-nc")))
    refused = run("nodes", str(tmp_path))
    assert refused.returncode == 2
    assert "has its records in a file, so one process has all tables: natural9 serve" in refused.stderr
    (tmp_path / "empty").mkdir()
    for name, says in (("nope", "there is no folder"), ("venue.toml", "is a file"), ("empty", "is not a venue")):
        assert says in complaint("nodes", str(tmp_path / name))


def test_a_database_that_is_away_is_said(tmp_path: Path) -> None:
    refused = run("nodes", f"postgresql://anna@/venue?host={tmp_path}")
    assert refused.returncode == 2
    assert "cannot be reached" in refused.stderr
