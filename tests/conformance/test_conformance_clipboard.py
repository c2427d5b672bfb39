from __future__ import annotations

import pytest
from proofs import bounded, proves
from subjects import Subject
from texts import TEXTS

pytestmark = pytest.mark.desktop

ALL = "\n".join(TEXTS.values())
LARGE = "".join(f"{number} Größe 漢字 😀\n" for number in range(80_000))


async def read(desk: Subject) -> str:
    return await desk.tool("xclip", "-o", "-selection", "clipboard")


async def write(desk: Subject, text: str) -> None:
    argv = ("xclip", "-i", "-selection", "clipboard")
    await desk.tool(*argv, data=text.encode(), mute=True)

    # It leaves a child behind that takes the clipboard a moment later.
    async def there() -> bool:
        try:
            return await read(desk) == text
        except AssertionError:
            return False

    await desk.until(there, "xclip has the clipboard")


@proves("set_clipboard")
async def test_text_put_on_the_clipboard_is_what_xclip_reads(desk: Subject) -> None:
    for text in ("plain", ALL, "", "trailing newlines\n\n"):
        await desk.computer.set_clipboard(text)
        assert await read(desk) == text


@proves("get_clipboard")
async def test_text_that_xclip_put_on_the_clipboard_is_read(desk: Subject) -> None:
    for text in ("plain", ALL, "trailing newlines\n\n"):
        await write(desk, text)
        assert await desk.computer.get_clipboard() == text


@bounded
async def test_megabytes_cross_the_clipboard_both_ways(desk: Subject) -> None:
    assert len(LARGE.encode()) > 2_000_000
    await desk.computer.set_clipboard(LARGE)
    assert await read(desk) == LARGE
    await write(desk, LARGE[::-1])
    assert await desk.computer.get_clipboard() == LARGE[::-1]


@pytest.mark.browser
@bounded
async def test_a_page_pastes_what_was_put_on_the_clipboard(desk: Subject) -> None:
    page = await desk.page()
    await page.click_field()
    await desk.computer.set_clipboard(ALL)
    await desk.computer.key("ctrl+v")
    await page.until("of('field').value.length > 0", "the text is pasted")
    assert await page.ask("of('field').value") == ALL
