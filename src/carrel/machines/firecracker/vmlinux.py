"""The kernel as Firecracker wants it: not packed, an ELF file.

Debian ships a `bzImage`: a loader with the packed kernel in it. Its header says where that is; what
it is packed with is told by its first bytes, and its last four are its unpacked size.
"""

from __future__ import annotations

import bz2
import ctypes
import lzma
import os
import struct
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

from carrel.errors import RunError, Unavailable
from carrel.machines.qemu.kernel import Kernel

__all__ = ["unpack", "unpacked"]

_SIGN = (0x202, b"HdrS")
_FIRST_PROTOCOL = 0x208  # the first that says where the payload is
_SECTOR = 512
_ELF = b"\x7fELF"
_LZ4_BLOCK = 8 << 20
_MOST = 1 << 30


def unpacked(kernel: Kernel) -> Path:
    """A kernel's unpacked form, beside it; made once.

    Raises:
        RunError: It is not a kernel, or packed in a way that is not known here.
        Unavailable: A library for it is missing.
    """
    path = kernel.image.with_name("vmlinux")
    if path.exists():
        return path
    content = unpack(kernel.image.read_bytes())
    handle, draft = tempfile.mkstemp(prefix=".vmlinux.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(draft).chmod(0o644)
        Path(draft).replace(path)
    finally:
        Path(draft).unlink(missing_ok=True)
    return path


def unpack(image: bytes) -> bytes:
    """The ELF file in a `bzImage`.

    Raises:
        RunError: There is none.
        Unavailable: A library for it is missing.
    """
    payload = _payload(image)
    for sign, unpacker in _PACKERS.items():
        if payload.startswith(sign):
            content = unpacker(payload)
            break
    else:
        raise _not_a_kernel(f"it is packed in a way that is not known: {payload[:6].hex()}")
    if not content.startswith(_ELF):
        raise _not_a_kernel("what is packed in it is not an ELF file")
    return content


def _payload(image: bytes) -> bytes:
    at, sign = _SIGN
    if image[at : at + len(sign)] != sign or len(image) < 0x250:
        raise _not_a_kernel("it has no header")
    (protocol,) = struct.unpack_from("<H", image, 0x206)
    if protocol < _FIRST_PROTOCOL:
        raise _not_a_kernel("it is too old")
    sectors = image[0x1F1] or 4
    offset, length = struct.unpack_from("<II", image, 0x248)
    begin = (sectors + 1) * _SECTOR + offset
    payload = image[begin : begin + length]
    if len(payload) < length or length <= 8:
        raise _not_a_kernel("it is cut off")
    return payload


def _not_a_kernel(why: str) -> RunError:
    return RunError(f"the kernel cannot be unpacked: {why}", op="firecracker.kernel")


def _size(payload: bytes) -> int:
    (size,) = struct.unpack("<I", payload[-4:])
    if size > _MOST:
        raise _not_a_kernel("it says that it is larger than any kernel")
    return int(size)


def _lz4(payload: bytes) -> bytes:
    """Blocks, each with its length before it: what `lz4` calls its legacy format."""
    library = _library("liblz4.so.1", "liblz4-1")
    room = ctypes.create_string_buffer(_LZ4_BLOCK)
    parts, at, end = [], 4, len(payload) - 4
    while at + 4 <= end:
        (length,) = struct.unpack_from("<I", payload, at)
        block = payload[at + 4 : at + 4 + length]
        got = library.LZ4_decompress_safe(block, room, len(block), _LZ4_BLOCK)
        if got < 0 or len(block) < length:
            raise _not_a_kernel("a block of it is damaged")
        parts.append(room.raw[:got])
        at += 4 + length
    return _whole(b"".join(parts), payload)


def _zstd(payload: bytes) -> bytes:
    library = _library("libzstd.so.1", "libzstd1")
    library.ZSTD_decompress.restype = ctypes.c_size_t
    size = _size(payload)
    room = ctypes.create_string_buffer(size)
    packed = payload[:-4]
    got = library.ZSTD_decompress(room, ctypes.c_size_t(size), packed, ctypes.c_size_t(len(packed)))
    if got != size:
        raise _not_a_kernel("it is damaged")
    return room.raw


def _with(decompress: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    def unpacker(payload: bytes) -> bytes:
        try:
            return _whole(decompress(payload), payload)
        except (lzma.LZMAError, zlib.error, OSError, EOFError) as error:
            raise _not_a_kernel(f"it is damaged: {error}") from error

    return unpacker


def _whole(content: bytes, payload: bytes) -> bytes:
    if len(content) != _size(payload):
        raise _not_a_kernel("it is not as long as it says")
    return content


def _library(name: str, package: str) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(name)
    except OSError:
        raise Unavailable(
            f"{name} is not installed, and the kernel is packed with it",
            op="firecracker.kernel",
            hint=f"apt-get install {package}",
        ) from None


# Each ends where its own format says; what follows, such as the size, is left.
_PACKERS: dict[bytes, Callable[[bytes], bytes]] = {
    b"\x1f\x8b": _with(lambda payload: zlib.decompressobj(31).decompress(payload)),
    b"\xfd7zXZ\0": _with(lambda payload: lzma.LZMADecompressor().decompress(payload)),
    b"\x5d\0\0": _with(lambda payload: lzma.LZMADecompressor().decompress(payload)),
    b"BZh": _with(lambda payload: bz2.BZ2Decompressor().decompress(payload)),
    b"\x02\x21\x4c\x18": _lz4,
    b"\x28\xb5\x2f\xfd": _zstd,
}
