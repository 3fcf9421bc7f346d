"""An hour of rounds before one open terminal: the page's memory must stay flat.

Rounds are played at the fast pace, as many as an hour at the demo's own pace has, with a bet in each. Every few rounds
the garbage is collected and the page is weighed. The roads grow with the shoe and are cleared with it; so the line that
is fitted knows two causes: the rounds so far (what leaks) and the results on the roads (what may be there).
"""

import argparse
import time
from typing import NamedTuple

import numpy as np
from playwright.sync_api import CDPSession, Page

from bench.browser import MAY_BET, chromium, demo, enter, open_page

ROUND_S = 26  # at the demo's own pace: 15 to bet, a second a card, five for the result
WARM_UP_ROUNDS = 20
NO_COMPILER = "--js-flags=--jitless"  # its machine code grows for as long as it finds something to make faster
EVERY_ROUNDS = 5
ROUND = r"Number(document.querySelector('header dl').innerText.match(/#(\d+)/)[1])"


class Weight(NamedTuple):
    round: int
    results: int
    heap_bytes: int
    nodes: int
    listeners: int


def weigh(page: Page, browser: CDPSession) -> Weight:
    for _ in range(2):  # what the first collection lets go of, the second one takes
        browser.send("HeapProfiler.collectGarbage")
    metrics = {one["name"]: int(one["value"]) for one in browser.send("Performance.getMetrics")["metrics"]}
    tallies = page.locator(".tallies .main dd").all_inner_texts()[:3]
    return Weight(
        round=round_number(page),
        results=sum(map(int, tallies)),
        heap_bytes=metrics["JSHeapUsedSize"],
        nodes=metrics["Nodes"],
        listeners=metrics["JSEventListeners"],
    )


def round_number(page: Page) -> int:
    return int(page.evaluate(ROUND))


def play(page: Page, rounds: int) -> list[Weight]:
    browser = page.context.new_cdp_session(page)
    browser.send("Performance.enable")
    weights: list[Weight] = []
    first = done = round_number(page)
    while done - first < rounds:
        page.wait_for_selector(MAY_BET, timeout=60_000)
        page.keyboard.press("p")
        before = done
        while done == before:
            page.wait_for_timeout(100)
            done = round_number(page)
        if done - first >= WARM_UP_ROUNDS and (done - first) % EVERY_ROUNDS == 0:
            weights.append(weigh(page, browser))
    return weights


def slope(weights: list[Weight], column: str) -> tuple[float, float]:
    """Per round, and per result on the roads."""
    causes = np.array([(1, weight.round, weight.results) for weight in weights], float)
    found, *_ = np.linalg.lstsq(causes, np.array([getattr(weight, column) for weight in weights], float), rcond=None)
    return float(found[1]), float(found[2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="of play at the demo's own pace")
    rounds = round(parser.parse_args().minutes * 60 / ROUND_S)
    with demo("--fast") as address, chromium(NO_COMPILER) as browser:
        page = open_page(enter(browser, address, "terminal", table="nc-1"), "/terminal")
        page.wait_for_selector(MAY_BET, timeout=60_000)
        start = time.perf_counter()
        weights = play(page, rounds)
    took_s = time.perf_counter() - start
    print(f"{rounds} rounds, {rounds * ROUND_S / 60:.0f} minutes at the demo's own pace, in {took_s / 60:.1f} minutes")
    for title, column, unit in (("heap", "heap_bytes", 1e3), ("DOM nodes", "nodes", 1), ("listeners", "listeners", 1)):
        values = [getattr(weight, column) / unit for weight in weights]
        each_round, each_result = slope(weights, column)
        word = " kB" if unit > 1 else ""
        print(
            f"{title:10} after {WARM_UP_ROUNDS} rounds {values[0]:8.1f}{word}, at the end {values[-1]:8.1f}{word};"
            f" {each_round / unit:+.3f}{word} a round, {each_result / unit:+.2f}{word} a result on the roads"
        )


if __name__ == "__main__":
    main()
