"""What Prometheus is told at /metrics."""

from typing import Final

from prometheus_client import Counter, Gauge, Histogram

CONNECTIONS: Final = Gauge("natural9_connections", "Open WebSockets")
REFUSALS: Final = Counter("natural9_refusals_total", "Commands of terminals that were refused, by code", ["code"])
ROUNDS: Final = Counter("natural9_rounds_total", "Rounds that ended, by table and how", ["table", "ended"])
QUEUE: Final = Gauge("natural9_queue_length", "Commands that wait for a table's writer", ["table"])
SEATED: Final = Gauge("natural9_terminals_connected", "Terminals connected to a table", ["table"])
STAKED: Final = Gauge("natural9_staked_cents", "Cents at stake in the open round", ["table"])
HALTED: Final = Gauge("natural9_table_halted", "1 if the table has stopped because its journal failed", ["table"])
CHECKPOINTS: Final = Counter("natural9_checkpoints_total", "Checkpoints of the journal that were signed")
CHECKPOINTS_FAILED: Final = Counter("natural9_checkpoints_failed_total", "Checkpoints that could not be signed or kept")
CHECKPOINT_SIZE: Final = Gauge("natural9_checkpoint_entries", "Entries that the newest checkpoint is of")
COSIGNED: Final = Gauge("natural9_cosigned_seconds", "When a witness last cosigned, in seconds since 1970", ["witness"])
TIME_STAMPS: Final = Counter("natural9_time_stamps_total", "Checkpoints that an authority has stamped")
TIME_STAMPS_FAILED: Final = Counter("natural9_time_stamps_failed_total", "Time stamps that were not to be had")
UNSTAMPED_DAYS: Final = Gauge("natural9_unstamped_days", "Closed gaming days that no time stamp covers yet")
SLIPS: Final = Counter("natural9_slips_printed_total", "Vouchers that were printed, copies too")
SLIPS_FAILED: Final = Counter("natural9_slips_failed_total", "Vouchers that no printer took in time")
NODE_STREAMS: Final = Gauge("natural9_node_streams", "Tables that this node has, and the office if it has that")
NODE_LEASES: Final = Gauge("natural9_node_leases_hold", "1 while this node's leases hold: it can reach the database")
NODE_NATS: Final = Gauge("natural9_node_nats_up", "1 while this node can reach NATS")
NODE_MOVES: Final = Counter("natural9_node_moves_total", "Tables, and the office, that came or went, by how", ["how"])
ANSWER_SECONDS: Final = Histogram(
    "natural9_answer_seconds",
    "From a terminal's message to its durable answer, one in sixteen",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
