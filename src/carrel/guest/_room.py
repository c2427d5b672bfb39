"""Work memory for encoders."""

from __future__ import annotations

import ctypes
import mmap

__all__ = ["Room"]


class Room:
    """Memory that is used again from picture to picture and grows when it must."""

    def __init__(self) -> None:
        self.buffer: ctypes.Array[ctypes.c_char] = ctypes.create_string_buffer(0)

    def at_least(self, size: int) -> int:
        """The address of room for that many bytes; what was in it may be gone."""
        if len(self.buffer) < size:
            # Fresh from the kernel: of room for the worst case only what is used gets resident.
            self.buffer = (ctypes.c_char * size).from_buffer(mmap.mmap(-1, size))
        return ctypes.addressof(self.buffer)
