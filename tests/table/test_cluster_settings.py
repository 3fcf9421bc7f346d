"""[cluster] in the venue file: what it comes to, every mistake with its line, and no secret shown."""

from pathlib import Path

import pytest

from natural9.core.errors import BadInput
from natural9.table.venue.cluster import ClusterSettings, NatsIdentity, check_node_name
from natural9.table.venue.venue import Venue, load_venue
from tests.table.test_venue import VENUE, written

NATS = 'nats = ["nats://127.0.0.1:4222"]'


def clustered(folder: Path, lines: str, venue: str = VENUE) -> Venue:
    return load_venue(written(folder, f"{venue}\n[cluster]\n{lines}\n"))


def settings(folder: Path, lines: str) -> ClusterSettings:
    cluster = clustered(folder, lines).cluster
    assert cluster is not None
    return cluster


def test_one_process_has_all_tables_unless_the_venue_says_otherwise(tmp_path: Path) -> None:
    assert load_venue(written(tmp_path, VENUE)).cluster is None


def test_a_nats_server_is_all_that_must_be_said(tmp_path: Path) -> None:
    assert settings(tmp_path, NATS) == ClusterSettings(nats=("nats://127.0.0.1:4222",))


def test_all_that_can_be_said(tmp_path: Path) -> None:
    for name in ("ca.pem", "node.pem", "node.key", "nats.creds"):
        (tmp_path / name).touch()
    said = settings(
        tmp_path,
        """\
database = "postgresql://natural9@db.example/venue?sslmode=verify-full"
nats = ["tls://nats-1.example:4222", "tls://[2001:db8::7]"]
tls_ca = "ca.pem"
tls_cert = "node.pem"
tls_key = "node.key"
nats_credentials = "nats.creds"
lease_s = 3.5
""",
    )
    assert said == ClusterSettings(
        database="postgresql://natural9@db.example/venue?sslmode=verify-full",
        nats=("tls://nats-1.example:4222", "tls://[2001:db8::7]"),
        tls_ca=tmp_path / "ca.pem",
        tls_cert=tmp_path / "node.pem",
        tls_key=tmp_path / "node.key",
        nats_credentials=tmp_path / "nats.creds",
        lease_s=3.5,
    )


@pytest.mark.parametrize(
    "nats",
    [
        '["nats://localhost"]',
        '["nats://[::1]:4222"]',
        '["tls://nats.example"]',
        '["nats://nats.example"]\nallow_plain_nats = true',
        '["nats://nats.example"]\ntls_ca = "ca.pem"',
    ],
)
def test_a_wire_that_nobody_reads_along(tmp_path: Path, nats: str) -> None:
    (tmp_path / "ca.pem").touch()
    assert settings(tmp_path, f"nats = {nats}").nats


# What is said, and what the complaint says; it stands on the last line.
MISTAKES = [
    ("nats = []", "name a NATS server at least"),
    ('nats = "nats://127.0.0.1"', "nats must be a list"),
    ('nats = ["127.0.0.1:4222"]', "'127.0.0.1:4222' is no address of a NATS server: write one such as nats://"),
    ('nats = ["nats://"]', "is no address of a NATS server"),
    ('nats = ["nats://127.0.0.1:99999"]', "no address of a NATS server"),
    ('nats = ["nats://127.0.0.1:0"]', "no address of a NATS server"),
    ('nats = ["nats://[::1"]', "no address of a NATS server"),
    ('nats = ["nats://127.0.0.1/x"]', "no address of a NATS server"),
    ('nats = ["http://127.0.0.1"]', "no address of a NATS server"),
    ('nats = ["nats://user:hush@127.0.0.1"]', "leave user and password out of the address: nats_user"),
    ('nats = ["nats://hush@127.0.0.1"]', "leave user and password out"),
    ('nats = ["nats://nats.example"]', "nats.example is another machine, and without TLS anyone"),
    (f'{NATS}\ndatabase = "mysql://db.example/venue"', "this is no address of a database: postgresql://"),
    (f'{NATS}\ndatabase = "postgresql://me:hush@db.example/venue"', "leave the password out of the address"),
    (f'{NATS}\ntls_ca = "no.pem"', "there is no file "),
    (f'{NATS}\ntls_cert = "is.pem"', "tls_cert is given without tls_key"),
    (f'{NATS}\ntls_key = "is.pem"', "tls_key is given without tls_cert"),
    (f'{NATS}\nnats_credentials = "no.creds"', "there is no file "),
    (f'{NATS}\nnats_user = "me"\npassword_file = "no"', "there is no file "),
    (f'{NATS}\npassword_file = "is.pem"', "password_file is given without nats_user"),
    (
        f'{NATS}\nnats_user = "me"\nnats_credentials = "is.pem"\npassword_file = "is.pem"',
        "nats_credentials and password_file are two ways to say who comes: give one",
    ),
    (f"{NATS}\nlease_s = 0.4", "a lease lasts 0.5 to 60 seconds, not 0.4"),
    (f"{NATS}\nlease_s = 61", "a lease lasts 0.5 to 60 seconds, not 61"),
    (f"{NATS}\nlease_s = nan", "not nan"),
    (f"{NATS}\nlease_s = 10", "less than short_interruption, which is 10"),
    (f"{NATS}\nleases = 2", "[cluster] has no key 'leases'; did you mean lease_s?"),
]


@pytest.mark.parametrize(("lines", "says"), [pytest.param(*case, id=case[0][-50:]) for case in MISTAKES])
def test_a_mistake_is_named_with_its_line_and_without_a_secret(tmp_path: Path, lines: str, says: str) -> None:
    (tmp_path / "is.pem").touch()
    line = f"{VENUE}\n[cluster]\n{lines}".count("\n") + 1
    with pytest.raises(BadInput) as refused:
        clustered(tmp_path, lines)
    assert refused.value.message.startswith(f"venue.toml:{line}: "), refused.value.message
    assert says in refused.value.message
    assert "hush" not in refused.value.message


def test_a_cluster_without_nats(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"\[cluster\] has no key 'nats': add it"):
        clustered(tmp_path, "lease_s = 2")


def test_a_venue_that_knows_no_short_interruption_takes_any_lease(tmp_path: Path) -> None:
    never = VENUE.replace('name = "The Nine"', 'name = "The Nine"\nshort_interruption = 0')
    venue = clustered(tmp_path, f"{NATS}\nlease_s = 30", never)
    assert venue.cluster
    assert venue.cluster.lease_s == 30


def test_the_password_comes_from_a_file_or_the_environment_and_is_never_shown(tmp_path: Path) -> None:
    environment = {"NATS_USER": "env", "NATS_PASSWORD": "hush", "NATS_TOKEN": "hush too"}
    by_environment = settings(tmp_path, NATS).login(environment)
    assert by_environment == NatsIdentity(user="env", password="hush", token="hush too")
    assert settings(tmp_path, f'{NATS}\nnats_user = "me"').login(environment).user == "me"
    (tmp_path / "nats.password").write_text("hush\n")
    by_file = settings(tmp_path, f'{NATS}\nnats_user = "me"\npassword_file = "nats.password"')
    assert by_file.login(environment) == NatsIdentity(user="me", password="hush")
    assert "hush" not in f"{by_environment!r}{by_file!r}{by_file.login({})!r}"
    (tmp_path / "nats.password").write_bytes(b"\xff")
    with pytest.raises(BadInput, match="cannot be read: it is not text"):
        by_file.login({})
    (tmp_path / "nats.password").unlink()
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        by_file.login({})
    (tmp_path / "nats.creds").touch()
    by_credentials = settings(tmp_path, f'{NATS}\nnats_credentials = "nats.creds"').login(environment)
    assert by_credentials == NatsIdentity(credentials=tmp_path / "nats.creds")


@pytest.mark.parametrize("name", ["", "Node", "a.b", "a b", "-a", "a/b", "a*", "a" * 21])
def test_a_node_has_a_plain_name(name: str) -> None:
    assert check_node_name("node-1") == "node-1"
    with pytest.raises(BadInput, match="cannot name a node"):
        check_node_name(name)


def test_a_node_is_served_where_it_is_told(tmp_path: Path) -> None:
    venue = load_venue(written(tmp_path, VENUE))
    assert venue.at(None, None) == venue
    assert (venue.at("::1", 9001).host, venue.at("::1", 9001).port) == ("::1", 9001)
    with pytest.raises(BadInput, match="can be reached from other machines"):
        venue.at("0.0.0.0", None)
    with pytest.raises(BadInput, match="there is no port 70000"):
        venue.at(None, 70000)
