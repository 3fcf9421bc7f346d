"""A trainee by script, at a table that decides by the rules alone: no server, no clock."""

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import Refusal, RoundState, commands, decide, what_next, what_to_report
from natural9.core.round.remedies import Names, names
from natural9.core.round.reporting import Needs, allowed, needs
from natural9.core.round.state import Limit, Phase
from natural9.core.staff import Rank, Staff
from natural9.games import load_game
from natural9.server.training.drill import Drill, Wanted
from natural9.server.training.situations import Situation

STEP_MS = 1000
IN_ORDER = (
    commands.CloseBetting,
    commands.OpenInsurance,
    commands.CloseInsurance,
    commands.DeclareResult,
    commands.Settle,
)


class Training:
    """One drill at a table of its own; every command takes a second."""

    def __init__(self, game: str, wanted: Wanted) -> None:
        rules = load_game(game)
        self.limits = {wager.id: Limit(1_000, 100_000) for wager in rules.wagers}
        self.state, self.at_ms, self.said = RoundState(rules), 0, list[str]()
        self.drill = Drill(wanted, self.state)
        self.load_shoe()

    def give(self, command: commands.Command, rank: Rank = Rank.DEALER) -> None:
        happened = decide(self.state, command, Staff(rank.tag, rank), "seen by the floor")
        assert not isinstance(happened, Refusal), (command, str(happened.message))
        self.at_ms += STEP_MS
        for event in happened:
            self.drill.hear(event, self.at_ms)
        self.state = self.drill.state
        self._tap()

    def _tap(self) -> None:
        while self.drill.taps:
            for tap in self.drill.taps:
                bet = commands.TakeBackBet if tap.back else commands.PlaceBet
                happened = decide(self.state, bet(seat=tap.seat, wager=tap.wager, cents=tap.cents))
                assert not isinstance(happened, Refusal), str(happened.message)
                for event in happened:
                    self.drill.hear(event, self.at_ms)
                self.state = self.drill.state
            self.drill.tapped(self.at_ms)

    def load_shoe(self) -> None:
        self.give(commands.LoadShoe(shoe=self.state.shoe_number + 1, decks=8), Rank.SHIFT_MANAGER)

    # A trainee who does everything right

    def run(self) -> None:
        while not self.drill.ended:
            self.said.append(str(self.drill.says))
            self.step()

    def step(self) -> None:
        if not self.handle():
            self.go_on()

    def handle(self) -> bool:
        """Whatever is to be handled now, as it should be."""
        drill = self.drill
        if drill.question:
            drill.answer(drill.question.right, self.at_ms)
        elif self.state.pending:
            self.decide_it()
        elif drill.watch:
            self.report(drill.watch.situation)
        else:
            return False
        return True

    def report(self, happened: Situation, kind: Kind | None = None) -> None:
        if happened.allowed_by:
            self.drill.let_pass(self.at_ms)
        elif happened.kind is None:
            self.give(commands.ReportCutCard())
        elif happened.tap and self.state.phase is Phase.BETTING_OPEN:
            self.give(commands.CloseBetting())
        elif happened.put_at and kind is None:
            self.give(commands.DealCard(card=happened.cards[0], put_at=happened.put_at))
        else:
            self.give(true_report(happened, kind or happened.kind))

    def decide_it(self, remedy: Remedy | None = None) -> None:
        pending = self.state.pending[0]
        may, watch = allowed(self.state, pending), self.drill.watch
        right = watch.situation if watch and watch.reported is not None else None
        remedy = remedy or (right.settles_by if right else None) or may.remedies[0][0]
        cards = right.lay if right and right.lay else pending.cards
        if not (right and right.lay) and names(pending, remedy) is not Names.ORDER:
            cards = ()
        self.drill.call(may.rank)
        self.give(commands.DecideIrregularity(remedy=remedy, cards=cards), may.rank)

    def go_on(self) -> None:
        """The next step of a round that goes its way."""
        may = what_next(self.state).commands
        if commands.DealCard in may:
            card = self.state.held[0] if self.state.held else self.drill.card
            self.give(commands.DealCard(card=card))
            return
        if step := next((step for step in IN_ORDER if step in may), None):
            self.give(step())
            return
        if self.state.cut_card_out and self.state.new_shoe is None:
            self.load_shoe()
        self.give(
            commands.OpenBetting(round=self.state.number + 1, betting_unit_cents=100, limits=self.limits, boxes=None)
        )

    def until_it_happens(self) -> Situation:
        while self.drill.watch is None:
            self.step()
        return self.drill.watch.situation

    def another_kind(self, happened: Situation) -> Kind:
        """One that may be reported now, names nothing, and is not what happened."""
        watch = self.drill.watch
        assert watch is not None
        true = happened.kinds(watch.before)
        return next(
            one.kind
            for one in what_to_report(self.state)
            if one.refusal is None and one.kind not in true and names_nothing(one.needs)
        )


def names_nothing(needed: Needs) -> bool:
    return not (needed.cards or needed.earlier_round or needed.bet)


def true_report(happened: Situation, kind: Kind) -> commands.ReportIrregularity:
    tap = happened.tap
    return commands.ReportIrregularity(
        kind=kind,
        cards=happened.cards if needs(kind).cards else (),
        about_round=happened.about_round,
        seat=tap.seat if tap and needs(kind).bet else None,
        wager=tap.wager if tap and needs(kind).bet else "",
        cents=tap.cents if tap and needs(kind).bet else None,
        seats=(happened.seat,) if happened.seat and needs(kind).seats else (),
    )
