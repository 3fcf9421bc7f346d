"""`natural9 witness`: watch houses from outside, and cosign what each shows as long as it is one history."""

import asyncio
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from natural9.cli.usage import within
from natural9.core.errors import BadInput
from natural9.proof.signed_note import ED25519, BadNote, VerifierKey
from natural9.witness.house import HouseSeen
from natural9.witness.key_file import open_key
from natural9.witness.looking import Witness
from natural9.witness.memory import Memory
from natural9.witness.trouble import HouseTrouble, StrangeKey, TwoHistories, WitnessFailed

ALARMED, NOT_DONE = 1, 2


def witness(
    urls: Annotated[list[str], typer.Argument(metavar="URL...", help="Where each house is, as https://HOST[:PORT].")],
    key: Annotated[
        Path, typer.Option("--key", metavar="FILE", help="Your private key; made on first use. Keep it to yourself.")
    ] = Path("witness.key"),
    file: Annotated[
        Path, typer.Option("--file", metavar="FILE", help="All that you have seen; made on first use. Keep it, too.")
    ] = Path("witness.jsonl"),
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What a new key is called, such as regulator.example/w1.")
    ] = "",
    house_key: Annotated[
        list[str] | None,
        typer.Option("--house-key", metavar="KEY", help="A house's public key, from its papers. Repeat it for more."),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Look at each house once, and end.")] = False,
    interval: Annotated[
        float,
        typer.Option(
            "--interval", metavar="SECONDS", callback=within("--interval", 0.1, 86400), help="How often to look."
        ),
    ] = 10.0,
) -> None:
    """Watch a house from outside and cosign its checkpoints.

    A witness sees only hashes: how many entries a journal has, and one hash over all of them. It checks that each
    checkpoint continues the one before, and then cosigns it. If a house shows two histories, or goes back, the witness
    raises the alarm on stderr, keeps both notes in --file as evidence, never cosigns it again, and ends with exit 1.

    Without --house-key it trusts the first key that a house shows, and prints its fingerprint: compare it with the
    venue's papers. A later key that the first does not vouch for raises the alarm and is not trusted.

    It prints its own public key: give it to the house, so that the house takes your cosignatures.

    Example: natural9 witness https://tables.example --key w.key --file w.jsonl
    """
    addresses = [_address(url) for url in urls]
    if len(set(addresses)) < len(addresses):
        raise BadInput("bad-url", "a house is named twice: give each address once")
    try:
        trusted = [_house_key(text) for text in house_key or []]
        own, is_new = open_key(key, name)
        memory = Memory(file, own.verifier, is_new=is_new)
    except WitnessFailed as error:
        raise BadInput("witness-failed", str(error)) from None
    print(f"witness {own.verifier}", flush=True)
    try:
        code = 0
        with suppress(KeyboardInterrupt):
            watching = Witness(memory, own, trusted, _first_sight)
            code = asyncio.run(_watch(watching, addresses, None if once else interval))
        if any(memory.of(memory.origins.get(url, "")).broken for url in addresses):
            code = ALARMED  # even if it was stopped while it went on with other houses
        if code:
            raise typer.Exit(code)
    except WitnessFailed as error:
        raise BadInput("witness-failed", str(error)) from None
    finally:
        memory.close()


async def _watch(witness: Witness, addresses: Sequence[str], interval_s: float | None) -> int:
    """Until every house has shown two histories; with no interval, once. What to exit with."""
    async with AsyncExitStack() as open_houses:
        houses = [await open_houses.enter_async_context(HouseSeen(url)) for url in addresses]
        try:
            async with asyncio.TaskGroup() as group:
                watched = [group.create_task(_watch_one(witness, house, interval_s)) for house in houses]
        except* WitnessFailed as failed:
            raise failed.exceptions[0] from None
    codes = [task.result() for task in watched]
    return ALARMED if ALARMED in codes else max(codes)


async def _watch_one(witness: Witness, house: HouseSeen, interval_s: float | None) -> int:
    said = ""
    while True:
        code = 0
        try:
            words = await witness.look(house, int(time.time()))
        except TwoHistories as error:
            _raise_alarm(witness, house, str(error))
            return ALARMED
        except StrangeKey as error:
            code, words = ALARMED, f"A STRANGE KEY at {house.url}: it {error}"
        except HouseTrouble as error:
            code, words = NOT_DONE, f"{house.url} {error}"
        if words != said:  # a house that is down all night is reported once
            now = time.strftime("%Y-%m-%d %H:%M:%S")
            print(f"{now} {words}", file=sys.stderr if code else sys.stdout, flush=True)
        said = words
        if interval_s is None:
            return code
        await asyncio.sleep(interval_s)


def _first_sight(origin: str, key: VerifierKey) -> None:
    """Somebody between witness and house could have shown a key of their own."""
    lines = [
        f"FIRST SIGHT of {origin}: only the server that answered vouches for its key. Trusted from now on:",
        f"    {key}",
        f"    fingerprint {key.fingerprint}",
        "Compare it with the venue's papers. If it is another, stop, delete --key and --file, and start",
        "again with the key from the papers: --house-key KEY.",
    ]
    print("\n".join(lines), file=sys.stderr, flush=True)


def _raise_alarm(witness: Witness, house: HouseSeen, why: str) -> None:
    broken = next((one.broken for one in witness.memory.logs.values() if one.broken and one.broken.why == why), None)
    lines = [f"TWO HISTORIES at {house.url}: {why}.", f"The evidence is kept in {witness.memory.path}."]
    if broken is not None:
        lines += ["", "It had shown:", broken.before, "It shows now:", broken.now]
    print("\n".join(lines), file=sys.stderr, flush=True)


def _address(url: str) -> str:
    try:
        parts = urlsplit(url)
        is_good = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.fragment)
        _ = parts.port
    except ValueError:
        is_good = False
    if not is_good or not url.isprintable() or "@" in url:
        raise BadInput("bad-url", f"{url[:80]!r} is not a house's address: give https://HOST[:PORT]")
    return url.rstrip("/")


def _house_key(text: str) -> VerifierKey:
    try:
        key = VerifierKey.parse(text)
    except BadNote as error:
        raise BadInput("bad-key", f"--house-key: {error}") from None
    if key.kind != ED25519:
        raise BadInput("bad-key", "--house-key: this is a witness's key, not a house's")
    return key
