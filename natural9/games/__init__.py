"""The rule packs: nine approved games as data, read and checked."""

from natural9.games.loader import find_game, game_ids, load_game, load_pack

__all__ = ["find_game", "game_ids", "load_game", "load_pack"]
