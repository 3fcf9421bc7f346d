"""What terminals and staff might ask next, at random: mostly what moves a round on, now and then anything at all."""

from collections.abc import Callable
from random import Random

from natural9.core.cards import ALL_CARDS
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round.state import Phase
from natural9.core.table_of_play import Hand
from natural9.table.commands import commands
from natural9.table.commands.betting import may_insure
from natural9.table.commands.decide import Who
from natural9.table.venue.file import ShoeSource
from tests.table.live import CASHIER, DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, LiveTable, terminal

SEATS = (1, 2, 3)
STAFF = (DEALER, SUPERVISOR, MANAGER, SHIFT_MANAGER)
CENTS = (100, 200, 1_000, 5_000, 150)
Tap = tuple[commands.TableCommand, Who]


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
        return commands.ClearFault(request=request, fault=next(iter(table.state.faults)), why="mended"), SUPERVISOR
    if now.pending:
        remedy = chance.choice(now.pending.remedies)[0]
        return commands.Decide(request=request, remedy=remedy, cards=tuple(map(str, now.pending.cards))), SHIFT_MANAGER
    if table.state.status != "open":
        return (commands.OpenTable if table.state.status == "closed" else commands.ResumeTable)(
            request=request
        ), SUPERVISOR
    if now.phase is Phase.SETTLED and chance.random() < 0.3:  # a winner has left, and the result was wrong
        if chance.random() < 0.5:
            return commands.CashOut(request=request), terminal(chance.choice(SEATS))
        return commands.CorrectResult(request=request, cards=_put_right(table, chance), why="misread"), SHIFT_MANAGER
    if now.phase in (Phase.NO_ROUND, Phase.SETTLED, Phase.VOID):
        spent = now.shoe is None or now.cut_card_out or table.state.shoe_required
        return (commands.NewShoe if spent and not now.new_shoe else commands.OpenBetting)(request=request), DEALER
    if now.phase is Phase.BETTING_OPEN:
        return (commands.CloseBetting(request=request), DEALER) if chance.random() < 0.15 else _terminals(table, chance)
    if now.window_open and chance.random() < 0.6 and (insured := _insures(table, chance)):
        return insured
    if now.window:
        shape = (
            chance.choice((commands.CloseInsurance, commands.WaiveInsurance))
            if now.window_open
            else commands.OpenInsurance
        )
        return shape(request=request), MANAGER
    if now.phase is Phase.COMPLETE:
        return (commands.Settle if now.declared else commands.Declare)(request=request), DEALER
    return _deal(table, chance), DEALER


def _insures(table: LiveTable, chance: Random) -> Tap | None:
    """Just what a seat is told that it may insure, or a part of it."""
    told = [(seat, *one) for seat in SEATS for one in may_insure(table.state, seat).items()]
    if not told:
        return None
    seat, hand, most = chance.choice(told)
    cents = chance.choice((100, most))
    return commands.Insure(request=table.request(), round=table.round, hand=hand, cents=cents), terminal(seat)


def _put_right(table: LiveTable, chance: Random) -> tuple[str, ...]:
    lying = [str(card) for card in table.state.round.cards] or ["9S"]
    lying[chance.randrange(len(lying))] = str(chance.choice(ALL_CARDS))
    return tuple(lying)


def _deal(table: LiveTable, chance: Random) -> commands.Deal:
    if table.config.shoe is ShoeSource.SHUFFLER:
        return commands.Deal(request=table.request())
    held = table.state.round.held
    put_at = chance.choice((None,) * 20 + (Hand.PLAYER,))
    return commands.Deal(
        request=table.request(), card=str(held[0] if held else chance.choice(ALL_CARDS)), put_at=put_at
    )


def _terminals(table: LiveTable, chance: Random) -> Tap:
    request, seat, cents = table.request(), chance.choice(SEATS), chance.choice(CENTS)
    number = table.round if chance.random() < 0.95 else table.round + 1
    wager = chance.choice(("player", "banker", "tie", "no-such"))
    vouchers = list(table.vouchers.outstanding) or ["1-1-1"]
    voucher = chance.choice(vouchers)
    make: tuple[Callable[[], commands.TableCommand], ...] = (
        *[lambda: commands.Bet(request=request, round=number, wager=wager, cents=cents)] * 6,
        lambda: commands.TakeBack(request=request, round=number, wager=wager, cents=chance.choice((None, cents))),
        lambda: commands.Clear(request=request, round=number),
        *[lambda: commands.Undo(request=request, round=number)] * 3,
        lambda: commands.Double(request=request, round=number),
        *[lambda: commands.ReBet(request=request, round=number)] * 2,
        *[lambda: commands.Insure(request=request, round=number, hand=chance.choice(list(Hand)), cents=cents)] * 2,
        lambda: commands.CashOut(request=request, cents=chance.choice((None, cents))),
        *[lambda: commands.InsertVoucher(request=request, number=voucher, code=table.vouchers.code(voucher))] * 2,
    )
    return chance.choice(make)(), terminal(seat)


def _anything(table: LiveTable, chance: Random) -> Tap:
    request, seat, cents = table.request(), chance.choice(SEATS), chance.choice(CENTS)
    cards = tuple(str(card) for card in chance.choices(ALL_CARDS, k=chance.choice((0, 1, 2))))
    about = chance.choice((None, None, max(0, table.round - 1)))
    voucher = chance.choice(list(table.vouchers.outstanding) or ["1-1-1"])
    make: tuple[Callable[[], commands.TableCommand], ...] = (
        lambda: commands.CreditTerminal(request=request, seat=seat, cents=cents),
        lambda: commands.HandPay(request=request, seat=seat, cents=chance.choice((None, cents))),
        lambda: commands.VoidVoucher(request=request, number=voucher, why="torn"),
        lambda: commands.LockTerminal(request=request, seat=seat, why="a spill"),
        *[lambda: commands.UnlockTerminal(request=request, seat=seat)] * 3,
        lambda: commands.PauseTable(request=request),
        lambda: commands.CloseTable(request=request),
        lambda: commands.NewShoe(request=request),
        lambda: commands.CutCard(request=request),
        *[lambda: commands.Report(request=request, kind=chance.choice(list(Kind)), cards=cards, about_round=about)] * 3,
        lambda: commands.Decide(request=request, remedy=chance.choice(list(Remedy)), cards=cards, replace_shoe=True),
        lambda: commands.VoidRound(request=request, why="a quarrel"),
        *[lambda: commands.CorrectResult(request=request, cards=_put_right(table, chance), why="misread")] * 3,
        lambda: commands.CorrectCard(
            request=request,
            place=chance.randint(1, 6),
            card=str(chance.choice(ALL_CARDS)),
            why=chance.choice(("", "misread")),
        ),
        lambda: commands.FreezeRound(request=request, round=max(1, table.round), why="a dispute"),
        lambda: commands.ChangeLimits(request=request, seat_max_cents=chance.choice((5_000, 50_000)), why="so"),
        lambda: commands.Settle(request=request),
        lambda: commands.OpenInsurance(request=request),
    )
    command = chance.choice(make)()
    money = isinstance(command, commands.CreditTerminal | commands.HandPay | commands.VoidVoucher)
    return command, CASHIER if money else chance.choice(STAFF)
