from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest
from clients import EventLog, Xkb, event_log, focus, keysym_text, run, running, until
from texts import ASCII, BASIC_TEXTS, TEXTS, many_han
from Xlib.display import Display

from carrel.actions import Key
from carrel.errors import ActionFailed, InvalidInput, MachineLost
from carrel.guest import _readers
from carrel.guest.keyboard import Keyboard

pytestmark = [pytest.mark.anyio, pytest.mark.desktop]

SHIFT, LOCK, CONTROL = 1, 2, 4


@pytest.fixture
def keyboard(x_display: str) -> Iterator[Keyboard]:
    keyboard = Keyboard(x_display)
    yield keyboard
    keyboard.close()


@pytest.fixture
def log(x_display: str) -> Iterator[EventLog]:
    with event_log(x_display) as log:
        yield log


@pytest.fixture
def locks(x_display: str) -> Iterator[Xkb]:
    xkb = Xkb(x_display)
    yield xkb
    xkb.close()


async def typed(log: EventLog) -> str:
    pressed = [e for e in await log.take() if e["event"] == "press"]
    return "".join(keysym_text(e["keysym"]) for e in pressed)


# Programs that read the text back


class Terminal:
    """xterm with `cat` in it."""

    def __init__(self, display: str, folder: Path) -> None:
        self._out = folder / "out"
        self._out.touch()
        command = f"stty -echo; : > {self._out}.ready; cat > {self._out}"
        self.command = ["xterm", "-u8", "-T", "reader", "-e", "sh", "-c", command]

    async def ready(self, display: str) -> None:
        await focus(display, "reader")
        await until(Path(f"{self._out}.ready").exists)

    async def read(self, expected: str) -> str:
        size = len(expected.encode())
        await until(lambda: self._out.stat().st_size >= size)
        return self._out.read_text()


TK = """
import sys, tkinter
from pathlib import Path
root = tkinter.Tk()
root.title("reader")
text = tkinter.Text(root)
text.pack()
text.focus_force()
def save():
    Path(sys.argv[1]).write_text(text.get("1.0", "end-1c"))
    root.after(50, save)
save()
root.mainloop()
"""


class Tk(Terminal):
    """A text field of Tk."""

    def __init__(self, display: str, folder: Path) -> None:
        pytest.importorskip("tkinter", reason="needs python3-tk")
        self._out = folder / "out"
        self.command = [sys.executable, "-c", TK, str(self._out)]

    async def ready(self, display: str) -> None:
        await focus(display, "reader")
        await until(self._out.exists)


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


Reader = Callable[[str, Path], Terminal]


@pytest.mark.parametrize(("reader", "texts"), [(Terminal, TEXTS), (Tk, BASIC_TEXTS)])
async def test_every_text_arrives_byte_for_byte(
    keyboard: Keyboard, x_display: str, folder: Path, reader: Reader, texts: dict[str, str]
) -> None:
    program = reader(x_display, folder)
    with anyio.fail_after(120), running(x_display, *program.command):
        await program.ready(x_display)
        for text in texts.values():
            await keyboard.type(text + "\n")
        expected = "".join(text + "\n" for text in texts.values())
        assert (await program.read(expected)).split("\n") == expected.split("\n")


@pytest.mark.parametrize("reader", [Terminal, Tk])
async def test_more_characters_than_there_are_keycodes_arrive(
    keyboard: Keyboard, x_display: str, folder: Path, reader: Reader
) -> None:
    text = many_han(600) + "\n\ttab\n"
    program = reader(x_display, folder)
    with anyio.fail_after(120), running(x_display, *program.command):
        await program.ready(x_display)
        await keyboard.type(text)
        assert await program.read(text) == text


@pytest.fixture
def entry(x_display: str) -> Iterator[subprocess.Popen[bytes]]:
    """A text entry of GTK that prints its text once Enter is pressed."""
    command = ("zenity", "--entry", "--title", "reader")
    with running(x_display, *command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        yield process


async def entered(entry: subprocess.Popen[bytes]) -> str:
    out, _ = await anyio.to_thread.run_sync(lambda: entry.communicate(timeout=60))
    return out.decode()


async def test_every_text_arrives_in_gtk(
    keyboard: Keyboard, x_display: str, entry: subprocess.Popen[bytes]
) -> None:
    expected = " ¦ ".join(TEXTS.values())
    with anyio.fail_after(120):
        await focus(x_display, "reader")
        await settle_gtk(keyboard, x_display)
        await keyboard.type(expected + "\n")
        assert (await entered(entry)).split(" ¦ ") == (expected + "\n").split(" ¦ ")


async def test_more_characters_than_there_are_keycodes_arrive_in_gtk(
    keyboard: Keyboard, x_display: str, entry: subprocess.Popen[bytes]
) -> None:
    text = many_han(600, seed=2)
    with anyio.fail_after(120):
        await focus(x_display, "reader")
        await settle_gtk(keyboard, x_display)
        await keyboard.type(text + "\n")
        assert await entered(entry) == text + "\n"


async def settle_gtk(keyboard: Keyboard, display: str) -> None:
    """Wait until GTK has seen that its window has the keyboard: it drops keys before."""
    keyboard._readers.note()
    await keyboard._readers.settle()


# Layouts and locks


@pytest.mark.parametrize("layout", ["us", "de", "fr", "ru", "jp", "gr", "us,ru"])
async def test_the_layout_does_not_matter(
    keyboard: Keyboard, log: EventLog, x_display: str, layout: str
) -> None:
    run(x_display, "setxkbmap", "-layout", layout)
    text = ASCII + "äöüß éèçà €@µ Привет Ωμέγα 日本語 漢字"
    await keyboard.type(text)
    assert await typed(log) == text


async def test_a_layout_changed_between_two_texts_is_followed(
    keyboard: Keyboard, log: EventLog, x_display: str
) -> None:
    for layout in ("us", "jp", "fr", "us"):
        run(x_display, "setxkbmap", "-layout", layout)
        await keyboard.type("zyq!漢\\_")
        assert await typed(log) == "zyq!漢\\_"


async def test_the_layouts_own_keys_are_used_where_it_has_them(
    keyboard: Keyboard, log: EventLog, x_display: str
) -> None:
    run(x_display, "setxkbmap", "-layout", "de")
    assert (await keyboard.type("zZ@ß"))["not_in_layout"] == 0
    pressed = [(e["name"], e["keycode"]) for e in await log.take() if e["event"] == "press"]
    assert [code for name, code in pressed if name in "zZ" or name in ("at", "ssharp")] == [
        29,
        29,
        24,
        20,
    ]
    run(x_display, "setxkbmap", "-layout", "ru")
    assert (await keyboard.type("Съешь ещё"))["not_in_layout"] == 0


@pytest.mark.parametrize(("mods", "group"), [(LOCK, 0), (0, 1), (LOCK | 16, 1)])
async def test_locks_neither_change_the_text_nor_are_changed(
    keyboard: Keyboard, log: EventLog, locks: Xkb, x_display: str, mods: int, group: int
) -> None:
    run(x_display, "setxkbmap", "-layout", "us,ru")
    locks.lock_mods(mods)
    locks.lock_group(group)
    await keyboard.type("aBc éÉ Да 漢 1!")
    await keyboard.key(Key(("ctrl", "c")))
    assert locks.locked() == (mods, group)
    locks.lock_mods(0)
    locks.lock_group(0)
    assert await typed(log) == "aBc éÉ Да 漢 1!c"


async def test_a_held_shift_key_does_not_change_the_text(keyboard: Keyboard, log: EventLog) -> None:
    await keyboard.down("shift")
    await keyboard.type("abc漢")
    await keyboard.key(Key(("x",)))
    await keyboard.up("shift")
    assert await typed(log) == "abc漢X"


async def test_caps_lock_can_be_pressed(keyboard: Keyboard, locks: Xkb) -> None:
    await keyboard.key(Key(("capslock",)))
    assert locks.locked()[0] == LOCK
    await keyboard.key(Key(("capslock",)))
    assert locks.locked()[0] == 0


# Text that cannot be typed, and programs that do not read


@pytest.mark.parametrize("text", ["abc\x03", "abc\x7f", "abc\ud800", "\x9b"])
async def test_text_that_cannot_be_typed_types_nothing(
    keyboard: Keyboard, log: EventLog, text: str
) -> None:
    with pytest.raises(InvalidInput, match="cannot be typed"):
        await keyboard.type(text)
    assert await log.take() == []


async def test_line_ends_and_tabs_are_keys(keyboard: Keyboard, log: EventLog) -> None:
    await keyboard.type("\r\n\n\r\t")
    pressed = [name for kind, name in await log.keys() if kind == "press"]
    assert pressed == ["Return", "Return", "Return", "Tab"]


async def test_a_program_that_hangs_is_no_success(
    keyboard: Keyboard,
    x_display: str,
    entry: subprocess.Popen[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_readers, "ANSWER_SECONDS", 0.5)
    await focus(x_display, "reader")
    await keyboard.type("漢")
    entry.send_signal(19)
    with anyio.fail_after(20), pytest.raises(ActionFailed, match="did not read its keys"):
        await keyboard.type(many_han(60))
    entry.send_signal(18)
    await keyboard.type("a")


async def test_cancelled_typing_holds_nothing_and_gives_the_locks_back(
    keyboard: Keyboard, log: EventLog, locks: Xkb
) -> None:
    locks.lock_mods(LOCK)
    with anyio.move_on_after(0.05) as scope:
        await keyboard.type("ABCdef" * 100_000)
    assert scope.cancelled_caught
    assert locks.locked() == (LOCK, 0)
    locks.lock_mods(0)
    keys = await log.keys()
    held: set[str] = set()
    for kind, name in keys:
        (held.add if kind == "press" else held.discard)(name.lower())
    assert held == set()


async def test_typing_costs_little(keyboard: Keyboard, log: EventLog) -> None:
    text = "The quick brown fox!"
    costs = []
    for _ in range(30):
        started = time.process_time()
        await keyboard.type(text)
        costs.append(time.process_time() - started)
    assert statistics.median(costs) <= 0.005
    assert await typed(log) == text * 30


# Spare keycodes


def spares(display_name: str) -> dict[int, int]:
    """Keycodes from 93 on that give a Han character."""
    display = Display(display_name)
    rows = display.get_keyboard_mapping(93, 163)
    display.close()
    return {93 + i: row[0] for i, row in enumerate(rows) if 0x1004E00 <= row[0] <= 0x1009FFF}


async def test_lent_keycodes_are_kept_while_they_fit_and_given_back_at_the_end(
    x_display: str, log: EventLog
) -> None:
    keyboard = Keyboard(x_display)
    await keyboard.type("漢字")
    before = spares(x_display)
    await keyboard.type("字漢字")
    await keyboard.type("仮")
    assert len(before) == 2
    assert spares(x_display).items() > before.items()
    keyboard.close()
    assert spares(x_display) == {}


async def test_keycodes_of_a_killed_process_are_taken_over(x_display: str, log: EventLog) -> None:
    crashed = Keyboard(x_display)
    await crashed.type(many_han(40))
    full = len(spares(x_display))
    assert full >= 15
    keyboard = Keyboard(x_display)
    text = many_han(50, seed=3)
    await log.take()
    await keyboard.type(text)
    assert await typed(log) == text
    keyboard.close()
    assert spares(x_display) == {}
    crashed.close()


async def test_the_other_keys_of_the_layout_stay_as_they_are(
    keyboard: Keyboard, x_display: str, log: EventLog
) -> None:
    run(x_display, "setxkbmap", "-layout", "de,us,ru", "-option", "lv5:caps_switch")
    before = run(x_display, "xkbcomp", "-w", "0", x_display, "-").split("\n")
    await keyboard.type(many_han(30))
    keyboard._bind(dict.fromkeys(keyboard._pool.lent, 0))
    keyboard._display.sync()
    after = run(x_display, "xkbcomp", "-w", "0", x_display, "-").split("\n")
    assert after == before


# Chords and held keys


@pytest.mark.parametrize(
    ("keys", "names"),
    [
        (("ctrl", "c"), ["Control_L", "c"]),
        (("ctrl", "shift", "t"), ["Control_L", "Shift_L", "T"]),
        (("alt", "f4"), ["Alt_L", "F4"]),
        (("super",), ["Super_L"]),
        (("enter",), ["Return"]),
        (("A",), ["Shift_L", "A"]),
        (("ctrl", "+"), ["Control_L", "Shift_L", "plus"]),
        (("pagedown",), ["Next"]),
        (("kp_5",), ["KP_5"]),
        (("kp_enter",), ["KP_Enter"]),
        (("f24",), ["F24"]),
        (("volumeup",), ["XF86AudioRaiseVolume"]),
        (("é",), ["eacute"]),
        (("ctrl", "ж"), ["Control_L", "Cyrillic_zhe"]),
        (("meta", "x"), ["Alt_L", "x"]),
    ],
)
async def test_a_chord_is_pressed_in_order_and_released_in_reverse(
    keyboard: Keyboard, log: EventLog, keys: tuple[str, ...], names: list[str]
) -> None:
    await keyboard.key(Key(keys))
    seen = await log.take()
    pressed = [e["name"] for e in seen if e["event"] == "press"]
    codes = [(e["event"], e["keycode"]) for e in seen]
    assert [n.replace("U0436", "Cyrillic_zhe") for n in pressed] == names
    downs = [code for kind, code in codes if kind == "press"]
    assert codes == [("press", c) for c in downs] + [("release", c) for c in reversed(downs)]


async def test_a_chord_works_in_a_layout_without_its_letter(
    keyboard: Keyboard, log: EventLog, x_display: str
) -> None:
    run(x_display, "setxkbmap", "-layout", "ru")
    await keyboard.key(Key(("ctrl", "c")))
    seen = [e for e in await log.take() if e["event"] == "press"]
    assert [e["name"] for e in seen] == ["Control_L", "c"]
    assert seen[1]["state"] & CONTROL


async def test_a_chord_is_repeated_and_held(keyboard: Keyboard, log: EventLog) -> None:
    started = time.monotonic()
    await keyboard.key(Key(("down",), repeat=3, hold=0.05))
    assert time.monotonic() - started >= 0.15
    seen = await log.take()
    assert [(e["event"], e["name"]) for e in seen] == [("press", "Down"), ("release", "Down")] * 3
    assert seen[1]["time"] - seen[0]["time"] >= 45


async def test_a_cancelled_chord_holds_nothing(keyboard: Keyboard, log: EventLog) -> None:
    with anyio.move_on_after(0.1) as scope:
        await keyboard.key(Key(("ctrl", "shift", "a"), hold=60))
    assert scope.cancelled_caught
    assert [kind for kind, _ in await log.keys()] == ["press"] * 3 + ["release"] * 3


async def test_keys_stay_down_until_released(
    keyboard: Keyboard, log: EventLog, x_display: str
) -> None:
    assert await keyboard.down("ctrl") == {"key": "ctrl", "down": True}
    assert await keyboard.down("a") == {"key": "a", "down": True}
    assert await keyboard.up("a") == {"key": "a", "down": False}
    assert await keyboard.up("ctrl") == {"key": "ctrl", "down": False}
    assert await log.keys() == [
        ("press", "Control_L"),
        ("press", "a"),
        ("release", "a"),
        ("release", "Control_L"),
    ]


async def test_a_key_another_program_left_down_can_be_released(
    keyboard: Keyboard, log: EventLog, x_display: str
) -> None:
    run(x_display, "xdotool", "keydown", "alt")
    assert await keyboard.up("alt") == {"key": "alt", "down": False}
    assert await log.keys() == [("press", "Alt_L"), ("release", "Alt_L")]


async def test_release_all_releases_what_is_held(keyboard: Keyboard, log: EventLog) -> None:
    for key in ("shift", "漢", "f1"):
        await keyboard.down(key)
    keyboard.release_all()
    kinds = [kind for kind, _ in await log.keys()]
    assert kinds == ["press"] * 3 + ["release"] * 3


async def test_a_held_keycode_is_not_lent_to_another_character(
    keyboard: Keyboard, log: EventLog
) -> None:
    await keyboard.down("漢")
    text = many_han(60, seed=4)
    await keyboard.type(text)
    await keyboard.up("漢")
    assert await typed(log) == "漢" + text


async def test_a_dead_display_is_a_lost_machine(
    x_server_process: tuple[str, subprocess.Popen[bytes]],
) -> None:
    display, server = x_server_process
    keyboard = Keyboard(display)
    server.kill()
    server.wait()
    with anyio.fail_after(5), pytest.raises(MachineLost, match="display server is gone"):
        await keyboard.type("a")
    keyboard.close()


QT = """
import sys
from Xlib import X, Xatom, display
from Xlib.protocol import event
shown = display.Display(sys.argv[1])
root = shown.screen().root
window = root.create_window(0, 0, 50, 50, 0, shown.screen().root_depth)
protocols, ping = shown.intern_atom("WM_PROTOCOLS"), shown.intern_atom("_NET_WM_PING")
window.change_property(protocols, Xatom.ATOM, 32, [ping])
window.map()
window.set_input_focus(X.RevertToParent, X.CurrentTime)
shown.sync()
print("ready", flush=True)
while True:
    asked = shown.next_event()
    if isinstance(asked, event.ClientMessage):
        answer = event.ClientMessage(window=root, client_type=protocols, data=asked.data)
        root.send_event(answer, event_mask=X.StructureNotifyMask | X.SubstructureRedirectMask)
        shown.flush()
"""


async def test_a_program_that_answers_as_qt_does_has_read_its_keys(
    keyboard: Keyboard, x_display: str
) -> None:
    command = [sys.executable, "-c", QT, x_display]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"ready\n"
        try:
            with anyio.fail_after(_readers.ANSWER_SECONDS / 2):
                await keyboard.type("会议")
        finally:
            program.kill()
