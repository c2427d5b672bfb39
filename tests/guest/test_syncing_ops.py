"""The guest's operations for syncing, asked for anything at all."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from serving import Op, rest, serving

from carrel.codec import Json
from carrel.errors import CarrelError, InvalidInput
from carrel.guest.digests import BLOCK, decode_entry
from carrel.guest.files import Files
from carrel.guest.syncing import Syncing
from carrel.stream import Connection, Stream

pytestmark = pytest.mark.anyio

_names = st.sampled_from(
    [
        "",
        "a",
        "a/b",
        "link",
        "link/x",
        "../outside",
        "/etc",
        ".",
        "a//b",
        "a\0b",
        "\ud800",
        "x" * 300,
    ]
)
_numbers = st.sampled_from([-1, 0, 1, 3, 0o755, 2**40, 2**63, 2**70, True, None, "3", 1.5])
_orders = st.fixed_dictionaries(
    {
        "do": st.sampled_from(
            ["file", "at", "end", "failed", "directory", "link", "adjust", "remove", "else", None]
        )
    },
    optional={
        "name": st.one_of(_names, st.none()),
        "file": st.one_of(_names, st.none()),
        "target": st.one_of(_names, st.none()),
        "size": _numbers,
        "mode": _numbers,
        "mtime_ns": _numbers,
        "offset": _numbers,
        "block": _numbers,
        "blocks": _numbers,
        "basis": st.booleans(),
        "last": st.booleans(),
        "digest": st.text(max_size=3),
        "why": st.text(max_size=3),
    },
)
_items = st.lists(st.one_of(_orders, st.binary(min_size=1, max_size=5)), max_size=8)


def ops(home: Path) -> dict[str, Op]:
    syncing = Syncing(Files(str(home)).path)

    async def put(stream: Stream, args: dict[str, Json]) -> None:
        await stream.send_message({"result": await syncing.put(stream, args)})

    return {
        "list": syncing.list,
        "hashes": syncing.hashes,
        "get": syncing.get,
        "put": put,
    }


async def speak(
    client: Connection, op: str, items: list[dict[str, object] | bytes], **args: object
) -> None:
    stream = await client.open({"op": op, "id": "req_1", "args": args})
    async with stream:
        for item in items:
            if isinstance(item, bytes):
                await stream.send(item)
            else:
                await stream.send_json(json.dumps(item).encode())
        await stream.end()
        await rest(stream)


async def complaint(
    client: Connection, op: str, items: list[dict[str, object] | bytes], **args: object
) -> str:
    """What was wrong with it, if anything."""
    try:
        await speak(client, op, items, **args)
    except CarrelError as error:
        return error.message
    return ""


@settings(max_examples=200)
@given(op=st.sampled_from(["hashes", "get", "put"]), items=_items, single=st.booleans())
async def test_whatever_is_said_stays_in_the_tree_and_is_answered(
    op: str, items: list[dict[str, object] | bytes], single: bool
) -> None:
    with tempfile.TemporaryDirectory() as place:
        home, outside = Path(place, "home"), Path(place, "outside")
        (home / "tree/a").mkdir(parents=True)
        outside.mkdir()
        (outside / "mine").write_text("mine")
        (home / "tree/link").symlink_to(outside)
        path = "tree/f" if single else "tree"
        async with serving(ops(home)) as client:
            with anyio.fail_after(10):
                said = await complaint(client, op, items, path=path, single=single)
        assert "internal error" not in said
        assert [path.name for path in outside.iterdir()] == ["mine"]
        assert (outside / "mine").read_text() == "mine"
        assert sorted(path.name for path in Path(place).iterdir()) == ["home", "outside"]
        assert [path.name for path in home.iterdir()] == ["tree"]


@given(
    st.dictionaries(
        st.sampled_from(["path", "single", "hashed", "more"]),
        # A text would be a path like any other.
        st.none() | _numbers.filter(lambda value: not isinstance(value, str)),
    )
)
async def test_arguments_are_checked(args: dict[str, object]) -> None:
    with tempfile.TemporaryDirectory() as place:
        async with serving(ops(Path(place))) as client:
            for op in ("list", "hashes", "get", "put"):
                with pytest.raises(InvalidInput), anyio.fail_after(10):
                    await speak(client, op, [], **args)


@pytest.mark.parametrize("basis", [True, False])
async def test_a_file_of_which_too_little_came_is_not_filled_up(
    tmp_path: Path, basis: bool
) -> None:
    (tmp_path / "f").write_bytes(bytes(BLOCK))
    begin = {"do": "file", "file": "f", "size": 2**45, "mode": 420, "mtime_ns": 0, "basis": basis}
    items = [begin, {"do": "at", "offset": 2**44}, b"x", {"do": "end", "digest": ""}]
    async with serving(ops(tmp_path)) as client:
        for some in (items, [begin, items[-1]], [{**begin, "size": 5}, b"x", items[-1]]):
            stream = await client.open({"op": "put", "id": "r", "args": {"path": "."}})
            async with stream:
                for item in some:
                    if isinstance(item, bytes):
                        await stream.send(item)
                    else:
                        await stream.send_message(item)
                await stream.end()
                result = (await rest(stream)).last["result"]
            assert isinstance(result, dict)
            assert (result["done"], result["failed"]) == (0, 1)
    assert (tmp_path / "f").read_bytes() == bytes(BLOCK)


async def test_a_file_is_told_by_the_hashes_of_its_blocks(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(os.urandom(2 * BLOCK + 1))
    async with serving(ops(tmp_path)) as client:
        stream = await client.open({"op": "hashes", "id": "r", "args": {"path": "."}})
        async with stream:
            for name in ("f", "missing"):
                await stream.send_message({"name": name, "block": BLOCK, "blocks": 0})
            await stream.end()
            answer = await rest(stream)
    assert [message["blocks"] for message in answer.messages] == [3, 0]
    assert len(answer.out) == 3 * 32


async def test_what_is_missing_is_told_as_missing(tmp_path: Path) -> None:
    async with serving(ops(tmp_path)) as client:
        stream = await client.open({"op": "list", "id": "r", "args": {"path": "x/y"}}, end=True)
        async with stream:
            answer = await rest(stream)
    assert answer.last["result"] == {"kind": "missing", "path": str(tmp_path / "x/y")}
    assert answer.out == b""


async def test_many_entries_come_in_pieces(tmp_path: Path) -> None:
    for number in range(3000):
        (tmp_path / f"{number:04}-{'long' * 20}").touch()
    async with serving(ops(tmp_path)) as client:
        stream = await client.open({"op": "list", "id": "r", "args": {"path": "."}}, end=True)
        async with stream:
            answer = await rest(stream)
    entries = [decode_entry(line) for line in answer.out.splitlines()]
    assert len({entry.name for entry in entries}) == 3000
