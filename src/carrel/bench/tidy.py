"""A desk put in order between episodes: nothing held down, nothing to paste, the pointer aside."""

from __future__ import annotations

from collections.abc import Sequence

from carrel.actions import Button
from carrel.computer import Computer

__all__ = ["tidy"]

_BUTTONS: Sequence[Button] = ("left", "right", "middle")
_MODIFIERS = ("shift", "ctrl", "alt")


async def tidy(computer: Computer) -> None:
    """Undo what a broken-off episode may have left behind on the desk itself."""
    for button in _BUTTONS:
        await computer.mouse_up(button)
    for key in _MODIFIERS:
        await computer.key_up(key)
    size = await computer.screen_size()
    # The corner where nothing is: what lies under the pointer looks different.
    await computer.move(size.width - 1, size.height - 1)
    await computer.set_clipboard("")
