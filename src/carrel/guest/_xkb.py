"""The few requests of the X keyboard extension that Carrel needs; python-xlib has none of it."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from Xlib import error as xerror
from Xlib.protocol import rq

from carrel.errors import Unsupported

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["LockState", "Xkb"]

_NAME = "XKEYBOARD"
_CORE_KEYBOARD = 0x100
_ALL = 0xFF
_KEY_SYMBOLS = 2
_LAYOUT_EVENTS = 1 | 2
"""A new keyboard, a changed map."""
_KEY_HEADER = struct.Struct("=4BBBH")
"""Type of each group, groups, width, number of symbols; the symbols follow."""


class _UseExtension(rq.ReplyRequest):
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(0),
        rq.RequestLength(),
        rq.Card16("major"),
        rq.Card16("minor"),
    )
    _reply = rq.Struct(
        rq.Pad(1), rq.Card8("supported"), rq.Card16("sequence_number"), rq.Pad(4), rq.Pad(24)
    )


class _SelectEvents(rq.Request):
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(1),
        rq.RequestLength(),
        rq.Card16("device"),
        rq.Card16("affect_which"),
        rq.Card16("clear"),
        rq.Card16("select_all"),
        rq.Card16("affect_map"),
        rq.Card16("map"),
    )


class _GetState(rq.ReplyRequest):
    _request = rq.Struct(
        rq.Card8("opcode"), rq.Opcode(4), rq.RequestLength(), rq.Card16("device"), rq.Pad(2)
    )
    _reply = rq.Struct(
        rq.Pad(1),
        rq.Card8("device"),
        rq.Card16("sequence_number"),
        rq.Pad(4),
        rq.Card8("mods"),
        rq.Card8("base_mods"),
        rq.Card8("latched_mods"),
        rq.Card8("locked_mods"),
        rq.Card8("group"),
        rq.Card8("locked_group"),
        rq.Int16("base_group"),
        rq.Int16("latched_group"),
        rq.Pad(14),
    )


class _LatchLockState(rq.Request):
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(5),
        rq.RequestLength(),
        rq.Card16("device"),
        rq.Card8("affect_mod_locks"),
        rq.Card8("mod_locks"),
        rq.Bool("lock_group"),
        rq.Card8("group_lock"),
        rq.Card8("affect_mod_latches"),
        rq.Card8("mod_latches"),
        rq.Pad(1),
        rq.Bool("latch_group"),
        rq.Int16("group_latch"),
    )


# Both requests have many more parts; all but the key symbols are left at "none".
class _GetMap(rq.ReplyRequest):
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(8),
        rq.RequestLength(),
        rq.Card16("device"),
        rq.Card16("full"),
        rq.Card16("partial"),
        rq.Pad(2),
        rq.Card8("first"),
        rq.Card8("count"),
        rq.Pad(14),
    )
    _reply = rq.Struct(
        rq.Pad(1),
        rq.Card8("device"),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Pad(2),
        rq.Card8("min_keycode"),
        rq.Card8("max_keycode"),
        rq.Card16("present"),
        rq.Pad(3),
        rq.Card8("first"),
        rq.Card16("total"),
        rq.Card8("count"),
        rq.Pad(19),
        rq.Binary("symbols"),
    )


class _SetMap(rq.Request):
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(9),
        rq.RequestLength(),
        rq.Card16("device"),
        rq.Card16("present"),
        rq.Card16("flags"),
        rq.Card8("min_keycode"),
        rq.Card8("max_keycode"),
        rq.Pad(2),
        rq.Card8("first"),
        rq.Card8("count"),
        rq.Card16("total"),
        rq.Pad(18),
        rq.Binary("symbols"),
    )


@dataclass(frozen=True, slots=True)
class LockState:
    """Modifiers that are locked (Caps Lock, Num Lock, …) and the layout group that is."""

    mods: int = 0
    group: int = 0
    latched: bool = False


class Xkb:
    """Locked modifiers and group, and symbols of single keycodes, changed without pressing a key.

    Raises:
        Unsupported: The server lacks the keyboard extension.
    """

    def __init__(self, display: Display) -> None:
        extension = display.query_extension(_NAME)
        if extension is None or not extension.present:
            raise Unsupported(f"the display server lacks the {_NAME} extension")
        self._display = display
        self._opcode = extension.major_opcode
        _UseExtension(display=display.display, opcode=self._opcode, major=1, minor=0)

    def watch(self) -> None:
        """Have an event sent to this connection whenever the layout changes.

        The core protocol's own notice is not enough: `setxkbmap` does not cause it.
        """
        _SelectEvents(
            display=self._display.display,
            opcode=self._opcode,
            device=_CORE_KEYBOARD,
            affect_which=_LAYOUT_EVENTS,
            clear=0,
            select_all=_LAYOUT_EVENTS,
            affect_map=_ALL,
            map=_ALL,
        )

    def bind(self, changes: Mapping[int, int], first: int, last: int) -> None:
        """Give keycodes one symbol each (0: none), whatever modifiers and group are on.

        All clients are told once that the keycodes `first` to `last` changed, and the others among
        them keep exactly what they have. One notice for a range that is always the same matters:
        libX11 forgets notices that reach it while it waits for the symbols of an earlier one, so
        of several small ones it would miss some.
        """
        self._display.grab_server()
        try:
            if not self._set_symbols(changes, first, last):
                for keycode, keysym in changes.items():
                    self._display.change_keyboard_mapping(keycode, [(keysym, keysym)])
        finally:
            self._display.ungrab_server()
            self._display.sync()

    def _set_symbols(self, changes: Mapping[int, int], first: int, last: int) -> bool:
        """Set the whole range; false where the server refuses its own keys.

        It does in a few old layouts, with keys that have more symbols than levels.
        """
        now = _GetMap(
            display=self._display.display,
            opcode=self._opcode,
            device=_CORE_KEYBOARD,
            full=0,
            partial=_KEY_SYMBOLS,
            first=first,
            count=last - first + 1,
        )
        keys = _split_symbols(now.symbols, now.first, now.count)
        keys.update((keycode, _one_symbol(keysym)) for keycode, keysym in changes.items())
        symbols = b"".join(keys.values())
        refused = xerror.CatchError()
        _SetMap(
            display=self._display.display,
            onerror=refused,
            opcode=self._opcode,
            device=_CORE_KEYBOARD,
            present=_KEY_SYMBOLS,
            flags=0,
            min_keycode=now.min_keycode,
            max_keycode=now.max_keycode,
            first=first,
            count=len(keys),
            total=(len(symbols) - _KEY_HEADER.size * len(keys)) // 4,
            symbols=symbols,
        )
        self._display.sync()
        return refused.get_error() is None

    def locks(self) -> LockState:
        """What is locked now."""
        state = _GetState(display=self._display.display, opcode=self._opcode, device=_CORE_KEYBOARD)
        latched = bool(state.latched_mods or state.latched_group)
        return LockState(state.locked_mods, state.locked_group, latched)

    def lock(self, state: LockState) -> None:
        """Lock exactly this, and end every latch."""
        _LatchLockState(
            display=self._display.display,
            opcode=self._opcode,
            device=_CORE_KEYBOARD,
            affect_mod_locks=_ALL,
            mod_locks=state.mods,
            lock_group=True,
            group_lock=state.group,
            affect_mod_latches=_ALL,
            mod_latches=0,
            latch_group=True,
            group_latch=0,
        )

    @contextmanager
    def locked(self, wanted: LockState) -> Iterator[None]:
        """Lock exactly this for a while.

        Each key event carries the locks of its own moment, so giving them back at once is safe
        however late an application reads its events.
        """
        before = self.locks()
        if before == wanted:
            yield
            return
        self.lock(wanted)
        try:
            yield
        finally:
            self.lock(LockState(before.mods, before.group))
            self._display.sync()


def _split_symbols(data: bytes, first: int, count: int) -> dict[int, bytes]:
    """The wire form of each key's symbols, by keycode."""
    keys: dict[int, bytes] = {}
    start = 0
    for keycode in range(first, first + count):
        end = start + _KEY_HEADER.size + 4 * _KEY_HEADER.unpack_from(data, start)[6]
        keys[keycode] = data[start:end]
        start = end
    return keys


def _one_symbol(keysym: int) -> bytes:
    if not keysym:
        return _KEY_HEADER.pack(0, 0, 0, 0, 0, 0, 0)
    # Type 0 is ONE_LEVEL in every keymap.
    return _KEY_HEADER.pack(0, 0, 0, 0, 1, 1, 1) + struct.pack("=I", keysym)
