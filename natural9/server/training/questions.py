"""What players ask, with answers to choose from: the right one is worked out from the game's own rules."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from natural9.core.money import show_cents
from natural9.core.outcome import Outcome, Winner, reachable_outcomes
from natural9.core.round import RoundState
from natural9.core.round.state import Phase
from natural9.core.saying import Said, say
from natural9.core.settlement import settle_bet
from natural9.core.table_of_play import PLAYER_DRAWS, Hand, banker_draws
from natural9.core.wagers import Result, Wager

STAKE_CENTS: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A player asks; one of the answers is right."""

    lesson: str
    title: Said
    asks: Said
    answers: tuple[Said, ...]
    right: int
    paragraph: str


Asking = Callable[[RoundState, Random], Question]


def ask(state: RoundState, chance: Random, number: int) -> Question:
    """Something to ask after a round; one kind of question after another."""
    possible = [*_kinds(state)]
    return possible[number % len(possible)](state, chance)


def _kinds(state: RoundState) -> Iterator[Asking]:
    if state.phase is Phase.VOID:
        yield _void
    yield _payout
    yield _draws
    if state.game.insurance:
        yield _insurance
    yield _tie
    yield _take_back


def _choose(chance: Random, right: Said, wrong: list[Said]) -> tuple[tuple[Said, ...], int]:
    """The answers in some order, and where the right one stands: no two alike, and four at the most."""
    others = [one for one in dict.fromkeys(wrong) if one != right]
    answers = [right, *chance.sample(others, min(3, len(others)))]
    chance.shuffle(answers)
    return tuple(answers), answers.index(right)


def _made(
    lesson: str, title: Said, asks: Said, right: Said, wrong: list[Said], paragraph: str, chance: Random
) -> Question:
    answers, place = _choose(chance, right, wrong)
    return Question(lesson=lesson, title=title, asks=asks, answers=answers, right=place, paragraph=paragraph)


def _returns(wager: Wager, outcome: Outcome) -> Said:
    line = settle_bet(wager, outcome, STAKE_CENTS)
    if line.result is Result.WIN:
        return say("You win {amount}, at {odds}.", amount=show_cents(line.net_cents), odds=line.odds or "")
    return say("Your bet comes back.") if line.result is Result.PUSH else say("It loses.")


def _every_end(state: RoundState, wager: Wager) -> list[Said]:
    """All that this wager can come to, and what others of the game would pay."""
    odds = {row.odds.text: row.odds for one in state.game.wagers for row in one.rows if row.odds}
    wins = [
        say("You win {amount}, at {odds}.", amount=show_cents(one.winnings(STAKE_CENTS)), odds=text)
        for text, one in odds.items()
    ]
    return [*wins, say("Your bet comes back."), say("It loses.")]


def _result(outcome: Outcome) -> Said:
    if outcome.winner is Winner.TIE:
        return say(
            "The round ties at {total}, {player} cards against {banker}.",
            total=outcome.player_total,
            player=outcome.player_cards,
            banker=outcome.banker_cards,
        )
    return say(
        "{winner} wins, Player {player} on {player_cards} cards, Banker {banker} on {banker_cards}.",
        winner=outcome.winner.words,
        player=outcome.player_total,
        player_cards=outcome.player_cards,
        banker=outcome.banker_total,
        banker_cards=outcome.banker_cards,
    )


def _pairs(outcome: Outcome) -> Said:
    if outcome.same_pair:
        return say("Both hands began with the same pair.")
    if outcome.paired_hands == 2:
        return say("Both hands began with a pair, each of another rank.")
    if not outcome.paired_hands:
        return say("No hand began with a pair.")
    return say("{hand} began with a pair.", hand=(Hand.PLAYER if outcome.player_pair else Hand.BANKER).words)


def _about_bet(title: Said, lesson: str, state: RoundState, wager: Wager, outcome: Outcome, chance: Random) -> Question:
    looks_at_pairs = any("pair" in feature for row in wager.rows for feature in row.when)
    result = say("{what} {more}", what=_result(outcome), more=_pairs(outcome)) if looks_at_pairs else _result(outcome)
    asks = say(
        "{result} I had {stake} on {wager}. What do I get?",
        result=result,
        stake=show_cents(STAKE_CENTS),
        wager=wager.words,
    )
    paragraph = settle_bet(wager, outcome, STAKE_CENTS).paragraph
    return _made(lesson, title, asks, _returns(wager, outcome), _every_end(state, wager), paragraph, chance)


def _payout(state: RoundState, chance: Random) -> Question:
    """A bet that some row pays: each row of the pay table is as likely as any other."""
    rows = [(wager, outcomes) for wager in state.wagers for outcomes in wager.outcomes_by_row() if outcomes]
    wager, outcomes = chance.choice(rows)
    return _about_bet(say("a payout"), "payout", state, wager, chance.choice(sorted(outcomes)), chance)


def _tie(state: RoundState, chance: Random) -> Question:
    """What becomes of the main bets in a tie."""
    wager = chance.choice([wager for wager in state.wagers if wager.id in ("player", "banker")])
    ties = sorted(outcome for outcome in reachable_outcomes() if outcome.winner is Winner.TIE)
    return _about_bet(say("a tie"), "tie", state, wager, chance.choice(ties), chance)


def _draws(state: RoundState, chance: Random) -> Question:
    """Whether the Banker draws a third card, by the Table of Play."""
    player, banker = chance.choice(sorted(PLAYER_DRAWS)), chance.randrange(8)
    third = chance.randrange(10)
    asks = say(
        "The Banker has {banker}, and the Player's third card counts {third}. Does the Banker draw?",
        banker=banker,
        third=third,
    )
    yes, no = say("The Banker draws."), say("The Banker stands.")
    right, wrong = (yes, no) if banker_draws(player, banker, third) else (no, yes)
    paragraph = state.game.document.procedure.table_of_play
    return _made("table-of-play", say("the Banker's third card"), asks, right, [wrong], paragraph, chance)


def _insurance(state: RoundState, chance: Random) -> Question:
    assert state.game.insurance is not None, "asked of games that have it"
    rows = state.game.insurance.rows
    row = chance.choice(rows)
    asks = say(
        "The Player has {player}, the Banker {banker}, {when}. What does insurance on {hand} pay?",
        player=chance.choice(row.player_totals),
        banker=chance.choice(row.banker_totals),
        when=row.window.words,
        hand=row.hand.words,
    )
    pays = [say("It pays {odds}.", odds=one.odds.text) for one in rows]
    right = say("It pays {odds}.", odds=row.odds.text)
    return _made("insurance", say("insurance"), asks, right, pays, row.paragraph, chance)


def _void(state: RoundState, chance: Random) -> Question:
    right = say("Every bet of the round comes back.")
    wrong = [say("The bets stay for the next round."), say("The bets are lost.")]
    paragraph = state.game.document.procedure.void
    return _made(
        "void", say("a void round"), say("The round is void. What about my bet?"), right, wrong, paragraph, chance
    )


def _take_back(state: RoundState, chance: Random) -> Question:
    asks = say("You have called no more bets, and no card is out. May I take my bet back?")
    right = say("No: it stands.")
    wrong = [say("Yes, until the first card is dealt."), say("Yes, if the Pit Supervisor agrees.")]
    paragraph = state.game.document.procedure.withdrawn_bet
    return _made("take-back", say("a bet after the call"), asks, right, wrong, paragraph, chance)
