"""A real server and a real witness over sockets: it follows the house over a restart and a change of keys."""

import asyncio
from pathlib import Path

from natural9.cli.rekey import rekey
from natural9.proof.signed_note import COSIGNATURE, SigningKey
from natural9.witness.house import HouseSeen
from natural9.witness.looking import Witness
from natural9.witness.memory import Memory
from tests.server import live_server as live

KEY = SigningKey("regulator.example/w1", COSIGNATURE, b"w" * 32)


async def test_a_witness_follows_a_house_over_a_restart_and_a_new_key(tmp_path: Path) -> None:
    folder = live.new_venue(tmp_path / "venue", live.table("a", "rws-nc"))
    file = folder / "venue.toml"
    file.write_text(file.read_text() + f'\n[proof]\nwitnesses = ["{KEY.verifier}"]\n')
    memory = Memory(tmp_path / "w.jsonl", KEY.verifier, is_new=True)
    witness = Witness(memory, KEY)
    for restarted in (False, True):
        if restarted:
            await asyncio.to_thread(rekey, folder, checkpoint=True)
        with live.running(folder) as server:
            async with HouseSeen(server.address) as house:
                assert "cosigned" in await witness.look(house, 1000)
            server.kill()
    [seen] = memory.logs.values()
    assert len(seen.keys) == 2
    memory.close()
    verified = await live.Server(folder).check_every_round()
    assert verified.checkpoints >= 2
