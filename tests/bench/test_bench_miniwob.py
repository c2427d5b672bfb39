"""The web suite on a real desk with a real browser; the judge's traps are sprung."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
from copying import TestModel, click_names

from carrel.agent.agent import Agent
from carrel.bench.desk import Desks, StagedDesk
from carrel.bench.plan import Plan, Trial
from carrel.bench.play import DeskFault, play
from carrel.bench.report import write_report
from carrel.bench.runner import Bench
from carrel.bench.suites.miniwob import MiniWob, WebEpisode, WebStage
from carrel.computer import Computer
from carrel.errors import CarrelError, MachineLost
from carrel.frames import Element

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.namespace,
    pytest.mark.image,
    pytest.mark.browser,
]


@dataclass(frozen=True)
class Web:
    computer: Computer
    stage: WebStage
    desk: StagedDesk

    async def find(self, fits: Callable[[Element], bool]) -> Element:
        """An element below the task's words, by what the browser tells of it."""
        with anyio.fail_after(10):
            while True:
                for element in (await self.computer.elements()).elements:
                    if element.box.y >= 50 and fits(element):
                        return element
                await anyio.sleep(0.05)

    async def click(self, name: str) -> None:
        middle = (await self.find(lambda element: element.name == name)).box.center
        await self.computer.click(middle.x, middle.y)


@pytest.fixture(scope="module")
async def web(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Web]:
    place = tmp_path_factory.mktemp("web")
    async with Desks(MiniWob(), place).open() as desk:
        assert isinstance(desk.stage, WebStage)
        yield Web(desk.computer, desk.stage, desk)


async def over(episode: WebEpisode) -> None:
    with anyio.fail_after(10):
        await episode.over()


async def test_the_same_seed_makes_the_same_episode(web: Web) -> None:
    async def words(seed: int) -> tuple[str, list[tuple[str, object]]]:
        episode = await web.stage.begin("click-link", seed)
        elements = (await web.computer.elements()).elements
        return episode.text, [(each.name, each.box) for each in elements]

    first = await words(3)
    assert first[0].startswith("Click on the link")
    other = await words(4)
    assert other != first
    assert await words(3) == first


async def test_the_agent_is_told_the_words_and_not_what_they_mean(web: Web) -> None:
    for task in ("email-inbox-nl-turk", "email-inbox-forward-nl", "click-test"):
        text = (await web.stage.begin(task, 0)).text
        assert text.isprintable()
        assert not set(text) & set("{}")
        assert "fields" not in text


async def test_nothing_of_the_judge_is_on_the_screen_when_an_episode_begins(web: Web) -> None:
    for seed in range(4):
        await web.stage.begin("click-test-2", seed)
        names = {element.name for element in (await web.computer.elements()).elements}
        assert {"ONE", "TWO"} <= names
        assert not names & {"START", "Last reward:", "Time left:"}


async def test_the_right_click_is_a_success_and_the_wrong_one_is_not(web: Web) -> None:
    for name, success in (("ONE", True), ("TWO", False)):
        episode = await web.stage.begin("click-test-2", 1)
        assert not (await episode.judge()).done
        await web.click(name)
        await over(episode)
        verdict = await episode.judge()
        assert (verdict.done, verdict.success, verdict.reward > 0) == (True, success, success)


async def test_a_click_after_the_end_opens_another_episode_and_does_not_change_the_verdict(
    web: Web,
) -> None:
    episode = await web.stage.begin("click-test-2", 1)
    await web.click("TWO")
    await over(episode)
    # The cover is back: whoever goes on clicking begins anew, and now does it right.
    await web.click("START")
    await web.click("ONE")
    await web.find(lambda element: element.name == "START")
    assert not (await episode.judge()).success
    # Nor does somebody who looks at the page only then see another result.
    fresh = WebEpisode(web.stage._page, episode.text, 10.0)
    assert not (await fresh.judge()).success


TOOLS = (("f12",), ("ctrl", "shift", "i"), ("ctrl", "shift", "j"), ("ctrl", "shift", "c"))


async def targets(web: Web) -> set[str]:
    """Everything the browser could show, its own tools included."""
    listed = (await web.stage._page.send("Target.getTargets"))["targetInfos"]
    assert isinstance(listed, list)
    return {str(each["url"]) for each in listed if isinstance(each, dict)}


async def is_refused(web: Web) -> bool:
    elements = (await web.computer.elements()).elements
    return any(e.role == "alert" and "DevTools not allowed" in e.name for e in elements)


@pytest.mark.parametrize("window", ["the page's own", "a new one"])
async def test_no_key_opens_the_tools_for_developers(web: Web, window: str) -> None:
    await web.stage.begin("click-test-2", 1, time_limit=60)
    if window == "a new one":
        before = {each.id for each in await web.computer.windows()}
        await web.computer.key(("ctrl", "n"))
        with anyio.fail_after(10):
            while not any(  # noqa: ASYNC110 (no event here)
                each.focused and each.id not in before for each in await web.computer.windows()
            ):
                await anyio.sleep(0.05)
    else:
        await web.computer.click(600, 600)
    known = await targets(web)
    for keys in TOOLS:
        await web.computer.key(keys)
        # The browser says that they are not allowed, and opens nothing.
        with anyio.fail_after(60):
            while not await is_refused(web):
                await anyio.sleep(0.5)
                # A window that has only come up may not have been listening.
                await web.computer.key(keys)
        assert await targets(web) <= known
        await web.computer.key(("escape",))
    # What it said is not in the way of the next episode.
    await web.computer.key(TOOLS[0])
    episode = await web.stage.begin("click-test-2", 1)
    await web.click("ONE")
    await over(episode)
    assert (await episode.judge()).success


async def test_a_script_typed_into_the_browser_does_not_win(web: Web) -> None:
    episode = await web.stage.begin("click-test-2", 1, time_limit=60)
    for keys in (("ctrl", "l"), ("f6",)):
        await web.computer.key(keys)
        await web.computer.type("javascript:core.endEpisode(1)")
        await web.computer.key(("enter",))
    assert not (await episode.judge()).success
    await web.click("TWO")
    await over(episode)
    assert not (await episode.judge()).success


async def test_a_reward_in_part_is_no_success_on_a_real_page(web: Web) -> None:
    episode = await web.stage.begin("click-checkboxes-large", 0)
    wanted = episode.text.removeprefix("Select ").partition(" and ")[0].split(", ")
    for name in wanted[:-1]:
        await web.click(name)
    await web.click("Submit")
    await over(episode)
    verdict = await episode.judge()
    assert 0 < verdict.reward < 1
    assert not verdict.success


async def test_the_time_of_the_page_is_the_time_of_the_episode(web: Web) -> None:
    assert (await web.stage.begin("click-test", 0)).time_limit == 10.0
    assert (await web.stage.begin("email-inbox", 0)).time_limit == 30.0
    episode = await web.stage.begin("click-test", 0, time_limit=0.4)
    assert episode.time_limit == 0.4
    await over(episode)
    verdict = await episode.judge()
    assert (verdict.success, verdict.reward, verdict.reason) == (False, -1.0, "timed out")


async def test_leaving_the_page_is_a_failure_of_the_agent(web: Web) -> None:
    episode = await web.stage.begin("click-test", 0)
    await web.computer.key("f5")
    await over(episode)
    verdict = await episode.judge()
    assert (verdict.done, verdict.success, verdict.reason) == (True, False, "the page was left")


async def test_what_an_episode_left_behind_is_gone_in_the_next(web: Web) -> None:
    await web.stage.begin("click-test", 0)
    await web.computer.set_clipboard("from before")
    await web.computer.mouse_down()
    await web.computer.key_down("shift")
    await web.computer.key("ctrl+t")
    episode = await web.stage.begin("enter-text", 0)
    field = await web.find(lambda element: element.role == "entry")
    await web.computer.click(field.box.center.x, field.box.center.y)
    await web.computer.key("ctrl+v")
    await web.computer.type("ab")
    typed = await web.find(lambda element: element.role == "entry" and element.value != "")
    assert typed.value == "ab"
    assert not (await episode.judge()).done


async def test_an_agent_with_a_mouse_solves_tasks_end_to_end(tmp_path: Path) -> None:
    tasks = ("click-button", "click-link", "click-test-2", "click-button-sequence")
    wish = Bench(
        suite=MiniWob(),
        agent=Agent(model=TestModel(click_names)),
        plan=Plan(tasks, (0, 1)),
        out=tmp_path,
        workers=2,
    )
    with anyio.fail_after(90):
        results = await wish.play()
    assert len(results.rows) == 8
    lost = [(row.trial, row.message) for row in results.rows if not row.success]
    assert not lost
    assert all(row.seconds < 10 and not row.fault for row in results.rows)


async def test_what_an_agent_may_not_do_is_refused_and_it_goes_on(web: Web, tmp_path: Path) -> None:
    from carrel.actions import Shell
    from carrel.intents import Done
    from carrel.models.context import Context

    def cheat(context: Context) -> Shell | Done:
        return Done(False, "not allowed") if context.decided else Shell("curl 127.0.0.1:9444")

    allowed = MiniWob().actions
    agent = Agent(model=TestModel(cheat), home=tmp_path, actions=allowed)
    row = await play(Trial("click-test", 0), web.desk, agent)
    assert (row.success, row.end, row.message) == (False, "gave_up", "not allowed")


async def test_the_report_opens_in_a_browser_and_its_replays_play(web: Web, tmp_path: Path) -> None:
    out = tmp_path / "results"
    from carrel.bench.results import write_results
    from carrel.intents import Done

    agent = Agent(model=TestModel(lambda context: Done(False, "<b>no</b> & no")), home=out)
    row = await play(Trial("click-test", 5), web.desk, agent)
    wish = Bench(suite=MiniWob(), agent=agent, plan=Plan(("click-test",), (5,)), out=out)
    with write_results(out, wish.header()) as (writer, _):
        writer.add(row)
    page, replays = write_report(out)
    assert (page.name, replays) == ("report.html", 1)
    await web.computer.upload(out, "/tmp/results")
    session = web.stage._page
    await session.send("Page.navigate", {"url": "file:///tmp/results/report.html"})
    with anyio.fail_after(20):
        await session.evaluate(_LOADED)
    text = str(await session.evaluate("document.body.textContent"))
    assert "<b>no</b> & no" in text
    assert "0.0% done" in text
    assert await session.evaluate("document.querySelectorAll('b, script').length") == 0
    assert (
        await session.evaluate("getComputedStyle(document.querySelector('summary')).display")
        == "grid"
    )
    # By mouse: open the task, follow the link.
    await web.find(lambda element: element.name.startswith("click-test"))
    await session.evaluate("document.querySelector('summary').scrollIntoView()")
    await session.evaluate("document.querySelector('summary').click()")
    await web.click(row.run)
    with anyio.fail_after(20):
        while not await _is_replay(web):  # noqa: ASYNC110 (the page changes under us)
            await anyio.sleep(0.05)
    assert "Click the button." in str(await session.evaluate("document.body.innerText"))


_LOADED = """new Promise((tell) => {
    if (document.readyState === 'complete') tell(true);
    else window.addEventListener('load', () => tell(true));
})"""


async def _is_replay(web: Web) -> bool:
    try:
        found = await web.stage._page.evaluate("!!document.querySelector('#moments li')")
    except CarrelError:
        return False  # between two pages
    return bool(found)


async def test_a_browser_that_died_is_a_fault_of_the_desk(web: Web, tmp_path: Path) -> None:
    episode = await web.stage.begin("click-test", 0)
    await web.computer.run("sh", "-c", "kill -9 $(pidof chromium)")
    with pytest.raises(MachineLost):
        await over(episode)
    with pytest.raises(DeskFault):
        await play(Trial("click-test", 1), web.desk, Agent(model=TestModel(click_names)))
