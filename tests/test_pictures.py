"""The page of the screens and its pictures belong together; `make pictures` makes both."""

from tests.pictures import FOLDER, PAGE, PICTURES, page_text

MOST_BYTES = 3_000_000  # all together: they travel with every clone


def test_the_page_is_the_one_that_the_script_writes() -> None:
    assert PAGE.read_text() == page_text(), "run make pictures"


def test_every_picture_is_there_and_none_that_nobody_shows() -> None:
    shown = {f"{picture.name}.webp" for picture in PICTURES}
    assert len(shown) == len(PICTURES)
    assert {path.name for path in FOLDER.iterdir()} == shown


def test_they_are_pictures_of_a_sensible_size() -> None:
    files = {path: path.read_bytes() for path in FOLDER.iterdir()}
    assert all(content[:4] == b"RIFF" and content[8:12] == b"WEBP" for content in files.values())
    assert sum(map(len, files.values())) < MOST_BYTES
