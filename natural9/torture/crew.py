"""The crew of one table: its dealer, whoever decides, and what is found out later. And the pit, that walks around."""

import asyncio
from random import Random
from typing import Final

from natural9.core.staff import Rank
from natural9.table.venue.file import Mode
from natural9.torture.corrections import correct_earlier, correct_this_round
from natural9.torture.dealer import BETWEEN, DEALING, FloorDealer
from natural9.torture.felt import is_whole
from natural9.torture.mistakes import go_wrong
from natural9.torture.people import DEALERS
from natural9.torture.reader import SimulatedReader
from natural9.torture.seam import Picture
from natural9.torture.supervisors import clear_faults, decide_what_waits
from natural9.torture.table_staff import TableStaff

STUCK: Final = 12  # orders refused in a row: whoever is there believes the screen


class TableCrew:
    """Works for ever, or until its table has come to rest once the evening ends."""

    def __init__(self, at: TableStaff, reader: SimulatedReader | None = None) -> None:
        self.at, self._reader = at, reader
        self._dealer = FloorDealer(at, reader)
        self.evening_ends = self.has_gone = False

    @property
    def quiet(self) -> bool:
        """Nobody makes mistakes any more: what is wrong is found and corrected, and play goes on."""
        return self.at.quiet

    @quiet.setter
    def quiet(self, quiet: bool) -> None:
        self.at.quiet = quiet

    async def work(self) -> None:
        while not (self.evening_ends and self.is_at_rest()):
            await self._turn(await self.at.see())
            await asyncio.sleep(0.05)
        self.has_gone = True

    def is_at_rest(self) -> bool:
        """Between rounds, and nothing waits for anybody."""
        picture = self.at.look()
        if not picture:
            return False
        table = picture["table"]
        return table["phase"] in BETWEEN and not table["waiting"] and not table["faults"] and not self.at.felt.wrong

    async def _turn(self, picture: Picture) -> None:
        at, table = self.at, picture["table"]
        if self._reader and at.quiet:
            self._reader.share = 0.0
        if at.refused > STUCK:
            at.tell(f"table {at.id}: nobody knows any more how it goes on, and the screen is believed")
            at.felt.believe_the_screen(picture)
            at.felt.wrong.clear()
            at.refused = 0
        elif table["faults"]:
            await clear_faults(at, picture)
        elif table["waiting"]:
            await decide_what_waits(at, picture)
        elif table["status"] != "open" and table["phase"] in BETWEEN:
            await self._open(picture)
        elif at.rarely(at.share * _more_of_it(picture)) and table["round"]:
            await go_wrong(self._dealer, picture)
        elif self._notices(picture):
            await self._correct(picture)
        elif number := self._found_now():
            await correct_earlier(at, number, at.felt.wrong[number])
        elif at.config.mode is Mode.AUTOMATIC:
            await at.pause(1, 5)
        else:
            await self._dealer.go_on(picture)

    async def _open(self, picture: Picture) -> None:
        await self.at.pause(1, 10)
        if picture["table"]["status"] == "closed":
            await self.at.by_rank(Rank.PIT_MANAGER, "opens the table", "open-table")
        else:
            await self.at.by_rank(Rank.PIT_SUPERVISOR, "resumes the table", "resume-table")

    # Records that are wrong

    def _notices(self, picture: Picture) -> bool:
        """Whether somebody sees now that the record of this round is not what lies there."""
        at, felt, phase = self.at, self.at.felt, picture["table"]["phase"]
        if not at.has_real_cards or not felt.is_wrong or not felt.lies or phase in ("void", "no-round"):
            return False
        if phase in DEALING and felt.registered == felt.lies[: len(felt.registered)]:
            return False  # not keyed yet
        if at.quiet or self._reader or len(felt.registered) != len(felt.lies):
            return True
        if phase == "settled":
            return felt.found_after == 0
        goes_otherwise = (felt.due or "") != (picture["table"]["draws"] or "")
        return at.chance.random() < (0.7 if goes_otherwise else 0.2)

    async def _correct(self, picture: Picture) -> None:
        at, felt = self.at, self.at.felt
        if picture["table"]["phase"] != "settled" or is_whole(felt.lies):
            await correct_this_round(at, picture)
            return
        detail = "the cards that lie there are no whole round"
        words = "reports that a hand has a wrong number of cards"
        answer = await at.order(at.dealer, words, "report", kind="wrong-number-of-cards", detail=detail)
        if not answer.done:
            felt.found_after = 1
            if at.quiet:
                felt.believe_the_screen(picture)

    def _found_now(self) -> int | None:
        at = self.at
        found = [number for number, wrong in at.felt.wrong.items() if at.quiet or wrong.found_in <= at.felt.round]
        return found[0] if found else None


def _more_of_it(picture: Picture) -> int:
    """What goes wrong while insurance lies would hardly ever come: few rounds have any."""
    return 4 if any(seat["insurance"] for seat in picture["console"]["seats"]) else 1


class FloorPit:
    """Pit staff walk around: relief, pauses, limits, locks; at any moment of any round."""

    def __init__(self, tables: list[TableStaff], chance: Random) -> None:
        self._tables, self._chance = tables, chance
        self.quiet = False

    async def work(self) -> None:
        while True:
            await asyncio.sleep(self._chance.uniform(5, 60))
            at = self._chance.choice(self._tables)
            picture = at.look()
            if picture and not at.quiet:
                await self._do_something(at, picture)

    async def _do_something(self, at: TableStaff, picture: Picture) -> None:
        match self._chance.randrange(7):
            case 0:
                at.dealer = self._chance.choice(DEALERS)
                await at.order(at.dealer, "relieves the dealer", "sign-on")
            case 1:
                left = picture["console"]["dealer"]
                await at.by_rank(
                    Rank.PIT_SUPERVISOR, f"signs {left or 'a dealer'} off", "sign-off", dealer=left or "dan"
                )
            case 2:
                await at.by_rank(Rank.PIT_SUPERVISOR, "pauses the table", "pause-table", at.why())
            case 3:
                await at.by_rank(Rank.PIT_MANAGER, "closes the table", "close-table", at.why())
            case 4:
                seat = self._chance.randrange(1, min(at.config.seats, 9) + 1)
                await at.by_rank(Rank.DEALER, f"locks seat {seat}", "lock-terminal", at.why(), seat=seat)
                await asyncio.sleep(self._chance.uniform(1, 20))
                await at.by_rank(Rank.PIT_SUPERVISOR, f"unlocks seat {seat}", "unlock-terminal", seat=seat)
            case 5:
                which, whose = self._chance.choice((("seat_max_cents", "a seat"), ("table_max_cents", "the table")))
                most = self._chance.choice((2_000, 20_000, 10_000_000))
                words = f"changes the most of {whose} to {most} cents"
                await at.by_rank(Rank.PIT_MANAGER, words, "change-limits", at.why(), **{which: most})
            case _:
                await self._shift_change()

    async def _shift_change(self) -> None:
        """Everybody who deals goes home, and others come."""
        for at in self._tables:
            if not at.quiet and (picture := at.look()) and picture["table"]["status"] == "open":
                at.dealer = self._chance.choice([name for name in DEALERS if name != at.dealer])
                await at.order(at.dealer, "begins the next shift", "sign-on")
