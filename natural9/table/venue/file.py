"""The shapes of a venue file. Anything not named here is refused, so that a slip of the pen is not a default."""

from enum import StrEnum

from msgspec import field

from natural9.games.files import File

Amount = str | int | float  # as people write it: 100, 2.5 or "2.50"


class Mode(StrEnum):
    DEALER = "dealer"  # moves only by the dealer's console
    AUTOMATIC = "automatic"  # moves by its own timers


class ShoeSource(StrEnum):
    SHUFFLER = "shuffler"
    READ = "read"  # real cards, typed by the dealer or read by a device


class Burn(StrEnum):
    NONE = "none"
    FIRST_CARD = "first-card"  # the first card of a shoe face up, and as many as its points face down


class VenueSection(File):
    name: str
    currency: str
    zone: str
    day_starts: str
    voucher_days: int = 30
    short_interruption: float = 10  # seconds
    public_insurance_odds: bool = False


class CageSection(File):
    """Cash at the desks, a transaction at a time."""

    ceiling: Amount = 100_000
    second_signature: Amount = 10_000
    open_drawer_first: bool = False


class ServerSection(File):
    host: str = "127.0.0.1"
    port: int = 8909
    tls_cert: str = ""
    tls_key: str = ""
    allow_remote: bool = False
    tls_at_proxy: bool = False
    allowed_origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    house_addresses: tuple[str, ...] = ()
    metrics_from: tuple[str, ...] = ()
    approved_program: str = ""
    head_copy: str = ""


class ProtectionSection(File):
    """Minutes, but for `cooling_off`, which is hours."""

    on: bool = True
    reality_check: float = 60
    pause_after: float = 15
    session_ends_after: float = 10
    cooling_off: float = 24
    longest_break: float = 24 * 60
    default_time: float | None = None
    default_loss: Amount | None = None
    default_stake: Amount | None = None
    most_time: float | None = None
    most_loss: Amount | None = None
    most_stake: Amount | None = None


class PlayersSection(File):
    """Players with names and cards; without it everybody plays without a name."""

    on: bool = False
    points_per_100: int = 0


class LobbySection(File):
    """How many tables a terminal may play at a time, its own among them."""

    side_by_side: int = 1


class ProofSection(File):
    """What others check the house by."""

    origin: str = ""
    witnesses: tuple[str, ...] = ()
    time_stamp_authority: str = ""
    time_stamp_certificates: str = ""


class PrinterSection(File):
    """Where vouchers and receipts are printed; without it they are shown on the terminal alone."""

    address: str = ""
    chinese: bool = False


class BillAcceptorSection(File):
    """Devices beside the terminals that take bills and vouchers; without it credit is bought at the desk."""

    address: str = ""
    at_tables: tuple[str, ...] = ()
    most_credit: Amount = 5_000


class AnnounceSection(File):
    """Who is told what everybody at a table may see; without it nobody is."""

    webhook: str = ""
    secret_file: str = ""
    nats: str = ""
    nats_credentials: str = ""
    subject: str = "natural9"


class ClusterSection(File):
    """Several processes of one venue; without it one process has all tables."""

    nats: tuple[str, ...]
    database: str = ""
    tls_ca: str = ""
    tls_cert: str = ""
    tls_key: str = ""
    allow_plain_nats: bool = False
    nats_user: str = ""
    password_file: str = ""
    nats_credentials: str = ""
    lease_s: float = 2


class TimersRow(File):
    betting: float
    reveal: float
    result: float
    insurance: float | None = None
    squeeze: float = 0
    mix: float = 5


class LimitRow(File):
    wager: str
    min: Amount | None = None
    max: Amount | None = None


class TableSection(File):
    id: str
    game: str
    decks: int
    maximum: Amount
    timers: TimersRow
    title: str = ""
    layout: str = ""
    seats: int | None = None
    betting_unit: Amount | None = None
    minimum: Amount | None = None
    limits: tuple[LimitRow, ...] = ()
    seat_minimum: Amount | None = None
    seat_maximum: Amount | None = None
    table_maximum: Amount | None = None
    optional: list[str] | None = None
    mode: Mode = Mode.AUTOMATIC
    shoe: ShoeSource = ShoeSource.SHUFFLER
    joint_shoe: bool = False
    reader: str = ""
    cut_cards: int = 14
    burn: Burn = Burn.NONE
    wait_for_players: bool | None = None
    visitors: bool | None = None


class VenueFile(File):
    venue: VenueSection
    table: list[TableSection]
    server: ServerSection = field(default_factory=ServerSection)
    cage: CageSection = field(default_factory=CageSection)
    protection: ProtectionSection = field(default_factory=ProtectionSection)
    players: PlayersSection = field(default_factory=PlayersSection)
    lobby: LobbySection = field(default_factory=LobbySection)
    proof: ProofSection = field(default_factory=ProofSection)
    printer: PrinterSection = field(default_factory=PrinterSection)
    bill_acceptor: BillAcceptorSection = field(default_factory=BillAcceptorSection)
    announce: AnnounceSection = field(default_factory=AnnounceSection)
    cluster: ClusterSection | None = None
