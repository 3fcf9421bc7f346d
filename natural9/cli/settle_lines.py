"""Settlement as JSON, one round or a line of bulk audit at a time."""

import json
from collections.abc import Iterable
from typing import Any, BinaryIO

import msgspec

from natural9.core.cards import parse_ranks
from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.insurance import Window
from natural9.core.money import check_stake
from natural9.core.settlement import InsuranceLine, InsuranceStake, Line, Settlement, settle_round
from natural9.core.table_of_play import Hand
from natural9.core.wagers import Result
from natural9.games import load_game
from natural9.games.citations import cited


class InsuranceOnLine(msgspec.Struct, forbid_unknown_fields=True):
    window: Window
    hand: Hand
    stake: int


class SettledLine(msgspec.Struct, gc=False):
    """A line under the contract's names, which say no unit: amounts in JSON are whole cents."""

    wager: str
    stake: int
    result: Result
    odds: str | None
    returned: int
    net: int
    paragraph: str


class SettledInsurance(SettledLine, gc=False):
    window: Window


class RoundOnLine(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    cards: list[str]
    bets: dict[str, int]
    insurance: list[InsuranceOnLine] = []


def settlement_data(settled: Settlement, tokens: list[str]) -> dict[str, Any]:
    """The contract's shape of a settled round."""
    outcome = settled.outcome
    # The third card, if it is the only one, is the Player's when the Player has three.
    split = 5 if outcome.player_cards == 3 else 4
    staked, returned = settled.staked_cents, settled.returned_cents
    return {
        "result": {
            "winner": outcome.winner,
            "player": [tokens[0], tokens[2], *tokens[4:split]],
            "banker": [tokens[1], tokens[3], *tokens[split:]],
            "player_total": outcome.player_total,
            "banker_total": outcome.banker_total,
            "natural": outcome.natural,
            "player_pair": outcome.player_pair,
            "banker_pair": outcome.banker_pair,
        },
        "lines": [_settled_line(line) for line in settled.lines],
        "staked": staked,
        "returned": returned,
        "net": returned - staked,
    }


def _settled_line(line: Line) -> SettledLine:
    told = (line.wager, line.stake_cents, line.result, line.odds, line.returned_cents, line.net_cents, line.paragraph)
    return SettledInsurance(*told, line.window) if isinstance(line, InsuranceLine) else SettledLine(*told)


def settle_jsonl(lines: Iterable[bytes], out: BinaryIO) -> int:
    """Settle a round a line; 1 if any line failed, else 0."""
    decode = msgspec.json.Decoder(RoundOnLine).decode
    encode = msgspec.json.Encoder().encode
    games: dict[str, Game] = {}
    failed = 0
    for number, line in enumerate(lines, 1):
        try:
            read = decode(line)
            _check_keys(line, read)
            settled = encode(_settle_line(read, games))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            failed, settled = 1, encode(_failure(_bad_line(line, error), number))
        except BadInput as error:
            failed, settled = 1, encode(_failure(error, number))
        out.write(settled)
        out.write(b"\n")
    out.flush()
    return failed


def _check_keys(line: bytes, read: RoundOnLine) -> None:
    """Of a key that stands there twice a reader keeps the last: a stake would be left out without a word. Counting
    colons finds nearly every line that has none, and only the others are read a second time."""
    keys = 3 + (b'"insurance"' in line) + len(read.bets) + 3 * len(read.insurance)
    if line.count(b":") != keys:
        json.loads(line, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for place, (name, _) in enumerate(pairs) if name in dict(pairs[:place]))
        raise BadInput("twice", f"{twice!r} is there twice: write it once")
    return found


def _settle_line(line: RoundOnLine, games: dict[str, Game]) -> dict[str, Any]:
    game = games.get(line.game)
    if game is None:
        game = games[line.game] = load_game(line.game)
    insurance = [InsuranceStake(taken.window, taken.hand, taken.stake) for taken in line.insurance]
    settled = settle_round(game, parse_ranks(line.cards), line.bets, insurance)
    return settlement_data(settled, line.cards)


def _bad_line(line: bytes, error: Exception) -> BadInput:
    """What is wrong with a line that is not a round: a stake by its wager and value, anything else by its place."""
    if isinstance(error, msgspec.ValidationError):
        try:
            for wager, stake in msgspec.json.decode(line)["bets"].items():
                check_stake(stake, wager)
        except BadInput as bad_stake:
            return bad_stake
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            pass  # the line has no such stakes, or goes on to break in another way: the first fault is the one to name
    return BadInput("bad-json", str(error))


def _failure(error: BadInput, number: int) -> dict[str, Any]:
    return {"error": {"code": error.code, "message": cited(str(error), error.paragraph)}, "line": number}
