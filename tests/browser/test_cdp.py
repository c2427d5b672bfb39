"""Commands, values and events against a real Chromium."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest
from local_chromium import local_chromium

from carrel.browser import ScriptError, Session, connect, dial_tcp, first_page, list_targets
from carrel.errors import ActionFailed, Interrupted, NotFound, Refused, TimedOut, Unavailable

pytestmark = [pytest.mark.anyio, pytest.mark.browser]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def port(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[int]:
    folder: Path = tmp_path_factory.mktemp("chromium")
    async with local_chromium(folder, "data:text/html,<title>one</title><p>hello") as port:
        with anyio.fail_after(30):
            # The first page may have been told of before we could listen.
            while first_page(await list_targets(dial_tcp, port)).title != "one":  # noqa: ASYNC110
                await anyio.sleep(0.05)
        yield port


@pytest.fixture
async def page(port: int) -> AsyncIterator[Session]:
    with anyio.fail_after(60):
        async with connect(dial_tcp, port) as page:
            yield page


async def test_pages_are_listed_with_their_titles_and_addresses(port: int) -> None:
    with anyio.fail_after(30):
        found = await list_targets(dial_tcp, port)
    page = first_page(found)
    assert page.url.startswith("data:text/html")
    assert page.path == f"/devtools/page/{page.id}"


async def test_values_of_expressions_arrive_as_json(page: Session) -> None:
    assert await page.evaluate("document.body.innerText") == "hello"
    assert await page.evaluate("({a: [1, 2.5, null, '漢字 😀'], b: true})") == {
        "a": [1, 2.5, None, "漢字 😀"],
        "b": True,
    }
    assert await page.evaluate("undefined") is None


async def test_promises_are_awaited(page: Session) -> None:
    assert await page.evaluate("new Promise(done => setTimeout(() => done(7), 20))") == 7


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("throw new TypeError('no such thing')", "TypeError: no such thing"),
        ("Promise.reject(new Error('later'))", "Error: later"),
        ("throw 'a plain word'", "a plain word"),
        ("throw ''", "Uncaught"),
        ("(", "SyntaxError"),
        ("window", "reference chain"),
        ("0/0", "NaN has no JSON form"),
    ],
)
async def test_what_a_script_throws_is_told(page: Session, expression: str, said: str) -> None:
    with pytest.raises(ScriptError, match=said):
        await page.evaluate(expression)
    assert await page.evaluate("1") == 1


async def test_a_command_the_browser_does_not_know_fails_with_its_code(page: Session) -> None:
    with pytest.raises(ActionFailed, match=r"No\.such") as caught:
        await page.send("No.such")
    assert caught.value.context["code"] == -32601


async def test_a_script_that_takes_too_long_times_out_and_the_page_goes_on(page: Session) -> None:
    with pytest.raises(TimedOut, match=r"Runtime.evaluate.*0.2 s"):
        await page.evaluate("new Promise(() => {})", timeout=0.2)
    assert await page.evaluate("2") == 2


async def test_a_page_that_navigates_away_interrupts_its_script(page: Session) -> None:
    script = "new Promise(() => setTimeout(() => location.href = 'about:blank?away', 10))"
    with pytest.raises(Interrupted, match="went away"):
        await page.evaluate(script)


async def test_twenty_megabytes_of_text_arrive_whole(page: Session) -> None:
    text = await page.evaluate("'aé漢😀'.repeat(2e6)")
    assert text == "aé漢😀" * 2_000_000


async def test_a_long_expression_is_sent_whole(page: Session) -> None:
    text = "x" * 3_000_000
    assert await page.evaluate(f"{text!r}.length") == len(text)


async def test_commands_of_many_tasks_get_their_own_answers(page: Session) -> None:
    found: dict[int, object] = {}

    async def ask(number: int) -> None:
        wait = (50 - number) % 7
        script = f"new Promise(done => setTimeout(() => done({number}), {wait}))"
        found[number] = await page.evaluate(script)

    async with anyio.create_task_group() as tasks:
        for number in range(50):
            tasks.start_soon(ask, number)
    assert found == {number: number for number in range(50)}


async def test_events_are_told_once_their_domain_is_enabled(page: Session) -> None:
    async with page.listen("Page.loadEventFired") as loads, page.listen() as everything:
        await page.send("Page.enable")
        await page.send("Page.navigate", {"url": "data:text/html,<title>two</title>"})
        event = await loads.next()
        assert event.method == "Page.loadEventFired"
        assert isinstance(event.params["timestamp"], float)
        names = {(await everything.next()).method for _ in range(3)}
        assert all(name.startswith("Page.") for name in names)
        with pytest.raises(TimedOut, match=r"no Page.loadEventFired"):
            await loads.next(timeout=0.05)
    assert await page.evaluate("document.title") == "two"


async def test_a_session_within_another_talks_to_its_own_target(port: int) -> None:
    with anyio.fail_after(30):
        async with connect(dial_tcp, port) as page:
            made = await page.send("Target.createTarget", {"url": "data:text/html,<p>other"})
            target = made["targetId"]
            found = await page.send("Target.attachToTarget", {"targetId": target, "flatten": True})
            other = page.within(str(found["sessionId"]))
            await other.send("Runtime.enable")
            # A new target begins empty, and has its page a moment later.
            while await other.evaluate("document.body?.innerText") != "other":  # noqa: ASYNC110
                await anyio.sleep(0.02)
            assert await page.evaluate("document.body.innerText") != "other"
            async with page.listen("Target.detachedFromTarget") as gone:
                await page.send("Target.closeTarget", {"targetId": target})
                event = await gone.next()
                assert event.params["sessionId"] == found["sessionId"]


async def test_a_page_is_chosen_by_the_caller(port: int) -> None:
    with anyio.fail_after(30):
        wanted = first_page(await list_targets(dial_tcp, port))
        async with connect(dial_tcp, port, wanted) as page:
            assert page.target == wanted
        with pytest.raises(NotFound, match="no page open"):
            async with connect(dial_tcp, port, lambda found: first_page(())):
                pass


async def test_a_page_that_is_gone_is_refused(port: int) -> None:
    with anyio.fail_after(30):
        target = first_page(await list_targets(dial_tcp, port))
        gone = type(target)("X", "page", "", "", "/devtools/page/DOESNOTEXIST")
        with pytest.raises((Refused, Interrupted)):
            async with connect(dial_tcp, port, gone) as page:
                await page.evaluate("1")


async def test_a_name_that_leads_to_loopback_is_not_answered(port: int) -> None:
    """What a page could do with a name of its own that it has pointed at 127.0.0.1."""
    with anyio.fail_after(30):
        async with await anyio.connect_tcp("127.0.0.1", port) as stream:
            await stream.send(b"GET /json/list HTTP/1.1\r\nHost: evil.example\r\n\r\n")
            answer = await stream.receive()
    assert b" 500 " in answer.splitlines()[0]
    assert b"webSocketDebuggerUrl" not in answer


async def test_a_world_apart_knows_the_document_but_nothing_of_its_scripts(page: Session) -> None:
    await page.evaluate("window.mine = 1; document.title = 'shared'; Array.prototype.map = null")
    assert await page.evaluate("[typeof mine, document.title]", apart=True) == [
        "undefined",
        "shared",
    ]
    assert await page.evaluate("[1].map((n) => n + 1)", apart=True) == [2]


async def test_no_browser_is_said_so_with_what_to_do() -> None:
    with anyio.fail_after(30), pytest.raises(Unavailable, match="no browser answers") as caught:
        await list_targets(dial_tcp, 1)
    assert caught.value.hint


async def test_a_browser_that_dies_interrupts_what_waits(tmp_path: Path) -> None:
    with anyio.fail_after(60):
        async with local_chromium(tmp_path) as port, connect(dial_tcp, port) as page:
            async with page.listen("Page.loadEventFired") as loads:
                with pytest.raises(Interrupted):
                    await page.send("Browser.crash")
                with pytest.raises(Interrupted):
                    await loads.next()
            with pytest.raises(Interrupted):
                await page.evaluate("1")


async def test_leaving_early_leaves_nothing_behind(port: int) -> None:
    with anyio.fail_after(30):
        for _ in range(20):
            with anyio.move_on_after(0.02):
                async with connect(dial_tcp, port) as page:
                    await page.evaluate("new Promise(() => {})")
        async with connect(dial_tcp, port) as page:
            assert await page.evaluate("3") == 3
