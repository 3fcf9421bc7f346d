"""The roads that the screens are tested against are the ones drawn here."""

import json
from dataclasses import asdict
from pathlib import Path

from natural9.core.roads import big_road, roads

GOLDEN = Path(__file__).parents[2] / "web" / "src" / "lib" / "roads.golden.json"


def test_the_golden_file_of_the_screens_is_true() -> None:
    shoes = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert len(shoes) >= 40
    for shoe in shoes:
        drawn = roads(shoe["winners"])
        assert shoe["roads"] == json.loads(json.dumps(asdict(drawn))), shoe["winners"]
        derived = (drawn.big_eye_boy, drawn.small_road, drawn.cockroach_road)
        assert shoe["laid"] == [[[cell.column, cell.row] for cell in big_road(icons)] for icons in derived]
