"""What the other tests of this folder rely on would really be noticed."""

from tests.web.eyes import serious_faults, unreachable
from tests.web.windows import NOBODY, Windows


def test_a_request_to_elsewhere_is_noticed(windows: Windows) -> None:
    windows.expect_error(NOBODY)
    page = windows.stranger("/odds", bypass_csp=True)
    page.evaluate("fetch('http://127.0.0.1:9/elsewhere').catch(() => null)")
    assert any("leaves the machine: http://127.0.0.1:9/elsewhere" in wrong for wrong in windows.wrong)
    windows.wrong.clear()


def test_the_content_policy_stops_it_and_that_is_noticed(windows: Windows) -> None:
    windows.expect_error(NOBODY)
    page = windows.stranger("/odds")
    with page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        page.evaluate("fetch('http://127.0.0.1:9/elsewhere').catch(() => null)")
    assert any("Content Security Policy" in wrong for wrong in windows.wrong)
    windows.wrong.clear()


def test_what_cannot_be_reached_or_read_is_noticed(windows: Windows) -> None:
    windows.expect_error(NOBODY)
    page = windows.stranger("/odds", bypass_csp=True)
    page.wait_for_selector("h1")
    page.evaluate("""() => {
        const covered = document.createElement('button'), cover = document.createElement('div');
        const wide = document.createElement('div'), picture = document.createElement('img');
        covered.textContent = 'covered';
        cover.style.cssText = 'position: fixed; inset: 0; z-index: 999';
        wide.style.width = '5000px';
        wide.textContent = 'wide';
        document.body.append(covered, cover, wide, picture);
    }""")
    faults = list(unreachable(page))
    assert any("too wide" in fault for fault in faults)
    assert any("not reached: BUTTON covered" in fault for fault in faults)
    assert any("image-alt" in fault for fault in serious_faults(page))
