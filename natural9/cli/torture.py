"""`natural9 torture`: the whole floor simulated under faults from a seed, and judged by an auditor of its own."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from natural9.cli.progress import progress_bar
from natural9.cli.shared import JsonOption, console, print_json
from natural9.cli.usage import a_seed
from natural9.core.errors import BadInput

if TYPE_CHECKING:  # a server's parts take a moment to load, and `natural9 --help` should not wait for them
    from natural9.torture.story import Told


def torture(
    seed: Annotated[int, typer.Option(metavar="N", callback=a_seed, help="The same seed tells the same story.")] = 1,
    rounds: Annotated[
        int | None, typer.Option(metavar="N", help="Rounds to play under faults, of each seed.  [default: 100]")
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(metavar="N", help="Run this many seeds, from --seed on.  [default: 1]")
    ] = None,
    shrinks: Annotated[
        bool | None, typer.Option("--shrink/--no-shrink", help="Look for the shortest story.  [default: shrink]")
    ] = None,
    real: Annotated[bool, typer.Option("--real", help="Use real servers and processes; needs the source.")] = False,
    minutes: Annotated[
        float | None, typer.Option(metavar="M", help="With --real, how long; it ends what it began.  [default: 5]")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(metavar="N", help="With --real, 1 machine or 3 in a cluster.  [default: 1]")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Processes that run the seeds.  [default: one a core]")
    ] = None,
    json: JsonOption = False,
) -> int:
    """Simulate a whole floor under faults and judge it.

    The real server plays on a simulated clock, disk and network: terminals bet, vanish and lie, messages are late and
    lines are cut, commits fail, the process is killed between any two steps, dealers make every mistake of the
    rulebooks. The seed decides which of these happen, and how often. An auditor with the outside verifier's own rules
    judges what was acknowledged and shown to clients against the journal. Then the faults stop, and no table may be
    stuck.

    A story that fails is printed step by step, in the shortest form that still fails, with exit 1.

    With --real, servers run as processes and terminals play at them, while they are killed, stopped and restarted,
    their disk is full or slow, and links are cut, silent or slow. An outside client with books of its own judges:
    nothing acknowledged is lost, nothing is done twice, every journal verifies, and play goes on by itself.

    Example: natural9 torture --seed 3 --rounds 20
    """
    simulated = {"--rounds": rounds, "--seeds": seeds, "--shrink": shrinks, "--workers": workers}
    if real:
        for option, value in simulated.items():
            if value is not None:
                raise BadInput("bad-usage", f"{option} is for the simulated floor: with --real give --minutes")
        from natural9.cli.torture_real import MINUTES, NODES, run_real

        run_real(MINUTES if minutes is None else minutes, NODES if nodes is None else nodes, seed, json=json)
    for option, given in {"--minutes": minutes, "--nodes": nodes}.items():
        if given is not None:
            raise BadInput("bad-usage", f"{option} is for real servers: give --real, too")
    rounds, seeds = 100 if rounds is None else rounds, 1 if seeds is None else seeds
    shrinks = shrinks is None or shrinks
    if rounds < 1 or seeds < 1:
        raise BadInput("bad-rounds", f"{min(rounds, seeds)} rounds or seeds are too few: give at least 1")
    from natural9.torture.mix import draw_mix
    from natural9.torture.seeds import MOST_WORKERS, cores, tell_seeds

    workers = cores() if workers is None else workers
    if not 1 <= workers <= MOST_WORKERS:
        raise BadInput("bad-workers", f"{workers} workers are out of range: give 1 to {MOST_WORKERS}")
    totals = dict.fromkeys(("rounds", "bets", "decisions", "crashes", "steps"), 0)
    faults, clauses, violations, seconds = Counter[str](), Counter[str](), list[str](), 0.0
    with progress_bar("seeds", seeds) as advanced:
        for done, told in enumerate(tell_seeds(range(seed, seed + seeds), rounds, workers=workers), start=1):
            for name in totals:
                totals[name] += told.loop_steps if name == "steps" else getattr(told, name)
            seconds += told.seconds
            faults += told.faults
            clauses += told.clauses.paragraphs
            violations += [f"seed {told.seed}: {words}" for words in told.violations]
            if not json:
                if seeds == 1 or told.violations:
                    console().print(draw_mix(told.seed).describe(), markup=False, highlight=False)
                console().print(_line(told), markup=False, highlight=False)
                if told.violations:
                    _tell_wrong(told.seed, rounds, told, shrinks=shrinks)
            if advanced:
                advanced(done)
    if not json and seeds > 1:
        console().print(_all_of_them(totals, faults, clauses, violations, seconds), markup=False, highlight=False)
    if json:
        print_json(
            {
                "seed": seed,
                "seeds": seeds,
                **totals,
                "faults": dict(sorted(faults.items())),
                "clauses": dict(sorted(clauses.items())),
                "violations": violations,
                "seconds": round(seconds, 3),  # of processors, all of them together
            }
        )
    return 1 if violations else 0


def _line(told: "Told") -> str:
    wrong = f"{len(told.violations)} VIOLATIONS" if told.violations else "no violation"
    return (
        f"seed {told.seed}: {told.rounds:,} rounds, {told.bets:,} bets, {told.crashes:,} crashes, "
        f"{sum(told.faults.values()):,} other faults, {wrong} ({told.seconds:.1f} s, head {told.head[:16]})"
    )


def _all_of_them(
    totals: dict[str, int], faults: Counter[str], clauses: Counter[str], violations: list[str], seconds: float
) -> str:
    counted = ", ".join(f"{many:,} {name}" for name, many in totals.items() if name != "steps")
    return (
        f"in all: {counted}, {faults.total():,} other faults, {len(clauses)} clauses exercised, "
        f"{len(violations)} violations ({seconds:.1f} s of processors)"
    )


def _tell_wrong(seed: int, rounds: int, told: "Told", *, shrinks: bool) -> None:
    from natural9.torture.mix import draw_mix
    from natural9.torture.shrink import shrink, tell_mix

    out, mix = console(), draw_mix(seed)
    for words in told.violations[:20]:
        out.print(f"  {words}", markup=False, highlight=False)
    if shrinks:
        shrunk = shrink(mix, rounds, told)
        mix, rounds, told = shrunk.mix, shrunk.rounds, shrunk.told
        out.print(f"\nThe shortest story after {shrunk.tries} tries, {rounds} rounds:", markup=False, highlight=False)
        out.print(mix.describe(), markup=False, highlight=False)
    if not told.steps:
        told = tell_mix(mix, rounds)
    for number, words in enumerate(told.steps, start=1):
        out.print(f"{number:5}. {words}", markup=False, highlight=False)
    for words in told.violations[:20]:
        out.print(f"Then: {words}", markup=False, highlight=False)
