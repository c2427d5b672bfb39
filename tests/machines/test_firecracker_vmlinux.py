"""Unpacking a kernel: what each packer made comes out again, and nothing else passes for it."""

from __future__ import annotations

import bz2
import ctypes
import gzip
import lzma
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import RunError, Unavailable
from carrel.machines.firecracker.vmlinux import unpack, unpacked
from carrel.machines.qemu.kernel import Kernel

CONTENT = st.binary(max_size=4000).map(lambda rest: b"\x7fELF" + rest + bytes(300))


def image(payload: bytes, protocol: int = 0x20F, sectors: int = 3) -> bytes:
    """A kernel file with that in it, laid out as the boot protocol says."""
    head = bytearray((sectors + 1) * 512)
    head[0x1F1] = sectors
    head[0x202:0x206] = b"HdrS"
    struct.pack_into("<H", head, 0x206, protocol)
    struct.pack_into("<II", head, 0x248, 16, len(payload))
    return bytes(head) + bytes(16) + payload + b"the end"


def sized(packed: bytes, content: bytes) -> bytes:
    return packed + struct.pack("<I", len(content))


def lz4(content: bytes) -> bytes:
    """Blocks of nothing but literals."""
    blocks = [b"\x02\x21\x4c\x18"]
    for at in range(0, len(content), 1000):
        piece = content[at : at + 1000]
        length = len(piece)
        token = bytes([min(length, 15) << 4])
        if length >= 15:
            token += b"\xff" * ((length - 15) // 255) + bytes([(length - 15) % 255])
        blocks += [struct.pack("<I", len(token + piece)), token, piece]
    return sized(b"".join(blocks), content)


def zstd(content: bytes) -> bytes:
    try:
        library = ctypes.CDLL("libzstd.so.1")
    except OSError:
        pytest.skip("libzstd is not installed")
    library.ZSTD_compress.restype = ctypes.c_size_t
    room = ctypes.create_string_buffer(len(content) + 1000)
    size = ctypes.c_size_t
    got = library.ZSTD_compress(room, size(len(room)), content, size(len(content)), 3)
    return sized(room.raw[:got], content)


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "xz": lambda content: sized(lzma.compress(content), content),
    "lzma": lambda content: sized(lzma.compress(content, lzma.FORMAT_ALONE), content),
    "bzip2": lambda content: sized(bz2.compress(content), content),
    "lz4": lz4,
    "zstd": zstd,
}


@pytest.mark.parametrize("packer", PACKERS)
@given(content=CONTENT)
def test_what_was_packed_comes_out(packer: str, content: bytes) -> None:
    assert unpack(image(PACKERS[packer](content))) == content


@pytest.mark.parametrize("packer", PACKERS)
@given(content=CONTENT, data=st.data())
def test_damage_is_told_and_never_passes(packer: str, content: bytes, data: st.DataObject) -> None:
    payload = bytearray(PACKERS[packer](content))
    at = data.draw(st.integers(0, len(payload) - 1))
    payload[at] ^= data.draw(st.integers(1, 255))
    try:
        found = unpack(image(bytes(payload)))
    except RunError:
        return
    # A format without a sum of its own cannot tell every damage; its length it can.
    assert len(found) == len(content)


@given(st.binary(max_size=2000))
def test_anything_else_is_refused(data: bytes) -> None:
    for file in (data, image(data), image(gzip.compress(b"no kernel" + data))):
        with pytest.raises(RunError, match="cannot be unpacked"):
            unpack(file)


def test_a_kernel_from_before_all_this_is_refused() -> None:
    with pytest.raises(RunError, match="too old"):
        unpack(image(gzip.compress(b"\x7fELF" * 100), protocol=0x207))


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr("carrel.machines.firecracker.vmlinux.ctypes.CDLL", missing)
    with pytest.raises(Unavailable, match=r"liblz4\.so\.1") as told:
        unpack(image(lz4(b"\x7fELF" * 100)))
    assert told.value.hint == "apt-get install liblz4-1"


def test_it_is_unpacked_once_beside_the_packed_one(tmp_path: Path) -> None:
    content = b"\x7fELF" + bytes(1000)
    (tmp_path / "vmlinuz").write_bytes(image(gzip.compress(content)))
    kernel = Kernel(tmp_path / "vmlinuz", tmp_path / "initrd")
    assert unpacked(kernel).read_bytes() == content
    made = unpacked(kernel).stat().st_mtime_ns
    assert unpacked(kernel).stat().st_mtime_ns == made
    assert unpacked(kernel).stat().st_mode & 0o777 == 0o644
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vmlinux", "vmlinuz"]
