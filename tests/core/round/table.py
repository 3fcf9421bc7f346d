"""A table to test rounds at: it does what it is told, and remembers what happened and what that cost each seat."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from natural9.core.cards import Card, parse_cards
from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.round import Refusal, RoundState, commands, decide, events, fold, what_next
from natural9.core.round.refusal import Code
from natural9.core.round.state import INSURANCE_PHASES, Phase
from natural9.core.staff import Rank, Staff
from natural9.core.table_of_play import Hand
from natural9.games import load_game

E = TypeVar("E", bound=events.RoundEvent)
Bets = Mapping[int, Mapping[str, int]]

DEALER: Final = Staff("dealer-7", Rank.DEALER)
PIT_SUPERVISOR: Final = Staff("supervisor-3", Rank.PIT_SUPERVISOR)
PIT_MANAGER: Final = Staff("manager-2", Rank.PIT_MANAGER)
SHIFT_MANAGER: Final = Staff("shift-1", Rank.SHIFT_MANAGER)
EVERYBODY: Final = (DEALER, PIT_SUPERVISOR, PIT_MANAGER, SHIFT_MANAGER)

MBS_GAMES: Final = (
    "mbs-super-six-nc",
    "mbs-fortune-six-nc",
    "mbs-super-6-nc",
    "mbs-nc",
    "mbs-tiger",
    "mbs-tiger-nc",
)
ONE_GAME_A_DOCUMENT: Final = ("rws-nc", "rws-nc-insurance", "rws-nc-super-six-plus", "mbs-nc")

BETS: Final[Bets] = {1: {"player": 10_000, "tie": 500}, 2: {"banker": 20_000}}  # wagers that all nine games offer

AFTER_ONE_ROUND: Final = {1: 9_500, 2: -20_000}  # what NATURAL brings them

NATURAL: Final = "9S KH KD 5C"  # Player 9, Banker 5
BOTH_STAND: Final = "6S 7H KD QC"  # Player 6, Banker 7
PLAYER_DRAWS: Final = "4S 7H KD QC 5H"  # Player 4 and 9, Banker 7
BANKER_DRAWS: Final = "7S 2H KD 3C 4D"  # Player 7, Banker 5 and 9
BOTH_DRAW: Final = "3S 4H KD QC 2H 2D"  # Player 3 and 5, Banker 4 and 6
TIE_AT_NINE: Final = "2S AH 2D 2C 5H 6D"  # Player 4, a pair, and 9; Banker 3 and 9
DEALS: Final = (NATURAL, BOTH_STAND, PLAYER_DRAWS, BANKER_DRAWS, BOTH_DRAW, TIE_AT_NINE)

# What a shift manager may decide where no clause says more.
ANYTHING: Final = (Remedy.CONTINUE, Remedy.RECONSTRUCT, Remedy.SETTLE_BY_CARDS, Remedy.NO_EFFECT, Remedy.VOID)

WHY: Final = "seen by the floor"

# Cards for the reports that have to name some.
NAMES_CARDS: Final = {
    Kind.EXCESS_OR_EXPOSED: "8D",
    Kind.DRAWN_TOGETHER_ORDER_KNOWN: "8D 9C",
    Kind.DRAWN_TOGETHER_ORDER_UNKNOWN: "8D 9C",
}


class Signed(NamedTuple):
    """A command, who gives it, and why."""

    command: commands.Command
    by: Staff
    why: str


Asked = commands.Command | Signed


def signed(command: commands.Command, *, by: Staff, why: str | None = None) -> Signed:
    """With a reason, where the command takes one."""
    return Signed(command, by, ("misread" if command.REASON else "") if why is None else why)


def decided(state: RoundState, asked: Asked) -> Sequence[events.RoundEvent] | Refusal:
    return decide(state, *asked) if isinstance(asked, Signed) else decide(state, asked)


# Every command of the round.
COMMANDS: Final = {
    shape for shape in vars(commands).values() if isinstance(shape, type) and issubclass(shape, commands.Command)
} - {commands.Command}

# One of every command that has to wait while an irregularity does.
OTHER_COMMANDS: Final[tuple[Asked, ...]] = (
    commands.LoadShoe(shoe=9, decks=8),
    signed(commands.BurnCards(card=Card("8", "S")), by=SHIFT_MANAGER),
    commands.BurnFaceDown(),
    commands.OpenBetting(round=99, betting_unit_cents=100),
    commands.PlaceBet(seat=3, wager="player", cents=1_000),
    commands.IncreaseBet(seat=1, wager="player", cents=1_000),
    commands.TakeBackBet(seat=1, wager="player"),
    commands.ClearBets(seat=1),
    commands.CloseBetting(),
    commands.DealCard(card=Card("8", "S"), put_at=Hand.PLAYER),
    commands.ReportCutCard(),
    commands.OpenInsurance(),
    commands.PlaceInsurance(seat=1, hand=Hand.PLAYER, cents=100),
    commands.CloseInsurance(),
    signed(commands.WaiveInsurance(seat=1), by=SHIFT_MANAGER),
    signed(commands.TakeBackWaiver(), by=SHIFT_MANAGER),
    signed(commands.DiscardHeld(cards=(Card("8", "S"),)), by=SHIFT_MANAGER),
    commands.DeclareResult(winner=Winner.PLAYER, player_total=9, banker_total=7),
    commands.Settle(),
)

# What goes on while an irregularity waits: another report, a decision, a correction, a ruling.
WHILE_IT_WAITS: Final = {
    commands.ReportIrregularity,
    commands.WithdrawReport,
    commands.DecideIrregularity,
    commands.VoidRound,
    commands.CorrectCard,
    commands.CorrectResult,
    commands.RuleOnBet,
    commands.NoteInterruption,
}


def of(shape: type[E], happened: Iterable[events.RoundEvent]) -> list[E]:
    """The events of one kind."""
    return [event for event in happened if isinstance(event, shape)]


class Table:
    def __init__(
        self,
        game_id: str,
        *,
        decks: int = 8,
        optional: frozenset[str] | None = None,
        burns: bool = False,
        counts_burnt: bool = False,
    ) -> None:
        self.state = RoundState(load_game(game_id))
        self.happened: list[events.RoundEvent] = []
        self.do(
            commands.LoadShoe(shoe=1, decks=decks, optional=optional, burns=burns, counts_burnt=counts_burnt),
        )

    def do(self, command: Asked) -> tuple[events.RoundEvent, ...]:
        """The command is accepted; what it led to."""
        answer = decided(self.state, command)
        assert not isinstance(answer, Refusal), f"{command} was refused: {answer}"
        self.state = fold(self.state, answer)
        self.happened += answer
        return tuple(answer)

    def refused(self, command: Asked) -> Refusal:
        """The command is refused, and nothing has changed."""
        before = repr(self.state[1:])
        answer = decided(self.state, command)
        assert isinstance(answer, Refusal), f"{command} was accepted: {answer}"
        assert repr(self.state[1:]) == before
        return answer

    def try_to(self, command: Asked) -> bool:
        """Do it if it may be done, where a test is about what must not come of it."""
        if isinstance(decided(self.state, command), Refusal):
            return False
        self.do(command)
        return True

    # A round, by and by.

    def open(self, bets: Bets = BETS) -> None:
        self.do(commands.OpenBetting(round=self.state.number + 1, betting_unit_cents=100))
        for seat, wagers in bets.items():
            for wager, stake in wagers.items():
                self.do(commands.PlaceBet(seat=seat, wager=wager, cents=stake))

    def deal(self, cards: str, *, windows: bool = True) -> None:
        """Deal in due order, bets closed first; an insurance window in the way is opened and closed if told so."""
        if self.state.phase is Phase.BETTING_OPEN:
            self.do(commands.CloseBetting())
        for card in parse_cards(cards):
            if windows and self.state.phase in INSURANCE_PHASES:
                self.close_window()
            due = self.state.due
            assert due is not None, f"no card is due after {self.state.cards}"
            self.do(commands.DealCard(card=card, put_at=due))

    def insure(self, seat: int, hand: Hand, stake: int) -> None:
        if not self.state.window_open:
            self.do(commands.OpenInsurance())
        self.do(commands.PlaceInsurance(seat=seat, hand=hand, cents=stake))

    def close_window(self) -> None:
        if not self.state.window_open:
            self.do(commands.OpenInsurance())
        if self.state.window_open:  # it closes by itself where nobody has anything to insure
            self.do(commands.CloseInsurance())

    def declare(self) -> None:
        shown = self.state.outcome
        assert shown is not None, "the round is not complete"
        self.do(
            commands.DeclareResult(
                winner=shown.winner,
                player_total=shown.player_total,
                banker_total=shown.banker_total,
            )
        )

    def finish(self) -> tuple[events.RoundEvent, ...]:
        """Declare what the cards show and settle it."""
        self.declare()
        return self.do(commands.Settle())

    def play(self, cards: str, bets: Bets = BETS) -> None:
        """A whole round, settled."""
        self.open(bets)
        self.deal(cards)
        self.finish()

    # Irregularities.

    def report(
        self,
        kind: Kind,
        *,
        cards: str = "",
        by: Staff = DEALER,
        detail: str = "",
        seats: tuple[int, ...] = (),
        about_round: int | None = None,
        seat: int | None = None,
        wager: str = "",
        cents: int | None = None,
    ) -> events.IrregularityReported:
        command = signed(
            commands.ReportIrregularity(
                kind=kind,
                detail=detail,
                cards=parse_cards(cards),
                seats=seats,
                about_round=about_round,
                seat=seat,
                wager=wager,
                cents=cents,
            ),
            by=by,
        )
        [reported] = of(events.IrregularityReported, self.do(command))
        return reported

    def remedy(
        self,
        remedy: Remedy,
        *,
        by: Staff,
        cards: str = "",
        why: str = WHY,
        replace_shoe: bool = False,
        report: int | None = None,
    ) -> tuple[events.RoundEvent, ...]:
        """Decide what is pending; the first event says so."""
        return self.do(decision(remedy, by, cards=cards, why=why, replace_shoe=replace_shoe, report=report))

    def takes(self, rank: Rank, remedy: Remedy, *, cards: str = "", replace_shoe: bool = False) -> str:
        """Every lower rank is refused this decision; this one and each higher may. Returns the paragraph cited."""
        cited = set()
        for staff in EVERYBODY:
            command = decision(remedy, staff, cards=cards, replace_shoe=replace_shoe)
            if staff.rank < rank:
                refusal = self.refused(command)
                assert refusal.code is Code.RANK_TOO_LOW, refusal
                assert refusal.message.startswith(f"{staff.id} ({staff.rank.title}) may not")
                cited.add(refusal.paragraph)
            else:
                answer = decided(self.state, command)
                assert not isinstance(answer, Refusal), f"{staff} was refused {remedy}: {answer}"
                [remedied] = of(events.IrregularityDecided, answer)
                assert (remedied.by, remedied.rank, remedied.remedy) == (staff.id, staff.rank.tag, remedy)
                cited.add(remedied.paragraph)
        [paragraph] = cited
        return paragraph

    def waits(self, paragraph: str) -> None:
        """The table waits for a decision: play is refused, and stakes stay where they are."""
        for command in OTHER_COMMANDS:
            refusal = self.refused(command)
            assert (refusal.code, refusal.paragraph) == (Code.IRREGULARITY_PENDING, paragraph), command
        assert set(what_next(self.state).commands) <= WHILE_IT_WAITS
        assert commands.DecideIrregularity in what_next(self.state).commands

    def voids(self, command: Asked) -> events.RoundVoided:
        """The command voids the round: every seat gets back exactly what it staked, and has won or lost nothing."""
        staked = {seat: at_seat.staked_cents for seat, at_seat in self.state.seats.items()}
        settled = {seat: at_seat.returned_cents for seat, at_seat in self.state.seats.items()}
        was_settled = self.state.phase is Phase.SETTLED
        happened = self.do(command)
        assert {event.seat: event.cents for event in of(events.BetsReturned, happened)} == staked
        reversed_by_seat = {event.seat: event.cents for event in of(events.SettlementReversed, happened)}
        assert reversed_by_seat == (settled if was_settled else {})
        [voided] = of(events.RoundVoided, happened)
        assert happened[-1] is voided
        assert voided.returned_cents == sum(staked.values())
        assert (self.state.phase, self.state.staked_cents, self.state.pending) == (Phase.VOID, 0, ())
        assert all(self.net(seat) == 0 for seat in staked)
        assert self.refused(commands.Settle()).code is Code.NOT_COMPLETE  # a void round has no result to settle
        return voided

    # Money.

    def net(self, seat: int) -> int:
        """What this round has brought the seat, or cost it, so far."""
        opened = max(place for place, event in enumerate(self.happened) if isinstance(event, events.BettingOpened))
        return _net(self.happened[opened:], seat)

    def credit(self, seat: int) -> int:
        """What all rounds together have brought the seat, or cost it."""
        return _net(self.happened, seat)

    def credits(self) -> dict[int, int]:
        return {seat: self.credit(seat) for seat in BETS}

    @property
    def cards(self) -> str:
        return " ".join(map(str, self.state.cards))

    @property
    def held(self) -> str:
        return " ".join(map(str, self.state.held))


def decision(
    remedy: Remedy,
    by: Staff,
    *,
    cards: str = "",
    why: str = WHY,
    replace_shoe: bool = False,
    report: int | None = None,
) -> Signed:
    named = parse_cards(cards)
    return signed(
        commands.DecideIrregularity(remedy=remedy, cards=named, replace_shoe=replace_shoe, report=report),
        by=by,
        why=why,
    )


def report_of(kind: Kind, by: Staff = DEALER) -> Signed:
    """A report of this kind with all that it has to name: an error found later is about round 1, a bet one of BETS."""
    names_bet = kind in (Kind.LATE_BET, Kind.WITHDRAWN_BET)
    return signed(
        commands.ReportIrregularity(
            kind=kind,
            cards=parse_cards(NAMES_CARDS.get(kind, "")),
            about_round=1 if kind is Kind.FOUND_LATER else None,
            seat=2 if names_bet else None,
            wager="banker" if names_bet else "",
            cents=10_000 if kind is Kind.WITHDRAWN_BET else None,
        ),
        by=by,
    )


def second_round(game_id: str, cards: str | None = None, *, bets: Bets = BETS, decks: int = 8) -> Table:
    """A table with one round settled, in which seat 1 has won, and another opened; with cards, its bets are closed."""
    table = Table(game_id, decks=decks)
    table.play(NATURAL)
    table.open(bets)
    if 2 in bets and "banker" in bets[2]:  # so that there is a bet that was taken back
        table.do(commands.IncreaseBet(seat=2, wager="banker", cents=10_000))
        table.do(commands.TakeBackBet(seat=2, wager="banker", cents=10_000))
    if cards is not None:
        table.deal(cards)
    if cards == "":
        assert table.state.phase is Phase.BETS_CLOSED
    return table


def _net(happened: Iterable[events.RoundEvent], seat: int) -> int:
    return sum(_moved(event) for event in happened if getattr(event, "seat", None) == seat)


def _moved(event: events.RoundEvent) -> int:
    """What the event moves to its seat, from the house or from what lies at stake."""
    match event:
        case events.BetPlaced(cents=stake) | events.InsurancePlaced(cents=stake) | events.BetRestored(cents=stake):
            return -stake
        case events.BetTakenBack(cents=amount) | events.BetVoided(cents=amount):
            return amount
        case events.BetRuled(returned_cents=now, was_cents=was):
            return now - was
        case events.EarlierSeatSettled(returned_cents=now, was_cents=was):
            return now - was
        case events.InsuranceReturned(cents=stake):
            return stake
        case (
            events.BetsCleared(cents=returned)
            | events.SeatSettled(returned_cents=returned)
            | events.BetsReturned(cents=returned)
        ):
            return returned
        case events.SettlementReversed(cents=returned):
            return -returned
        case _:
            return 0
