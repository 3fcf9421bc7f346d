"""Where somebody comes from: the address that counts, whose word is taken for it, and which addresses count as one."""

from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address

from natural9.server.people.records import DEVICE
from natural9.table.venue.venue import Network


def client_address(peer: str, forwarded: str, proxies: Collection[Network]) -> str:
    """Whose request it is. X-Forwarded-For (`forwarded`, all its lines) is believed from a proxy of the house alone.

    Each proxy adds at the right who spoke to it, so the right-most address that is no proxy of ours is the last one
    that nobody but ours has written. Where that is no address, the peer's own counts.
    """
    if not is_among(peer, proxies):
        return peer
    for written in reversed(forwarded.split(",")):
        address = _address(written.strip())
        if address is None or getattr(address, "scope_id", None):  # a zone may be any text
            return peer
        if not is_among(str(address), proxies):
            return str(address)
    return peer


def is_among(address: str, networks: Collection[Network]) -> bool:
    found = _address(address) if networks else None
    return found is not None and any(found in network for network in networks)


def neighbourhood(peer: str) -> str:
    """An IPv6 host owns 2**64 addresses: they count as one."""
    address = _address(peer)
    if isinstance(address, IPv6Address):
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return str(address) if address else peer


def place_of(peer: str, device: str) -> str:
    """What failures are counted by: the device of the house that showed its token, or else the address."""
    return f"{DEVICE}{device}" if device else neighbourhood(peer)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
