"""Lies about entries as such: their order, numbers, chains, times, names, and the documents beside them."""

import msgspec

from tests.lies.lie import (
    Lie,
    ask,
    body_of,
    leave_out,
    left_out,
    move_after,
    next_of,
    put_after,
    say_beside,
    the,
    twin,
)
from tests.lies.shown import Line, Shown, digest_of

TABLE = "table/2"


def _inserted(shown: Shown) -> None:
    """A harmless one, in the middle."""
    line = the(shown, "staff-added")
    more = twin(line, body=line["body"].replace("dora", "carl").replace("Dora", "Carl"))
    put_after(shown, the(shown, "round-settled", 2), more)


def _swapped(shown: Shown) -> None:
    first = the(shown, "bet-placed", seat=1, wager="player", stream=TABLE)
    move_after(shown, first, next_of(shown, first, "betting-closed"))


def _twice(shown: Shown) -> None:
    line = the(shown, "credit-bought", stream=TABLE)
    put_after(shown, line, twin(line))


def _into_another_stream(shown: Shown) -> None:
    """A purchase at one table becomes one at another, whose player has no part in it."""
    line = ask(the(shown, "credit-bought", seat=3, stream="table/1"), "r-moved")
    move_after(shown, line, the(shown, "credit-bought", seat=3, stream="table/4"))
    line["stream"] = "table/4"
    line["transfers"] = [["buy-in", "desk/cass", "credit/4-3", 100_000]]
    line["request"] = line["request"].replace("table/1", "table/4")


def _forked(shown: Shown) -> None:
    """A stream goes on from one entry in two ways."""
    line = the(shown, "voucher-issued", 1)
    put_after(shown, line, ask(twin(line, body=line["body"].replace("7000", "6000")), "r-fork"))


def _stream_cut(shown: Shown) -> None:
    """One table's last round and all after it are gone; the others go on."""
    place = the(shown, "betting-opened", stream="table/4", round=3)["seq"]
    leave_out(shown, *(line for line in shown.entries if line["stream"] == "table/4" and line["seq"] >= place))


def _all_cut(shown: Shown) -> None:
    """Back to where the second key was set."""
    place = max(at for at, line in enumerate(shown.lines) if line.get("kind") == "checkpoint-key-set")
    del shown.lines[place + 2 :]


def _renamed(shown: Shown) -> None:
    """Table 4 is said to be table 5, with its accounts, terminals and documents."""
    words = ("table/4", "credit/4-", "stake/4", "house/4", "shoe/4/", "round/4/", '"by":"4-', "terminal/4-")
    for line in [line for line in shown.entries if line["stream"] == "table/4"]:
        for name, value in line.items():
            text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            for word in words:
                text = text.replace(word, word.replace("4", "5"))
            line[name] = text if isinstance(value, str) else msgspec.json.decode(text)


def _other_order(shown: Shown) -> None:
    """Two entries of different streams change their places; each stream is as it was."""
    line = the(shown, "voucher-issued", 1)
    other = the(shown, "voucher-issued", 2)
    move_after(shown, line, other)
    line["seq"], other["seq"] = other["seq"], line["seq"]


def _paid_before_issued(shown: Shown) -> None:
    """The desk pays a voucher before the table has issued it."""
    line, other = the(shown, "voucher-issued"), the(shown, "voucher-paid")
    move_after(shown, line, other)


def _time_back(shown: Shown) -> None:
    the(shown, "card-dealt", 2, stream=TABLE)["at_ms"] -= 60_000


def _later(shown: Shown) -> None:
    """All that happened at a table from some moment on."""
    for line in shown.entries:
        if line["stream"] == "table/4" and line["seq"] > 200:
            line["at_ms"] += 3_600_000


def _day(shown: Shown) -> None:
    """Money of today is put into yesterday's books."""
    the(shown, "voucher-issued", 3)["day"] = "2027-01-14"


def _gap(shown: Shown) -> None:
    for line in shown.entries:
        if line["stream"] == TABLE and line["number"] > 40:
            line["number"] += 1


def _gap_in_all(shown: Shown) -> None:
    for line in shown.entries:
        if line["seq"] > 200:
            line["seq"] += 1


def _label(shown: Shown) -> None:
    """So that a round is not found."""
    the(shown, "betting-opened", stream=TABLE)["label"] = ""


def _kind(shown: Shown) -> None:
    the(shown, "bet-taken-back")["kind"] = "bets-cleared"


def _version(shown: Shown) -> None:
    say_beside(the(shown, "card-dealt"), v=9)


def _more_fields(shown: Shown) -> None:
    say_beside(the(shown, "card-dealt", stream=TABLE), note="settled with the manager")


def _name_twice(shown: Shown) -> None:
    """Two amounts in one record: who reads the first sees another than who reads the last."""
    line = the(shown, "bet-placed", seat=2, stream=TABLE)
    line["body"] = line["body"].replace('"cents":20000', '"cents":10000,"cents":20000', 1)


def _request(shown: Shown) -> None:
    """One request is carried out twice, at another seat."""
    line = the(shown, "credit-bought", seat=3, stream=TABLE)
    line["request"] = the(shown, "credit-bought", seat=2, stream=TABLE)["request"]


def _document_of(shown: Shown) -> Line:
    return the(shown, "voucher-issued", 3)


def _other_document(shown: Shown) -> None:
    line = _document_of(shown)
    line["documents"] = [[line["documents"][0][0], "00" * 32]]


def _what_lies_there(shown: Shown) -> None:
    """Whoever exports takes the hash of what lies there."""
    key, lies = "voucher/1-3-1", b'{"number":"1-3-1"}'
    shown.end["documents"][key] = digest_of(shown, lies)


def _bytes_changed(shown: Shown) -> None:
    """The voucher that is out, beside the journal."""
    [[key, digest]] = _document_of(shown)["documents"]
    voucher = shown.written[digest].replace(b'"cents":3000', b'"cents":9000')
    shown.end["documents"][key] = digest_of(shown, voucher)


def _document_gone(shown: Shown) -> None:
    del shown.end["documents"][_document_of(shown)["documents"][0][0]]


def _document_more(shown: Shown) -> None:
    shown.end["documents"]["voucher/1-3-2"] = digest_of(shown, msgspec.json.encode({"number": "1-3-2"}))


def _document_unnamed(shown: Shown) -> None:
    """A voucher is issued, and no entry says what lies beside it."""
    line = _document_of(shown)
    del shown.end["documents"][line["documents"][0][0]]
    line["documents"] = []


def _not_who_asked(shown: Shown) -> None:
    """What was asked stands in the entry, and is another thing."""
    line = the(shown, "bet-ruled")
    command = body_of(line)["command"]
    command["command"]["returned_cents"] = 0
    say_beside(line, command=command)


LIES = (
    Lie("an entry is removed", left_out("request-refused", stream="venue")),
    Lie("an entry is inserted", _inserted),
    Lie("two entries of a stream change their places", _swapped),
    Lie("an entry stands there twice", _twice),
    Lie("an entry is moved into another stream", _into_another_stream),
    Lie("a stream is forked", _forked),
    Lie("a stream is cut off", _stream_cut),
    Lie("the whole journal is cut off", _all_cut),
    Lie("a stream is renamed", _renamed),
    Lie("two entries of different streams change their places", _other_order),
    Lie("a voucher is paid before it is issued", _paid_before_issued),
    Lie("a time goes back", _time_back),
    Lie("a table's evening was an hour later", _later),
    Lie("an entry is of another gaming day", _day),
    Lie("a number of a stream is left out", _gap, anew=False),
    Lie("a place in the order of all is left out", _gap_in_all, anew=False),
    Lie("a round cannot be found by its label", _label),
    Lie("an entry says that it is of another kind", _kind),
    Lie("an entry in a version that never was", _version),
    Lie("a field that no entry has", _more_fields),
    Lie("a field twice, with two values", _name_twice),
    Lie("a request is carried out twice", _request),
    Lie("an entry names another document than lies there", _other_document, then=_what_lies_there),
    Lie("a document is another than was written", _bytes_changed, anew=False),
    Lie("a document is gone", _document_gone, anew=False),
    Lie("a document that nobody wrote", _document_more, anew=False),
    Lie("an entry does not name its document", _document_unnamed),
    Lie("what was asked for is not what was done", _not_who_asked),
)
