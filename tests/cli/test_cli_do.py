"""What each command of `carrel do` asks for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import Carrel

from carrel import actions
from carrel.actions import ACTIONS, Action
from carrel.frames import Frame
from carrel.geometry import Box, Point, Size
from carrel.results import Effect, Result

Sent = list[tuple[str | None, Action, float | None]]

DATA: dict[str, dict[str, object]] = {
    "cursor": {"x": 3, "y": 4},
    "screen": {"width": 640, "height": 480},
    "get_clipboard": {"text": "on the clipboard"},
    "windows": {"windows": []},
    "elements": {"elements": [], "complete": True, "apps": []},
    "list_files": {"entries": []},
    "read_file": {"text": "in the file", "size": 11, "truncated": False},
    "shell": {"exit": 0, "stdout": "said", "stderr": "", "truncated": False},
}


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """The actions that would cross the stream."""
    found: Sent = []

    async def send(name: str | None, action: Action, settle: float | None) -> tuple[str, Result]:
        found.append((name, action, settle))
        data = DATA.get(action.type, {})
        return "desk", Result(True, Effect.CONFIRMED, data=data, evidence={"seen": 1})  # type: ignore[arg-type]

    async def shoot(name: str | None, action: actions.Screenshot) -> tuple[str, Frame]:
        found.append((name, action, None))
        frame = Frame("ab", Size(8, 8), action.format, 1.0, Point(0, 0), image=b"picture")
        return "desk", frame

    monkeypatch.setattr("carrel.cli.do._command._send", send)
    monkeypatch.setattr("carrel.cli.do.look._shoot", shoot)
    return found


EXAMPLES: list[tuple[str, Action]] = [
    ("click 10 20", actions.Click(10, 20)),
    ("click -5 20 --button right --count 3", actions.Click(-5, 20, "right", 3)),
    ("click 1 2 --hold ctrl --hold Shift", actions.Click(1, 2, modifiers=("ctrl", "shift"))),
    ("double-click 1 2", actions.Click(1, 2, count=2)),
    ("right-click 1 2", actions.Click(1, 2, "right")),
    ("move 7 8", actions.Move(7, 8)),
    ("drag 1,2 3,4 -5,6", actions.Drag((Point(1, 2), Point(3, 4), Point(-5, 6)))),
    ("drag 1,2 3,4 --seconds 1", actions.Drag((Point(1, 2), Point(3, 4)), seconds=1.0)),
    ("mouse-down", actions.MouseDown()),
    ("mouse-up --button middle", actions.MouseUp("middle")),
    ("scroll 5 6 --dy 3", actions.Scroll(5, 6, dy=3)),
    ("scroll 5 6 --dy -3 --dx 2", actions.Scroll(5, 6, dx=2, dy=-3)),
    ("type héllo", actions.Type("héllo")),
    ("type -- -dash", actions.Type("-dash")),
    ("key ctrl+l", actions.Key(("ctrl", "l"))),
    ("key Return --repeat 2 --hold-for 0.1", actions.Key(("enter",), 2, 0.1)),
    ("key-down shift", actions.KeyDown("shift")),
    ("key-up shift", actions.KeyUp("shift")),
    ("shot -o PICTURE.webp", actions.Screenshot(format="webp")),
    ("shot -o PICTURE --region 1,2,3,4 --cursor", actions.Screenshot(Box(1, 2, 3, 4), cursor=True)),
    ("elements --app xterm", actions.Elements("xterm")),
    ("elements --all --limit 9", actions.Elements(None, False, 9)),
    ("windows", actions.Windows()),
    ("window focus 0x1400003", actions.FocusWindow(0x1400003)),
    ("window move 12 -3 4", actions.MoveWindow(12, -3, 4)),
    ("window resize 12 300x200", actions.ResizeWindow(12, 300, 200)),
    ("window minimize 12", actions.MinimizeWindow(12)),
    ("window maximize 12", actions.MaximizeWindow(12)),
    ("window maximize 12 --off", actions.MaximizeWindow(12, False)),
    ("window close 12", actions.CloseWindow(12)),
    ("clipboard", actions.GetClipboard()),
    ("clipboard get", actions.GetClipboard()),
    ("clipboard set text", actions.SetClipboard("text")),
    ("cursor", actions.Cursor()),
    ("screen", actions.Screen()),
    ("screen --resize 800x600", actions.ResizeScreen(800, 600)),
    ("wait 0.5", actions.Wait(0.5)),
    ("wait --stable --for 1 --timeout 5", actions.Wait(None, 1.0, 5.0)),
    ("open xterm -- -e top", actions.Open("xterm", ("-e", "top"))),
    ("shell true --cwd /tmp --env A=b=c", actions.Shell("true", "/tmp", {"A": "b=c"})),
    ("files list /tmp", actions.ListFiles("/tmp")),
    ("files stat a", actions.StatFile("a")),
    ("files read a", actions.ReadFile("a")),
    ("files write a text", actions.WriteFile("a", "text")),
    ("files append a text", actions.AppendFile("a", "text")),
    ("files mkdir a/b", actions.MakeDirectory("a/b")),
    ("files move a b", actions.MoveFile("a", "b")),
    ("files delete a -r", actions.DeleteFile("a", True)),
    ('act {"type":"move","x":1,"y":2}', actions.Move(1, 2)),
]


def test_every_action_has_a_command() -> None:
    assert {action.type for _, action in EXAMPLES} == set(ACTIONS)


@pytest.mark.parametrize(("line", "action"), EXAMPLES, ids=[line for line, _ in EXAMPLES])
def test_a_command_asks_for_its_action(
    carrel: Carrel, sent: Sent, line: str, action: Action, tmp_path: Path
) -> None:
    args = line.replace("PICTURE", str(tmp_path / "picture")).split(" ")
    done = carrel("do", *args)
    assert done.exit_code == 0, done.output
    assert [item for _, item, _ in sent] == [action]


@pytest.mark.parametrize(("line", "action"), EXAMPLES, ids=[line for line, _ in EXAMPLES])
def test_a_command_answers_with_one_json_document(
    carrel: Carrel, sent: Sent, line: str, action: Action, tmp_path: Path
) -> None:
    args = line.replace("PICTURE", str(tmp_path / "picture")).split(" ")
    done = carrel("do", "--json", *args)
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert document["machine"] == "desk"
    if action.type != "screenshot":
        assert document["action"] == actions.encode_action(action)
        assert document["effect"] == "confirmed"


def test_machine_and_settle_may_stand_on_either_side(carrel: Carrel, sent: Sent) -> None:
    carrel("do", "-m", "web", "--settle", "2", "click", "1", "2")
    carrel("do", "click", "1", "2", "-m", "web", "--settle", "2")
    carrel("do", "window", "-m", "web", "focus", "3", "--settle", "2")
    assert [(name, settle) for name, _, settle in sent] == [("web", 2.0)] * 3


def test_the_machine_may_come_from_the_environment(
    carrel: Carrel, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARREL_MACHINE", "other")
    carrel("do", "cursor")
    carrel("do", "-m", "web", "cursor")
    assert [name for name, _, _ in sent] == ["other", "web"]


def test_text_comes_from_standard_input(carrel: Carrel, sent: Sent) -> None:
    carrel("do", "type", "-", text="línea\n")
    carrel("do", "files", "write", "a", "-", text="more")
    carrel("do", "act", "-", text='{"type": "cursor"}')
    assert [item for _, item, _ in sent] == [
        actions.Type("línea\n"),
        actions.WriteFile("a", "more"),
        actions.Cursor(),
    ]
    done = carrel("do", "type", "-", text=b"\xff\xfe")
    assert (done.exit_code, done.stderr.splitlines()[0]) == (
        2,
        "error: standard input is not UTF-8",
    )


def test_a_shell_command_that_fails_is_status_1(
    carrel: Carrel, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DATA, "shell", {"exit": 7, "stdout": "out\n", "stderr": "oh\n"})
    done = carrel("do", "shell", "false")
    assert (done.exit_code, done.stdout, done.stderr) == (1, "out\n", "oh\nexit 7\n")
    done = carrel("do", "shell", "false", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["data"]["exit"] == 7


def test_a_shot_prints_its_path(
    carrel: Carrel, sent: Sent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first, second = carrel("do", "shot"), carrel("do", "shot")
    paths = [Path(done.stdout.strip()) for done in (first, second)]
    assert len(set(paths)) == 2
    assert all(path.read_bytes() == b"picture" for path in paths)
    assert carrel("do", "shot", "-o", "-").stdout_bytes == b"picture"
    assert carrel("do", "shot", "-o", "-", "--json").exit_code == 2
    done = carrel("do", "shot", "-o", "none/there.png")
    assert done.exit_code == 1
    assert done.stderr.startswith("error: cannot write none/there.png: No such file")
    named = json.loads(carrel("do", "shot", "-o", "x.jpg", "--json").stdout)
    assert (named["path"], named["format"]) == (str(tmp_path / "x.jpg"), "jpeg")


@pytest.mark.parametrize(
    "line",
    [
        "click 1000000000 5",
        "click 5 0x10",
        "click 5 5 --count 0",
        "click 5 5 --hold banana",
        "drag 1,2",
        "drag 1,2 3",
        "scroll 1 1",
        "scroll 1 1 --dy 1000000000",
        "type \x07",
        "key nonsense+l",
        "shot --region 0,0,0,0",
        "shot --region 1,2,3",
        "shot --quality 0",
        "elements --limit 0",
        "window focus desk",
        "window focus 0",
        "window resize 3 0x0",
        "window resize 3 1000000000x1000000000",
        "screen --resize 0x0",
        "wait",
        "wait 1 --stable",
        "wait nan",
        "wait -- -1",
        "wait 1e9",
        "shell --timeout inf true",
        "shell true --env =x",
        "files move a ",
        "files read a\0b",
        "act {",
        "act []",
        'act {"type":"nonsense"}',
        'act {"type":"click","x":1,"y":2,"z":3}',
        "act " + "[" * 100_000,
        "--settle never cursor",
    ],
)
def test_bad_input_is_a_usage_error_and_nothing_is_sent(
    carrel: Carrel, sent: Sent, line: str
) -> None:
    done = carrel("do", *line.split(" "))
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith("error: ")
    assert sent == []


def test_a_failed_action_is_an_error(carrel: Carrel, monkeypatch: pytest.MonkeyPatch) -> None:
    async def send(*args: object) -> tuple[str, Result]:
        from carrel.errors import NotFound

        return "desk", Result.failed(NotFound("there is no window 0xc", hint="list them"))

    monkeypatch.setattr("carrel.cli.do._command._send", send)
    done = carrel("do", "window", "focus", "12")
    assert (done.exit_code, done.stderr) == (2, "error: there is no window 0xc\ntry: list them\n")
    wire = json.loads(carrel("do", "window", "focus", "12", "--json").stdout)
    assert wire["error"]["code"] == "not_found"


@pytest.mark.parametrize("command", ["cursor", "shot -o x.png", "windows", "files list"])
def test_what_only_looks_has_nothing_to_settle(carrel: Carrel, sent: Sent, command: str) -> None:
    result = carrel("do", *command.split(), "--settle", "1")
    assert result.exit_code == 2
    assert "only looks" in result.stderr
    assert sent == []


@pytest.mark.parametrize("options", ["--no-stdin --tty", "--no-stdin --stdin", "--json --tty"])
def test_options_of_exec_that_exclude_each_other_are_refused(carrel: Carrel, options: str) -> None:
    assert carrel("exec", *options.split(), "desk", "true").exit_code == 2
