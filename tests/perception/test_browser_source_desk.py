"""Pages in a real browser on a real display: told where they are, and as they are."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import anyio
import pytest
from page_desk import SIZE, PageDesk, page_desk

from carrel.agent.hands import ComputerHands
from carrel.cli._sight import look
from carrel.errors import NotFound, Unavailable
from carrel.frames import Source
from carrel.perception.browser import browser_of, read_browser, tell_browser
from carrel.perception.find import find
from carrel.perception.scene import Told
from carrel.perception.sight import Sight

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.namespace,
    pytest.mark.image,
    pytest.mark.browser,
    pytest.mark.slow,
]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def desk(anyio_backend: str) -> AsyncIterator[PageDesk]:
    async with page_desk() as desk:
        with pytest.raises(Unavailable):
            await read_browser(desk.computer.dial, SIZE)
        with pytest.raises(Unavailable):
            await ComputerHands(desk.computer).page(SIZE, ())
        yield desk


CONTROLS = """
<style>* { font: 16px sans-serif } .row { margin: 8px }</style>
<h1>Order form</h1>
<div class=row><label>Full name <input id=n value="Ada"></label></div>
<div class=row><label for=p>Secret</label> <input id=p type=password value="hush"></div>
<div class=row><label><input type=checkbox checked id=c> Gift wrap</label>
  <label><input type=radio name=r id=r> By air</label></div>
<div class=row><select id=s aria-label="Size"><option>Small<option selected>Large</select>
  <input type=range id=g aria-label="Amount" min=0 max=10 value=7>
  <input type=number id=u aria-label="Count" value=3></div>
<div class=row><button id=b disabled>Cannot</button> <button id=o>Order now</button>
  <a id=a href="#x">Terms</a> <img id=i alt="A logo" width=40 height=40
  src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
  <span id=k style="cursor:pointer" onclick="0"><i class="fa fa-trash"
   style="display:inline-block;width:20px;height:20px"></i></span></div>
<div class=row id=e contenteditable>free text</div>
<script>
  const clicks = [];
  addEventListener("click", (event) => {
    clicks.push(event.target.id); event.preventDefault();
  }, true);
</script>
"""


async def test_every_control_has_its_role_name_value_states_and_place(desk: PageDesk) -> None:
    with anyio.fail_after(120):
        await desk.show(CONTROLS)
        found = await desk.read()
        roles = {
            "Full name": "entry",
            "Secret": "password text",
            "Gift wrap": "check box",
            "By air": "radio button",
            "Size": "combo box",
            "Amount": "slider",
            "Count": "spin button",
            "Cannot": "push button",
            "Order now": "push button",
            "Terms": "link",
            "A logo": "image",
            "trash": "push button",
            "Order form": "heading",
        }
        assert {name: found[name].role for name in roles} == roles
        values = {name: found[name].value for name in ("Full name", "Size", "Amount", "Count")}
        assert values == {"Full name": "Ada", "Size": "Large", "Amount": "7", "Count": "3"}
        assert found["Secret"].value == "••••"
        assert "checked" in found["Gift wrap"].states
        assert "checked" not in found["By air"].states
        assert "enabled" not in found["Cannot"].states
        assert "editable" in found["Full name"].states
        assert found["entry"].value == "free text"
        # The proof that a box is right is that a click in its middle arrives.
        ids = [
            "Full name",
            "Secret",
            "Gift wrap",
            "By air",
            "Amount",
            "Count",
            "Order now",
            "Terms",
        ]
        for name in (*ids, "A logo", "trash"):
            box = found[name].box
            assert box is not None
            await desk.computer.click(box.center.x, box.center.y)
        await desk.computer.wait_stable(0.2)
        clicked = await desk.ask("clicks.filter((id, n) => id && id !== clicks[n - 1])")
        assert clicked == ["n", "p", "c", "r", "g", "u", "o", "a", "i"]


HIDDEN = """
<style>* { font: 16px sans-serif } button { height: 30px }</style>
<button>plain</button> <button style="visibility:hidden">invisible</button>
<button style="display:none">none</button> <button style="opacity:0">clear</button>
<div style="position:relative; width:200px; height:30px"><button>under</button>
  <div style="position:absolute; inset:0; background:#fff">a cover</div></div>
<div style="overflow:auto; height:60px; width:300px"><button>first</button>
  <div style="height:200px"></div><button>scrolled away</button></div>
<div style="position:absolute; top:3000px"><button>far below</button></div>
<div id=host></div>
<iframe srcdoc="<button style='height:30px'>framed</button>" width=200 height=60></iframe>
<script>
  host.attachShadow({mode: "open"}).innerHTML = "<button>shadowed</button><slot></slot>";
</script>
"""


async def test_a_link_in_two_lines_is_told_where_a_click_meets_it(desk: PageDesk) -> None:
    with anyio.fail_after(120):
        await desk.show(
            "<p style='font:16px monospace;width:40ch'>Whoever wants to grow roses should "
            "<a href='#y'>first read the rules</a> that are written here.</p>"
        )
        link = (await desk.read())["first read the rules"]
        assert link.box is not None
        # One line is less than two of them.
        assert link.box.height < 30


async def test_what_cannot_be_seen_is_not_told(desk: PageDesk) -> None:
    with anyio.fail_after(120):
        await desk.show(HIDDEN)
        found = await desk.read()
        assert {"plain", "first", "framed", "shadowed"} <= set(found)
        gone = {"invisible", "none", "clear", "under", "scrolled away", "far below"}
        assert not gone & set(found)


async def test_a_frame_within_the_page_has_its_elements_in_the_right_place(desk: PageDesk) -> None:
    with anyio.fail_after(120):
        page = "<p>above</p><iframe id=f width=300 height=100 style='border:7px solid' srcdoc=\""
        page += "<button onclick='parent.hit = 1' style='margin:20px'>inside</button>\"></iframe>"
        await desk.show(page)
        box = (await desk.read())["inside"].box
        assert box is not None
        await desk.computer.click(box.center.x, box.center.y)
        with anyio.fail_after(10):
            while await desk.ask("window.hit || 0") != 1:  # noqa: ASYNC110 (no event for us)
                await anyio.sleep(0.05)


async def test_a_zoomed_page_is_told_in_pixels_of_the_screen(desk: PageDesk) -> None:
    with anyio.fail_after(120):
        await desk.show("<button id=z onclick='window.hit = 1' style='margin:40px'>zoomed</button>")
        before = (await desk.read())["zoomed"].box
        await desk.computer.key("ctrl+plus")
        await desk.computer.key("ctrl+plus")
        await desk.computer.wait_stable(0.5)
        after = (await desk.read())["zoomed"].box
        assert before is not None
        assert after is not None
        assert after.width > before.width
        await desk.computer.click(after.center.x, after.center.y)
        await desk.computer.wait_stable(0.2)
        assert await desk.ask("window.hit") == 1
        await desk.computer.key("ctrl+0")


async def test_a_hostile_page_neither_hangs_nor_changes_the_reading(desk: PageDesk) -> None:
    page = """<button>honest</button><script>
      for (const proto of [Array.prototype, Object.prototype, Element.prototype])
        for (const name of Object.getOwnPropertyNames(proto))
          try { if (name !== "constructor") proto[name] = () => { throw "no"; } } catch {}
      Document.prototype.elementFromPoint = () => null;
      for (let n = 0; n < 5000; n++) document.body.append(document.createElement("b"), "x");
      const deep = document.createElement("div"); let at = deep;
    </script>"""
    with anyio.fail_after(120):
        await desk.show(page)
        found = await read_browser(desk.computer.dial, SIZE)
    assert len(found) <= 2001
    assert any(e.role == "push button" and e.name == "honest" for e in found)


async def test_a_window_above_covers_the_page(desk: PageDesk) -> None:
    with anyio.fail_after(120):
        await desk.show("<button style='position:fixed; left:300px; top:200px'>covered</button>")
        assert "covered" in await desk.read()
        await desk.computer.open("xterm", "-geometry", "110x40+60+60", "-title", "above")
        with anyio.fail_after(20):
            above = None
            while above is None:
                await anyio.sleep(0.05)
                windows = await desk.computer.windows()
                above = next((w for w in windows if w.title == "above"), None)
        await desk.computer.focus_window(above.id)
        await desk.computer.wait_stable(0.2)
        assert "covered" not in await desk.read()
        await desk.computer.close_window(above.id)


async def test_only_the_tab_in_front_is_told(desk: PageDesk) -> None:
    with anyio.fail_after(120):
        await desk.show("<button>behind</button>")
        await desk.show("<button>in front</button>")
        found = await desk.read()
        assert "in front" in found
        assert "behind" not in found


async def test_sight_takes_the_browser_as_a_source(desk: PageDesk) -> None:
    with anyio.fail_after(120):
        await desk.show("<button>for sight</button>")
        view = await desk.view()
        source = browser_of(desk.computer, SIZE, await desk.computer.windows())
        scene = await Sight().look(view, browser=source, sources=("browser",))
    assert not scene.left_out, json.dumps([str(left) for left in scene.left_out])
    assert any(e.name == "for sight" and e.source == "browser" for e in scene.elements)


async def test_a_page_with_more_than_can_be_told_is_said_to_be_cut_short(desk: PageDesk) -> None:
    style = "width:9px;height:9px;padding:0;border:1px solid;float:left"
    page = f"""<body style="margin:0"><script>for (let n = 0; n < 2100; n++) {{
      const one = document.createElement("button"); one.style.cssText = "{style}";
      one.ariaLabel = `B${{n}}`; document.body.append(one); }}</script>"""
    with anyio.fail_after(120):
        await desk.show(page)

        async def told() -> Told:
            return await tell_browser(desk.computer.dial, SIZE, timeout=60)

        sources: tuple[Source, ...] = ("browser",)
        scene = await Sight().look(await desk.view(), browser=told, within=60, sources=sources)
        assert len(scene.elements) > 1900
        assert [one.source for one in scene.left_out] == ["browser"]
        assert "more than 2000 things" in scene.left_out[0].reason
        await desk.show("<button>few</button>")
        assert (await told()).missing == ""


async def test_the_command_line_asks_the_browser_too(desk: PageDesk) -> None:
    icon = '<i class="fa fa-trash" style="display:inline-block;width:20px;height:20px"></i>'
    with anyio.fail_after(120):
        await desk.show(f'<span style="cursor:pointer" onclick="0">{icon}</span>')
        seen = await look(desk.computer.name, 60, pixels=False)
    assert seen.scene.left_out == ()
    found = find(seen.scene.elements, "the trash icon", size=seen.scene.size)
    assert found.sure
    assert found.best is not None
    assert found.best.element.source == "browser"


async def test_a_browser_whose_windows_are_all_closed_shows_nothing(desk: PageDesk) -> None:
    with anyio.fail_after(60):
        for window in await desk.computer.windows():
            if "Chromium" in window.title:
                await desk.computer.close_window(window.id)
        with pytest.raises((Unavailable, NotFound)):
            await _until_it_fails(desk)


async def _until_it_fails(desk: PageDesk) -> None:
    while True:
        await read_browser(desk.computer.dial, SIZE)
        await anyio.sleep(0.05)
