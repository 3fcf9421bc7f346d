"""One evening's records, made once: valid lines of a journal, an export, receipts, checkpoints, a witness's file."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.lies.evening import Evening, evening


@cache
def an_evening() -> Evening:
    def play() -> Evening:
        with TemporaryDirectory() as folder:
            return asyncio.run(evening(Path(folder) / "witness.jsonl"))

    with ThreadPoolExecutor(1) as aside:  # whoever needs it first may be in an event loop already
        return aside.submit(play).result()
