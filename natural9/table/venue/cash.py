"""How much cash one transaction at a desk may move, and from where on a second person signs for it."""

from dataclasses import dataclass

from natural9.core.errors import BadInput
from natural9.core.money import MAX_CENTS, parse_cents, show_cents
from natural9.games.source import Source
from natural9.table.venue.file import Amount, CageSection


@dataclass(frozen=True, kw_only=True)
class CashLimits:
    """Of one transaction: a credit, a hand-pay, a voucher paid out."""

    ceiling_cents: int = MAX_CENTS
    second_signature_cents: int = MAX_CENTS  # above it, another person signs
    open_drawer_first: bool = False  # nobody moves cash without an open drawer


NO_CASH_LIMITS = CashLimits()


def read_cash_limits(source: Source, section: CageSection) -> CashLimits:
    ceiling = source.parse("$.cage.ceiling", amount_of_cash, section.ceiling)
    alone = source.parse("$.cage.second_signature", amount_of_cash, section.second_signature)
    if alone > ceiling:
        source.refuse(
            "$.cage.second_signature",
            f"nobody would ever sign: {show_cents(alone)} is above the ceiling of {show_cents(ceiling)}",
        )
    return CashLimits(ceiling_cents=ceiling, second_signature_cents=alone, open_drawer_first=section.open_drawer_first)


def amount_of_cash(amount: Amount) -> int:
    cents = parse_cents(str(amount))
    if not 0 < cents <= MAX_CENTS:
        raise BadInput("bad-amount", f"{amount} is no limit for cash: write more than 0, up to {show_cents(MAX_CENTS)}")
    return cents
