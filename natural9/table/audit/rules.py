"""The rule packs of this program, and the rounds that were played under others."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.round import events as round_events
from natural9.games import load_game
from natural9.table.audit.findings import NotDerived, Verified
from natural9.table.audit.plain_game import PlainGame
from natural9.table.venue.venue import load_venue

LoadGame = Callable[[str], Game]
MOST_NAMED: Final = 20  # rounds, first of each table and then of all, that are named when their rules are missing


class GamesBeside:
    """The approved games, and the rule packs of one's own that a venue file names; it can be handed to a process."""

    def __init__(self, venue_file: Path) -> None:
        self._venue_file = venue_file
        self._own: dict[str, Game] | None = None

    def __call__(self, game_id: str) -> Game:
        if self._own is None:
            self._own = self._read()
        return self._own.get(game_id) or load_game(game_id)

    def _read(self) -> dict[str, Game]:
        if not self._venue_file.exists():
            return {}
        try:
            return {table.game.id: table.game for table in load_venue(self._venue_file).tables.values()}
        except BadInput:
            return {}  # a journal is verified without its venue, too


class Rules:
    def __init__(self, load_game: LoadGame, found: Verified) -> None:
        self._load_game, self._found = load_game, found
        self._games: dict[str, Game | str] = {}
        self.plain: dict[tuple[str, tuple[str, ...]], PlainGame] = {}  # by the rules' hash, and what is on offer

    def of(self, table: str, event: round_events.BettingOpened) -> Game | None:
        """The game by which this round was played, if it is here."""
        game = self._games.get(event.game)
        if game is None:
            game = self._games[event.game] = self._loaded(event.game)
        if isinstance(game, Game) and game.sha256 == event.rules_sha256:
            return game
        self._found.not_derived += 1
        if sum(one.table == table for one in self._found.not_derived_first) < MOST_NAMED:
            here = f"this program has {game.sha256[:16]}" if isinstance(game, Game) else game
            why = f"cannot be re-derived: rules changed: {event.game} was {event.rules_sha256[:16]}, {here}"
            self._found.not_derived_first.append(NotDerived(table, event.round, why))
        return None

    def _loaded(self, game_id: str) -> Game | str:
        try:
            return self._load_game(game_id)
        except BadInput as error:
            return str(error)
