"""Memory shared with the X server: System V segments and the MIT-SHM extension."""

from __future__ import annotations

import ctypes
import os
import socket
import struct
from typing import TYPE_CHECKING

from Xlib import X
from Xlib import error as xerror
from Xlib.protocol import rq

from carrel.guest._native import libc

if TYPE_CHECKING:
    from Xlib.display import Display

__all__ = ["Segment", "SharedImages"]

EXTENSION = "MIT-SHM"

_IPC_PRIVATE, _IPC_CREAT = 0, 0o1000
_IPC_RMID, _IPC_STAT = 0, 2
_SHMAT_FAILED = ctypes.c_void_p(-1).value
# Where `shm_nattch` lies in `struct shmid_ds` of 64-bit Linux.
_STAT_SIZE, _ATTACHED_AT = 256, 88


class Segment:
    """A private piece of shared memory.

    The kernel frees it when the last process lets go, once `forget` was called: nothing stays
    behind however we end.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.id = libc().shmget(_IPC_PRIVATE, size, _IPC_CREAT | 0o600)
        if self.id < 0:
            raise _os_error("shmget")
        address = libc().shmat(self.id, None, 0)
        if address is None or address == _SHMAT_FAILED:
            error = _os_error("shmat")
            self.forget()
            raise error
        self.address = int(address)

    def attached(self) -> int:
        """How many processes have the segment mapped."""
        stat = ctypes.create_string_buffer(_STAT_SIZE)
        if libc().shmctl(self.id, _IPC_STAT, stat) < 0:
            raise _os_error("shmctl")
        return int(struct.unpack_from("=Q", stat, _ATTACHED_AT)[0])

    def forget(self) -> None:
        """Let nobody else attach; those who have it keep it."""
        libc().shmctl(self.id, _IPC_RMID, None)

    def unmap(self) -> None:
        """Let go of the memory; its address must not be used any more."""
        libc().shmdt(self.address)


def _os_error(what: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, f"{what}: {os.strerror(number)}")


class _QueryVersion(rq.ReplyRequest):
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(0), rq.RequestLength())
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Bool("shared_pixmaps"),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Card16("major_version"),
        rq.Card16("minor_version"),
        rq.Card16("uid"),
        rq.Card16("gid"),
        rq.Card8("pixmap_format"),
        rq.Pad(15),
    )


class _Attach(rq.Request):
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(1),
        rq.RequestLength(),
        rq.Card32("shmseg"),
        rq.Card32("shmid"),
        rq.Bool("read_only"),
        rq.Pad(3),
    )


class _Detach(rq.Request):
    _request = rq.Struct(rq.Card8("opcode"), rq.Opcode(2), rq.RequestLength(), rq.Card32("shmseg"))


class _GetImage(rq.ReplyRequest):
    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(4),
        rq.RequestLength(),
        rq.Drawable("drawable"),
        rq.Int16("x"),
        rq.Int16("y"),
        rq.Card16("width"),
        rq.Card16("height"),
        rq.Card32("plane_mask"),
        rq.Card8("format"),
        rq.Pad(3),
        rq.Card32("shmseg"),
        rq.Card32("offset"),
    )
    _reply = rq.Struct(
        rq.ReplyCode(),
        rq.Card8("depth"),
        rq.Card16("sequence_number"),
        rq.ReplyLength(),
        rq.Card32("visual"),
        rq.Card32("size"),
        rq.Pad(16),
    )


class SharedImages:
    """The MIT-SHM extension of one connection."""

    def __init__(self, display: Display, opcode: int) -> None:
        self._display = display
        self._opcode = opcode

    @classmethod
    def of(cls, display: Display) -> SharedImages | None:
        """The extension, or None where the server lacks it or runs on another computer."""
        if display.display.socket.family != socket.AF_UNIX:
            return None
        found = display.query_extension(EXTENSION)
        if found is None or not found.present:
            return None
        _QueryVersion(display=display.display, opcode=found.major_opcode)
        return cls(display, found.major_opcode)

    def attach(self, segment: Segment) -> int | None:
        """Share a segment with the server.

        Returns:
            The server's name for it, or None where the server cannot reach our memory.
        """
        base = self._display.display
        name = int(base.allocate_resource_id())
        refused = xerror.CatchError(xerror.XError)
        _Attach(
            display=base,
            onerror=refused,
            opcode=self._opcode,
            shmseg=name,
            shmid=segment.id,
            read_only=False,
        )
        self._display.sync()
        # A server in another IPC namespace may own an unrelated segment of the same number.
        if refused.get_error() is None and segment.attached() >= 2:
            return name
        if refused.get_error() is None:
            self.detach(name)
        base.free_resource_id(name)
        return None

    def detach(self, name: int) -> None:
        """Let the server unmap a segment."""
        _Detach(display=self._display.display, opcode=self._opcode, shmseg=name)

    def fetch(self, drawable: int, width: int, rows: tuple[int, int], name: int) -> rq.ReplyRequest:
        """Ask for rows of pixels to be put into a segment; call `.reply()` to wait.

        Args:
            drawable: Whose pixels.
            width: Of a whole row.
            rows: The first, and how many; they go where they are in a picture of all rows.
            name: The server's name for the segment.
        """
        top, count = rows
        return _GetImage(
            display=self._display.display,
            defer=True,
            opcode=self._opcode,
            drawable=drawable,
            x=0,
            y=top,
            width=width,
            height=count,
            plane_mask=0xFFFFFFFF,
            format=X.ZPixmap,
            shmseg=name,
            offset=4 * width * top,
        )
