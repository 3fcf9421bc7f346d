"""Jobs for `test_aside`, in a file of their own, since another process must find them by their name."""

import os

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.store.contract import Store


async def where(store: Store) -> bytes:
    return f"{os.getpid()} {os.nice(0)} {(await store.head()).seq}".encode()


async def large(store: Store, size: int) -> bytes:
    return b"9" * size


async def refuse(store: Store, seat: int) -> bytes:
    raise BadInput("bad-seat", say("there is no seat {seat}", seat=seat), "7.1")


async def fail(store: Store) -> bytes:
    print("what a job prints is no answer")
    raise ZeroDivisionError


async def die(store: Store) -> bytes:
    os._exit(9)
