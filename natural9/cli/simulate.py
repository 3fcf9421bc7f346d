"""`natural9 simulate`: whole shoes by the million, and what a way of betting does to a bankroll."""

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from secrets import randbits
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console
from rich.markup import escape

from natural9.cli.crews import GpuOption, SchedulerOption, WorkersOption, check_crew, crew_asked_for
from natural9.cli.progress import progress_bar
from natural9.cli.shared import GameArgument, JsonOption, console, print_json
from natural9.cli.tables import points_words, signed, table
from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.money import parse_cents, show_cents
from natural9.games import find_game

if TYPE_CHECKING:  # what calculates takes long to import, and `natural9 --help` does not need it
    from natural9.odds.bankroll import Distribution, Plan, SessionResults, Strategy
    from natural9.odds.simulation import Simulation
    from natural9.odds.workers import Crew

INTERRUPTED: Final = 130
USUAL_ROUNDS: Final = "1e8"
USUAL_SESSIONS: Final = "1e5"
LARGEST_FILE: Final = 100_000


def simulate(
    game: GameArgument,
    decks: Annotated[int | None, typer.Option(metavar="N", help="Decks in the shoe.  [default: 8]")] = None,
    rounds: Annotated[str, typer.Option(metavar="N", help=f"Rounds to play.  [default: {USUAL_ROUNDS}]")] = "",
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Deal by this number: the same seed, the same result.")
    ] = None,
    cut: Annotated[int, typer.Option(metavar="N", help="Cards behind the cut card, six or more.")] = 14,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = "",
    gpu: GpuOption = False,
    insure: Annotated[
        str, typer.Option(metavar="SHARE", help="Take every offer of insurance, for this share of the cap: 1, or 0.5.")
    ] = "",
    strategy: Annotated[
        str, typer.Option(metavar="HOW", help="Play sessions: flat, martingale, or a file with a progression.")
    ] = "",
    progression: Annotated[
        str,
        typer.Option(
            metavar="UNITS",
            help="Play sessions with a progression, as in 1,1,2,3,5: the next after a loss, the first after a win.",
        ),
    ] = "",
    wager: Annotated[str, typer.Option(metavar="WAGER", help="The wager of the sessions.  [default: banker]")] = "",
    unit: Annotated[str, typer.Option(metavar="AMOUNT", help="One unit, the least bet.  [default: 10]")] = "",
    bankroll: Annotated[str, typer.Option(metavar="AMOUNT", help="What a session starts with.  [default: 1000]")] = "",
    table_max: Annotated[str, typer.Option(metavar="AMOUNT", help="The largest bet that the table takes.")] = "",
    session: Annotated[str, typer.Option(metavar="N", help="Rounds in a session.  [default: 200]")] = "",
    sessions: Annotated[str, typer.Option(metavar="N", help=f"Sessions to play.  [default: {USUAL_SESSIONS}]")] = "",
    json: JsonOption = False,
) -> int:
    """Play millions of rounds and compare them with exact odds.

    It deals whole shoes to the cut card and compares the mean of every wager with its exact expectation in a fresh
    shoe: z counts the standard errors between them, and |z| above 4 is flagged. The cut card itself moves some wagers
    a little (Big Tiger by 0.02% at 8 decks and 14 cards), which shows beyond 1e10 rounds. A seed gives the same result
    with any number of workers; a GPU (--gpu) deals other rounds, the same on any GPU. Ctrl-C prints what has been
    played so far.

    With --strategy or --progression it plays sessions, each from a new shoe, and reports the result, the risk of ruin
    and the drawdown. A bet never exceeds the table maximum or the money left; a session ends early when less than a
    unit is left. A martingale stays at its limit until it wins; a progression that is lost starts over.

    With --insure it takes every offer of insurance, in both windows, for a stake that pays this share of the original
    bet, or what is left under the cap; each row of the table is compared with its exact expectation.

    Example: natural9 simulate mbs-tiger --rounds 1e7 --seed 9

    Example: natural9 simulate mbs-nc --strategy martingale --wager banker --unit 10 --bankroll 1000 --table-max 500
    """
    chosen = find_game(game)
    check_crew(workers, scheduler, gpu=gpu)
    table_ = _Table(
        chosen, _decks(chosen, decks), cut, randbits(32) if seed is None else seed, workers, scheduler, gpu, json
    )
    if not strategy and not progression:
        _refuse(("--wager", wager), ("--unit", unit), ("--bankroll", bankroll), ("--table-max", table_max))
        _refuse(("--session", session), ("--sessions", sessions))
        return _play_rounds(table_, rounds or USUAL_ROUNDS, insure)
    if gpu:
        raise BadInput("bad-usage", "--gpu plays rounds, not sessions: leave it out, or --strategy and --progression")
    if rounds:
        raise BadInput("bad-usage", "--rounds does not go with sessions: give --session, the rounds in each")
    plan = _plan(_strategy(strategy, progression), wager, unit or "10", bankroll or "1000", table_max, session or "200")
    plan = replace(plan, insure=_share(insure))
    return _play_sessions(table_, plan, sessions or USUAL_SESSIONS)


@dataclass(frozen=True)
class _Table:
    """What both kinds of simulation are asked with."""

    game: Game
    decks: int
    cut: int
    seed: int
    workers: int | None
    scheduler: str
    gpu: bool
    json: bool

    def crew(self) -> "AbstractContextManager[Crew | None]":
        return crew_asked_for(self.workers, self.scheduler, gpu=self.gpu)

    def check(self) -> None:
        """Before a cluster is looked for, which takes time."""
        from natural9.odds.simulation import check_seed, check_shoe

        check_shoe(self.game, decks=self.decks, cut=self.cut)
        check_seed(self.seed)


def _decks(game: Game, asked: int | None) -> int:
    return min(max(8, game.decks.min), game.decks.max) if asked is None else asked


def _refuse(*options: tuple[str, str]) -> None:
    for option, value in options:
        if value:
            raise BadInput("bad-usage", f"{option} is for sessions: give --strategy or --progression too")


def _strategy(name: str, units: str) -> "Strategy":
    from natural9.odds.bankroll import FLAT, MARTINGALE, progression

    if name and units:
        raise BadInput("bad-usage", "give --strategy or --progression, not both")
    if units:
        return progression(units)
    if name in (FLAT.name, MARTINGALE.name):
        return FLAT if name == FLAT.name else MARTINGALE
    if name.replace(",", "").isdecimal():
        return progression(name)
    try:
        with Path(name).open(encoding="utf-8") as file:
            return progression(file.read(LARGEST_FILE))
    except (OSError, ValueError) as error:
        if isinstance(error, BadInput):
            raise
        message = f"{name!r} is not a strategy: give flat, martingale, or a file with a progression such as 1,1,2,3,5"
        raise BadInput("bad-strategy", message) from None


def _plan(strategy: "Strategy", wager: str, unit: str, bankroll: str, table_max: str, session: str) -> "Plan":
    from natural9.odds.bankroll import MOST_ROUNDS_IN_A_SESSION, Plan
    from natural9.odds.simulation import parse_count

    return Plan(
        wager or "banker",
        strategy,
        unit_cents=parse_cents(unit),
        bankroll_cents=parse_cents(bankroll),
        rounds=parse_count(session, "rounds in a session", MOST_ROUNDS_IN_A_SESSION),
        table_max_cents=parse_cents(table_max) if table_max else None,
    )


def _share(text: str) -> Fraction | None:
    from natural9.odds.insuring import parse_share

    return parse_share(text) if text else None


def _play_rounds(at: _Table, rounds: str, insure: str) -> int:
    from natural9.odds.insuring import check_share
    from natural9.odds.simulation import MOST_ROUNDS, parse_count, simulate

    count, share = parse_count(rounds, "rounds", MOST_ROUNDS), _share(insure)
    at.check()
    if share is not None:
        check_share(at.game, share)
        if at.gpu:
            raise BadInput("bad-usage", "--gpu plays no insurance: leave out --gpu or --insure")
    with at.crew() as crew, progress_bar("rounds", count) as progress:
        played = simulate(
            at.game,
            rounds=count,
            seed=at.seed,
            decks=at.decks,
            cut=at.cut,
            insure=share,
            gpu=at.gpu,
            crew=crew,
            progress=progress,
        )
    if at.json:
        print_json(simulation_data(played))
    else:
        _show(console(), played)
    return INTERRUPTED if played.interrupted else 0


def _play_sessions(at: _Table, plan: "Plan", sessions: str) -> int:
    from natural9.odds.bankroll import MOST_SESSIONS, simulate_sessions, stakes_of
    from natural9.odds.simulation import parse_count

    count = parse_count(sessions, "sessions", MOST_SESSIONS)
    at.check()
    stakes_of(at.game, plan)
    with at.crew() as crew, progress_bar("sessions", count) as progress:
        played = simulate_sessions(
            at.game, plan, sessions=count, seed=at.seed, decks=at.decks, cut=at.cut, crew=crew, progress=progress
        )
    if at.json:
        print_json(sessions_data(played))
    else:
        _show_sessions(console(), played)
    return INTERRUPTED if played.interrupted else 0


def simulation_data(played: "Simulation") -> dict[str, Any]:
    """The contract's shape of a simulation."""
    return {
        "game": played.game.id,
        "decks": played.decks,
        "cut": played.cut,
        "seed": played.seed,
        "rounds": played.rounds,
        "shoes": played.shoes,
        "interrupted": played.interrupted,
        "seconds": played.seconds,
        "rounds_per_second": played.rounds_per_second,
        "device": played.device,
        "wagers": [
            {
                "id": wager.id,
                "mean": wager.mean,
                "stderr": wager.stderr,
                "exact": float(wager.exact),
                "exact_fraction": f"{wager.exact.numerator}/{wager.exact.denominator}",
                "cut_card_effect": wager.effect.value if wager.effect else None,
                "cut_card_effect_stderr": wager.effect.stderr if wager.effect else None,
                "z": wager.z,
                "suspicious": wager.suspicious,
            }
            for wager in played.wagers
        ],
        "insure": None if played.insure is None else float(played.insure),
        "insurance": [
            {
                "window": result.row.window,
                "hand": result.row.hand,
                "player_points": result.row.player_totals,
                "banker_points": result.row.banker_totals,
                "odds": result.row.odds.text,
                "wins_on_tie": result.row.wins_on_tie,
                "paragraph": result.row.paragraph,
                "taken": result.offers,
                "staked": result.staked,
                "mean": result.mean,
                "stderr": result.stderr,
                "exact": float(result.exact),
                "exact_fraction": f"{result.exact.numerator}/{result.exact.denominator}",
                "z": result.z,
                "suspicious": result.suspicious,
            }
            for result in played.insurance
        ],
    }


def sessions_data(played: "SessionResults") -> dict[str, Any]:
    """Sessions as JSON, amounts in cents."""
    plan, exact = played.plan, played.exact
    return {
        "game": played.game.id,
        "decks": played.decks,
        "cut": played.cut,
        "seed": played.seed,
        "wager": plan.wager,
        "strategy": plan.strategy.name,
        "progression": plan.strategy.steps,
        "unit": plan.unit_cents,
        "bankroll": plan.bankroll_cents,
        "table_max": plan.table_max_cents,
        "session": plan.rounds,
        "sessions": played.sessions,
        "interrupted": played.interrupted,
        "seconds": played.seconds,
        "rounds": played.bets.sum,
        "rounds_per_second": played.bets.sum / played.seconds,
        "result": {**_distribution_data(played.result), "stderr": played.result_stderr},
        "ruin": {"probability": played.risk_of_ruin, "stderr": played.risk_of_ruin_stderr},
        "drawdown": _distribution_data(played.drawdown),
        "bets": _distribution_data(played.bets),
        "staked": played.staked_cents,
        "mean_of_stake": played.mean_for_each_unit_staked,
        "insure": None if plan.insure is None else float(plan.insure),
        "insured": played.insured_cents,
        "insurance_won": played.insurance_won_cents,
        "exact": float(exact),
        "exact_fraction": f"{exact.numerator}/{exact.denominator}",
    }


def _distribution_data(seen: "Distribution") -> dict[str, Any]:
    from natural9.odds.bankroll import QUANTILES

    return {
        "mean": seen.mean,
        "sd": seen.standard_deviation,
        "min": seen.values[0],
        "max": seen.values[-1],
        "quantiles": {str(share): seen.quantile(share) for share in QUANTILES},
    }


def _show(out: Console, played: "Simulation") -> None:
    from natural9.odds.simulation import CPU

    stopped = " (interrupted)" if played.interrupted else ""
    out.print(
        f"[bold]{escape(played.game.title)}[/bold]: {played.rounds:,} rounds{stopped} of {played.shoes:,} shoes, "
        f"{played.decks} decks, cut card {played.cut} from the end, seed {played.seed}"
    )
    by = "" if played.device == CPU else f" on {played.device}"
    out.print(f"{played.seconds:.1f} s, {played.rounds_per_second:,.0f} rounds a second{by}\n")
    effect = ("cut card",) if played.effects else ()
    numbers = ("mean", "standard error", "exact", *effect, "z")
    results = table("wager", *numbers, "", right=numbers)
    digits = 4 if played.rounds < 10**11 else 6
    for wager in played.wagers:
        shares = [f"{wager.mean:+.{digits}%}", f"{wager.stderr:.{digits}%}", f"{float(wager.exact):+.{digits}%}"]
        if wager.effect:
            shares.append(f"{wager.effect.value:+.{digits}%}")
        flag = "|z| > 4" if wager.suspicious else ""
        results.add_row(wager.id, *shares, f"{wager.z:+.2f}", flag, style="bold red" if wager.suspicious else "")
    out.print(results)
    out.print("\nOf each unit staked, to the bettor: a minus is the house's edge.")
    if played.insurance:
        _show_insurance(out, played)
    if played.effects:
        out.print("What the cut card adds to the exact value is measured by pricing late rounds, and counts in z.")


def _show_insurance(out: Console, played: "Simulation") -> None:
    assert played.insure is not None, "there are rows where somebody insures"
    out.print(f"\n[bold]Insurance[/bold], every offer taken for {float(played.insure):.4g} of the cap")
    numbers = ("odds", "taken", "mean", "standard error", "exact", "z")
    rows = table("insured", "window", "P v B", *numbers, "", right=numbers)
    for one in played.insurance:
        row = one.row
        points = f"{points_words(row.player_totals)} v {points_words(row.banker_totals)}"
        odds = row.odds.text + ("*" if row.wins_on_tie else "")
        shares = (f"{one.mean:+.4%}", f"{one.stderr:.4%}", f"{float(one.exact):+.4%}", f"{one.z:+.2f}")
        flag, style = ("|z| > 4", "bold red") if one.suspicious else ("", "")
        rows.add_row(
            row.hand, row.window, points, odds, f"{one.offers / played.rounds:.3%}", *shares, flag, style=style
        )
    out.print(rows)
    out.print("\nTaken, of all rounds; the rest of each unit staked on insurance. * wins on a tie.")


def _show_sessions(out: Console, played: "SessionResults") -> None:
    from natural9.odds.bankroll import QUANTILES

    plan = played.plan
    stopped = " (interrupted)" if played.interrupted else ""
    most = f", table maximum {show_cents(plan.table_max_cents)}" if plan.table_max_cents else ""
    out.print(
        f"[bold]{escape(played.game.title)}[/bold]: {played.sessions:,} sessions{stopped} of {plan.rounds:,} rounds, "
        f"{plan.strategy.name} on {plan.wager}, seed {played.seed}"
    )
    out.print(f"Unit {show_cents(plan.unit_cents)}, bankroll {show_cents(plan.bankroll_cents)}{most}\n")
    shares = [f"{share:.0%}" for share in QUANTILES]
    numbers = ("mean", "sd", *shares)
    seen = table("", *numbers, right=numbers)
    for name, money, shown in (("result", played.result, signed), ("drawdown", played.drawdown, show_cents)):
        quantiles = (shown(money.quantile(share)) for share in QUANTILES)
        seen.add_row(name, shown(round(money.mean)), show_cents(round(money.standard_deviation)), *quantiles)
    bets = played.bets
    counts = (str(bets.quantile(share)) for share in QUANTILES)
    seen.add_row("bets", f"{bets.mean:.1f}", f"{bets.standard_deviation:.1f}", *counts)
    out.print(seen)
    out.print(f"\nRisk of ruin {played.risk_of_ruin:.3%} ± {played.risk_of_ruin_stderr:.3%}")
    out.print(
        f"Of each unit staked, to the bettor: {played.mean_for_each_unit_staked:+.3%}, exact {float(played.exact):+.3%}"
    )
    if played.insured_cents:
        mean = played.insurance_won_cents / played.insured_cents
        out.print(
            f"Of each unit of insurance: {mean:+.3%}; {show_cents(played.insured_cents // played.sessions)} a session"
        )
