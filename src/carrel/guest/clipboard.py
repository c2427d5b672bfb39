"""The clipboard: text in and out of the CLIPBOARD selection.

On X the owner of the clipboard hands its content out on request, so a thread of its own answers
for as long as the guest lives (`_Owner`); reading asks whoever owns it (`_Reader`), with a time
bound. Text longer than one request goes in pieces (INCR) both ways.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from anyio import to_thread
from Xlib import X, Xatom
from Xlib.protocol import event as xevent
from Xlib.protocol import rq

from carrel.errors import ActionFailed, InvalidInput, TimedOut
from carrel.guest._selection import SelectionAtoms, SelectionOwner, next_event
from carrel.guest.display import open_display, x_errors

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["Clipboard"]

E = TypeVar("E", bound=rq.Event)

GET_SECONDS = 4.0
"""How long the owner of the clipboard may stay silent."""
_WHOLE = 2**28
"""More four-byte units than any property has."""


class Clipboard:
    """The clipboard of one display."""

    def __init__(self, display_name: str) -> None:
        self._name = display_name
        self._owner = SelectionOwner(display_name)

    async def get(self) -> str:
        """The text on the clipboard, empty when there is nothing.

        Raises:
            TimedOut: Its owner does not answer.
            ActionFailed: It holds something that is no text.
        """
        # A connection of its own: several readers may wait for slow owners at once.
        return await to_thread.run_sync(_read, self._name, abandon_on_cancel=True)

    async def set(self, text: str) -> dict[str, object]:
        """Put text on the clipboard, and read it back.

        Raises:
            InvalidInput: The text holds half of a surrogate pair.
            ActionFailed: Another program took the clipboard at once.
        """
        try:
            data = text.encode()
        except UnicodeEncodeError:
            raise InvalidInput("the text holds half of a surrogate pair") from None
        await to_thread.run_sync(partial(self._owner.own, data))
        if await self.get() != text:
            raise ActionFailed(
                "the clipboard does not hold what was put there",
                hint="another program, such as a clipboard manager, took it over",
            )
        return {"characters": len(text), "bytes": len(data)}

    def close(self) -> None:
        """Give the clipboard up and let the display go."""
        self._owner.close()


def _read(display_name: str) -> str:
    with x_errors():
        display = open_display(display_name)
        try:
            return _Reader(display).text()
        finally:
            display.close()


class _Reader:
    """One reading of the clipboard."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._atoms = SelectionAtoms(display)
        root = display.screen().root
        self._window = root.create_window(
            -10, -10, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask
        )
        self._deadline = time.monotonic() + GET_SECONDS

    def text(self) -> str:
        if self._display.get_selection_owner(self._atoms.clipboard) == X.NONE:
            return ""
        offered = self._convert(self._atoms.targets)
        names = None if offered is None else list(array("I", offered[: len(offered) // 4 * 4]))
        for target in self._atoms.texts:
            # An owner too simple to say what it offers may still give text.
            if names is None or target in names:
                data = self._convert(target)
                if data is not None:
                    encoding = "latin-1" if target == Xatom.STRING else "utf-8"
                    return data.decode(encoding, errors="replace")
        if names is not None and self._atoms.files in names:
            # File managers that copy files tell only where they are.
            files = self._convert(self._atoms.files)
            if files is not None:
                return files.decode(errors="replace").rstrip("\0")
        return self._no_text(names or [])

    def _no_text(self, offered: Sequence[int]) -> str:
        if self._display.get_selection_owner(self._atoms.clipboard) == X.NONE:
            return ""
        names = [self._display.get_atom_name(atom) for atom in offered if atom]
        raise ActionFailed(
            "the clipboard holds no text",
            hint=f"it offers: {', '.join(names) or 'nothing'}",
            context={"targets": names},
        )

    def _convert(self, target: int) -> bytes | None:
        """What the owner gives for a target; None when it refuses."""
        self._window.convert_selection(
            self._atoms.clipboard, target, self._atoms.transfer, X.CurrentTime
        )
        event = self._wait(xevent.SelectionNotify)
        while event.target != target:
            event = self._wait(xevent.SelectionNotify)
        if event.property == X.NONE:
            return None
        kind, data = self._take()
        return self._pieces() if kind == self._atoms.incr else data

    def _take(self) -> tuple[int, bytes]:
        """The content of the transfer property, which is deleted: that asks for the next."""
        found = self._window.get_property(
            self._atoms.transfer, X.AnyPropertyType, 0, _WHOLE, delete=True
        )
        self._display.flush()
        return (X.NONE, b"") if found is None else (found.property_type, _as_bytes(found.value))

    def _pieces(self) -> bytes:
        pieces: list[bytes] = []
        while True:
            event = self._wait(xevent.PropertyNotify)
            if event.atom != self._atoms.transfer or event.state != X.PropertyNewValue:
                continue
            # The owner is alive, so the bound starts anew.
            self._deadline = time.monotonic() + GET_SECONDS
            piece = self._take()[1]
            if not piece:
                return b"".join(pieces)
            pieces.append(piece)

    def _wait(self, kind: type[E]) -> E:
        while True:
            event = next_event(self._display, self._deadline)
            if event is None:
                raise TimedOut(
                    f"the program that owns the clipboard did not answer within {GET_SECONDS:g} s",
                    hint="it hangs: close it, or copy again from another program",
                )
            if isinstance(event, kind):
                return event


def _as_bytes(value: bytes | str | array[int]) -> bytes:
    if isinstance(value, str):
        return value.encode("latin-1")
    return value if isinstance(value, bytes) else value.tobytes()
