"""Lies about credit, vouchers, cash, drawers, balances and meters."""

from tests.lies.lie import Lie, Tell, ask, changed, leave_out, left_out, pay, put_after, record_of, say, the, twin
from tests.lies.shown import Shown, digest_of


def _invented_credit(shown: Shown) -> None:
    """Credit for which nobody put down cash."""
    pay(the(shown, "credit-bought", seat=3, stream="table/2"), "buy-in", source="house/2")


def _more_credit(shown: Shown) -> None:
    """More than was paid for; the drawer's count is not made to agree."""
    line = the(shown, "credit-bought", seat=3, stream="table/2")
    say(line, cents=900_000)
    pay(line, "buy-in", cents=900_000)


def _bought_twice(shown: Shown) -> None:
    """The player paid once."""
    line = the(shown, "credit-bought", seat=3, stream="table/2")
    put_after(shown, line, ask(twin(line), "r-twice"))


def _money_on_the_side(shown: Shown) -> None:
    the(shown, "result-declared", stream="table/2")["transfers"] = [["winnings", "house/2", "credit/2-3", 100]]


def _overdraft(shown: Shown) -> None:
    """A terminal pays out what it does not have."""
    line = the(shown, "hand-paid")
    say(line, cents=10**7)
    pay(line, "hand-pay", cents=10**7)


def _hand_pay_without_cash(shown: Shown) -> None:
    """The credit goes to the house, and no drawer is lighter."""
    pay(the(shown, "hand-paid"), "hand-pay", target="house/1")


def _to_itself(shown: Shown) -> None:
    pay(the(shown, "hand-paid"), "hand-pay", target="credit/1-1")


def _less_than_nothing(shown: Shown) -> None:
    line = the(shown, "hand-paid")
    say(line, cents=-700)
    pay(line, "hand-pay", cents=-700)


def _voucher_twice(shown: Shown) -> None:
    line = the(shown, "voucher-paid")
    put_after(shown, line, ask(twin(line, documents=[], documents_sum=""), "pay-again"))


def _voucher_amount(shown: Shown) -> None:
    """Issued for less than the credit that it took."""
    line = the(shown, "voucher-issued")
    say(line, cents=4_000)
    [[key, digest]] = line["documents"]
    line["documents"] = [[key, digest_of(shown, shown.written[digest].replace(b'"cents":5000', b'"cents":4000'))]]


def _voucher_paid_less(shown: Shown) -> None:
    line = the(shown, "voucher-paid")
    say(line, cents=4_000)
    pay(line, "voucher-paid", cents=4_000)


def _voucher_of_nobody(shown: Shown) -> None:
    line = the(shown, "voucher-paid")
    say(line, number="1-2-9")
    pay(line, "voucher-paid", source="voucher/1-2-9")
    line["label"], line["documents"] = "voucher/1-2-9", []


def _voucher_to_another(shown: Shown) -> None:
    """A void voucher goes back to a friend."""
    line = the(shown, "voucher-voided")
    say(line, seat=1)
    pay(line, "voucher-voided", target="credit/2-1")


def _expired(shown: Shown) -> None:
    """Put in after its last day."""
    line = the(shown, "voucher-inserted")
    line["at_ms"] = 1_802_592_000_000
    line["day"] = "2027-02-14"
    for later in shown.entries:
        if later["stream"] == line["stream"] and later["at_ms"] < line["at_ms"] and later["seq"] > line["seq"]:
            later["at_ms"], later["day"] = line["at_ms"], line["day"]


def _voucher_forgotten(shown: Shown) -> None:
    """It never was: the terminal's credit is less, and nobody knows why."""
    line = the(shown, "voucher-issued", 3)
    leave_out(shown, line)


def _on_its_way(kind: str, cents: int) -> Tell:
    def tell(shown: Shown) -> None:
        line = the(shown, kind)
        say(line, cents=cents)
        pay(line, "credit-received", cents=cents)

    return tell


def _shortage_hidden(shown: Shown) -> None:
    line = the(shown, "drawer-closed")
    say(line, expected_cents=record_of(line)["counted_cents"])
    line["transfers"] = [["drawer-closed", "vault/main", "desk/cass", record_of(line)["counted_cents"]]]


def _counted_more(shown: Shown) -> None:
    """What was counted is not what is booked as short."""
    say(the(shown, "drawer-closed"), counted_cents=1_674_300)


def _balance(shown: Shown) -> None:
    shown.end["balances"]["credit/2-3"] += 1


def _account(shown: Shown) -> None:
    shown.end["balances"]["credit/2-99"] = 100


def _meter(shown: Shown) -> None:
    one = next(one for one in shown.end["meters"] if one[0] == "house/2" and one[2] == "stake-lost")
    one[3] -= 1


def _meter_gone(shown: Shown) -> None:
    shown.end["meters"] = [one for one in shown.end["meters"] if one[0] != "house/2"]


LIES = (
    Lie("credit that no cash stands for", _invented_credit),
    Lie("more credit than was paid for", _more_credit),
    Lie("a purchase is booked twice", _bought_twice),
    Lie("money moves beside an event that moves none", _money_on_the_side),
    Lie("a terminal pays out more than it has", _overdraft),
    Lie("a hand pay without cash", _hand_pay_without_cash),
    Lie("a hand pay to itself", _to_itself),
    Lie("a hand pay of less than nothing", _less_than_nothing),
    Lie("a voucher is paid twice", _voucher_twice),
    Lie("a voucher is for less than was taken", _voucher_amount),
    Lie("a voucher is paid in part", _voucher_paid_less),
    Lie("a voucher is paid that nobody issued", _voucher_of_nobody),
    Lie("a void voucher goes to another seat", _voucher_to_another),
    Lie("a voucher is put in after it has expired", _expired),
    Lie("a voucher that is out is left out", _voucher_forgotten),
    Lie("less credit arrives at another table than was sent", _on_its_way("credit-brought", 2_000)),
    Lie("less credit comes home than was sent", _on_its_way("credit-came-home", 4_000)),
    Lie("credit on its way is never received", left_out("credit-came-home")),
    Lie("a drawer's shortage is hidden", _shortage_hidden),
    Lie("a drawer's count is another than is booked", _counted_more),
    Lie("a drawer's takings are another sum", changed("drawer-closed", taken_in_cents=1_100_000)),
    Lie("a drawer is opened with cash in it that is not told of", changed("drawer-opened", carried_cents=1)),
    Lie("a balance is another than the entries make", _balance, anew=False),
    Lie("an account that no entry knows", _account, anew=False),
    Lie("a meter is another than the entries make", _meter, anew=False),
    Lie("meters are left out", _meter_gone, anew=False),
)
