"""Frames of a player's terminal in a real Chromium: a tap is seen within one frame; dealing and squeezing run at 60 a
second.

Tap: from the time that the browser gives the click to the frame that paints the hollow chip, which is the next one if
the chip is in the page when that frame begins. Answers are held back for a moment, or the chip would be solid before
anybody could see it hollow. Dealing: the time between frames while a card slides or turns, squeezing: while a finger
bends one open and back, against the same page at rest in the same run. A frame at 60 a second takes 16.7 ms.
"""

import os
import statistics
from random import Random
from typing import Any

from playwright.sync_api import Page

from bench.browser import MAY_BET, chromium, demo, enter, open_page, wait_for_betting

TAPS = 50
ROUNDS = 4
FRAME_MS = 1000 / 60
HELD_BACK_MS = 120

SLOW_LINE = f"""
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (message) {{ setTimeout(() => send.call(this, message), {HELD_BACK_MS}); }};
"""
WATCH_TAPS = """
  window.taps = [];
  addEventListener('click', (event) => {
    if (!event.target.closest('.spot')) return;
    const tap = { frames: 0 };
    const frame = (began) => {
      tap.frames += 1;
      if (document.querySelector('.hollow')) {
        tap.ms = began - event.timeStamp;
        // The message comes once this frame is on its way to the screen.
        const painted = new MessageChannel();
        painted.port1.onmessage = () => { tap.paintedMs = performance.now() - event.timeStamp; window.taps.push(tap); };
        painted.port2.postMessage(0);
      } else if (tap.frames < 60) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }, true);
"""
WATCH_FRAMES = """
  window.frames_ = { dealing: [], squeezing: [], rest: [] };
  let last = 0;
  let moved = false;
  let bent = false;
  const frame = (began) => {
    const moves = document.getAnimations().some(
      (one) => one.playState === 'running' && one.effect?.target?.closest?.('.dealt'));
    const bends = document.querySelector('.squeezed.held') !== null;
    if (bends && bent) window.frames_.squeezing.push(began - last);
    else if (moves && moved) window.frames_.dealing.push(began - last);
    if (!moves && !moved && !bends && !bent) window.frames_.rest.push(began - last);
    [last, moved, bent] = [began, moves, bends];
    requestAnimationFrame(frame);
  };
  requestAnimationFrame((began) => { last = began; requestAnimationFrame(frame); });
"""


def tap_often(page: Page) -> list[dict[str, float]]:
    """At moments of their own choosing, not at the beginning of a frame."""
    page.evaluate(WATCH_TAPS)
    chance = Random(9)
    spot = page.locator(".spot.side-player.main")
    for _ in range(TAPS):
        page.wait_for_selector(MAY_BET, timeout=60_000)
        spot.click()
        page.wait_for_timeout(HELD_BACK_MS + 60 + chance.uniform(0, 40))
    taps: list[dict[str, float]] = page.evaluate("window.taps")
    return taps


def watch_dealing(page: Page) -> dict[str, list[float]]:
    page.evaluate(WATCH_FRAMES)
    for _ in range(ROUNDS):
        page.wait_for_selector(MAY_BET, timeout=60_000)
        page.locator(".spot.side-player.main").click()
        page.locator(".squeezed").nth(3).wait_for(timeout=60_000)
        squeeze(page)
        page.get_by_role("button", name="TURN", exact=True).click()
        wait_for_betting(page)
    frames: dict[str, list[float]] = page.evaluate("window.frames_")
    return frames


def squeeze(page: Page) -> None:
    """Bend the first card open and back, three times, as fast as a hand that wants to know."""
    box = page.locator(".squeezed").first.bounding_box()
    assert box
    page.mouse.move(box["x"] + 3, box["y"] + box["height"] / 2)
    page.mouse.down()
    for step in range(180):
        part = abs((step % 60) / 30 - 1)
        page.mouse.move(box["x"] + 3 + 0.8 * (1 - part) * box["width"], box["y"] + box["height"] / 2)
        page.wait_for_timeout(8)
    page.mouse.up()


def say(title: str, times_ms: list[float]) -> None:
    late = sum(time_ms > 1.5 * FRAME_MS for time_ms in times_ms) / len(times_ms)
    median, most = statistics.median(times_ms), statistics.quantiles(times_ms, n=20)[-1]
    print(
        f"{title:8} {len(times_ms):5} frames: median {median:4.1f} ms ({1000 / median:4.1f} frames/s),"
        f" 95 % within {most:4.1f} ms, {late:.1%} late, worst {max(times_ms):.0f} ms"
    )


def load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def main() -> None:
    with demo() as address, chromium() as browser:
        context = enter(browser, address, "terminal", table="nc-1", size=(1920, 1080))
        context.add_init_script(SLOW_LINE)
        page = open_page(context, "/terminal")
        page.wait_for_selector(MAY_BET, timeout=60_000)
        page.keyboard.press("2")
        print(f"Chromium {browser.version}, {load()}; a frame is {FRAME_MS:.1f} ms")
        taps = tap_often(page)
        frames: dict[str, Any] = watch_dealing(page)
        print(f"afterwards {load()}")
    first, most = sum(tap["frames"] == 1 for tap in taps), max(tap["frames"] for tap in taps)
    print(f"tap      drawn as pending in the next frame: {first} of {len(taps)}; most frames {most:.0f}")
    for what, column in (("begins", "ms"), ("is painted", "paintedMs")):
        times_ms = [tap[column] for tap in taps]
        print(
            f"         it {what:10} {statistics.median(times_ms):5.1f} ms after the tap, worst {max(times_ms):.1f} ms"
        )
    say("dealing", frames["dealing"])
    say("squeeze", frames["squeezing"])
    say("at rest", frames["rest"])


if __name__ == "__main__":
    main()
