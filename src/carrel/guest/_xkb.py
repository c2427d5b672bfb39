"""The few requests of the X keyboard extension that Carrel needs; python-xlib has none of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from Xlib.protocol import rq

from carrel.errors import Unsupported

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["LockState", "Locks"]

_NAME = "XKEYBOARD"
_CORE_KEYBOARD = 0x100
_ALL = 0xFF


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


@dataclass(frozen=True, slots=True)
class LockState:
    """Modifiers that are locked (Caps Lock, Num Lock, …) and the layout group that is."""

    mods: int = 0
    group: int = 0
    latched: bool = False


class Locks:
    """Locked modifiers and group, changed without pressing any key.

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

    def read(self) -> LockState:
        """What is locked now."""
        state = _GetState(display=self._display.display, opcode=self._opcode, device=_CORE_KEYBOARD)
        latched = bool(state.latched_mods or state.latched_group)
        return LockState(state.locked_mods, state.locked_group, latched)

    def write(self, state: LockState) -> None:
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
    def set_to(self, wanted: LockState) -> Iterator[None]:
        """Lock exactly this for a while.

        Each key event carries the locks of its own moment, so giving them back at once is safe
        however late an application reads its events.
        """
        before = self.read()
        if before == wanted:
            yield
            return
        self.write(wanted)
        try:
            yield
        finally:
            self.write(LockState(before.mods, before.group))
            self._display.flush()
