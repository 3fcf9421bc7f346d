"""Whether all that a journal in a database is searched by agrees with its entries."""

from natural9.store.contract import Corrupt
from natural9.store.postgres.connection import DatabaseConnection
from natural9.store.postgres.reader import JOINED, LAST_CHARACTER, LAST_DAY
from natural9.store.tree import Growing

AT_A_TIME = 65_536

# What is compared: how many rows there are, how many are as they follow from the entries, and how many are due.
COMPARISONS = {
    "the table place": f"""
        SELECT (SELECT count(*) FROM place), (SELECT count(*) {JOINED} WHERE place.label = journal.label
            AND place.request = journal.request AND place.moves = journal.moves
            AND seq BETWEEN 1 AND (SELECT entries FROM head)), (SELECT count(*) FROM journal)""",
    "what says where transfers begin": """
        SELECT count(*), coalesce(sum((first_in_ledger = due)::int), 0), (SELECT entries FROM head) FROM (
            SELECT first_in_ledger, 1 + sum(moves) OVER (ORDER BY seq) - moves AS due FROM place) AS begun""",
    "the table account_transfer": f"""
        SELECT (SELECT count(*) FROM account_transfer), (SELECT count(*) FROM (
            SELECT seq, first_in_ledger + at - 1 AS number, transfer ->> side AS account
            {JOINED}, json_array_elements(transfers::json) WITH ORDINALITY AS t (transfer, at),
            generate_series(1, 2) side
        ) AS moved JOIN account_transfer USING (seq, number, account)),
        (SELECT 2 * coalesce(sum(json_array_length(transfers::json)), 0) FROM journal)""",
    "the table placed": """
        SELECT (SELECT count(*) FROM placed), (SELECT count(*) FROM placed JOIN stream ON stream = name
            AND placed.number = stream.number), (SELECT count(*) FROM stream WHERE number > 0)""",
    "the table stream": """
        SELECT count(*), coalesce(sum((last.hash = stream.hash
            AND last.first_transfer + last.moves - 1 = stream.transfers)::int), 0),
            (SELECT count(DISTINCT stream) FROM journal)
        FROM stream LEFT JOIN journal AS last ON last.stream = name AND last.number = stream.number
        WHERE stream.number > 0""",
    "what is said of documents": """
        SELECT count(*), coalesce(sum((sha256 = encode(sha256(value), 'hex'))::int), 0), count(*) FROM document""",
}
# Rows that no reader would ever see.
STRAY = {
    "checkpoint": "size < 0",
    "balance": f"account > '{LAST_CHARACTER}' OR cents = 0",
    "meter": f"account > '{LAST_CHARACTER}' OR day > '{LAST_DAY}'",
    "document": f"key > '{LAST_CHARACTER}'",
}


def check_records(connection: DatabaseConnection) -> int:
    """The rows compared; Corrupt names what does not agree."""
    name = connection.name
    for table, condition in STRAY.items():
        if connection.fetch(f"SELECT 1 FROM {table} WHERE {condition} LIMIT 1"):
            raise Corrupt(f"{name} is damaged: the table {table} has a row that was never written ({condition!a})")
    compared = 0
    for what, sql in COMPARISONS.items():
        [(rows, same, due)] = connection.fetch(sql)
        if not rows == same == due:
            raise Corrupt(f"{name} is damaged: {what} has {rows} rows, of which {same} are right, where {due} are due")
        compared += rows
    return compared + _compare_tree(connection)


def _compare_tree(connection: DatabaseConnection) -> int:
    """Every kept node follows from the entries."""
    growing, due = Growing(), dict[tuple[int, int], bytes]()
    sql = f"SELECT hash {JOINED} WHERE seq > $1 AND seq <= $2 ORDER BY seq"
    start = 0
    while some := [hashed for (hashed,) in connection.fetch(sql, start, start + AT_A_TIME)]:
        due |= {(node.level, node.place): node.hash for node in growing.add(some)}
        start += AT_A_TIME
    kept = {(level, place): hashed for level, place, hashed in connection.fetch("SELECT level, place, hash FROM tree")}
    if wrong := [node for node in sorted(due.keys() | kept.keys()) if due.get(node) != kept.get(node)]:
        level, place = wrong[0]
        raise Corrupt(
            f"{connection.name} is damaged: node {place} of level {level} of its tree does not follow from the entries"
        )
    return len(kept)
