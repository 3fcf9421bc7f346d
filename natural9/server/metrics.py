"""What Prometheus is told at /metrics: names and units by its conventions; docs/telemetry.md lists all of it."""

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

from natural9.table.live.outbox import BatchTimes

CONNECTIONS: Final = Gauge("natural9_connections", "Open WebSockets")
REFUSALS: Final = Counter("natural9_refusals_total", "Commands of terminals that were refused, by code", ["code"])
ROUNDS: Final = Counter("natural9_rounds_total", "Rounds that ended, by table and how", ["table", "ended"])
QUEUE: Final = Gauge("natural9_queued_commands", "Commands that wait for a table's writer", ["table"])
SEATED: Final = Gauge("natural9_terminals_connected", "Terminals connected to a table", ["table"])
STAKED: Final = Gauge("natural9_staked_cents", "Cents at stake in the open round", ["table"])
HALTED: Final = Gauge("natural9_table_halted", "1 if the table has stopped because its journal failed", ["table"])
CHECKPOINTS: Final = Counter("natural9_checkpoints_total", "Checkpoints of the journal that were signed")
CHECKPOINTS_FAILED: Final = Counter("natural9_checkpoints_failed_total", "Checkpoints that could not be signed or kept")
CHECKPOINT_SIZE: Final = Gauge("natural9_checkpoint_entries", "Entries that the newest checkpoint is of")
COSIGNED: Final = Gauge(
    "natural9_cosigned_timestamp_seconds", "When a witness last cosigned, in seconds since 1970", ["witness"]
)
TIME_STAMPS: Final = Counter("natural9_time_stamps_total", "Checkpoints that an authority has stamped")
TIME_STAMPS_FAILED: Final = Counter("natural9_time_stamps_failed_total", "Time stamps that were not to be had")
UNSTAMPED_DAYS: Final = Gauge("natural9_unstamped_days", "Closed gaming days that no time stamp covers yet")
SLIPS: Final = Counter("natural9_slips_printed_total", "Vouchers and receipts that were printed, copies too")
SLIPS_FAILED: Final = Counter("natural9_slips_failed_total", "Vouchers and receipts that no printer took in time")
ANNOUNCED: Final = Counter("natural9_announcements_sent_total", "Announcements that were taken, by whom", ["to"])
ANNOUNCEMENTS_DROPPED: Final = Counter(
    "natural9_announcements_dropped_total", "Announcements given up because too many waited, by for whom", ["to"]
)
INSERTED: Final = Counter("natural9_inserted_total", "Bills and vouchers in acceptors, by what they became", ["became"])
ACCEPTORS_AWAY: Final = Gauge("natural9_bill_acceptors_in_trouble", "Bill acceptors to be seen to", ["table"])
NODE_STREAMS: Final = Gauge("natural9_node_streams", "Tables that this node has, and the office if it has that")
NODE_LEASES: Final = Gauge("natural9_node_leases_hold", "1 while this node's leases hold: it can reach the database")
NODE_NATS: Final = Gauge("natural9_node_nats_up", "1 while this node can reach NATS")
NODE_MOVES: Final = Counter("natural9_node_moves_total", "Tables, and the office, that came or went, by how", ["how"])
TAKE_OVER_SECONDS: Final = Histogram(
    "natural9_node_take_over_seconds",
    "How long nobody had a table, or the office, until it was at work here",
    buckets=(0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30, 60, 300),
)
ACKNOWLEDGE_SECONDS: Final = Histogram(
    "natural9_acknowledge_seconds",
    "From a terminal's message to its durable answer, one in sixteen",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
COMMIT_SECONDS: Final = Histogram(
    "natural9_commit_seconds",
    "From what a table has decided to when it is durable, batch by batch",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
SETTLE_SECONDS: Final = Histogram(
    "natural9_settle_seconds",
    "From when a table begins to settle a round to when every screen is sent the result",
    buckets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10),
)
DISK_FREE: Final = Gauge("natural9_disk_free_bytes", "Free on the disk that the venue's folder is on")
CERTIFICATE_ENDS: Final = Gauge(
    "natural9_tls_certificate_expiry_timestamp_seconds", "When the server's TLS certificate ends, in seconds since 1970"
)
BUILD: Final = Gauge("natural9_build_info", "1, with the version that runs", ["version"])


def observe_batch(times: BatchTimes) -> None:
    """What a table has decided together, made durable and told."""
    COMMIT_SECONDS.observe(times.durable_s - times.decided_s)
    if times.settles:
        SETTLE_SECONDS.observe(times.told_s - times.began_s)
