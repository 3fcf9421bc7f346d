"""A password of one's own, changed by whoever knows the present one: no administrator, and no other session left."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import msgspec
import pytest

from natural9.core.errors import BadInput
from natural9.journal import people_events as events
from natural9.journal.sentence import Sentence
from natural9.server import protocol
from natural9.server.client import ServerSaidNo
from natural9.server.people.accounts import SignedIn
from natural9.server.people.limits import AttemptLimiter
from natural9.server.people.permissions import Denied, Role
from natural9.store.contract import Access
from natural9.store.opening import open_store
from tests.sentences import sentences, tell
from tests.server.live_server import PEOPLE, Visit, new_venue, password, running, table
from tests.server.people.browser import Browser, browser
from tests.server.people.house import MINUTE_MS, PASSWORD, PEER, House, house

NEW = "nine brass buttons"
WRONG = "not the password"
PATH = "/api/change-password"


async def again(venue: House, id: str, password: str = PASSWORD) -> SignedIn:
    answer = await venue.accounts.sign_in(id, password, peer=PEER)
    assert isinstance(answer, SignedIn)
    return answer


async def refused(venue: House, mei: SignedIn, present: str = PASSWORD, new: str = NEW) -> BadInput:
    with pytest.raises(BadInput) as caught:
        await venue.accounts.change_password(mei.session, present, new, peer=PEER)
    return caught.value


# The accounts


@pytest.mark.parametrize("role", Role)
async def test_everybody_may_change_their_own(role: Role) -> None:
    venue = await house()
    mei = await venue.person("mei", role)
    assert await venue.accounts.change_password(mei.session, PASSWORD, NEW, peer=PEER) == mei.person
    assert isinstance(await venue.accounts.sign_in("mei", PASSWORD, peer=PEER), Denied)
    await again(venue, "mei", NEW)


async def test_all_other_sessions_end_and_this_one_goes_on(tmp_path: Path) -> None:
    async def still_there(venue: House, sessions: list[SignedIn]) -> None:
        here, elsewhere, another = (venue.accounts.person_of(one.session) for one in sessions)
        assert (here, elsewhere, another) == (sessions[0].person, None, sessions[2].person)

    venue = await house(open_store(tmp_path, Access.WRITE))
    sessions = [await venue.person("mei", "dealer"), await again(venue, "mei"), await venue.person("lim", "dealer")]
    seen: list[tuple[str, str]] = []
    venue.accounts.register.watch(lambda kind, id: seen.append((kind, id)))
    await venue.accounts.change_password(sessions[0].session, PASSWORD, NEW, peer=PEER)
    assert seen == [("staff", "mei")], "open connections are looked at again"
    await still_there(venue, sessions)
    await venue.store.close()

    venue = await house(open_store(tmp_path, Access.WRITE))
    await still_there(venue, sessions)
    later = await again(venue, "mei", NEW)
    await venue.accounts.change_password(later.session, NEW, PASSWORD, peer=PEER)
    assert venue.accounts.person_of(sessions[0].session) is None, "spared once, not for ever"
    assert venue.accounts.person_of(later.session)
    await venue.store.close()


async def test_the_session_that_went_on_ends_as_any_other() -> None:
    venue = await house()
    await venue.administrator()
    accounts = venue.accounts

    async def spared(id: str) -> SignedIn:
        one = await venue.person(id, "dealer")
        await accounts.change_password(one.session, PASSWORD, NEW, peer=PEER)
        return one

    out, gone, coded = await spared("out"), await spared("gone"), await spared("coded")
    await accounts.sign_out(out.session)
    await accounts.disable("gone", by="ada")
    await accounts.enable("gone", by="ada")
    await accounts.set_password((await accounts.new_code("coded", by="ada")).code, PASSWORD, peer=PEER)
    assert [accounts.person_of(one.session) for one in (out, gone, coded)] == [None, None, None]


async def test_three_wrong_ones_lock_the_account_as_at_the_limiter() -> None:
    venue = await house()
    mei = await venue.person("mei", "dealer")
    await venue.fail("mei")
    assert (await refused(venue, mei, WRONG)).code == "wrong-password"
    last = await refused(venue, mei, WRONG)
    assert (last.code, last.paragraph) == ("locked-out", "requirement 46")
    assert "for 15 minutes; an administrator" in last.message
    assert (await venue.tags())[-2:] == ["sign-in-failed", "locked-out"]
    assert (await refused(venue, mei)).code == "locked-out", "the right one, too"
    assert isinstance(await venue.accounts.sign_in("mei", PASSWORD, peer=PEER), Denied)
    assert venue.accounts.person_of(mei.session), "who is at work stays at work"
    venue.clock.pass_ms(15 * MINUTE_MS)
    await venue.accounts.change_password(mei.session, PASSWORD, NEW, peer=PEER)
    failed = [one for one in await venue.history() if isinstance(one, events.SignInFailed)]
    assert [(one.purpose, one.why, one.failures) for one in failed[:4]] == [
        ("session", "password", 1),
        ("change-password", "password", 2),
        ("change-password", "password", 3),
        ("change-password", "locked", 3),
    ]


@pytest.mark.parametrize(
    ("present", "new", "code", "says"),
    [
        (PASSWORD, "short", "bad-password", "at least 10 characters"),
        (PASSWORD, "x" * 201, "bad-password", "at most 200 characters"),
        (PASSWORD, "Mei Tan Mei Tan", "bad-password", "own id or name"),
        (PASSWORD, "abababababab", "bad-password", "repeats a few characters"),
        (PASSWORD, PASSWORD, "same-password", "choose another"),
        ("\N{FULLWIDTH LATIN SMALL LETTER S}even green lamps", PASSWORD, "same-password", "choose another"),
        (WRONG, NEW, "wrong-password", "not the present password"),
    ],
)
async def test_what_is_refused_changes_nothing(present: str, new: str, code: str, says: str) -> None:
    venue = await house()
    await venue.administrator()
    issued = await venue.accounts.add("mei", name="Mei Tan Mei Tan", role="dealer", by="ada")
    await venue.accounts.set_password(issued.code, PASSWORD, peer=PEER)
    mei, elsewhere = await again(venue, "mei"), await again(venue, "mei")
    problem = await refused(venue, mei, present, new)
    assert problem.code == code
    assert says in problem.message
    assert venue.accounts.person_of(elsewhere.session)
    await again(venue, "mei")


async def test_an_account_without_a_password_is_told_the_way_out() -> None:
    venue = await house()
    await venue.accounts.add("mei", name="Mei", role="dealer", by="ada")
    session = venue.accounts.sessions.begin("staff", "mei", 1)  # as the demo lets people in
    with pytest.raises(BadInput, match="ask an administrator") as caught:
        await venue.accounts.change_password(session, "", NEW, peer=PEER)
    assert caught.value.code == "no-password"
    assert await venue.tags() == ["staff-added"], "no failure is counted"


@pytest.mark.parametrize("ending", ["disable", "sign-out"])
async def test_a_session_that_ends_meanwhile_is_not_brought_back(ending: str) -> None:
    venue = await house()
    await venue.administrator()
    mei = await venue.person("mei", "dealer")
    changing = asyncio.create_task(refused(venue, mei))
    await asyncio.sleep(0)
    if ending == "disable":
        await venue.accounts.disable("mei", by="ada")
        await venue.accounts.enable("mei", by="ada")
    else:
        await venue.accounts.sign_out(mei.session)
    assert (await changing).code == "sign-in-first"
    assert venue.accounts.person_of(mei.session) is None
    await again(venue, "mei")


async def test_of_two_changes_at_once_one_is_done() -> None:
    venue = await house()
    mei = await venue.person("mei", "dealer")
    words = [f"password number {number}" for number in range(2)]
    changes = [venue.accounts.change_password(mei.session, PASSWORD, word, peer=PEER) for word in words]
    answers = await asyncio.gather(*changes, return_exceptions=True)
    [winner] = [word for word, one in zip(words, answers, strict=True) if not isinstance(one, BaseException)]
    await again(venue, "mei", winner)
    assert venue.accounts.person_of(mei.session)


async def test_a_code_that_is_still_out_is_worth_nothing_afterwards() -> None:
    venue = await house()
    mei = await venue.person("mei", "dealer")
    issued = await venue.accounts.new_code("mei", by="ada")
    await venue.accounts.change_password(mei.session, PASSWORD, NEW, peer=PEER)
    with pytest.raises(BadInput, match="wrong, used or expired"):
        await venue.accounts.set_password(issued.code, PASSWORD, peer=PEER)


async def test_the_journal_says_who_and_no_secret() -> None:
    venue = await house()
    mei = await venue.person("mei", "auditor")
    hashes = [venue.accounts.find("mei").password_hash]
    await refused(venue, mei, WRONG)
    await venue.accounts.change_password(mei.session, PASSWORD, NEW, peer=PEER)
    hashes.append(venue.accounts.find("mei").password_hash)
    entry = (await venue.store.entries(stream="venue"))[-1]
    assert (entry.kind, entry.label) == ("password-changed", "significant")
    assert (await venue.history())[-1] == events.PasswordChanged(id="mei", peer=PEER)
    journal = b"\n".join(one.body for one in await venue.store.entries()).decode()
    for secret in (PASSWORD, NEW, WRONG, *hashes, "argon2"):
        assert secret not in journal


# Over HTTP


@asynccontextmanager
async def two_browsers(
    venue: House, *, id: str = "mei", limiter: AttemptLimiter | None = None
) -> AsyncIterator[tuple[Browser, Browser]]:
    """The same person at two places."""
    await venue.person(id, "dealer")
    async with browser(venue, limiter=limiter) as here, browser(venue, limiter=limiter) as elsewhere:
        for one in (here, elsewhere):
            assert (await one.sign_in(id)).status_code == 200
        yield here, elsewhere


def said(answer: httpx.Response) -> tuple[int, str]:
    assert set(answer.json()) == {"code", "message", "paragraph", "said", "field"}
    return answer.status_code, answer.json()["code"]


async def test_a_change_at_one_browser_ends_the_other() -> None:
    venue = await house()
    async with two_browsers(venue) as (here, elsewhere):
        answer = await here.post(PATH, {"present": PASSWORD, "new": NEW})
        assert (answer.status_code, answer.json()) == (200, {"id": "mei"})
        assert (await here.get("/api/me")).json()["csrf"] == here.csrf, "the page goes on as it was"
        assert said(await elsewhere.get("/api/me")) == (401, "sign-in-first")
        assert said(await elsewhere.sign_in("mei")) == (401, "sign-in-refused")
        assert (await elsewhere.sign_in("mei", NEW)).status_code == 200


async def test_every_refusal_has_its_status_and_its_chinese() -> None:
    venue, chinese = await house(), sentences("zh", "play", "people", "start")
    async with two_browsers(venue, id="mei.tan.at.work") as (here, _):
        for present, new, status, code in (
            (PASSWORD, "short", 400, "bad-password"),
            (PASSWORD, "y" * 201, 400, "bad-password"),
            (PASSWORD, "abababababab", 400, "bad-password"),
            (PASSWORD, "mei.tan.at.work", 400, "bad-password"),
            (PASSWORD, PASSWORD, 400, "same-password"),
            (WRONG, NEW, 403, "wrong-password"),
            (WRONG, NEW, 403, "wrong-password"),
            (WRONG, NEW, 403, "locked-out"),
            (PASSWORD, NEW, 403, "locked-out"),
        ):
            answer = await here.post(PATH, {"present": present, "new": new})
            assert said(answer) == (status, code)
            told = tell(msgspec.convert(answer.json()["said"], Sentence), chinese)
            assert told.english == [], "as the start page shows it"
        assert (await here.get("/api/me")).status_code == 200


async def test_guessing_is_slowed_down() -> None:
    venue = await house()
    limiter = AttemptLimiter(venue.accounts.register, peer_tokens=100, free_attempts=2)
    async with two_browsers(venue, limiter=limiter) as (here, elsewhere):
        for _ in range(2):
            assert said(await here.post(PATH, {"present": WRONG, "new": NEW})) == (403, "wrong-password")
        answer = await here.post(PATH, {"present": WRONG, "new": NEW})
        assert said(answer) == (429, "too-often")
        assert answer.headers["retry-after"] == "1"
        assert said(await elsewhere.sign_in("mei")) == (429, "too-often"), "one limit for both ways"


async def test_nobody_a_device_and_a_strange_page_change_nothing() -> None:
    venue = await house()
    await venue.administrator()
    change = {"present": PASSWORD, "new": NEW}
    async with two_browsers(venue) as (here, _), browser(venue) as display, browser(venue) as ada:
        assert said(await display.post(PATH, change)) == (401, "sign-in-first")
        await ada.sign_in("ada")
        [issued] = (await ada.post("/api/devices", {"kind": "display"})).json()
        await display.post("/api/enrol", {"code": issued["code"]})
        assert said(await display.post(PATH, change)) == (401, "sign-in-first")
        here.csrf = ada.csrf
        assert said(await here.post(PATH, change)) == (403, "csrf")
        answer = await ada.client.post(PATH, content=b"{}", headers={"x-csrf-token": ada.csrf})
        assert said(answer) == (400, "bad-request")
    await again(venue, "mei")
    assert "password-changed" not in (await venue.tags())[-3:]


async def test_open_screens_elsewhere_close_and_those_of_this_session_stay(tmp_path: Path) -> None:
    """A real server: the pit is open in two browsers, and in a second tab of the one where the password is changed."""
    with running(new_venue(tmp_path, table("a", "rws-nc"))) as server:
        async with Visit(server) as visit:
            here, elsewhere = await visit.stranger(), await visit.stranger()
            for one in (here, elsewhere):
                await one.sign_in(PEOPLE["pit-manager"], password("pit-manager"))
            screens = [await one.connect("/ws/floor") for one in (here, elsewhere)]
            for screen in screens:
                await screen.wait_for(protocol.Floor)
            await here.post(PATH, {"present": password("pit-manager"), "new": NEW})
            assert (await screens[1].wait_closed()).code == protocol.SESSION_ENDED
            screens[0].send(protocol.Ping(sent=7.0))
            assert (await screens[0].wait_for(protocol.Pong)).sent == 7.0
            screens[0].close()
            with pytest.raises(ServerSaidNo, match="401"):
                await elsewhere.get("/api/me")
            assert (await here.get("/api/me"))["person"]["id"] == PEOPLE["pit-manager"]
