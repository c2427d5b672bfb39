"""What trees are told as."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import InvalidInput, ProtocolError
from carrel.guest.digests import (
    BLOCK,
    LARGEST_BLOCK,
    MAX_DIGESTS,
    Entry,
    block_digests,
    block_size,
    decode_entry,
    encode_entry,
    partial_name,
    read_block,
    walk,
    whole_digest,
)

_texts = st.binary(max_size=40).map(os.fsdecode)


@given(
    st.builds(
        Entry,
        name=_texts,
        kind=st.sampled_from(["file", "directory", "link", "partial", "refused"]),
        size=st.integers(0, 2**63 - 1),
        mode=st.integers(0, 0o777),
        mtime_ns=st.integers(-(2**63), 2**63),
        target=_texts,
        digest=st.text("0123456789abcdef", max_size=64),
    )
)
def test_an_entry_comes_out_as_it_went_in(entry: Entry) -> None:
    line = encode_entry(entry)
    assert line.count(b"\n") == 1
    assert decode_entry(line) == entry


@given(st.binary(max_size=60))
def test_a_line_is_an_entry_or_a_protocol_error(line: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode_entry(line)


@given(st.integers(0, 2**63))
def test_blocks_are_as_small_as_their_number_allows(size: int) -> None:
    block = block_size(size)
    assert BLOCK <= block <= LARGEST_BLOCK
    assert block == LARGEST_BLOCK or size <= block * MAX_DIGESTS
    assert block == BLOCK or size > block // 2 * MAX_DIGESTS


@pytest.mark.parametrize("size", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK])
def test_the_hashes_of_blocks_are_those_of_the_content(tmp_path: Path, size: int) -> None:
    data = os.urandom(size)
    path = tmp_path / "file"
    path.write_bytes(data)
    with path.open("rb") as file:
        found = list(block_digests(file.fileno(), BLOCK))
        assert whole_digest(file.fileno()) == hashlib.sha256(data).hexdigest()
        assert read_block(file.fileno(), 0, BLOCK) == data[:BLOCK]
    expected = [hashlib.sha256(data[at : at + BLOCK]).digest() for at in range(0, size, BLOCK)]
    assert found == expected


@pytest.mark.parametrize("block", [0, -1, 1, BLOCK - 1, LARGEST_BLOCK + 1])
def test_blocks_of_other_sizes_are_refused(tmp_path: Path, block: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x")
    with path.open("rb") as file, pytest.raises(InvalidInput):
        list(block_digests(file.fileno(), block))


@given(_texts.filter(bool))
def test_the_name_of_an_unfinished_copy_fits_every_file_system(name: str) -> None:
    assert partial_name(name) == partial_name(name)
    assert len(partial_name(name)) < 64
    assert "/" not in partial_name(name)


def test_a_walk_tells_kinds_and_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir(mode=0o750)
    (tmp_path / "d/file").write_text("words")
    (tmp_path / "d" / partial_name("file")).write_text("wo")
    (tmp_path / "in").symlink_to("d")
    (tmp_path / "out").symlink_to("/etc")
    os.mkfifo(tmp_path / "pipe")
    found = {entry.name: entry for entry in walk(str(tmp_path), hashed=True)}
    assert {name: entry.kind for name, entry in found.items()} == {
        "d": "directory",
        "d/file": "file",
        f"d/{partial_name('file')}": "partial",
        "in": "link",
        "out": "refused",
        "pipe": "refused",
    }
    assert found["d/file"].digest == hashlib.sha256(b"words").hexdigest()
    assert (found["d"].mode, found["in"].target) == (0o750, "d")


def test_the_root_may_be_a_file_or_a_link_to_a_directory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("words")
    (tmp_path / "link").symlink_to(".")
    assert [(e.name, e.size) for e in walk(str(tmp_path / "file"))] == [("", 5)]
    assert {e.name for e in walk(str(tmp_path / "link"))} == {"file", "link"}
    assert list(walk(str(tmp_path / "nothing"))) == []


def test_the_unfinished_copy_of_a_single_file_is_told(tmp_path: Path) -> None:
    (tmp_path / partial_name("file")).write_text("wo")
    (found,) = walk(str(tmp_path / "file"))
    assert (found.name, found.kind, found.size) == (partial_name(""), "partial", 2)
