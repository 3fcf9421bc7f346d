"""The shapes of the data files. Anything not named here is refused, so that a slip of the pen is not a default."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from natural9.core.insurance import Window
from natural9.core.irregularities import Condition, Kind, Remedy
from natural9.core.table_of_play import Hand

FeatureScalar = bool | int | str
LanguageCode = Annotated[str, Meta(pattern="^[a-z]{2,3}(-[A-Za-z]+)*$")]
Names = dict[LanguageCode, Annotated[str, Meta(min_length=1)]]
RankTag = Literal["dealer", "pit-supervisor", "pit-manager", "shift-manager"]


class File(Struct, forbid_unknown_fields=True):
    pass


class DecksFile(File):
    min: int
    max: int
    paragraph: str


class LayoutFile(File):
    id: str
    title: str
    paragraph: str
    boxes: int | None = None


class RowFile(File):
    when: dict[str, FeatureScalar | list[FeatureScalar]]
    odds: str
    paragraph: str
    names: Names = {}  # by language, where the approved pay table has a name for it


class WagerFile(File):
    id: str
    loses: str
    pays: list[RowFile]
    optional: str = ""  # the paragraph that says "may be available"
    names: Names = {}  # by language, where the catalogue has none or another


class WaiverFile(File):
    paragraph: str
    rank: RankTag


class InsuranceRowFile(File):
    window: Window
    hand: Hand
    player: str
    banker: str
    odds: str
    paragraph: str
    wins_on_tie: bool = False


class InsuranceFile(File):
    paragraph: str
    cap: str
    who: str
    tie: str
    waiver: WaiverFile
    rows: list[InsuranceRowFile]


class PackFile(File):
    id: str
    title: str
    document: str
    decks: DecksFile
    betting_unit: str
    layout: list[LayoutFile]
    wager: list[WagerFile]
    insurance: InsuranceFile | None = None


class RemedyFile(File):
    do: Remedy
    paragraph: str
    condition: Condition = Condition.ALWAYS


class IrregularityFile(File):
    kind: Kind
    rank: RankTag
    remedies: list[RemedyFile]
    may_replace_shoe: str = ""
    after_first_card: bool = False
    until_next_round: bool = False
    after_void: bool = False
    rank_later: RankTag | None = None
    previous_stand: str = ""


class NoticeFile(File):
    says: Annotated[str, Meta(min_length=1)]
    paragraph: str


class DocumentFile(File):
    id: str
    title: str
    operator: str
    effective: str
    decks: DecksFile
    procedure: dict[str, str]  # a paragraph for each step that `core.game.Procedure` names
    irregularity: list[IrregularityFile]
    dealer_announces: str = ""  # the paragraph that has a dealer open and close the betting by word of mouth
    notice: NoticeFile | None = None  # what its layouts say to the player


class ReadingFile(File):
    """An interpretation in another language of the screens."""

    title: str
    reading: str
    rejected: str
    why: str


class InterpretationFile(File):
    id: str
    title: str  # what people know it by
    documents: list[str]
    paragraphs: list[str]
    reading: str
    rejected: str
    why: str
    wagers: list[str] = []
    languages: dict[LanguageCode, ReadingFile] = {}


class RegisterFile(File):
    interpretation: list[InterpretationFile]


class CatalogueFile(File):
    names: dict[str, Names]


class ParagraphFile(File):
    says: str
    languages: Names = {}  # the same in the other languages of the screens
    untested: str = ""


class ParagraphsFile(File):
    paragraph: dict[str, ParagraphFile]
