"""A house in this process that has been opened and has not started yet, with passwords that are cheap to check."""

from importlib.resources import files
from pathlib import Path

from natural9.server.clock import Clock
from natural9.server.house import House
from natural9.server.keyring import open_keyring
from natural9.server.people.accounts import Accounts
from natural9.server.people.lock_out import LockOut
from natural9.server.proof.signing_key import open_checkpoint_keys
from natural9.store.contract import Store
from natural9.table.live.carrier import Carrier
from natural9.table.live.recovery import open_vouchers
from natural9.table.venue.venue import load_venue
from tests.server.people.house import CHEAP


async def opened(
    folder: Path, store: Store, clock: Clock | None = None, *, lock_out: LockOut | None = None, written: str = ""
) -> House:
    """`written` is the venue file; without it, the one that the program comes with."""
    file = folder / "venue.toml"
    file.write_text(written or files("natural9.table.venue").joinpath("example.toml").read_text())
    venue, keyring = load_venue(file), await open_keyring(folder, store)
    clock = clock or await Clock.open(store)
    accounts = await Accounts.open(
        store,
        key=keyring.in_use,
        clock_ms=clock.play_ms,
        record_ms=clock.record_ms,
        gaming_day=venue.gaming_day,
        hasher=CHEAP,
        lock_out=lock_out,
    )
    vouchers, carrier = await open_vouchers(store, keyring.vouchers), await Carrier.open(store)
    keys = await open_checkpoint_keys(folder, store, venue)
    return House(folder, venue, store, accounts, vouchers, keyring, clock, carrier, keys)
