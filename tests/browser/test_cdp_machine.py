"""The browser of a desk, from outside its machine; and what its pages cannot do."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from carrel.browser import connect, dial_tcp, first_page, list_targets
from carrel.computer import Computer
from carrel.errors import ActionFailed, CarrelError, Unavailable
from carrel.frames import Window
from carrel.geometry import Size
from carrel.ids import new_id
from carrel.machines.images.desktop import BROWSER_PORT
from carrel.machines.lifecycle import Machines
from carrel.machines.providers.namespace import NamespaceProvider
from carrel.machines.spec import MachineSpec
from namespaces import require_namespaces

pytestmark = [pytest.mark.anyio, pytest.mark.namespace, pytest.mark.image, pytest.mark.browser]

INTRUDER = Path(__file__).with_name("intruder.html")


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def computer(anyio_backend: str) -> AsyncIterator[Computer]:
    probed = await NamespaceProvider().probe()
    require_namespaces(probed.usable, probed.reason)
    machines = Machines()
    name = f"cdp-{new_id('x')[-8:]}"
    await machines.up(name, MachineSpec(image="desktop", size=Size(1024, 768)))
    try:
        async with machines.computer(name) as computer:
            yield computer
    finally:
        with anyio.CancelScope(shield=True):
            await machines.delete(name)


async def show(computer: Computer, page: bytes, title: str) -> None:
    """Open a page in the desk's browser, and wait until it is there."""
    name = f"{new_id('p')}.html"
    await computer.write_bytes(name, page)
    home = (await computer.run("pwd")).stdout.decode().strip()
    await computer.open(f"file://{home}/{name}")
    with anyio.fail_after(60):
        while title not in await titles(computer):  # noqa: ASYNC110 (no event for us)
            await anyio.sleep(0.05)


async def titles(computer: Computer) -> list[str]:
    try:
        return [target.title for target in await list_targets(computer.dial, BROWSER_PORT)]
    except CarrelError:
        return []


async def test_before_a_browser_is_open_there_is_none_to_talk_to(computer: Computer) -> None:
    with anyio.fail_after(60), pytest.raises(Unavailable, match="no browser answers"):
        await list_targets(computer.dial, BROWSER_PORT)


async def test_the_page_on_the_desk_is_read_through_the_machines_stream(
    computer: Computer,
) -> None:
    with anyio.fail_after(120):
        await show(computer, b"<title>greeting</title><h1>good day</h1>", "greeting")
        async with connect(computer.dial, BROWSER_PORT) as page:
            assert await page.evaluate("document.body.innerText") == "good day"
            assert len(str(await page.evaluate("'x'.repeat(1e7)"))) == 10_000_000
            # A site is not told that it is being automated.
            assert await page.evaluate("navigator.webdriver") is False


async def test_the_port_is_the_machines_own(computer: Computer) -> None:
    with anyio.fail_after(30):
        await show(computer, b"<title>mine</title>", "mine")
        with pytest.raises(Unavailable):
            await list_targets(dial_tcp, BROWSER_PORT)
        heard = (await computer.run("cat", "/proc/net/tcp", "/proc/net/tcp6")).stdout.decode()
    ends = [line.split()[1] for line in heard.splitlines() if " 0A " in line]
    port = f"{BROWSER_PORT:04X}"
    assert [end for end in ends if end.endswith(f":{port}")] == [f"0100007F:{port}"]


async def test_no_page_reaches_the_port_even_when_it_knows_its_own_id(computer: Computer) -> None:
    with anyio.fail_after(120):
        await show(computer, INTRUDER.read_bytes(), "intruder")
        own = first_page(await list_targets(computer.dial, BROWSER_PORT))
        assert own.title == "intruder"
        before = len(await titles(computer))
        async with connect(computer.dial, BROWSER_PORT, own) as page:
            script = f"attempt({BROWSER_PORT}, {json.dumps(own.id)})"
            outcome = await page.evaluate(script, timeout=60)
        assert isinstance(outcome, dict)
        assert len(outcome) == 9
        # An answer may be let through, but not what it says; a list run as a script says nothing.
        mute = ("read: opaque ", "unreadable", "silence", "loaded")
        told = {way: str(result) for way, result in outcome.items() if result not in mute}
        assert all(result.startswith("refused") for result in told.values()), told
        assert {"socket", "socket by name", "browser socket", "list", "new page"} <= set(told)
        # Frames are targets too; no page was made.
        assert len(await titles(computer)) <= before + 1


async def test_a_port_where_nothing_listens_is_said_so(computer: Computer) -> None:
    with anyio.fail_after(30), pytest.raises(ActionFailed, match="nothing listens"):
        await computer.dial(9)


async def test_a_second_browser_with_the_same_flags_still_opens(computer: Computer) -> None:
    with anyio.fail_after(60):
        title = "two browsers"
        page = f"data:text/html,<title>{title}</title>"
        await computer.open("chromium", "--user-data-dir=second", page)
        found: tuple[Window, ...] = ()
        while not any(title in window.title for window in found):
            await anyio.sleep(0.1)
            found = await computer.windows()


async def test_a_port_of_the_browsers_own_choice_would_tell_sites_of_automation(
    computer: Computer,
) -> None:
    """Why the image's browser has a port of ours."""
    with anyio.fail_after(60):
        await computer.open(
            "chromium", "--remote-debugging-port=0", "--user-data-dir=chosen", "about:blank"
        )
        told = ""
        while "\n" not in told:
            await anyio.sleep(0.1)
            done = await computer.run("cat", "chosen/DevToolsActivePort")
            told = done.stdout.decode()
        async with connect(computer.dial, int(told.split()[0])) as page:
            assert await page.evaluate("navigator.webdriver") is True
