"""An evening at a live table whose dealer makes mistakes: chance says which, and when each is found.

The dealer deals by the felt; the program knows what was keyed. The floor's own book (`floor_books`) says what every
seat must have once all that was found is put right.
"""

from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any, Final

from natural9.core.cards import ALL_CARDS, Card
from natural9.core.insurance import Window
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.round.commands import Command
from natural9.core.round.refusal import Code
from natural9.core.round.state import Pending, Phase, RoundState
from natural9.core.table_of_play import Hand
from natural9.games import load_game
from natural9.store.memory import MemoryStore
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.live.answers import Accepted, Answer
from natural9.table.state.view import everybody_sees
from natural9.table.venue.file import Burn, ShoeSource
from tests.core.books import Insured, returned_on
from tests.core.commands_at_random import TO_INSURE
from tests.table.floor_books import Book, FloorRound, LateBet, Shoe
from tests.table.floor_story import Story
from tests.table.live import (
    CASHIER,
    DEALER,
    MANAGER,
    SHIFT_MANAGER,
    SUPERVISOR,
    LiveTable,
    Shape,
    live_table,
    picture,
    read,
    table_config,
    terminal,
)
from tests.transcription.table_of_play import next_to_draw

SEATS: Final = (1, 2, 3)
CREDIT: Final = {1: 500_000, 2: 100_000, 3: 2_000}  # whoever has little may be left with a debt
CENTS: Final = (100, 500, 1_000, 2_500)
RANKS: Final = (DEALER, SUPERVISOR, MANAGER, SHIFT_MANAGER)
PEOPLE: Final = {
    "dora": "The dealer",
    "pat": "The pit supervisor",
    "max": "The pit manager",
    "sam": "The shift manager",
}
IN_ORDER: Final = (Remedy.RECONSTRUCT, Remedy.USE_IN_NEXT_ROUND, Remedy.DECIDE_ORDER, Remedy.CONTINUE)
Resolve = Callable[[], Awaitable[None]]
Mishap = Callable[[], Awaitable[Resolve]]


class Floor:
    """One table, the people around it, and what is true."""

    def __init__(self, table: LiveTable, book: Book, chance: Random, story: Story) -> None:
        self.table, self.book, self.chance, self.story = table, book, chance, story
        self.real_cards = table.config.shoe is not ShoeSource.SHUFFLER
        # From few kinds of card sooner or later one has come as often as its shoe holds it.
        self.kinds: Sequence[Card] = ALL_CARDS if self.rarely(0.7) else ALL_CARDS[::13]
        self.share = 0.3 if self.rarely(0.3) else 0.12  # of the steps at which something goes wrong
        self.shoe = Shoe(0, 0)
        self.next_shoe: Shoe | None = None
        self.waiting: list[Card] = []  # came out, and is played first

    # Chance. What it makes of nothing is an evening without mistakes: so a failure shrinks.

    def rarely(self, share: float) -> bool:
        return self.chance.random() > 1 - share

    def one_of(self, things: Sequence[Any]) -> Any:
        return things[self.chance.randrange(len(things))]

    # The program.

    @property
    def state(self) -> RoundState:
        return self.table.state.round

    @property
    def now(self) -> FloorRound:
        return self.book.rounds[self.state.number]

    def pending(self, report: int) -> Pending | None:
        return next((one for one in self.state.pending if one.report == report), None)

    async def ask(self, who: Who, words: str, shape: Shape, **fields: Any) -> Answer:
        answer = await self.table.ask(read(shape, request=self.table.request(), **fields), who)
        person = PEOPLE.get(who.id) or (f"Seat {who.seat}" if who.seat else "The cashier")
        said = "done" if isinstance(answer, Accepted) else f"refused: {answer}"
        self.story.tell(f"{person} {words}: {said}")
        assert not self.table.writer.halted, self.table.writer.halted
        return answer

    async def must(self, who: Who, words: str, shape: Shape, **fields: Any) -> None:
        answer = await self.ask(who, words, shape, **fields)
        assert isinstance(answer, Accepted), f"that should have been done, and was refused: {answer}"

    async def up_the_ranks(self, words: str, shape: type[Command], **fields: Any) -> Refusal | None:
        """Whoever is there tries; each who is told that it takes more calls the next. Refused for that, nothing has
        changed. None once it is done."""
        for who in RANKS if self.rarely(0.5) else RANKS[-1:]:
            before = picture(self.table.state)
            answer = await self.ask(who, words, shape, **fields)
            if isinstance(answer, Accepted):
                return None
            assert picture(self.table.state) == before, "a refusal changed something"
            assert isinstance(answer, Refusal)
            if answer.code != Code.RANK_TOO_LOW:
                return answer
        raise AssertionError("nobody was of high enough rank")

    async def somebody_must(self, words: str, shape: type[Command], **fields: Any) -> None:
        refused = await self.up_the_ranks(words, shape, **fields)
        assert refused is None, f"that should have been done, and was refused: {refused}"

    # The evening.

    async def evening(self, rounds: int) -> None:
        for seat, cents in CREDIT.items():
            await self.must(
                CASHIER, f"sells seat {seat} {cents} cents of credit", staff.CreditTerminal, seat=seat, cents=cents
            )
            self.book.bought[seat] += cents
        await self.must(SUPERVISOR, "opens the table", staff.OpenTable)
        for _ in range(rounds):
            await self.play_a_round()
            self.check_credits()
            await self.after_the_round()
            self.check_credits()
        self.story.chapter("The end of the evening: all that is wrong is found")
        await self.find_everything()
        self.check_credits()
        await self.check_records()

    def check_credits(self) -> None:
        """The program's credits are the book's; nothing waits."""
        assert not self.state.pending, f"{self.state.pending} waits"
        for seat in SEATS:
            at_seat = self.table.state.terminal(seat)
            has, due = at_seat.credit_cents - at_seat.owed_cents, self.book.net(seat)
            assert has == due, f"seat {seat} has {has} cents, and by the floor's book it should have {due}"

    async def check_records(self) -> None:
        for number, played in self.book.rounds.items():
            assert not played.wrong_places, f"round {number} has {played.cards}, and {played.felt} lay there"
        if self.real_cards and self.state.shoe:
            wrong = [str(card) for card in ALL_CARDS if self.state.shoe.left(card) != self.shoe.left[card]]
            assert not wrong, f"the count of the shoe is wrong: {wrong}"
        await self.table.check_history()
        verified = await verify(self.table.store, load_game=load_game)
        assert verified.fault is None, f"verify: {verified.fault.words}"

    # A round.

    async def play_a_round(self) -> None:
        self.story.chapter(f"Round {self.state.number + 1}")
        await self.open_round()
        while self.now.status == "open":
            await self.mishaps()
            if self.now.status == "open":
                await self.move_on()

    async def open_round(self) -> None:
        answer = await self.ask(DEALER, "opens betting", staff.StartRound)
        if isinstance(answer, Refusal):
            assert answer.code in ("no-shoe", "shoe-spent", "new-shoe-required", "burn-first"), answer
            if not self.next_shoe:
                await self.must(DEALER, "loads a new shoe", staff.LoadNewShoe)
                self.shoe_was_loaded()
            await self.burn_the_first()
            await self.must(DEALER, "opens betting", staff.StartRound)
        if self.next_shoe:
            self.shoe, self.next_shoe = self.next_shoe, None
        self.book.rounds[self.state.number] = FloorRound(shoe=self.shoe.number)

    def shoe_was_loaded(self) -> None:
        self.next_shoe = Shoe(self.shoe.number + 1, self.table.config.decks)

    async def burn_the_first(self) -> None:
        """The first card is shown; of those face down nobody knows which they are."""
        if self.table.config.burn is Burn.NONE:
            return
        if not self.real_cards:
            await self.must(DEALER, "has the shuffler burn", round_commands.BurnCards)
            return
        assert self.next_shoe
        card = self.next_shoe.draw(self.one_of(ALL_CARDS))
        keyed = self.keyed(card)
        await self.must(DEALER, f"burns {card} and keys {keyed}", round_commands.BurnCards, card=str(keyed))
        if keyed != card:
            words = f"looks again and keys {card} as burnt"
            await self.must(DEALER, words, round_commands.BurnCards, card=str(card), why="misread")

    async def move_on(self) -> None:
        state = self.state
        if state.phase is Phase.BETTING_OPEN:
            await self.bet()
        elif self.real_cards and self.told_otherwise():
            self.story.tell("The screen and the felt do not agree about what comes next")
            await self.correct(state.number)
        elif state.window:
            await self.insure()
        elif state.phase is Phase.COMPLETE:
            await self.conclude()
        else:
            await self.deal()

    def told_otherwise(self) -> bool:
        due = next_to_draw(self.now.felt_ranks)
        return due != (self.state.due.value if self.state.due else None)

    async def bet(self) -> None:
        for _ in range(self.chance.randrange(1, 5)):
            await self.tap(late=False)
        self.story.tell("The dealer calls no more bets")
        while self.rarely(0.2):
            await self.tap(late=True)
        if self.rarely(0.05):
            await self.power_cut()
            if self.now.status != "open":
                return
        await self.must(DEALER, "closes the bets", round_commands.CloseBetting)
        for bet in self.now.withdrawn:  # a bet that is gone has to be missed before the round is settled
            if self.now.status == "open":
                await self.found_withdrawn(bet)

    async def tap(self, *, late: bool) -> None:
        """A bet, or one taken back."""
        seat, bets = self.one_of(SEATS), self.now.bets
        if bets and self.rarely(0.25):
            seat, wager, cents = self.one_of(bets)
            words, shape, more = f"takes back its bet on {wager}", taps.TakeBack, -cents
            answer = await self.ask(terminal(seat), words, shape, round=self.state.number, wager=wager)
        else:
            offered = everybody_sees(self.table.state).limits
            wager, more = self.one_of(("banker", "player", *offered)), self.one_of(CENTS)
            words = f"bets {more} cents on {wager}"
            answer = await self.ask(terminal(seat), words, taps.Bet, round=self.state.number, wager=wager, cents=more)
        if isinstance(answer, Accepted):
            self.now.lay(seat, wager, more, late=late)

    async def insure(self) -> None:
        assert not self.waiting, "insurance is offered, and the next card is known"
        window = self.state.window
        assert window is not None
        assert not (self.now.waived and window is Window.THIRD_CARD), "the second window was waived"
        await self.must(DEALER, "opens insurance", round_commands.OpenInsurance)
        if not self.state.window_open:
            return  # nobody has anything to insure
        for seat, hand, _ in self.now.bets:
            if hand in list(Hand) and self.rarely(0.5):
                cents = self.one_of(CENTS)
                answer = await self.ask(
                    terminal(seat),
                    f"insures {hand} with {cents} cents",
                    taps.Insure,
                    round=self.state.number,
                    hand=Hand(hand),
                    cents=cents,
                )
                if isinstance(answer, Accepted):
                    self.now.seat(seat).insurance.append(Insured(window, hand, cents))
        if self.rarely(0.1):
            await self.power_cut()
        if self.state.window_open:
            await self.must(DEALER, "closes insurance", round_commands.CloseInsurance)

    async def conclude(self) -> None:
        if not self.state.declared:
            await self.must(DEALER, "declares the result", round_commands.DeclareResult)
            return
        for bet in list(self.now.late):
            if self.now.status == "open" and self.rarely(0.7):
                await self.found_late(bet)
        if self.now.status == "open" and self.state.declared:
            await self.must(DEALER, "settles", round_commands.Settle)
            self.now.status = "settled"

    # Cards.

    def draw(self) -> Card:
        """The next real card."""
        return self.waiting.pop(0) if self.waiting else self.out_of_the_shoe()

    def out_of_the_shoe(self) -> Card:
        if self.table.config.game.insurance and len(self.now.felt) < 4 and not self.rarely(0.5):
            ranks = TO_INSURE[len(self.now.felt)]
            return self.shoe.draw(
                self.one_of([card for card in ALL_CARDS if card.rank in ranks and self.shoe.left[card]])
            )
        kinds = [card for card in self.kinds if self.shoe.left[card]] or [
            card for card in ALL_CARDS if self.shoe.left[card]
        ]
        return self.shoe.draw(self.one_of(kinds))

    async def deal(self) -> None:
        if not self.real_cards:
            await self.must(DEALER, "has the shuffler deal", round_commands.DealCard)
            card = self.state.cards[-1]
            self.now.felt.append(card)
            self.now.told([*self.now.cards, str(card)])
            return
        known = bool(self.waiting)
        card = self.draw()
        keyed = card if known else self.keyed(card)
        words = f"keys {keyed}" if keyed == card else f"keys {keyed} for the {card} that lies there"
        fields: dict[str, Any] = {}
        if self.rarely(0.04) and self.state.due:
            fields["put_at"] = self.state.due.other
            words += f" and puts it in the {self.state.due.other} area"
        self.now.felt.append(card)
        answer = await self.ask(DEALER, words, round_commands.DealCard, card=str(keyed), **fields)
        if isinstance(answer, Refusal):
            await self.not_that_card(card, answer)
            return
        self.now.told([*self.now.cards, str(keyed)])
        if fields:
            await self.decide(self.state.pending[-1].report)

    def keyed(self, card: Card) -> Card:
        """Mostly the card that lies there."""
        if not self.rarely(self.share):
            return card
        suit = self.one_of([suit for suit in "CDHS" if suit != card.suit])
        return Card(card.rank, suit) if self.rarely(0.5) else self.one_of(ALL_CARDS)

    async def not_that_card(self, card: Card, answer: Refusal) -> None:
        """By the record it cannot be there: some card was keyed wrong, and is found now."""
        assert answer.code == Code.CARD_TOO_MANY, f"that should have been done, and was refused: {answer}"
        played, self.now.felt = self.now, self.now.felt[:-1]
        again = await self.ask(DEALER, f"looks again and keys {card}", round_commands.DealCard, card=str(card))
        if isinstance(again, Refusal):
            await self.find_everything()
            await self.must(DEALER, f"keys {card}", round_commands.DealCard, card=str(card))
        played.felt.append(card)
        played.told([*played.cards, str(card)])

    # Wrong records.

    async def correct(self, number: int) -> bool:
        """The record of a round is made what lay on its felt. False: the count says that this cannot be, as yet."""
        played = self.book.rounds[number]
        earlier = {} if number == self.state.number else {"round": number}
        about = f" of round {number}" if earlier else ""
        felt = [str(card) for card in played.felt]
        if earlier and self.rarely(0.3):
            return await self.settle_by_cards(number)
        if self.rarely(0.5) and (earlier or len(felt) == len(played.cards)):
            words = f"corrects the cards{about} to {' '.join(felt)}"
            refused = await self.up_the_ranks(
                words, round_commands.CorrectResult, cards=tuple(felt), why="misread", **earlier
            )
            return self.corrected(played, refused, felt)
        done = True
        for at in played.wrong_places:
            now = [*played.cards[:at], felt[at], *played.cards[at + 1 :]]
            words = f"corrects card {at + 1}{about} to {felt[at]}"
            refused = await self.up_the_ranks(
                words, round_commands.CorrectCard, place=at + 1, card=felt[at], why="misread", **earlier
            )
            if refused and refused.code == Code.BAD_CORRECTION:  # one card alone would leave no whole round
                words = f"corrects the cards{about} to {' '.join(felt)}"
                refused = await self.up_the_ranks(
                    words, round_commands.CorrectResult, cards=tuple(felt), why="misread", **earlier
                )
                return self.corrected(played, refused, felt)
            done = self.corrected(played, refused, now) and done
        return done

    def corrected(self, played: FloorRound, refused: Refusal | None, cards: list[str]) -> bool:
        if refused:
            assert refused.code == Code.CARD_TOO_MANY, f"that should have been done, and was refused: {refused}"
            return False
        played.told(cards)
        if played is self.now:
            self.look_where_it_stands()
        return True

    def look_where_it_stands(self) -> None:
        """A settled round may be open again by its right cards, or the other way round. Where one card of several was
        put right, and the round was over before the last ones by those, they wait and are played first."""
        lie = len(self.state.cards)
        if len(self.now.cards) > lie:
            self.waiting[:0] = self.now.felt[lie:]
            del self.now.felt[lie:]
            self.now.told(list(self.now.cards[:lie]))
        self.now.status = "settled" if self.state.phase is Phase.SETTLED else "open"
        if self.state.phase is Phase.VOID:
            self.now.void()

    async def settle_by_cards(self, number: int) -> bool:
        """The same by a report that an earlier round had a wrong result."""
        felt = [str(card) for card in self.book.rounds[number].felt]
        report = await self.report(Kind.WRONG_RESULT, f"round {number} had other cards", about_round=number)
        words = f"decides that round {number} is settled by its cards, {' '.join(felt)}"
        refused = await self.up_the_ranks(
            words,
            round_commands.DecideIrregularity,
            report=report,
            remedy=Remedy.SETTLE_BY_CARDS,
            cards=tuple(felt),
            why="seen again",
        )
        if refused:
            await self.withdraw(report)
        return self.corrected(self.book.rounds[number], refused, felt)

    async def find_everything(self) -> None:
        """All that was keyed wrong, and every bet that came late."""
        wrong = [number for number, played in self.book.rounds.items() if played.wrong_places]
        if wrong := await self.correct_all(wrong):  # two taken for each other, all of both out: a third makes room
            await self.make_room(wrong[0])
            await self.correct_all(wrong)
        for number, played in self.book.rounds.items():
            if played.status == "settled":
                for bet in list(played.late):
                    await self.rule_out(number, bet)

    async def correct_all(self, wrong: list[int]) -> list[int]:
        """One may have to come before another, since the count must fit at each step. Which ones are left."""
        for _ in range(2 * len(wrong)):
            wrong = [number for number in wrong if not await self.correct(number)]
        return wrong

    async def make_room(self, number: int) -> None:
        played = self.book.rounds[number]
        shoe, at = self.state.shoe, played.wrong_places[0]
        assert shoe
        same_rank = [Card(played.cards[at][0], suit) for suit in "CDHS"]
        spare = next(card for card in same_rank if shoe.left(card))
        earlier = {} if number == self.state.number else {"round": number}
        words = f"notes card {at + 1} of round {number} as {spare} for the moment"
        await self.somebody_must(
            words, round_commands.CorrectCard, place=at + 1, card=str(spare), why="to make room", **earlier
        )
        played.told([*played.cards[:at], str(spare), *played.cards[at + 1 :]])

    # Mishaps: each reports something, and gives what is done about it, so that two can wait at once.

    async def mishaps(self) -> None:
        todo: list[Resolve] = []
        while self.rarely(self.share) and self.now.status == "open":
            todo.append(await self.one_of(self.what_can_happen())())
        while todo:
            await todo.pop(self.chance.randrange(len(todo)))()
            if self.rarely(0.05):
                await self.power_cut()

    def what_can_happen(self) -> list[Mishap]:
        can: list[Mishap] = [self.by_mistake, self.fire_alarm, self.lost_power, self.not_covered]
        if self.state.phase is not Phase.BETTING_OPEN:
            can += [self.late_bet_is_seen, self.manager_rules]
        if self.squeeze_is_possible():
            can += [self.squeeze] * 3
        if self.real_cards and not self.state.window_open:
            can += [
                self.card_too_many,
                self.card_too_many,
                self.drawn_together,
                self.misread_is_seen,
                self.foreign_card,
            ]
        return can

    async def report(self, kind: Kind, words: str, **fields: Any) -> int:
        """By the dealer. Its number. Where the count says that no such card can be there, what was keyed wrong is found
        first."""
        told = f'reports "{kind.words}" ({words})'
        answer = await self.ask(DEALER, told, round_commands.ReportIrregularity, kind=kind, **fields)
        if isinstance(answer, Refusal) and answer.code == Code.CARD_TOO_MANY:
            await self.find_everything()
            await self.must(DEALER, told, round_commands.ReportIrregularity, kind=kind, **fields)
        else:
            assert isinstance(answer, Accepted), f"that should have been done, and was refused: {answer}"
        return self.state.pending[-1].report

    async def decide(self, report: int, drawn: Sequence[Card] = ()) -> None:
        """What the console offers, by whoever may: rather not a void."""
        if self.pending(report) is None:  # the round was voided meanwhile
            return
        [waiting] = [one for one in everybody_sees(self.table.state).waiting if one.report == report]
        remedies = [
            one.remedy for one in waiting.remedies if one.remedy not in (Remedy.NO_EFFECT, Remedy.SETTLE_BY_CARDS)
        ]
        assert remedies, f"nobody can decide {waiting}"
        mild = [remedy for remedy in remedies if remedy is not Remedy.VOID]
        remedy = self.one_of(mild if mild and not self.rarely(0.15) else remedies)
        order = list(drawn)
        if len(order) > 1 and self.rarely(0.5):
            order.reverse()
        named = tuple(map(str, order)) if remedy in IN_ORDER else ()
        words = f'decides "{remedy.words}"' + (f", the cards come as {' '.join(named)}" if named else "")
        await self.somebody_must(
            words, round_commands.DecideIrregularity, report=report, remedy=remedy, cards=named, why="seen by the floor"
        )
        if remedy in IN_ORDER:
            self.waiting += order
        if remedy is Remedy.VOID:
            self.now.void()
        assert (self.state.phase is Phase.VOID) is (self.now.status == "void")

    async def withdraw(self, report: int) -> None:
        if self.pending(report):
            await self.somebody_must(
                "withdraws the report", round_commands.WithdrawReport, report=report, why="a mistake"
            )

    async def card_too_many(self) -> Resolve:
        drawn = [self.out_of_the_shoe()]
        report = await self.report(Kind.EXCESS_OR_EXPOSED, f"{drawn[0]} came out", cards=(str(drawn[0]),))
        return lambda: self.decide(report, drawn)

    async def drawn_together(self) -> Resolve:
        drawn = [self.out_of_the_shoe(), self.out_of_the_shoe()]
        kind = self.one_of((Kind.DRAWN_TOGETHER_ORDER_KNOWN, Kind.DRAWN_TOGETHER_ORDER_UNKNOWN))
        report = await self.report(kind, f"{drawn[0]} and {drawn[1]}", cards=tuple(map(str, drawn)))
        return lambda: self.decide(report, drawn)

    async def foreign_card(self) -> Resolve:
        report = await self.report(Kind.FOREIGN_CARD, "a card of another casino")
        return lambda: self.decide(report)

    async def not_covered(self) -> Resolve:
        report = await self.report(Kind.NOT_COVERED, "a glass fell over")
        return lambda: self.decide(report)

    async def by_mistake(self) -> Resolve:
        """Something is reported that never happened."""
        kinds = [Kind.FOREIGN_CARD, Kind.UNSHUFFLED_CARDS, Kind.ORDER_ALTERED]
        fields: dict[str, Any] = {}
        kind = self.one_of(kinds)
        named = {(one.seat, one.wager) for one in self.state.pending}
        closed = self.state.phase is not Phase.BETTING_OPEN
        bets = [bet for bet in self.now.bets if closed and bet[:2] not in named]
        if bets and self.rarely(0.5):
            seat, wager, _ = self.one_of(bets)
            kind, fields = Kind.LATE_BET, {"seat": seat, "wager": wager}
        elif self.real_cards and self.state.shoe and self.rarely(0.3):
            card = next(card for card in ALL_CARDS if self.state.shoe.left(card))
            kind, fields = Kind.EXCESS_OR_EXPOSED, {"cards": (str(card),)}
        report = await self.report(kind, "it only looked so", **fields)
        return lambda: self.withdraw(report)

    async def fire_alarm(self) -> Resolve:
        async def void() -> None:
            if self.now.status == "open" and self.rarely(0.3):
                await self.somebody_must("voids the round", round_commands.VoidRound, why="a fire alarm")
                self.now.void()

        return void

    async def lost_power(self) -> Resolve:
        return self.power_cut

    async def misread_is_seen(self) -> Resolve:
        async def seen() -> None:
            wrong = [number for number, played in self.book.rounds.items() if played.wrong_places]
            if wrong:
                await self.correct(self.one_of(wrong))

        return seen

    def squeeze_is_possible(self) -> bool:
        game = self.table.config.game
        return bool(game.insurance) and len(self.state.cards) == 4 and self.state.due is Hand.PLAYER

    async def squeeze(self) -> Resolve:
        """rws-nc-insurance 4.1.4: who sees the Banker's card first gives up the second window, for everybody."""

        async def agree() -> None:
            if self.now.status != "open" or not self.squeeze_is_possible() or self.state.pending:
                return
            if self.now.waived:
                await self.somebody_must("takes the waiver back", round_commands.TakeBackWaiver, why="asks no longer")
            else:
                await self.somebody_must("agrees to a squeeze by seat 1", round_commands.WaiveInsurance, seat=1)
            self.now.waived = not self.now.waived

        return agree

    async def late_bet_is_seen(self) -> Resolve:
        if not self.now.late:
            return self.nothing
        bet = self.one_of(self.now.late)
        return lambda: self.found_late(bet)

    async def nothing(self) -> None:
        pass

    async def manager_rules(self) -> Resolve:
        bets = [bet for bet in self.now.bets if not any((one.seat, one.wager) == bet[:2] for one in self.now.late)]
        if not bets:
            return self.nothing
        seat, wager, _ = self.one_of(bets)

        async def rule() -> None:
            cents = self.now.seat(seat).bets[wager]
            if self.now.status == "open" and cents:
                words = f"rules that seat {seat}'s bet on {wager} is void"
                await self.somebody_must(words, round_commands.RuleOnBet, seat=seat, wager=wager, why="a quarrel")
                self.now.take(seat, wager, cents)

        return rule

    # Bets after the call.

    async def found_late(self, bet: LateBet) -> None:
        if self.now.status != "open" or bet not in self.now.late:
            return
        report = await self.report(
            Kind.LATE_BET,
            f"{bet.cents} cents of seat {bet.seat} on {bet.wager}",
            seat=bet.seat,
            wager=bet.wager,
            cents=bet.cents,
        )
        await self.somebody_must(
            "refuses it",
            round_commands.DecideIrregularity,
            report=report,
            remedy=Remedy.REFUSE_BET,
            why="after the call",
        )
        self.now.late.remove(bet)
        self.now.take(bet.seat, bet.wager, bet.cents)

    async def found_withdrawn(self, bet: LateBet) -> None:
        report = await self.report(
            Kind.WITHDRAWN_BET,
            f"{bet.cents} cents of seat {bet.seat} on {bet.wager}",
            seat=bet.seat,
            wager=bet.wager,
            cents=bet.cents,
        )
        await self.somebody_must(
            "says that it stands",
            round_commands.DecideIrregularity,
            report=report,
            remedy=Remedy.BET_STANDS,
            why="after the call",
        )
        self.now.seat(bet.seat).bets[bet.wager] += bet.cents

    async def rule_out(self, number: int, bet: LateBet) -> None:
        """A late bet that is found once the round is settled: only the manager's ruling can void it."""
        played = self.book.rounds[number]
        book = played.seat(bet.seat)
        late = [one for one in played.late if (one.seat, one.wager) == (bet.seat, bet.wager)]
        if not late:
            return
        came_late = sum(one.cents for one in late)
        in_time = book.bets[bet.wager] - came_late
        returns = came_late + (returned_on(self.book.game, bet.wager, played.ranks, in_time) if in_time else 0)
        played.late = [one for one in played.late if one not in late]
        await self.rule(number, bet.seat, bet.wager, returns, "it came after the call")

    async def rule(self, number: int, seat: int, wager: str, returns: int, why: str) -> None:
        played = self.book.rounds[number]
        book = played.seat(seat)
        was = book.brings(self.book.game, played.ranks, wager, book.stands())
        earlier = {} if number == self.state.number else {"round": number}
        words = f"rules that seat {seat}'s bet on {wager} in round {number} returns {returns} cents"
        refused = await self.up_the_ranks(
            words, round_commands.RuleOnBet, seat=seat, wager=wager, returned_cents=returns, why=why, **earlier
        )
        assert (refused is None) is (was != returns), f"it had returned {was} cents: {refused}"
        if refused is None:
            book.ruled[wager] = (book.stake_on(wager), returns)

    # Power.

    async def power_cut(self) -> None:
        """Brief or long, or a planned stop. At a table with real cards the dealer may deal on by hand meanwhile."""
        if self.rarely(0.2):
            await self.table.stop()
            self.table = await self.table.again(seen_ms=self.table.now_ms)
            self.story.tell("The table is stopped for a while, and goes on")
            return
        away_ms = self.one_of((1_000, 100_000))
        in_play = self.table.state.in_play
        seen_ms = self.table.now_ms
        await self.table.crash()
        self.table.now_ms += away_ms
        self.table = await self.table.again(seen_ms=seen_ms)
        self.story.tell(f"The power goes for {away_ms // 1000} s and comes back")
        await self.table.check_history()
        if not in_play:
            return
        if self.state.phase is Phase.VOID:  # the shuffler's table decides by itself
            assert not self.real_cards
            assert away_ms > 10_000
            self.now.void()
            return
        waits = [one.report for one in self.state.pending if one.confirm]
        assert bool(waits) is self.real_cards, "real cards are looked at first"
        for report in waits:
            await self.confirm(report)
        for one in [one for one in self.state.pending if one.noticed]:
            await self.decide(one.report)

    async def confirm(self, report: int) -> None:
        played = self.now
        closed = self.state.phase is not Phase.BETTING_OPEN
        others = [one for one in self.state.pending if one.cards]  # they come before any other card
        while closed and not others and next_to_draw(played.felt_ranks) and self.rarely(0.4):
            played.felt.append(self.draw())
            self.story.tell(f"In the dark the dealer deals {played.felt[-1]} by hand")
        felt = tuple(map(str, played.felt))
        named = felt if felt != played.cards or self.rarely(0.5) else ()
        words = f"confirms the cards as they lie, {' '.join(felt) or 'none'}"
        confirm: dict[str, Any] = {
            "report": report,
            "remedy": Remedy.CONFIRM_CARDS,
            "cards": named if closed else (),
            "why": "as they lie",
        }
        refused = await self.up_the_ranks(words, round_commands.DecideIrregularity, **confirm)
        if refused and refused.code == Code.CARD_TOO_MANY:  # some card of a round before was keyed wrong
            await self.find_everything()
            refused = await self.up_the_ranks(words, round_commands.DecideIrregularity, **confirm)
        assert refused is None, f"that should have been done, and was refused: {refused}"
        played.told(list(felt))
        self.look_where_it_stands()

    # Between rounds.

    async def after_the_round(self) -> None:
        todo: list[Resolve] = []
        while self.rarely(2 * self.share):
            todo.append(await self.one_of(self.what_can_happen_afterwards())())
        while todo:
            await todo.pop(self.chance.randrange(len(todo)))()
            if self.now.status == "open":  # by its right cards the round is not over
                while self.now.status == "open":
                    await self.move_on()

    def what_can_happen_afterwards(self) -> list[Mishap]:
        can: list[Mishap] = [self.winner_leaves, self.manager_rules_later, self.lost_power, self.late_bet_found_later]
        if self.real_cards:
            can += [
                self.misread_is_seen,
                self.misread_is_seen,
                self.card_too_many,
                self.other_cards,
                self.burn,
                self.cut_card,
            ]
        return can

    async def winner_leaves(self) -> Resolve:
        async def paid() -> None:
            seat = self.one_of(SEATS)
            cents = self.table.state.credit_cents(seat)
            if cents:
                await self.must(
                    CASHIER, f"pays seat {seat} {cents} cents by hand", staff.HandPay, seat=seat, why="wants cash"
                )
                self.book.bought[seat] -= cents

        return paid

    async def manager_rules_later(self) -> Resolve:
        settled = [number for number, played in self.book.rounds.items() if played.status == "settled" and played.bets]
        if not settled:
            return self.nothing
        number = self.one_of(settled)
        seat, wager, cents = self.one_of(self.book.rounds[number].bets)

        async def rule() -> None:
            played = self.book.rounds[number]
            if played.status == "settled" and not any((one.seat, one.wager) == (seat, wager) for one in played.late):
                await self.rule(number, seat, wager, self.one_of((cents, 0, 2 * cents)), "a quarrel")

        return rule

    async def late_bet_found_later(self) -> Resolve:
        found = [
            (number, bet)
            for number, played in self.book.rounds.items()
            if played.status == "settled"
            for bet in played.late
        ]
        if not found:
            return self.nothing
        number, bet = self.one_of(found)
        return lambda: self.rule_out(number, bet)

    async def other_cards(self) -> Resolve:
        async def load() -> None:
            if self.next_shoe or self.state.pending:
                return
            burnt = [card for card in self.waiting if self.rarely(0.5)]
            await self.somebody_must(
                "loads other cards before the cut card" + (f" and burns {' '.join(map(str, burnt))}" if burnt else ""),
                staff.LoadNewShoe,
                discard=tuple(map(str, burnt)),
                why="marked cards",
            )
            self.burnt(burnt)
            self.shoe_was_loaded()

        return load

    def burnt(self, cards: Sequence[Card]) -> None:
        for card in cards:
            self.waiting.remove(card)

    async def burn(self) -> Resolve:
        async def discard() -> None:
            if self.waiting and not self.state.pending:
                card = self.one_of(self.waiting)
                words = f"burns {card} that waits"
                await self.somebody_must(words, round_commands.DiscardHeld, cards=(str(card),), why="dropped")
                self.burnt([card])

        return discard

    async def cut_card(self) -> Resolve:
        async def came() -> None:
            if not self.next_shoe and not self.state.pending:
                await self.ask(DEALER, "reports the cut card", round_commands.ReportCutCard)

        return came


async def random_floor(game: str, shoe: ShoeSource, rounds: int, chance: Random, book: Book | None = None) -> Story:
    """One evening; StoryFailed tells it if anything does not come out as it must."""
    story = Story()
    with story.told():
        story.chapter(f"A table of {game}, its cards from {'a shoe' if shoe is ShoeSource.READ else 'the shuffler'}")
        burn = Burn.FIRST_CARD if chance.random() > 0.7 else Burn.NONE
        table = await live_table(
            table_config(game, shoe=shoe, burn=burn), MemoryStore(), Random(chance.getrandbits(64))
        )
        await Floor(table, book or Book(game), chance, story).evening(rounds)
    return story
