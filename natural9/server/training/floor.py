"""A training table in a venue file: a dealer's, with cards keyed in as the program says that they are drawn."""

from typing import Final

from natural9.games import load_game

TRAINING: Final = "training"  # its id


def training_table(game: str) -> str:
    """Its section. Its title says on every screen what it is."""
    rules = load_game(game)
    layout = rules.layouts[-1]
    lines = [
        "",
        "# Set aside for training: the program plays the felt, and no money here is real.",
        "[[table]]",
        f'id = "{TRAINING}"',
        'title = "Training table"',
        f'game = "{game}"',
        f"decks = {min(8, rules.decks.max)}",
        f'layout = "{layout.id}"',
        *([] if layout.boxes else ["seats = 8"]),
        "visitors = false",  # no player's credit comes here
        'mode = "dealer"',
        'shoe = "read"',
        "minimum = 10",
        "maximum = 5000",
        f"timers = {{ betting = 30, reveal = 1, result = 5{', insurance = 15' if rules.insurance else ''} }}",
    ]
    return "\n".join(lines) + "\n"
