"""What terminals and staff might ask next, at random: mostly what moves a round on, now and then anything at all."""

from collections.abc import Callable
from random import Random

from natural9.core.cards import ALL_CARDS
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.core.round.burning import burn_first
from natural9.core.round.remedies import Names, may_be_withdrawn_by, names
from natural9.core.round.reporting import allowed
from natural9.core.round.seats import EMPTY_SEAT
from natural9.core.round.state import Phase
from natural9.core.table_of_play import Hand
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.betting import may_insure
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.shoes.mixing import nonce_commitment
from natural9.table.state.shoe_mix import next_shoe
from natural9.table.venue.file import ShoeSource
from tests.table.live import CASHIER, DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, LiveTable, asked, terminal

SEATS = (1, 2, 3)
STAFF = (DEALER, SUPERVISOR, MANAGER, SHIFT_MANAGER)
CENTS = (100, 200, 1_000, 5_000, 150)
Tap = tuple[taps.Tap | Order, Who]


def next_tap(table: LiveTable, chance: Random) -> Tap:
    if chance.random() < 0.3:
        return _terminals(table, chance)
    if chance.random() < 0.75:
        return _moves_on(table, chance)
    return _anything(table, chance)


def _moves_on(table: LiveTable, chance: Random) -> Tap:
    """What the dealer would do."""
    now, request = table.state.round, table.request()
    if table.state.faults:
        return asked(staff.ClearFault, request=request, fault=next(iter(table.state.faults)), why="mended"), SUPERVISOR
    if now.pending:
        return _answers(table, chance), SHIFT_MANAGER
    if table.state.status != "open":
        return asked(
            staff.OpenTable if table.state.status == "closed" else staff.ResumeTable, request=request
        ), SUPERVISOR
    if now.phase is Phase.SETTLED and chance.random() < 0.3:  # a winner has left, and the result was wrong
        if chance.random() < 0.5:
            return taps.CashOut(request=request), terminal(chance.choice(SEATS))
        return asked(
            round_commands.CorrectResult, request=request, cards=_put_right(table, chance), why="misread"
        ), SHIFT_MANAGER
    if now.phase in (Phase.NO_ROUND, Phase.SETTLED, Phase.VOID):
        if now.new_shoe and burn_first(now):
            return _burn(table, chance), DEALER
        spent = now.shoe is None or now.cut_card_out or table.state.shoe_required
        return asked(staff.LoadNewShoe if spent and not now.new_shoe else staff.StartRound, request=request), DEALER
    if now.phase is Phase.BETTING_OPEN:
        return (
            (asked(round_commands.CloseBetting, request=request), DEALER)
            if chance.random() < 0.15
            else _terminals(table, chance)
        )
    if now.window_open and chance.random() < 0.6 and (insured := _insures(table, chance)):
        return insured
    if now.window:
        if chance.random() < 0.1:
            return asked(round_commands.WaiveInsurance, request=request, seat=chance.choice(SEATS)), MANAGER
        shape = round_commands.CloseInsurance if now.window_open else round_commands.OpenInsurance
        return asked(shape, request=request), MANAGER
    if now.phase is Phase.COMPLETE:
        return asked(round_commands.Settle if now.declared else round_commands.DeclareResult, request=request), DEALER
    return _deal(table, chance), DEALER


def _burn(table: LiveTable, chance: Random) -> Order:
    new, request = table.state.round.new_shoe, table.request()
    if new and new.to_come:
        return asked(round_commands.BurnFaceDown, request=request, rest=chance.random() < 0.2)
    if table.config.shoe is ShoeSource.SHUFFLER:
        return asked(round_commands.BurnCards, request=request)
    return asked(round_commands.BurnCards, request=request, card=str(chance.choice(ALL_CARDS)))


def _answers(table: LiveTable, chance: Random) -> Order:
    """What the console offers for one of the reports that wait; now and then it is withdrawn."""
    now, request = table.state.round, table.request()
    pending = chance.choice(now.pending)
    remedies = [remedy for remedy, _ in allowed(now, pending).remedies]
    if not remedies or (chance.random() < 0.1 and may_be_withdrawn_by(now, pending)):
        return asked(round_commands.WithdrawReport, request=request, report=pending.report, why="a mistake")
    remedy = chance.choice(remedies)
    cards: tuple[str, ...] = ()
    if table.config.shoe is not ShoeSource.SHUFFLER:
        named = names(pending, remedy)
        cards = tuple(map(str, pending.cards)) if named is Names.ORDER else cards
        cards = tuple(map(str, now.cards)) if named is Names.CARDS and chance.random() < 0.5 else cards
    return asked(
        round_commands.DecideIrregularity,
        request=request,
        remedy=remedy,
        cards=cards,
        report=pending.report,
        why="seen by the floor",
    )


def _about_a_bet(table: LiveTable, chance: Random, request: str) -> Order:
    """A report or a ruling that names a bet, mostly one that lies or was taken back."""
    seats = list(table.state.round.seats.everybody())
    seat, at_seat = chance.choice(seats) if seats else (1, EMPTY_SEAT)
    kind = chance.choice((Kind.LATE_BET, Kind.WITHDRAWN_BET))
    amounts = at_seat.bets if kind is Kind.LATE_BET else at_seat.withdrawn
    wager, cents = chance.choice([*amounts.items(), ("tie", 100)])
    if chance.random() < 0.5:
        about = chance.choice((None, max(1, table.round - 1)))
        returned = chance.choice((None, 0, 2 * cents))
        shape = round_commands.RuleOnBet
        return asked(shape, request=request, seat=seat, wager=wager, returned_cents=returned, round=about, why="so")
    return asked(round_commands.ReportIrregularity, request=request, kind=kind, seat=seat, wager=wager, cents=cents)


def _insures(table: LiveTable, chance: Random) -> Tap | None:
    """Just what a seat is told that it may insure, or a part of it."""
    told = [(seat, *one) for seat in SEATS for one in may_insure(table.state, seat).items()]
    if not told:
        return None
    seat, hand, most = chance.choice(told)
    cents = chance.choice((100, most))
    return taps.Insure(request=table.request(), round=table.round, hand=hand, cents=cents), terminal(seat)


def _put_right(table: LiveTable, chance: Random) -> tuple[str, ...]:
    lying = [str(card) for card in table.state.round.cards] or ["9S"]
    lying[chance.randrange(len(lying))] = str(chance.choice(ALL_CARDS))
    return tuple(lying)


def _deal(table: LiveTable, chance: Random) -> Order:
    if table.config.shoe is ShoeSource.SHUFFLER:
        return asked(round_commands.DealCard, request=table.request())
    held = table.state.round.held
    put_at = chance.choice((None,) * 20 + (Hand.PLAYER,))
    return asked(
        round_commands.DealCard,
        request=table.request(),
        card=str(held[0] if held else chance.choice(ALL_CARDS)),
        put_at=put_at,
    )


def _terminals(table: LiveTable, chance: Random) -> Tap:
    request, seat, cents = table.request(), chance.choice(SEATS), chance.choice(CENTS)
    number = table.round if chance.random() < 0.95 else table.round + 1
    wager = chance.choice(("player", "banker", "tie", "no-such"))
    vouchers = list(table.vouchers.outstanding) or ["1-1-1"]
    voucher = chance.choice(vouchers)
    make: tuple[Callable[[], taps.Tap | Order], ...] = (
        *[lambda: taps.Bet(request=request, round=number, wager=wager, cents=cents)] * 6,
        lambda: taps.TakeBack(request=request, round=number, wager=wager, cents=chance.choice((None, cents))),
        lambda: taps.Clear(request=request, round=number),
        *[lambda: taps.Undo(request=request, round=number)] * 3,
        lambda: taps.Double(request=request, round=number),
        *[lambda: taps.ReBet(request=request, round=number)] * 2,
        lambda: taps.LayBets(request=request, round=number, bets={wager: cents, "tie": chance.choice(CENTS)}),
        *[lambda: taps.Insure(request=request, round=number, hand=chance.choice(list(Hand)), cents=cents)] * 2,
        lambda: taps.CashOut(request=request, cents=chance.choice((None, cents))),
        lambda: taps.CallAttendant(request=request, wanted=chance.random() < 0.5),
        *[lambda: taps.InsertVoucher(request=request, number=voucher, code=table.vouchers.code(voucher))] * 2,
    )
    if table.config.joint_shoe and chance.random() < 0.4:
        return _mixes(table, chance, request, seat), terminal(seat)
    return chance.choice(make)(), terminal(seat)


def _mixes(table: LiveTable, chance: Random, request: str, seat: int) -> taps.Tap:
    """What a seat commits to or reveals; now and then of another shoe, or another's."""
    nonce = f"{seat if chance.random() < 0.9 else 9:064x}"
    if table.state.mix and chance.random() < 0.7:
        return taps.RevealNonce(request=request, shoe=table.state.mix.shoe, nonce=nonce)
    shoe = next_shoe(table.state) + (chance.random() < 0.1)
    commitment = nonce_commitment(table="1", shoe=shoe, seat=seat, nonce=f"{seat:064x}")
    return taps.CommitNonce(request=request, shoe=shoe, commitment=commitment)


def _anything(table: LiveTable, chance: Random) -> Tap:
    request, seat, cents = table.request(), chance.choice(SEATS), chance.choice(CENTS)
    cards = tuple(str(card) for card in chance.choices(ALL_CARDS, k=chance.choice((0, 1, 2))))
    about = chance.choice((None, None, max(0, table.round - 1)))
    voucher = chance.choice(list(table.vouchers.outstanding) or ["1-1-1"])
    make: tuple[Callable[[], taps.Tap | Order], ...] = (
        lambda: asked(staff.CreditTerminal, request=request, seat=seat, cents=cents),
        lambda: asked(staff.HandPay, request=request, seat=seat, cents=chance.choice((None, cents))),
        lambda: asked(staff.VoidVoucher, request=request, number=voucher, why="torn"),
        lambda: asked(staff.LockTerminal, request=request, seat=seat, why="a spill"),
        *[lambda: asked(staff.UnlockTerminal, request=request, seat=seat)] * 3,
        lambda: asked(staff.TakeCall, request=request, seat=seat),
        lambda: asked(staff.ClearCall, request=request, seat=seat),
        lambda: asked(staff.TakeAlarm, request=request, alarm=chance.choice((*table.state.alarms, "report-9"))),
        lambda: asked(staff.PauseTable, request=request),
        lambda: asked(staff.CloseTable, request=request),
        *[lambda: asked(staff.SignOn, request=request)] * 2,
        lambda: asked(staff.SignOff, request=request, dealer=chance.choice((None, table.state.dealer or None))),
        lambda: asked(staff.LoadNewShoe, request=request, why=chance.choice(("", "marked cards"))),
        lambda: asked(round_commands.ReportCutCard, request=request),
        lambda: asked(round_commands.BurnCards, request=request, card=(*cards, None)[0], why=chance.choice(("", "-"))),
        lambda: asked(round_commands.BurnFaceDown, request=request),
        *[
            lambda: asked(
                round_commands.ReportIrregularity,
                request=request,
                kind=chance.choice(list(Kind)),
                cards=chance.choice((cards, ())),
                about_round=about,
            )
        ]
        * 3,
        *[lambda: _about_a_bet(table, chance, request)] * 3,
        lambda: asked(
            round_commands.DecideIrregularity,
            request=request,
            remedy=chance.choice(list(Remedy)),
            cards=cards,
            replace_shoe=chance.random() < 0.2,
            report=chance.choice((None, 1, 2)),
            why=chance.choice(("", "so")),
        ),
        lambda: asked(round_commands.WithdrawReport, request=request, why="a mistake"),
        lambda: asked(round_commands.TakeBackWaiver, request=request, why="asks no longer"),
        lambda: asked(
            round_commands.DiscardHeld,
            request=request,
            cards=tuple(map(str, table.state.round.held)) or ("9S",),
            why="-",
        ),
        lambda: asked(round_commands.VoidRound, request=request, why="a quarrel"),
        *[lambda: asked(round_commands.CorrectResult, request=request, cards=_put_right(table, chance), why="misread")]
        * 3,
        lambda: asked(
            round_commands.CorrectCard,
            request=request,
            place=chance.randint(1, 6),
            card=str(chance.choice(ALL_CARDS)),
            round=about,
            why=chance.choice(("", "misread")),
        ),
        lambda: asked(staff.FreezeRound, request=request, round=max(1, table.round), why="a dispute"),
        lambda: asked(staff.ChangeLimits, request=request, seat_max_cents=chance.choice((5_000, 50_000)), why="so"),
        lambda: asked(round_commands.Settle, request=request),
        lambda: asked(round_commands.OpenInsurance, request=request),
    )
    command = chance.choice(make)()
    money = isinstance(command, staff.CreditTerminal | staff.HandPay | staff.VoidVoucher)
    return command, CASHIER if money else chance.choice(STAFF)
