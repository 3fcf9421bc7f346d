"""Where somebody comes from, and whose word is taken for it."""

from ipaddress import ip_network

import pytest

from natural9.server.people.addresses import client_address, is_among, neighbourhood

PROXIES = (ip_network("127.0.0.1"), ip_network("10.0.0.0/24"), ip_network("2001:db8::/64"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "counts"),
    [
        ("203.0.113.9", "198.51.100.7", "203.0.113.9"),  # a stranger names somebody else
        ("127.0.0.2", "198.51.100.7", "127.0.0.2"),  # this machine, but no proxy
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("::ffff:127.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", " 198.51.100.7 ", "198.51.100.7"),
        ("127.0.0.1", "6.6.6.6, 198.51.100.7", "198.51.100.7"),  # the left one is what the client said
        ("127.0.0.1", "198.51.100.7, 10.0.0.4", "198.51.100.7"),  # two proxies of ours
        ("2001:db8::1", "2001:db8:1::7", "2001:db8:1::7"),
        ("127.0.0.1", "10.0.0.4, 10.0.0.5", "127.0.0.1"),  # proxies alone
        ("127.0.0.1", "::ffff:198.51.100.7", "198.51.100.7"),
        ("127.0.0.1", "198.51.100.7, <script>", "127.0.0.1"),
        ("127.0.0.1", "fe80::1%<script>", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.7:443", "127.0.0.1"),
        ("127.0.0.1", "unknown", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.7,", "127.0.0.1"),
        ("127.0.0.1", "1" * 5000, "127.0.0.1"),
        ("", "198.51.100.7", ""),
    ],
)
def test_whose_request_it_is(peer: str, forwarded: str, counts: str) -> None:
    assert client_address(peer, forwarded, PROXIES) == counts


def test_without_proxies_nobody_speaks_for_another() -> None:
    assert client_address("127.0.0.1", "198.51.100.7", ()) == "127.0.0.1"


def test_which_addresses_are_among_those_of_a_list() -> None:
    assert [is_among(one, PROXIES) for one in ("10.0.0.255", "10.0.1.0", "2001:db8::5", "", "x")] == [
        True, False, True, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("peer", "counted"),
    [
        ("10.0.0.7", "10.0.0.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:10.0.0.7", "10.0.0.7"),
        ("", ""),
        ("socket", "socket"),
    ],
)
def test_a_host_with_many_addresses_counts_as_one(peer: str, counted: str) -> None:
    assert neighbourhood(peer) == counted
