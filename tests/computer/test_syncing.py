"""Trees made alike, over a real connection to the guest's own operations."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import socket
import stat
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from anyio.abc import ByteStream
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.codec import Json
from carrel.computer import Computer
from carrel.computer.differences import Synced, plan
from carrel.computer.syncing import MAX_LINE
from carrel.errors import CarrelError, InvalidInput, NotFound, ProtocolError, WrongState
from carrel.guest import crossing, mirror
from carrel.guest.digests import BLOCK, Entry, encode_entry, partial_name
from carrel.guest.files import Files
from carrel.guest.syncing import Syncing
from carrel.stream import Connection, Stream, memory_pair

pytestmark = pytest.mark.anyio

Op = Callable[[Stream, dict[str, Json]], Awaitable[dict[str, Json] | None]]


def guest_ops(home: Path) -> dict[str, Op]:
    syncing = Syncing(Files(str(home)).path)
    return {
        "sync.list": syncing.list,
        "sync.hashes": syncing.hashes,
        "sync.get": syncing.get,
        "sync.put": syncing.put,
    }


@asynccontextmanager
async def connected(ops: dict[str, Op]) -> AsyncIterator[Computer]:
    async def handle(stream: Stream) -> None:
        args = stream.header["args"]
        assert isinstance(args, dict)
        result = await ops[str(stream.header["op"])](stream, args)
        if result is not None:
            await stream.send_message({"result": result})

    ours, theirs = memory_pair()

    async def connect() -> ByteStream:
        return ours

    hello = {"carrel": 1, "boot": "boot_1"}
    async with (
        Connection(theirs, initiator=False, handler=handle, hello=hello),
        Computer(connect) as computer,
    ):
        with anyio.fail_after(60):
            yield computer


@pytest.fixture
def here(tmp_path: Path) -> Path:
    path = tmp_path / "here"
    path.mkdir()
    return path


@pytest.fixture
def inside(tmp_path: Path) -> Path:
    """The home of the machine."""
    path = tmp_path / "inside"
    path.mkdir()
    return path


@pytest.fixture
async def computer(inside: Path) -> AsyncIterator[Computer]:
    async with connected(guest_ops(inside)) as computer:
        yield computer


def snapshot(root: Path) -> dict[str, tuple[object, ...]]:
    """What a tree is, read without the code under test."""
    found: dict[str, tuple[object, ...]] = {}
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = Path(folder, name)
            info = path.lstat()
            key = str(path.relative_to(root))
            if path.is_symlink():
                found[key] = ("link", str(path.readlink()))
            elif path.is_dir():
                found[key] = ("directory", stat.S_IMODE(info.st_mode))
            else:
                about = stat.S_IMODE(info.st_mode), info.st_mtime_ns
                found[key] = ("file", path.read_bytes(), *about)
    return found


def fill(root: Path) -> None:
    (root / "a/b").mkdir(parents=True)
    (root / "empty").mkdir()
    (root / "closed").mkdir()
    (root / "a/x").write_text("x")
    (root / "a/x").chmod(0o750)
    (root / "a/b/large").write_bytes(os.urandom(3 * BLOCK + 17))
    (root / "closed/y").write_text("y")
    (root / os.fsdecode(b"not-utf8-\xff")).write_text("any bytes")
    (root / "link").symlink_to("a/x")
    (root / "up").symlink_to("./a")
    os.utime(root / "a/x", ns=(1, 1_234_567_890_123_456_789))
    (root / "closed").chmod(0o555)


async def test_a_tree_arrives_as_it_is_and_comes_back_the_same(
    computer: Computer, here: Path, inside: Path, tmp_path: Path
) -> None:
    fill(here)
    done = await computer.sync_in(here, "tree")
    assert done.complete
    assert (done.files, done.crossed) == (4, done.bytes)
    assert snapshot(inside / "tree") == snapshot(here)
    back = tmp_path / "new/back"
    assert (await computer.sync_out("tree", back)).complete
    assert snapshot(back) == snapshot(here)


async def test_what_is_the_same_does_not_cross_again(computer: Computer, here: Path) -> None:
    fill(here)
    await computer.sync_in(here, "tree")
    again = await computer.sync_in(here, "tree", delete=True)
    assert (again.steps, again.crossed, again.unchanged) == ((), 0, 4)


@pytest.mark.parametrize("into", [True, False])
async def test_only_the_blocks_of_a_large_file_cross_that_differ(
    computer: Computer, here: Path, inside: Path, into: bool
) -> None:
    source, target = (here, inside) if into else (inside, here)
    data = bytearray(os.urandom(9 * BLOCK))
    (target / "large").write_bytes(data)
    data[4 * BLOCK + 5] ^= 1
    data += b"and more"
    (source / "large").write_bytes(data)
    if into:
        done = await computer.sync_in(here / "large", "large")
    else:
        done = await computer.sync_out("large", here / "large")
    assert done.crossed == BLOCK + len(b"and more")
    assert done.bytes == len(data)
    assert (target / "large").read_bytes() == data


@pytest.mark.parametrize("into", [True, False])
async def test_a_file_that_shrank_is_cut(
    computer: Computer, here: Path, inside: Path, into: bool
) -> None:
    source, target = (here, inside) if into else (inside, here)
    data = os.urandom(5 * BLOCK)
    (target / "large").write_bytes(data)
    (source / "large").write_bytes(data[: 2 * BLOCK + 1])
    done = await (
        computer.sync_in(here / "large", "large")
        if into
        else computer.sync_out("large", here / "large")
    )
    assert done.crossed == 1
    assert (target / "large").read_bytes() == data[: 2 * BLOCK + 1]


async def test_a_changed_file_keeps_its_place_until_the_new_one_is_whole(
    computer: Computer, here: Path, inside: Path
) -> None:
    (inside / "note").write_text("old")
    other = os.open(inside / "note", os.O_RDONLY)
    (here / "note").write_text("new words")
    await computer.sync_in(here / "note", "note")
    assert os.pread(other, 100, 0) == b"old"
    assert (inside / "note").read_text() == "new words"
    os.close(other)


@pytest.mark.parametrize("into", [True, False])
async def test_what_an_interrupted_sync_left_is_used_and_cleared(
    computer: Computer, here: Path, inside: Path, into: bool
) -> None:
    source, target = (here / "s", inside / "t") if into else (inside / "s", here / "t")
    source.mkdir()
    target.mkdir()
    data = os.urandom(8 * BLOCK)
    (source / "large").write_bytes(data)
    begun = target / partial_name("large")
    begun.write_bytes(data[: 6 * BLOCK])
    begun.chmod(0o600)
    (target / partial_name("gone since")).write_bytes(b"stale")
    if into:
        done = await computer.sync_in(source, "t")
    else:
        done = await computer.sync_out("s", target)
    assert done.crossed == 2 * BLOCK
    assert [step.name for step in done.steps] == ["large"]
    assert snapshot(target) == snapshot(source)


async def test_what_is_left_of_a_single_file_is_used_and_cleared(
    computer: Computer, here: Path, inside: Path
) -> None:
    data = os.urandom(4 * BLOCK)
    (here / "large").write_bytes(data)
    begun = inside / partial_name("copy")
    begun.write_bytes(data[:BLOCK])
    assert (await computer.sync_in(here / "large", "copy")).crossed == 3 * BLOCK
    assert (inside / "copy").read_bytes() == data
    assert not begun.exists()
    begun.write_bytes(b"stale")
    assert (await computer.sync_in(here / "large", "copy")).files == 0
    assert not begun.exists()


async def test_what_an_interrupted_sync_left_is_no_part_of_a_source(
    computer: Computer, here: Path, inside: Path
) -> None:
    (here / partial_name("x")).write_text("half")
    (here / "y").write_text("y")
    await computer.sync_in(here, "tree")
    assert [path.name for path in (inside / "tree").iterdir()] == ["y"]


async def test_a_dry_run_says_what_a_run_does_and_does_nothing(
    computer: Computer, here: Path, inside: Path
) -> None:
    fill(here)
    (inside / "tree/old").mkdir(parents=True)
    (inside / "tree/old/file").write_text("old")
    before = snapshot(inside)
    dry = await computer.sync_in(here, "tree", delete=True, dry_run=True)
    assert snapshot(inside) == before
    done = await computer.sync_in(here, "tree", delete=True)
    assert done.steps == dry.steps
    assert {(step.do, step.name) for step in dry.steps} >= {
        ("directory", "a/b"),
        ("new", "a/b/large"),
        ("link", "link"),
        ("delete", "old"),
        ("delete", "old/file"),
    }


async def test_nothing_is_deleted_unless_asked(
    computer: Computer, here: Path, inside: Path
) -> None:
    (inside / "tree").mkdir()
    (inside / "tree/mine").write_text("mine")
    (here / "yours").write_text("yours")
    await computer.sync_in(here, "tree")
    assert sorted(p.name for p in (inside / "tree").iterdir()) == ["mine", "yours"]


async def test_deletions_wait_while_something_has_failed(
    computer: Computer, here: Path, inside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (inside / "tree").mkdir()
    (inside / "tree/old").write_text("old")
    (here / "new").write_text("new")

    def fails(*args: object, **kwargs: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(mirror.Mirror, "draft", fails)
    done = await computer.sync_in(here, "tree", delete=True)
    assert not done.complete
    assert [(p.name, p.why) for p in done.failed] == [("new", "Permission denied")]
    assert done.held_back == 1
    assert (inside / "tree/old").exists()


async def test_things_of_another_kind_are_replaced(
    computer: Computer, here: Path, inside: Path
) -> None:
    fill(here)
    tree = inside / "tree"
    (tree / "link/below/further").mkdir(parents=True)
    (tree / "link/below/file").write_text("in the way")
    tree.joinpath("a").symlink_to("link")
    (tree / "empty").write_text("a file")
    kept = await computer.sync_in(here, "tree")
    assert [p.name for p in kept.failed] == ["link"]
    assert "--delete" in kept.failed[0].why
    assert (await computer.sync_in(here, "tree", delete=True)).complete
    assert snapshot(tree) == snapshot(here)


async def test_special_files_and_links_that_leave_are_refused(
    computer: Computer, here: Path, inside: Path
) -> None:
    os.mkfifo(here / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(here / "socket"))
        (here / "out").symlink_to("../elsewhere")
        (here / "absolute").symlink_to("/etc/passwd")
        (here / "plain").write_text("plain")
        done = await computer.sync_in(here, "tree")
    assert [p.name for p in done.refused] == ["absolute", "out", "pipe", "socket"]
    assert not done.complete
    assert [path.name for path in (inside / "tree").iterdir()] == ["plain"]


async def test_what_is_refused_is_not_deleted_where_it_is(
    computer: Computer, here: Path, inside: Path
) -> None:
    (here / "out").symlink_to("/etc")
    (inside / "tree/out").mkdir(parents=True)
    (inside / "tree/out/mine").write_text("mine")
    await computer.sync_in(here, "tree", delete=True)
    assert (inside / "tree/out/mine").read_text() == "mine"


async def test_a_hash_finds_what_size_and_time_hide(
    computer: Computer, here: Path, inside: Path
) -> None:
    (here / "note").write_text("one")
    await computer.sync_in(here, "tree")
    info = (here / "note").stat()
    (here / "note").write_text("two")
    os.utime(here / "note", ns=(info.st_atime_ns, info.st_mtime_ns))
    assert (await computer.sync_in(here, "tree")).files == 0
    assert (await computer.sync_in(here, "tree", checksum=True)).files == 1
    assert (inside / "tree/note").read_text() == "two"
    os.utime(here / "note", ns=(0, 0))
    done = await computer.sync_in(here, "tree", checksum=True)
    assert [step.do for step in done.steps] == ["mode"]
    assert (inside / "tree/note").stat().st_mtime_ns == 0


async def test_a_mode_is_brought_over_without_the_content(
    computer: Computer, here: Path, inside: Path
) -> None:
    fill(here)
    await computer.sync_in(here, "tree")
    (here / "a/x").chmod(0o600)
    (here / "a").chmod(0o700)
    done = await computer.sync_in(here, "tree")
    assert done.crossed == 0
    assert snapshot(inside / "tree") == snapshot(here)


async def test_a_single_file_goes_into_a_directory_or_gets_a_new_name(
    computer: Computer, here: Path, inside: Path
) -> None:
    (here / "note").write_text("words")
    (inside / "folder").mkdir()
    await computer.sync_in(here / "note", "folder")
    await computer.sync_in(here / "note", "new/")
    await computer.sync_in(here / "note", "other/name")
    for place in ("folder/note", "new/note", "other/name"):
        assert (inside / place).read_text() == "words"
    await computer.sync_out("other/name", here)
    assert (here / "name").read_text() == "words"


async def test_sides_that_do_not_fit_are_refused(
    computer: Computer, here: Path, inside: Path
) -> None:
    (inside / "file").write_text("file")
    with pytest.raises(NotFound):
        await computer.sync_in(here / "nothing", "tree")
    with pytest.raises(NotFound):
        await computer.sync_out("nothing", here)
    with pytest.raises(InvalidInput, match="is a file"):
        await computer.sync_in(here, "file")
    os.mkfifo(inside / "pipe")
    with pytest.raises(InvalidInput, match="pipe"):
        await computer.sync_out("pipe", here)


@pytest.mark.parametrize("into", [True, False])
async def test_a_file_that_changes_while_it_is_read_is_told(
    computer: Computer, here: Path, inside: Path, into: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = here / "s" if into else inside / "s"
    source.mkdir()
    (source / "busy").write_bytes(bytes(4 * BLOCK))
    (source / "calm").write_text("calm")
    read = crossing._Source.read

    def read_while_written(
        self: crossing._Source, at: int, basis: crossing.Basis
    ) -> tuple[bytes, bool]:
        if at == BLOCK:
            with (source / "busy").open("r+b") as file:
                file.write(b"meanwhile")
        return read(self, at, basis)

    monkeypatch.setattr(crossing._Source, "read", read_while_written)
    if into:
        done = await computer.sync_in(source, "t")
    else:
        done = await computer.sync_out("s", here / "t")
    assert [(p.name, p.why) for p in done.failed] == [("busy", "busy changed while it was read")]
    target = (inside if into else here) / "t"
    assert (target / "calm").read_text() == "calm"
    assert not (target / "busy").exists()
    monkeypatch.undo()
    again = await (computer.sync_in(source, "t") if into else computer.sync_out("s", here / "t"))
    assert again.complete
    assert snapshot(target) == snapshot(source)


async def test_bytes_that_did_not_arrive_as_sent_are_never_put_in_place(
    computer: Computer, here: Path, inside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "note").write_bytes(bytes(3 * BLOCK))
    write = mirror.Draft.write

    def write_wrongly(self: mirror.Draft, at: int, data: bytes) -> None:
        write(self, at, data[:-1] + b"!")

    monkeypatch.setattr(mirror.Draft, "write", write_wrongly)
    done = await computer.sync_in(here, "tree")
    assert "did not arrive as it was sent" in done.failed[0].why
    assert list((inside / "tree").iterdir()) == []


async def test_a_full_disk_ends_the_sync_and_gets_its_room_back(
    computer: Computer, here: Path, inside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "note").write_bytes(bytes(3 * BLOCK))

    def write(self: mirror.Draft, at: int, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(mirror.Draft, "write", write)
    with pytest.raises(CarrelError, match="No space left") as caught:
        await computer.sync_in(here, "tree")
    assert caught.value.hint == "make room, and run it again"
    assert list((inside / "tree").iterdir()) == []


async def test_two_syncs_do_not_write_one_file_at_once(
    computer: Computer, here: Path, inside: Path
) -> None:
    (here / "note").write_text("words")
    (inside / "tree").mkdir()
    with (
        mirror.Mirror(str(inside / "tree")) as other,
        anyio.fail_after(10),
    ):
        draft = other.draft("note", basis=False)
        done = await computer.sync_in(here, "tree")
        draft.close()
    assert done.failed[0].why == "another sync is writing note"


@pytest.mark.parametrize("ending", ["commit", "discard"])
async def test_a_sync_that_comes_to_its_end_meanwhile_is_not_written_into(
    inside: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    (inside / "tree").mkdir()
    digest = hashlib.sha256(b"words").hexdigest()
    with mirror.Mirror(str(inside / "tree")) as other, mirror.Mirror(str(inside / "tree")) as mine:
        first = other.draft("note", basis=False)
        first.write(0, b"words")
        flock = fcntl.flock

        def late(fd: int, how: int) -> None:
            monkeypatch.setattr(fcntl, "flock", flock)
            if ending == "commit":
                first.commit(5, digest, 0o644, 0)
            else:
                first.discard()
            first.close()
            flock(fd, how)

        monkeypatch.setattr(fcntl, "flock", late)
        with pytest.raises(WrongState, match="another sync has just written note"):
            mine.draft("note", basis=False)
    left = [path.read_bytes() for path in (inside / "tree").iterdir()]
    assert left == ([b"words"] if ending == "commit" else [])


async def test_progress_counts_what_crossed_and_what_needed_not(
    computer: Computer, here: Path
) -> None:
    (here / "large").write_bytes(os.urandom(4 * BLOCK))
    await computer.sync_in(here, "tree")
    with (here / "large").open("r+b") as file:
        file.write(b"other")
    told: list[tuple[int, int]] = []
    await computer.sync_in(here, "tree", progress=lambda done, total: told.append((done, total)))
    assert told == [(n * BLOCK, 4 * BLOCK) for n in (1, 2, 3, 4)]
    (here / "large").write_bytes(bytes(4 * BLOCK))
    os.utime(here / "large", ns=(0, 0))
    told.clear()
    await computer.sync_out("tree", here, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (4 * BLOCK, 4 * BLOCK)


async def test_a_tree_is_told_with_sizes_and_hashes(computer: Computer, inside: Path) -> None:
    fill(inside)
    found = {str(item["name"]): item for item in await computer.list_tree(".", hashed=True)}
    assert found["a/x"]["sha256"] == hashlib.sha256(b"x").hexdigest()
    assert (found["a/x"]["mode"], found["a/x"]["size"]) == ("0750", 1)
    assert found["link"]["target"] == "a/x"
    assert "not-utf8-\\xff" in found
    assert [item["size"] for item in await computer.list_tree("a/x")] == [1]
    with pytest.raises(NotFound):
        await computer.list_tree("nothing")


# A machine that lies


def lying(entries: list[dict[str, object]], *orders: dict[str, object] | bytes) -> dict[str, Op]:
    async def tell(stream: Stream, args: dict[str, Json]) -> None:
        await stream.send_message({"result": {"kind": "directory"}})
        for entry in entries:
            await stream.send(json.dumps(entry).encode() + b"\n")

    async def get(stream: Stream, args: dict[str, Json]) -> None:
        await stream.receive_message()
        for order in orders:
            if isinstance(order, bytes):
                await stream.send(order)
            else:
                await stream.send_json(json.dumps(order).encode())

    return {"sync.list": tell, "sync.get": get}


def entry(name: str, **about: object) -> dict[str, object]:
    plain = {"kind": "file", "size": 3, "mode": 0o755, "mtime_ns": 0, "target": "", "digest": ""}
    return {"name": name, **plain, **about}


def begin(name: str, **about: object) -> dict[str, object]:
    plain = {"do": "file", "size": 3, "mode": 0o644, "mtime_ns": 0, "basis": False}
    return {"file": name, **plain, **about}


@pytest.mark.parametrize(
    "name", ["../out", "/etc/cron.d/x", "a/../../out", "..", ".", "a//b", "", "a\0b", "x" * 5000]
)
@pytest.mark.parametrize("kind", ["file", "directory", "link"])
async def test_names_that_climb_out_are_refused(tmp_path: Path, name: str, kind: str) -> None:
    target = tmp_path / "deep/target"
    digest = hashlib.sha256(b"abc").hexdigest()
    orders = (begin(name), b"abc", {"do": "end", "digest": digest})
    async with connected(lying([entry(name, kind=kind, target="t")], *orders)) as computer:
        done = await computer.sync_out("tree", target)
    assert len(done.failed) == 1
    assert snapshot(tmp_path) == snapshot_of_nothing(tmp_path)


def snapshot_of_nothing(root: Path) -> dict[str, tuple[object, ...]]:
    return {key: value for key, value in snapshot(root).items() if value[0] == "directory"} | {
        "deep": ("directory", 0o755),
        "deep/target": ("directory", 0o755),
    }


async def test_a_link_on_the_way_is_not_followed(tmp_path: Path) -> None:
    outside, target = tmp_path / "outside", tmp_path / "target"
    outside.mkdir()
    target.mkdir()
    (target / "way").symlink_to(outside)
    digest = hashlib.sha256(b"abc").hexdigest()
    orders = (begin("way/x"), b"abc", {"do": "end", "digest": digest})
    async with connected(lying([entry("way/x")], *orders)) as computer:
        done = await computer.sync_out("tree", target)
    assert "no directory" in done.failed[0].why
    assert list(outside.iterdir()) == []


async def test_a_link_that_leaves_is_refused_whatever_the_machine_calls_it(tmp_path: Path) -> None:
    entries = [entry("link", kind="link", target="/etc/passwd")]
    async with connected(lying(entries)) as computer:
        done = await computer.sync_out("tree", tmp_path / "target")
    assert "leaves the tree" in done.failed[0].why
    assert list((tmp_path / "target").iterdir()) == []


@pytest.mark.parametrize(
    "orders",
    [
        (begin("other"),),
        ({"do": "failed", "name": "other", "why": "no"},),
        (begin("note"), begin("note")),
        (begin("note"), b"abcd"),
        (b"abc",),
        (begin("note"), {"do": "at", "offset": 2}, b"ab"),
        (begin("note"), {"do": "at", "offset": -1}),
        (begin("note", size="3"),),
        (begin("note", mode=0o4755),),
        ({"do": "end", "digest": ""},),
        ({"do": "remove", "name": "mine"},),
        (),
    ],
)
async def test_what_was_not_asked_for_ends_the_sync(
    tmp_path: Path, orders: tuple[dict[str, object] | bytes, ...]
) -> None:
    (tmp_path / "mine").write_text("mine")
    async with connected(lying([entry("note")], *orders)) as computer:
        with pytest.raises((ProtocolError, InvalidInput)):
            await computer.sync_out("tree", tmp_path)
    assert (tmp_path / "mine").read_text() == "mine"
    assert not (tmp_path / "note").exists()
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": "3"},
        {"size": -1},
        {"size": True},
        {"kind": "device"},
        {"mode": 0o7777},
        {"size": 2**63},
        {"mtime_ns": 10**400},
        {"mtime_ns": -(2**65)},
        {"more": 1},
        {"name": None},
    ],
)
async def test_an_entry_that_is_none_ends_the_sync(
    tmp_path: Path, wrong: dict[str, object]
) -> None:
    async with connected(lying([entry("note") | wrong])) as computer:
        with pytest.raises(ProtocolError):
            await computer.sync_out("tree", tmp_path)
        with pytest.raises(ProtocolError):
            await computer.list_tree("tree")


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([b"x" * 1000] * 1000, "more than 65536 bytes"),
        ([b"x" * 100_000 + b"\n"], "more than 65536 bytes"),
        ([json.dumps(entry("note")).encode()], "in the middle"),
    ],
)
async def test_a_tree_comes_in_lines_that_end(parts: list[bytes], words: str) -> None:
    async def tell(stream: Stream, args: dict[str, Json]) -> None:
        await stream.send_message({"result": {"kind": "directory"}})
        for part in parts:
            await stream.send(part)

    async with connected({"sync.list": tell}) as computer:
        with pytest.raises(ProtocolError, match=words):
            await computer.list_tree("tree")


def test_the_longest_names_fit_a_line() -> None:
    longest = Entry("\udcff" * 4096, "link", 2**62, 0o777, 2**63, "\udcfe" * 4096, "f" * 64)
    assert len(encode_entry(longest)) < MAX_LINE


# Whatever the trees are

Tree = dict[str, "bytes | str | Tree"]

_contents = st.one_of(
    st.binary(max_size=3),
    st.binary(min_size=1, max_size=2).map(lambda piece: piece * BLOCK + b"end"),
    st.sampled_from(["a", "b/c", "../a", "./b"]),
)
_trees = st.recursive(
    st.dictionaries(st.sampled_from("abc"), _contents, max_size=3),
    lambda inner: st.dictionaries(st.sampled_from("abc"), st.one_of(inner, _contents), max_size=3),
    max_leaves=8,
)


def write(root: Path, tree: Tree, when: int) -> None:
    root.mkdir()
    for name, content in tree.items():
        path = root / name
        if isinstance(content, dict):
            write(path, content, when)
        elif isinstance(content, str):
            path.symlink_to(content)
        else:
            path.write_bytes(content)
            os.utime(path, ns=(when, when))


@settings(max_examples=60)
@given(source=_trees, target=_trees, into=st.booleans())
async def test_two_trees_are_alike_afterwards_and_stay_so(
    source: Tree, target: Tree, into: bool
) -> None:
    with tempfile.TemporaryDirectory() as place:
        here, inside = Path(place, "here"), Path(place, "inside")
        wanted, made = (here, inside) if into else (inside, here)
        write(wanted, source, 1_000)
        write(made, target, 2_000)
        async with connected(guest_ops(Path(place))) as computer:

            async def sync() -> Synced:
                if into:
                    return await computer.sync_in(here, "inside", delete=True)
                return await computer.sync_out("inside", here, delete=True)

            first, second = await sync(), await sync()
        refused = {problem.name for problem in first.refused}
        assert not first.failed
        assert second.steps == ()
        expected = {k: v for k, v in snapshot(wanted).items() if k not in refused}
        found = snapshot(made)
        assert expected.items() <= found.items()
        # Whatever else is there is at a place whose counterpart did not cross.
        extra = found.keys() - expected.keys()
        assert all(any(k == r or k.startswith(f"{r}/") for r in refused) for k in extra)


def test_a_plan_opens_directories_for_its_work_and_closes_them_again() -> None:
    folder = Entry("d", "directory", mode=0o555)
    file = Entry("d/x", "file", 1, 0o644, 5)
    found = plan({"d": folder, "d/x": file}, {"d": folder})
    assert [(step.do, step.name, step.mode) for step in found.steps] == [
        ("mode", "d", 0o755),
        ("new", "d/x", 0o644),
        ("mode", "d", 0o555),
    ]
    same = plan({"d": folder, "d/x": file}, {"d": folder, "d/x": replace(file)})
    assert same.steps == ()
