"""Plain-language steps on a real desk: the pages themselves report what was done to them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import anyio
import pytest

from carrel.agent.agent import Agent
from carrel.codec import Json
from carrel.computer import Computer
from carrel.geometry import Size
from carrel.ids import new_id
from carrel.journal import read_events
from carrel.journal.run import Run
from carrel.machines.lifecycle import Machines
from carrel.machines.spec import MachineSpec
from carrel.models.steps.state import read_records

HERE = Path(__file__).parent
SIZE = Size(1024, 768)

pytestmark = pytest.mark.anyio


class Pages:
    """A desk whose browser shows one page after the other."""

    def __init__(self, computer: Computer, home: Path) -> None:
        self.computer = computer
        self.home = home

    async def show(self, name: str) -> None:
        """Load a page anew."""
        before = (await self.state()).get("born")
        await self.computer.write_bytes("page.html", (HERE / name).read_bytes())
        await self.computer.key("f5")
        with anyio.fail_after(20):
            while (await self.state()).get("born", before) == before:  # noqa: ASYNC110
                await anyio.sleep(0.05)
        await self.computer.wait_stable(0.3)

    async def state(self) -> dict[str, Any]:
        """What the page says was done to it."""
        for window in await self.computer.windows():
            if window.title.startswith("{"):
                return dict(json.loads(window.title.rpartition("}")[0] + "}"))
        return {}

    async def run(self, task: str) -> Run:
        """Carry a sentence out, to its end."""
        with anyio.fail_after(90):
            agent = Agent(model="steps", home=self.home)
            return await agent.run(task, self.computer).result()

    async def done(self, task: str, **expected: object) -> None:
        """A sentence that succeeds, and what the page says soon after."""
        run = await self.run(task)
        assert run.status == "succeeded", run.text or run.message
        state = await self.state()
        with anyio.move_on_after(5):
            # A window's title comes a moment later than what it tells of.
            while any(state.get(key) != value for key, value in expected.items()):
                await anyio.sleep(0.05)
                state = await self.state()
        assert {key: state.get(key) for key in expected} == expected


@pytest.fixture(scope="module")
async def pages(
    anyio_backend: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Pages]:
    machines = Machines()
    name = f"steps-{new_id('x')[-8:]}"
    await machines.up(name, MachineSpec(provider="namespace", image="desktop", size=SIZE))
    try:
        async with machines.computer(name) as computer:
            await computer.write_bytes("page.html", (HERE / "steps_form.html").read_bytes())
            home = (await computer.run("sh", "-c", "pwd")).stdout.decode().strip()
            flags = ("--force-renderer-accessibility", f"--app=file://{home}/page.html")
            await computer.open("chromium", *flags, "--start-maximized")
            pages = Pages(computer, tmp_path_factory.mktemp("runs"))
            with anyio.fail_after(60):
                while not await pages.state():  # noqa: ASYNC110 (pages have no event for us)
                    await anyio.sleep(0.1)
            await computer.wait_stable(0.5)
            yield pages
    finally:
        with anyio.CancelScope(shield=True):
            await machines.delete(name)


@pytest.fixture
async def form(pages: Pages) -> Pages:
    await pages.show("steps_form.html")
    return pages


@pytest.fixture
async def custom(pages: Pages) -> Pages:
    await pages.show("steps_custom.html")
    return pages


async def test_a_button_is_clicked_and_the_run_says_so(form: Pages) -> None:
    await form.done("Click the Save button", clicks=["Save"])


async def test_a_form_is_filled_in_a_sentence(form: Pages) -> None:
    task = (
        'Enter "Ada Lovelace" into the Name field, type ada@x.org into Email, '
        'enter "s3cret" in the password field, check I agree, uncheck Newsletter, '
        "choose Large and turn on Dark mode"
    )
    typed = {"nm": "Ada Lovelace", "em": "ada@x.org", "pw": "s3cret"}
    await form.done(task, **typed, c1=True, c2=False, r="large", sw="true")


async def test_drop_downs_and_lists_are_chosen_from(form: Pages) -> None:
    task = "Select Denmark from Country, then select Apple and Cherry from Fruits"
    await form.done(task, co="Denmark", fr=["Apple", "Cherry"])
    await form.done("Choose Blue from Colour", cb="Blue")
    await form.done("Select Belgium", co="Belgium")


async def test_dates_sliders_and_spinners_are_set(form: Pages) -> None:
    await form.done("Set the birthday to 03/14/1995", da="1995-03-14")
    await form.done("Set the volume slider to 37", sl="37")
    await form.done("Set Quantity to 12", sp="12")


async def test_texts_are_replaced_cleared_and_copied(form: Pages) -> None:
    await form.done('Clear the comment field and type "one" into it', ta="one")
    await form.done('Type "hello" into the Editor', ce="hello")
    await form.done("Copy the Comment field and paste it into the Name field", nm="one")


async def test_what_is_read_can_be_used_and_checked(form: Pages) -> None:
    await form.done("Type ada@x.org into Email", em="ada@x.org")
    task = "Read the Email field and remember it as MAIL, then enter {MAIL} into Name"
    await form.done(task, nm="ada@x.org")
    run = await form.run("Verify that the Name field contains Bob")
    assert run.status == "failed"
    assert "ada@x.org" in run.text


async def test_what_is_not_there_is_told_and_nothing_else_is_clicked(form: Pages) -> None:
    run = await form.run("Click the Save button and click the Frobnicate button")
    assert run.status == "failed"
    assert "Frobnicate" in run.text
    assert (await form.state())["clicks"] == ["Save"]


async def test_a_popup_calendar_is_walked_to_another_year(custom: Pages) -> None:
    await custom.done("Choose 12/25/2023 as the date", due="2023-12-25")


async def test_a_suggestion_is_taken_and_a_hover_menu_followed(custom: Pages) -> None:
    await custom.done('Select "Lisbon" from City', city="Lisbon", picked="Lisbon")
    await custom.done("Choose File > Recent > Beta", clicks=["menu Beta"])


async def test_hidden_things_are_found_behind_tabs_sections_and_panes(custom: Pages) -> None:
    await custom.done("Click Factory reset", clicks=["Factory reset"])
    await custom.done('Type "5 Main St" into Street', street="5 Main St")
    await custom.done("Click Chapter 25", clicks=["Factory reset", "chapter 25"])
    await custom.done("Click Imprint", clicks=["Factory reset", "chapter 25", "Imprint"])


async def test_what_appears_late_and_moves_is_waited_for(custom: Pages) -> None:
    task = "Click Start, then click Appeared and click Continue"
    await custom.done(task, clicks=["Start", "Appeared", "Continue"])


async def test_things_are_sorted_dragged_and_highlighted(custom: Pages) -> None:
    order = ["Apple", "Mango", "Pear"]
    await custom.done("Sort the list items in ascending order", order=order)
    await custom.done("Drag the Piece onto the Basket", dropped=True)
    words = "Some words to be selected by the pointer."
    await custom.done(f'Highlight the text "{words}"', sel=words)


async def test_every_step_is_recorded_in_the_journal(form: Pages) -> None:
    run = await form.run("Click Save, then click Frobnicate, then click Cancel")
    events = list(read_events(run.id, form.home))
    decisions = [event.data["decision"] for event in events if event.kind == "decision"]
    records = read_records(cast("list[dict[str, Json]]", decisions))
    assert [record.how for record in records] == ["passed", "failed", "skipped"]
    assert "Frobnicate" in records[1].account


async def test_an_editor_and_a_terminal_are_used(form: Pages) -> None:
    await form.done('Open mousepad, then type "Dear all" into the text area')
    texts = [e.value for e in (await form.computer.elements()).elements if e.role == "text"]
    assert "Dear all" in texts
    await form.done('Open xterm, type "echo 42 > answer.txt", press Enter')
    await form.done("Wait until the file answer.txt exists")
    assert (await form.computer.run("cat", "answer.txt")).stdout == b"42\n"
    await form.done("Close the xterm window")
    assert not [w for w in await form.computer.windows() if w.app.lower() == "xterm"]
