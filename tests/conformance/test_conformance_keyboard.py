from __future__ import annotations

import pytest
from oracles import HERE, until
from proofs import bounded, proves
from subjects import START, Subject
from texts import ASCII, TEXTS, many_han

pytestmark = [pytest.mark.desktop, pytest.mark.browser]

WHOLE = "".join(text + "\n" for text in TEXTS.values())
ENTRY = HERE / "gtk_entry.py"
TAB = """of('field').onkeydown = e => {
    if (e.key !== 'Tab') return;
    e.preventDefault();
    of('field').setRangeText('\\t', 1e9, 1e9, 'end');
}, 1"""


@proves("type")
async def test_typed_text_is_in_the_page(desk: Subject) -> None:
    page = await desk.page()
    await page.click_field()
    text = "Grüße, 世界\n\tend 😀"
    await page.ask(TAB)
    await desk.computer.type(text)
    await page.until(f"of('field').value.length >= {len(text.encode('utf-16-le')) // 2}", "text")
    assert await page.ask("of('field').value") == text
    assert all(event["trusted"] for event in await page.seen("keydown"))


def test_the_texts_are_many_and_hold_all_of_ascii() -> None:
    assert len(TEXTS) >= 40
    assert set(ASCII) == {chr(code) for code in range(0x20, 0x7F)} <= set(TEXTS["ascii"])


@bounded
async def test_a_page_gets_every_text_byte_for_byte(desk: Subject) -> None:
    page = await desk.page()
    await page.click_field()
    for text in TEXTS.values():
        await desk.computer.type(text + "\n")
    size = len(WHOLE.encode("utf-16-le")) // 2
    await page.until(f"of('field').value.length >= {size}", "all texts")
    assert (await page.ask("of('field').value")).split("\n") == WHOLE.split("\n")


@bounded
async def test_a_terminal_gets_every_text_byte_for_byte(desk: Subject) -> None:
    with desk.folder() as (here, inside):
        line = f"stty -echo; : > {inside}/ready; cat > {inside}/out"
        async with desk.program("xterm", "-u8", "-T", "terminal reader", "-e", "sh", "-c", line):
            await desk.activate(await desk.window("terminal reader"))
            await until((here / "ready").exists, START, "the terminal reads")
            text = WHOLE + many_han(200) + "\n"
            for row in text.splitlines():
                await desk.computer.type(row + "\n")
            out = here / "out"
            await desk.until(lambda: out.stat().st_size >= len(text.encode()), "all texts")
            assert out.read_text().split("\n") == text.split("\n")


@bounded
async def test_a_gtk_entry_gets_every_text_byte_for_byte(desk: Subject) -> None:
    with desk.folder() as (here, inside):
        await desk.computer.upload(ENTRY, f"{inside}/gtk_entry.py")
        async with desk.program(desk.python, f"{inside}/gtk_entry.py", f"{inside}/text"):
            await desk.activate(await desk.window("gtk entry"))
            await until((here / "text").exists, START, "the entry")
            for text in TEXTS.values():
                await desk.computer.type(text + "\n")
            out, size = here / "text", len(WHOLE.encode())
            await desk.until(lambda: out.stat().st_size >= size, "all texts")
            assert out.read_text().split("\n") == WHOLE.split("\n")


@proves("key")
async def test_a_chord_goes_down_in_order_and_up_in_reverse(desk: Subject) -> None:
    async with desk.event_log() as log:
        await desk.computer.key("ctrl+shift+k")
        assert await log.keys() == [
            ("press", "Control_L"),
            ("press", "Shift_L"),
            ("press", "K"),
            ("release", "K"),
            ("release", "Shift_L"),
            ("release", "Control_L"),
        ]


@proves("key")
async def test_a_page_obeys_a_chord(desk: Subject) -> None:
    page = await desk.page()
    await page.click_field()
    await page.ask("of('field').value = 'to be copied', seen.length = 0")
    await desk.computer.key("ctrl+a")
    await page.until("of('field').selectionEnd - of('field').selectionStart === 12", "selected")
    await desk.computer.key(["ctrl", "c"])
    await desk.until(lambda: _clipboard_is(desk, "to be copied"), "the clipboard")
    keys = await page.seen("keydown")
    assert [(e["key"], e["held"]) for e in keys if e["key"] != "Control"] == [
        ("a", ["ctrl"]),
        ("c", ["ctrl"]),
    ]
    await desk.computer.key("delete")
    await page.until("of('field').value === ''", "the text is gone")


async def _clipboard_is(desk: Subject, text: str) -> bool:
    try:
        return await desk.tool("xclip", "-o", "-selection", "clipboard") == text
    except AssertionError:  # nobody has it yet
        return False


@bounded
async def test_every_kind_of_key_reaches_the_page_by_its_own_name(desk: Subject) -> None:
    page = await desk.page()
    await page.click_field()
    names = {
        "enter": "Enter",
        "escape": "Escape",
        "backspace": "Backspace",
        "delete": "Delete",
        "up": "ArrowUp",
        "left": "ArrowLeft",
        "home": "Home",
        "end": "End",
        "pagedown": "PageDown",
        "f2": "F2",
        "space": " ",
        "a": "a",
        "A": "A",
        "?": "?",
    }
    for name in names:
        await desk.computer.key(name)
    await page.until(f"seen.filter(e => e.kind === 'keyup').length >= {len(names)}", "all keys")
    pressed = [e["key"] for e in await page.seen("keydown") if e["key"] != "Shift"]
    assert pressed == list(names.values())


@bounded
async def test_a_key_is_repeated_as_often_as_asked(desk: Subject) -> None:
    page = await desk.page()
    await page.click_field()
    await desk.computer.key("b", repeat=7)
    await page.until("of('field').value.length >= 7", "seven letters")
    assert await page.ask("of('field').value") == "b" * 7
    assert [e["repeat"] for e in await page.seen("keydown")] == [False] * 7


@bounded
async def test_a_chord_is_held_as_long_as_asked(desk: Subject) -> None:
    async with desk.event_log() as log:
        await desk.computer.key("shift", hold=0.4)
        events = await log.take()
        assert [e["event"] for e in events] == ["press", "release"]
        assert 380 <= events[1]["time"] - events[0]["time"] <= 3000


@proves("key_down", "key_up")
async def test_a_key_stays_down_until_it_is_released(desk: Subject) -> None:
    page = await desk.page()
    x, y = await page.at("pad")
    await desk.computer.key_down("shift")
    try:
        assert len((await desk.peek.held())[1]) == 1
        await desk.tool("xdotool", "mousemove", str(x), str(y), "click", "1")
        await page.until("seen.some(e => e.kind === 'mouseup')", "a click")
        assert (await page.seen("mousedown"))[0]["held"] == ["shift"]
    finally:
        await desk.computer.key_up("shift")
        released = (await desk.peek.held())[1] == []
        await desk.tool("xdotool", "keyup", "shift")
    assert released
    assert [e["key"] for e in await page.seen("keydown", "keyup")] == ["Shift", "Shift"]


@bounded
async def test_a_held_letter_reaches_an_x_client_once_down_and_once_up(desk: Subject) -> None:
    async with desk.event_log() as log:
        await desk.computer.key_down("x")
        assert (await log.keys())[0] == ("press", "x")
        await desk.computer.key_up("x")
        assert (await log.keys())[-1] == ("release", "x")
