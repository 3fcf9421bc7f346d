"""A dealer at work: opens, calls, draws, keys and pays as the console says, with real cards in hand. What goes wrong on
the way is in `mistakes`; who decides about it, in `supervisors`."""

import asyncio
from typing import Any, Final

from natural9.core.cards import ALL_CARDS, SUITS, Card
from natural9.core.round.burning import face_down
from natural9.core.staff import Rank
from natural9.table.venue.file import Burn
from natural9.torture.corrections import find_everything
from natural9.torture.reader import SimulatedReader
from natural9.torture.seam import Answer, Picture
from natural9.torture.table_staff import TableStaff

BETWEEN: Final = frozenset({"no-round", "settled", "void"})
DEALING: Final = frozenset({"bets-closed", "initial-deal", "players-third", "bankers-third"})


class FloorDealer:
    """Whoever deals at this table. `reader`: the device that reads what is drawn, where there is one."""

    def __init__(self, at: TableStaff, reader: SimulatedReader | None) -> None:
        self.at, self.reader = at, reader

    async def go_on(self, picture: Picture) -> None:
        """The next thing by the console."""
        table, may = picture["table"], picture["console"]["commands"]
        phase = table["phase"]
        if picture["console"]["dealer"] != self.at.dealer:
            await self.at.order(self.at.dealer, "signs on", "sign-on")
        elif self._cut_card_is_out(picture):
            await self._cut_card()
        elif phase in BETWEEN:
            await self._next_round(picture)
        elif phase == "betting-open":
            await self.at.pause(2, 8)
            await self.order("calls no more bets, and closes the bets", "close-betting")
        elif phase in DEALING:
            await self._deal(picture)
        elif "open-insurance" in may:
            await self.order("offers insurance", "open-insurance")
        elif "close-insurance" in may:
            await self.at.pause(1, 4)
            await self.order("closes insurance", "close-insurance")
        elif "declare" in may:
            await self.order("announces the result", "declare")
        elif "settle" in may:
            await self.order("pays and collects", "settle")
        else:
            await self.at.pause(0.2, 1)

    async def order(self, words: str, tag: str, **fields: Any) -> Answer:
        answer = await self.at.order(self.at.dealer, words, tag, **fields)
        if not answer.done:
            await self.at.pause(0.2, 2)
        return answer

    # Between rounds

    def _cut_card_is_out(self, picture: Picture) -> bool:
        at = self.at
        if not at.has_real_cards or picture["table"]["shoe"]["cut_card"] or not picture["table"]["round"]:
            return False
        return "cut-card" in picture["console"]["commands"] and len(at.felt.shoe) <= at.config.cut_cards

    async def _cut_card(self) -> None:
        if self.reader and self.at.chance.random() < 0.7:
            self.reader.read("CUT")
            await self.at.pause(0.5, 1)
        else:
            await self.order("reports the cut card", "cut-card")

    async def _next_round(self, picture: Picture) -> None:
        may, shoe = picture["console"]["commands"], picture["table"]["shoe"]
        if shoe["next_burnt"] and not shoe["next_burnt"]["card"]:
            await self._burn()
        elif shoe["next_burnt"] and shoe["next_burnt"]["to_come"]:
            await self._burn_face_down(shoe["next_burnt"]["to_come"])
        elif "open-betting" in may:
            await self.at.pause(0.5, 3)
            await self.order("opens the bets", "open-betting")
        elif "new-shoe" in may:
            await self.load()
        else:
            await self.at.pause(0.5, 2)

    async def load(self) -> None:
        """Another shoe: the dealer's own affair once the old one is spent."""
        answer = await self.order("loads a new shoe", "new-shoe")
        if not answer.done:
            await self.at.by_rank(Rank.PIT_SUPERVISOR, "has a new shoe loaded", "new-shoe", self.at.why())

    async def _burn(self) -> None:
        if not self.at.has_real_cards:
            await self.order("burns the shuffler's first cards", "burn")
            return
        card = self.at.felt.draw()
        if card is None:
            await self.load()
        elif self.reader:
            self.reader.read(str(card))
            await self.at.pause(1, 2)
            if (await self.at.see())["table"]["shoe"]["next_burnt"]["card"] != str(card):
                await self.at.order(self.at.dealer, f"burns {card}", "burn", self.at.why(), card=str(card))
        else:
            keyed = self.keyed(card) if self.at.rarely(self.at.share) else card
            await self.order(f"burns {card}, and keys {keyed}", "burn", card=str(keyed))
            if keyed != card:
                await self.at.order(self.at.dealer, f"corrects it to {card}", "burn", self.at.why(), card=str(card))
            for _ in range(face_down(card.rank)):
                self.at.felt.draw()

    async def _burn_face_down(self, count: int) -> None:
        """A device reads them one by one; what it misses is said by hand."""
        assert self.at.config.burn is not Burn.NONE
        for card in [self.at.felt.draw() for _ in range(count)] if self.reader else []:
            if card and self.reader:
                self.reader.read(str(card))
        await self.at.pause(1, 3)
        burnt = (await self.at.see())["table"]["shoe"]["next_burnt"]
        if burnt and burnt["to_come"]:
            await self.order("says that all cards are burnt", "burn-face-down", rest=True)

    # Cards

    async def _deal(self, picture: Picture) -> None:
        at, felt = self.at, self.at.felt
        await at.pause(0.2, 1)
        held = picture["console"]["held"]
        if not at.has_real_cards:
            await self.order("draws from the shuffler", "deal")
        elif held:
            await self.order(f"plays {held[0]}, which came out earlier", "deal", card=held[0])
        elif felt.laid > len(felt.registered):
            await self.key(felt.out[len(felt.registered)])
        elif self.reader:
            await self._through_the_reader(self.reader)
        else:
            await self._by_hand()

    async def _by_hand(self) -> None:
        card = self.lay()
        if card is None:
            await self.report_empty()
            return
        keyed = card
        if self.at.rarely(self.at.share):
            keyed = self.keyed(card)
            self.at.felt.found_after = self.at.chance.choice((0, 0, 1, 2, 4))
        await self.key(keyed, for_card=card)

    async def _through_the_reader(self, reader: SimulatedReader) -> None:
        """The card is registered by its device; if it is not, after a while the dealer keys it."""
        card = self.lay()
        if card is None:
            reader.read("EMPTY")
            await self.at.pause(0.5, 1)
            await self.report_empty()
            return
        self.at.tell(f"table {self.at.id}: {card} is drawn through the reading shoe")
        reader.read(str(card))
        for _ in range(8):
            await asyncio.sleep(0.25)
            picture = await self.at.see()
            if len(self.at.felt.registered) >= self.at.felt.laid or picture["table"]["waiting"]:
                return

    def lay(self) -> Card | None:
        """The next card of the shoe, onto the felt."""
        felt = self.at.felt
        card = felt.draw()
        if card is not None:
            felt.out.append(card)
            felt.laid = len(felt.out)
        return card

    async def key(self, keyed: Card, for_card: Card | None = None) -> None:
        """Register a card that lies; where the count says that it cannot be there, everything is looked at again."""
        at = self.at
        words = f"keys {keyed}" if for_card in (None, keyed) else f"keys {keyed} for the {for_card} that lies there"
        answer = await self.order(words, "deal", card=str(keyed))
        if answer.done or answer.code != "card-too-many":
            return
        card = for_card or keyed
        answer = await self.order(f"looks again, and keys {card}", "deal", card=str(card))
        if answer.code == "card-too-many":
            await find_everything(at)
            answer = await self.order(f"keys {card} once more", "deal", card=str(card))
        if answer.code == "card-too-many":
            detail = f"{card} came too often"
            await self.order(
                "reports that the set of cards is wrong", "report", kind="shortage-or-excess", detail=detail
            )

    def keyed(self, card: Card) -> Card:
        """A slip of the finger."""
        if self.at.chance.random() < 0.5:
            return Card(card.rank, self.at.chance.choice([suit for suit in SUITS if suit != card.suit]))
        return self.at.chance.choice(ALL_CARDS)

    async def report_empty(self) -> None:
        """The shoe has no card left."""
        await self.order("reaches into an empty shoe", "report", kind="insufficient-cards", detail="no card is left")
