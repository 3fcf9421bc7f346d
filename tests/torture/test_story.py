"""Stories of a few seeds, judged; the command that tells them; and the shortest one that goes wrong."""

from dataclasses import replace

import pytest

from natural9.torture.crew import TableCrew
from natural9.torture.mix import Mix, ProcessFaults, SimulatedTable, draw_mix
from natural9.torture.shrink import kinds_of, shrink
from natural9.torture.story import Told, tell
from tests.cli.test_command import answer, complaint_of, run


@pytest.mark.parametrize("seed", [3, 4, 5, 6, 7])  # all four kinds of tables, crashes, outages, a disk that fails
def test_a_seed_plays_under_its_faults_and_comes_to_rest(seed: int) -> None:
    told = tell(seed, 12)
    assert told.violations == []
    assert told.rounds >= 12


def test_a_crew_that_goes_home_too_early_leaves_what_the_auditor_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here while bets lie on the table: so the end of every evening is judged."""

    def bets_lie_there(crew: TableCrew) -> bool:
        picture = crew.at.look()
        return bool(picture and picture["table"]["phase"] == "bets-closed")

    monkeypatch.setattr(TableCrew, "is_at_rest", bets_lie_there)
    wrong = tell(5, 3).violations
    assert len(wrong) == 2, "one for each table"
    assert all("the round does not end" in one for one in wrong)


def test_a_mix_says_all_that_it_is() -> None:
    words = draw_mix(5).describe()
    for part in ("seed 5", "table t1: ", "disk: ", "network: ", "process: crash s ", "staff: mistakes ", "terminals: "):
        assert part in words
    assert words == draw_mix(5).describe() != draw_mix(6).describe()


def test_a_story_that_goes_wrong_is_told_in_its_shortest_form() -> None:
    """Here a crash at a table of two seats or more is wrong, whatever else there is."""
    mix = replace(
        draw_mix(5),
        tables=(SimulatedTable("t1", "mbs-nc", "electronic", 7), SimulatedTable("t2", "mbs-tiger", "keyed", 3)),
    )

    def told(mix: Mix, rounds: int) -> Told:
        wrong = mix.process.crash_s and max(table.seats for table in mix.tables) > 1
        return Told(mix.seed, violations=["lost: seat 2 misses its bet"] if wrong else [])

    shortest = shrink(mix, 100, told(mix, 100), told)
    assert (shortest.rounds, [table.seats for table in shortest.mix.tables]) == (1, [2])
    assert shortest.mix.process == ProcessFaults(crash_s=mix.process.crash_s)
    assert kinds_of(shortest.told) == {"lost"}


def test_the_command_answers_as_its_contract_says() -> None:
    told = answer("torture", "--seed", "3", "--rounds", "3")
    assert {"seed", "rounds", "bets", "crashes", "faults", "clauses", "violations", "seconds"} <= told.keys()
    assert (told["seed"], told["violations"]) == (3, [])
    assert told["rounds"] >= 3


def test_two_processes_tell_what_one_does() -> None:
    one, two = (
        answer("torture", "--seed", "3", "--seeds", "2", "--rounds", "2", "--workers", workers) for workers in "12"
    )
    assert one.pop("seconds") > 0 < two.pop("seconds")
    assert one == two
    assert one["decisions"] > one["bets"] > 0


def test_what_cannot_be_played_is_bad_input() -> None:
    assert "give at least 1" in complaint_of(run("torture", "--rounds", "0"))
    assert "give 1 to 256" in complaint_of(run("torture", "--workers", "0"))
