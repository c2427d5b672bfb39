"""`Computer` and its `interface`, on real desks."""

from __future__ import annotations

import gc
import io
import json
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import anyio.lowlevel
import pytest
from cua_board import items_of, make_agent, results_of, scripted
from PIL import Image
from subjects import Subject

from carrel.actions import Click, KeyDown, KeyUp, Type
from carrel.compat.cua import CommandResult, Computer, Interface
from carrel.compat.cua._tree import nested
from carrel.computer import ElementTree
from carrel.errors import InvalidInput, NotFound, Unsupported, WrongState
from carrel.frames import Element
from carrel.geometry import Box, Size
from carrel.intents import Done
from carrel.machines.lifecycle import Machines
from carrel.machines.providers.namespace import NamespaceProvider
from namespaces import require_namespaces

pytestmark = pytest.mark.anyio


@pytest.fixture
async def possible(anyio_backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine can be made here, in a store of the test's own."""
    health = await NamespaceProvider().probe()
    require_namespaces(health.usable, health.reason)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def interface(local: Subject) -> Interface:
    return Interface(local.computer)


# The machine


@pytest.mark.namespace
@pytest.mark.desktop
async def test_a_computer_without_a_name_is_gone_afterwards(possible: None) -> None:
    with anyio.fail_after(60):
        async with Computer(display="800x600", memory="2GB", image="host") as computer:
            assert await computer.interface.get_screen_size() == {"width": 800, "height": 600}
            [standing] = await Machines().list()
            assert standing.machine.spec.memory_mb == 2048
            assert standing.machine.spec.network == "none"
            assert standing.machine.name == computer.name
        assert await Machines().list() == ()
        with pytest.raises(WrongState):
            _ = computer.interface


@pytest.mark.namespace
@pytest.mark.desktop
async def test_a_computer_with_a_name_stays_and_is_found_again(
    possible: None, tmp_path: Path
) -> None:
    with anyio.fail_after(90):
        async with Computer(name="mine", image="host") as computer:
            await computer.interface.write_text("note.txt", "still here")
        async with Computer(name="mine", image="host") as computer:
            assert await computer.interface.read_text("note.txt") == "still here"
            agent = make_agent(scripted(Click(5, 5), Done()), [computer], tmp_path / "runs")
            results = await results_of(agent)
            assert items_of(results, "computer_call_output")[0].get("error") is None
            assert await computer.interface.get_cursor_position() == {"x": 5, "y": 5}
        # Its name is enough, and so is a computer that is not connected.
        for given in ("mine", computer):
            agent = make_agent(scripted(Click(9, 9), Done()), [given], tmp_path / "runs")
            assert items_of(await results_of(agent), "message")
        async with Computer(name="mine", image="host", ephemeral=True):
            pass
        assert await Machines().list() == ()


@pytest.mark.namespace
@pytest.mark.desktop
async def test_leaving_the_loop_early_does_no_harm(possible: None, tmp_path: Path) -> None:
    """A machine given by its name is connected only while it acts."""
    with anyio.fail_after(90):
        computer = Computer(name="left", image="host")
        script = scripted(KeyDown("shift"), Type("a"), KeyUp("shift"), Click(1, 1), Done())
        for given in (await computer.start_machine(), computer):
            agent = make_agent(script, [given], tmp_path / "runs")
            async for result in agent.run("do it"):
                if items_of([result], "computer_call_output"):
                    break
            gc.collect()
            # Whatever the collected generator had open would be closed now, by another task.
            for _ in range(20):
                await anyio.lowlevel.checkpoint()
            assert agent.last_run is not None
            assert agent.last_run.status == "running"
        results = await results_of(make_agent(script, ["left"], tmp_path / "runs"))
        outputs = items_of(results, "computer_call_output")
        assert [output.get("error") for output in outputs] == [None] * 4
        await computer.delete()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"os_type": "macos"}, Unsupported),
        ({"os_type": "windows"}, Unsupported),
        ({"os_type": "android"}, Unsupported),
        ({"provider_type": "cloud"}, Unsupported),
        ({"provider_type": "cloudv2"}, Unsupported),
        ({"provider_type": "winsandbox"}, Unsupported),
        ({"provider_type": "lumier"}, Unsupported),
        ({"provider_type": "warp-drive"}, Unsupported),
        ({"image": "trycua/cua-xfce:latest"}, Unsupported),
        ({"shared_directories": ["/home"]}, Unsupported),
        ({"use_host_computer_server": True}, Unsupported),
        ({"api_key": "k"}, Unsupported),
        ({"backend": "vnc"}, Unsupported),
        ({"vnc_host": "elsewhere"}, Unsupported),
        ({"display": "wide"}, InvalidInput),
        ({"display": (1, 2, 3)}, InvalidInput),
        ({"display": {"width": 800}}, InvalidInput),
        ({"memory": "plenty"}, InvalidInput),
        ({"cpu": "many"}, InvalidInput),
        ({"colour": "red"}, InvalidInput),
        ({"name": "Not A Name"}, InvalidInput),
    ],
)
def test_what_is_not_here_is_refused_with_the_reason(
    options: dict[str, object],
    error: type[Exception],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with pytest.raises(error):
        Computer(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "display",
    [
        "1280x800",
        (1280, 800),
        {"width": 1280, "height": 800},
        SimpleNamespace(width=1280, height=800),
    ],
)
def test_a_display_may_be_written_in_many_ways(
    display: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    computer = Computer(display, cpu=2, verbosity=10, telemetry_enabled=False, noVNC_port=1)
    assert computer._spec.size == Size(1280, 800)
    assert computer._spec.cpus == 2


@pytest.mark.parametrize("name", ["venv_install", "python_exec_background", "tracing", "get_ip"])
def test_methods_that_are_not_here_say_what_is(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    computer = Computer()
    with pytest.raises(Unsupported) as caught:
        getattr(computer, name)
    assert caught.value.hint
    with pytest.raises(AttributeError):
        _ = computer.nonsense


# The interface


@pytest.mark.desktop
async def test_the_mouse_does_what_it_is_told(local: Subject, interface: Interface) -> None:
    async with local.event_log() as log:
        x, y = await log.center()
        await interface.left_click(x, y)
        await interface.right_click()
        await interface.double_click(x, y)
        await interface.mouse_down(x, y, "middle")
        await interface.mouse_up(button="middle")
        await interface.scroll_up(2)
        await interface.scroll_down()
        await interface.scroll(1, 0)
        pressed = [button for kind, button in await log.buttons() if kind == "press"]
        assert pressed == [1, 3, 1, 1, 2, 4, 4, 5, 7]
        await interface.move_cursor(x - 10, y - 10)
        await interface.drag_to(x + 30, y + 20, duration=0.1)
        assert await log.buttons() == [("press", 1), ("release", 1)]
        assert await interface.get_cursor_position() == {"x": x + 30, "y": y + 20}
    with pytest.raises(InvalidInput, match="both"):
        await interface.left_click(5)


@pytest.mark.desktop
async def test_the_keyboard_does_what_it_is_told(local: Subject, interface: Interface) -> None:
    async with local.event_log() as log:
        await interface.type_text("aB")
        await interface.press_key("escape")
        await interface.hotkey("ctrl", "l")
        await interface.key_down("shift")
        await interface.key_up("shift")
        pressed = [name for kind, name in await log.keys() if kind == "press"]
    assert [name for name in pressed if name != "Shift_L"] == [
        *("a", "B", "Escape", "Control_L", "l"),
    ]
    assert "Shift_L" in pressed


@pytest.mark.desktop
async def test_the_screen_and_the_clipboard(interface: Interface) -> None:
    size = await interface.get_screen_size()
    image = Image.open(io.BytesIO(await interface.screenshot()))
    assert image.format == "PNG"
    assert image.size == (size["width"], size["height"])
    await interface.set_clipboard("übrigens")
    assert await interface.copy_to_clipboard() == "übrigens"
    assert await interface.to_screen_coordinates(3.5, 4) == (3.5, 4)
    assert await interface.to_screenshot_coordinates(3.5, 4) == (3.5, 4)
    await interface.wait_for_ready(10)


@pytest.mark.desktop
async def test_commands_give_all_they_wrote(interface: Interface) -> None:
    done = await interface.run_command("echo out; echo err >&2; exit 3")
    assert done == CommandResult("out\n", "err\n", 3)
    much = await interface.run_command("head -c 3000000 /dev/zero | tr '\\0' x")
    assert len(much.stdout) == 3_000_000
    late = await interface.run_command("sleep 60", timeout=0.3)
    assert late.returncode == 124


@pytest.mark.desktop
async def test_files_and_directories(local: Subject, interface: Interface) -> None:
    with local.folder() as (here, inside):
        await interface.create_dir(f"{inside}/a/b")
        assert await interface.directory_exists(f"{inside}/a/b")
        assert not await interface.file_exists(f"{inside}/a/b")
        path = f"{inside}/a/text"
        await interface.write_text(path, "ä")
        await interface.write_text(path, "b", append=True)
        assert (here / "a" / "text").read_text() == await interface.read_text(path) == "äb"
        assert await interface.get_file_size(path) == 3
        await interface.write_bytes(path, b"\0\1\2")
        await interface.write_bytes(path, b"\3", append=True)
        assert await interface.read_bytes(path, 1, 2) == b"\1\2"
        assert sorted(await interface.list_dir(f"{inside}/a")) == ["b", "text"]
        with pytest.raises(InvalidInput, match="is a directory"):
            await interface.delete_file(f"{inside}/a")
        with pytest.raises(InvalidInput, match="is not a directory"):
            await interface.delete_dir(path)
        await interface.delete_file(path)
        assert not await interface.file_exists(path)
        await interface.delete_dir(f"{inside}/a")
        assert not await interface.directory_exists(f"{inside}/a")


@pytest.fixture
async def xterm(local: Subject, interface: Interface) -> AsyncIterator[int]:
    """A window of a program that was launched."""
    pid = await interface.launch("xterm", ["-T", "compat window", "-geometry", "40x10+30+30"])
    assert pid

    async def window() -> int:
        found = await interface.get_application_windows("xterm")
        return int(found[0]) if found else 0

    number = await local.until(window, "the terminal's window")
    assert isinstance(number, int)
    yield number
    if number in await interface.get_application_windows("xterm"):
        await interface.close_window(number)

    async def closed() -> bool:
        return number not in await interface.get_application_windows("xterm")

    await local.until(closed, "the terminal is closed")


@pytest.mark.desktop
async def test_windows(local: Subject, interface: Interface, xterm: int) -> None:
    await interface.activate_window(xterm)
    assert await interface.get_current_window_id() == xterm
    assert await interface.get_window_name(hex(xterm)) == "compat window"
    assert await interface.get_window_title(xterm) == "compat window"
    await interface.set_window_size(xterm, 400, 300)
    width, height = await interface.get_window_size(xterm)
    assert abs(width - 400) < 40
    assert abs(height - 300) < 60
    await interface.set_window_position(xterm, 100, 120)
    x, y = await interface.get_window_position(xterm)
    assert abs(x - 100) < 30
    assert abs(y - 120) < 60
    await interface.maximize_window(xterm)
    wide, _ = await interface.window_size(xterm)
    assert wide > width
    await interface.minimize_window(xterm)
    with pytest.raises(NotFound):
        await interface.get_window_name(1)
    with pytest.raises(InvalidInput):
        await interface.get_window_name("first")


@pytest.mark.desktop
async def test_what_the_interface_lacks_says_what_to_do(interface: Interface) -> None:
    with pytest.raises(Unsupported) as caught:
        await interface.playwright_exec("visit_url", {"url": "https://example.org"})
    assert "open" in str(caught.value.hint)
    with pytest.raises(Unsupported):
        await interface.set_wallpaper("picture.png")
    assert await interface.get_desktop_environment() == "openbox"


@pytest.mark.desktop
async def test_an_agent_types_on_the_desk(
    local: Subject, interface: Interface, tmp_path: Path
) -> None:
    from carrel.policy.policy import Policy

    async with local.event_log() as log:
        x, y = await log.center()
        agent = make_agent(
            scripted([Click(x, y), Type("ok")], Done()),
            [local.computer],
            tmp_path,
            policy=Policy.for_isolation("process"),
        )
        await results_of(agent)
        seen = await log.take()
    assert [e["name"] for e in seen if e["event"] == "press"] == ["o", "k"]


def test_a_tree_has_the_shape_of_a_tree() -> None:
    elements = (
        Element("e1", "frame", "Editor", box=Box(0, 0, 9, 9), app="editor"),
        Element("e2", "push button", "Save", box=Box(1, 2, 3, 4), parent="e1"),
        Element("e3", "label", "Saved", parent="gone"),
    )
    tree = nested(ElementTree(elements, True, ("editor",)))
    first, second = tree["children"]  # type: ignore[misc]
    assert first["children"][0]["name"] == "Save"  # type: ignore[index,call-overload]
    assert first["children"][0]["bounds"] == {"x": 1, "y": 2, "width": 3, "height": 4}  # type: ignore[index,call-overload]
    assert second["name"] == "Saved"  # type: ignore[index,call-overload]
    assert json.loads(json.dumps(tree)) == tree
