"""The archive a kernel unpacks, read back by the program that made the format."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.machines.qemu.cpio import archive

_NAME = st.text("abcdefgh-._", min_size=1, max_size=12).filter(lambda name: name.strip("."))


def entries(data: bytes) -> dict[str, tuple[int, bytes]]:
    found, at = {}, 0
    while True:
        header = data[at : at + 110]
        assert header[:6] == b"070701"
        fields = [int(header[6 + 8 * n : 14 + 8 * n], 16) for n in range(13)]
        mode, size, length = fields[1], fields[6], fields[11]
        name = data[at + 110 : at + 110 + length - 1].decode()
        at += -(-(110 + length) // 4) * 4
        content = data[at : at + size]
        at += -(-size // 4) * 4
        if name == "TRAILER!!!":
            return found
        found[name] = (mode, content)


@given(st.dictionaries(_NAME, st.binary(max_size=40), max_size=6))
def test_every_file_is_there_as_it_was(files: dict[str, bytes]) -> None:
    packed = archive({f"some/{name}": (0o644, content) for name, content in files.items()})
    assert len(packed) % 4 == 0
    found = entries(packed)
    assert {name: content for name, (mode, content) in found.items() if mode & 0o100000} == {
        f"some/{name}": content for name, content in files.items()
    }
    assert not files or found["some"][0] == 0o40755


def test_archives_may_follow_each_other_and_a_directory_may_be_empty(tmp_path: Path) -> None:
    if shutil.which("cpio") is None:
        pytest.skip("cpio is not installed")
    packed = archive({"empty/": (0o700, b""), "a/b/c": (0o755, b"#!/bin/sh\n")})
    subprocess.run(["cpio", "-id", "--quiet"], input=packed, cwd=tmp_path, check=True)
    assert (tmp_path / "a/b/c").read_bytes() == b"#!/bin/sh\n"
    assert (tmp_path / "a/b/c").stat().st_mode & 0o777 == 0o755
    assert list((tmp_path / "empty").iterdir()) == []
