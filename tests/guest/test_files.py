from __future__ import annotations

import contextlib
import io
import os
import stat
import tarfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from serving import ask, replying, serving

from carrel import actions
from carrel.errors import (
    ActionFailed,
    AlreadyExists,
    CarrelError,
    InvalidInput,
    NotFound,
    WrongState,
)
from carrel.guest import trees
from carrel.guest.files import Files
from carrel.stream import Connection

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def guest(home: Path) -> AsyncIterator[Connection]:
    files = Files(str(home))
    ops = {
        "file.read": files.read,
        "file.write": replying(files.write),
        "tree.get": files.tree_get,
        "tree.put": replying(files.tree_put),
    }
    with anyio.fail_after(60):
        async with serving(ops) as client:
            yield client


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


# Reading


async def test_a_file_comes_whole_with_its_size(tmp_path: Path) -> None:
    body = os.urandom(700_001)
    (tmp_path / "f").write_bytes(body)
    (tmp_path / "f").chmod(0o640)
    async with guest(tmp_path) as client:
        answer = await ask(client, "file.read", path="f")
    assert answer.out == body
    facts = {"size": 700_001, "mode": 0o640, "offset": 0, "length": 700_001}
    assert answer.last == {"result": facts}


@pytest.mark.parametrize(
    ("offset", "length", "expected"),
    [(2, 3, b"234"), (8, None, b"89"), (10, None, b""), (99, 1, b""), (0, 0, b""), (8, 99, b"89")],
)
async def test_a_range_of_a_file_comes(
    tmp_path: Path, offset: int, length: int | None, expected: bytes
) -> None:
    (tmp_path / "f").write_bytes(b"0123456789")
    async with guest(tmp_path) as client:
        answer = await ask(client, "file.read", path="f", offset=offset, length=length)
    assert answer.out == expected


async def test_files_of_the_kernel_that_claim_to_be_empty_are_read(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        answer = await ask(client, "file.read", path="/proc/self/status")
    assert answer.out.startswith(b"Name:")


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("nope", NotFound),
        ("nope/deep", NotFound),
        ("/", InvalidInput),
        ("/dev/zero", InvalidInput),
        ("pipe", InvalidInput),
        ("file/below", InvalidInput),
        ("loop", InvalidInput),
        ("x" * 300, InvalidInput),
        ("", InvalidInput),
        ("a\0b", InvalidInput),
        ("x" * 5000, InvalidInput),
    ],
)
@pytest.mark.parametrize("op", ["file.read", "file.write"])
async def test_what_is_no_file_is_a_clear_error(
    tmp_path: Path, op: str, path: str, error: type[CarrelError]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    if (op, path) == ("file.write", "nope"):
        return
    async with guest(tmp_path) as client:
        with pytest.raises(error):
            await ask(client, op, body=b"", path=path)
    assert names(tmp_path) == ["file", "loop", "pipe"]


async def test_an_error_names_the_path(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        with pytest.raises(NotFound) as caught:
            await ask(client, "file.read", path="nope")
    assert caught.value.context["path"] == str(tmp_path / "nope")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read anything")
async def test_a_forbidden_file_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "f").touch(0o000)
    async with guest(tmp_path) as client:
        with pytest.raises(ActionFailed, match="ermission"):
            await ask(client, "file.read", path="f")


async def test_what_the_system_forbids_is_a_failure_with_the_path(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        with pytest.raises(ActionFailed) as caught:
            await ask(client, "file.write", body=b"x", path="/proc/version", append=True)
    assert caught.value.context["path"].startswith("/proc/")


@pytest.mark.parametrize(
    "args",
    [
        {"path": "f", "offset": -1},
        {"path": "f", "length": -1},
        {"path": "f", "offset": 2**70},
        {"path": "f", "lenght": 1},
        {"path": 5},
        {},
    ],
)
async def test_unknown_or_ill_typed_arguments_are_refused(
    tmp_path: Path, args: dict[str, object]
) -> None:
    async with guest(tmp_path) as client:
        with pytest.raises(InvalidInput):
            await ask(client, "file.read", **args)


# Writing


async def test_a_written_file_is_there_with_its_size_and_usual_mode(tmp_path: Path) -> None:
    body = os.urandom(3_000_000)
    async with guest(tmp_path) as client:
        answer = await ask(client, "file.write", body=body, path="new")
    assert (tmp_path / "new").read_bytes() == body
    assert answer.last["result"] == {"path": str(tmp_path / "new"), "size": len(body)}
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o666 & ~mask
    assert names(tmp_path) == ["new"]


async def test_a_mode_is_set_and_a_replaced_file_keeps_its_own(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        await ask(client, "file.write", body=b"#!", path="tool", mode=0o750)
        await ask(client, "file.write", body=b"#!2", path="tool")
    assert stat.S_IMODE((tmp_path / "tool").stat().st_mode) == 0o750


async def test_readers_see_the_old_file_until_the_new_one_is_whole(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"old")
    async with guest(tmp_path) as client:
        header = {"op": "file.write", "id": "r", "args": {"path": "f"}}
        async with await client.open(header) as stream:
            await stream.send(b"n" * 400_000)
            with anyio.fail_after(5):
                while len(names(tmp_path)) < 2:  # noqa: ASYNC110
                    await anyio.sleep(0.01)
            assert (tmp_path / "f").read_bytes() == b"old"
            await stream.send(b"ew", end=True)
            await stream.receive_message()
    assert (tmp_path / "f").read_bytes() == b"n" * 400_000 + b"ew"
    assert names(tmp_path) == ["f"]


async def test_a_broken_off_write_changes_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"old")
    async with guest(tmp_path) as client:
        header = {"op": "file.write", "id": "r", "args": {"path": "f"}}
        async with await client.open(header) as stream:
            await stream.send(b"part")
            with anyio.fail_after(5):
                while len(names(tmp_path)) < 2:  # noqa: ASYNC110
                    await anyio.sleep(0.01)
            await stream.reset(WrongState("never mind"))
        with anyio.fail_after(5):
            while len(names(tmp_path)) > 1:  # noqa: ASYNC110
                await anyio.sleep(0.01)
    assert (tmp_path / "f").read_bytes() == b"old"


async def test_append_adds_and_creates(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        await ask(client, "file.write", body=b"one", path="log", append=True)
        answer = await ask(client, "file.write", body=b"two", path="log", append=True)
    assert (tmp_path / "log").read_bytes() == b"onetwo"
    assert answer.last["result"]["size"] == 6


async def test_writing_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    async with guest(tmp_path) as client:
        await ask(client, "file.write", body=b"new", path="link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def rss() -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


async def test_a_large_file_crosses_both_ways_in_little_memory(tmp_path: Path) -> None:
    size, piece = 256 << 20, os.urandom(1 << 20)
    async with guest(tmp_path) as client:
        before = peak = rss()
        header = {"op": "file.write", "id": "r", "args": {"path": "big"}}
        async with await client.open(header) as stream:
            for _ in range(size >> 20):
                await stream.send(piece)
                peak = max(peak, rss())
            await stream.end()
            assert (await stream.receive_message())["result"]["size"] == size
        header = {"op": "file.read", "id": "r", "args": {"path": "big"}}
        async with await client.open(header, end=True) as stream:
            await stream.receive_message()
            got = 0
            while (item := await stream.receive()) is not None:
                at = got % len(piece)
                head = min(len(item.data), len(piece) - at)
                assert item.data[:head] == piece[at : at + head]
                got += len(item.data)
            peak = max(peak, rss())
    assert got == size
    assert peak - before < 50 << 20


# Actions


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(str(tmp_path))


async def test_text_is_written_read_and_appended(files: Files, tmp_path: Path) -> None:
    text = "Grüße ☃ 漢字\r\n"
    assert await files.write_text(actions.WriteFile("~/t", text)) == {
        "path": f"{tmp_path}/t",
        "size": len(text.encode()),
    }
    await files.append_text(actions.AppendFile("t", "more"))
    assert await files.read_text(actions.ReadFile("t")) == {
        "text": text + "more",
        "size": len(text.encode()) + 4,
        "truncated": False,
    }


async def test_a_long_text_is_cut_at_a_character_and_says_so(files: Files, tmp_path: Path) -> None:
    (tmp_path / "t").write_text("漢" * 10)
    found = await files.read_text(actions.ReadFile("t", limit=4))
    assert found == {"text": "漢漢漢漢", "size": 30, "truncated": True}
    whole = await files.read_text(actions.ReadFile("t", limit=10))
    assert whole["truncated"] is False


async def test_bytes_are_not_read_as_text(files: Files, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(b"ab\xff")
    with pytest.raises(InvalidInput, match="UTF-8"):
        await files.read_text(actions.ReadFile("t"))


@pytest.mark.parametrize("limit", [0, -1, 10**9])
async def test_an_absurd_limit_is_refused(files: Files, limit: int) -> None:
    with pytest.raises(InvalidInput, match="limit"):
        await files.read_text(actions.ReadFile("t", limit=limit))


async def test_a_directory_is_listed_with_kinds(files: Files, tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"123")
    (tmp_path / "b").chmod(0o640)
    (tmp_path / "a").mkdir()
    (tmp_path / "c").symlink_to("b")
    os.mkfifo(tmp_path / "d")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/e\xff")).touch()
    entries = (await files.list(actions.ListFiles(".")))["entries"]
    assert [(e["name"], e["kind"]) for e in entries] == [
        ("a", "directory"),
        ("b", "file"),
        ("c", "link"),
        ("d", "other"),
        ("e\\xff", "file"),
    ]
    assert (entries[1]["size"], entries[1]["mode"]) == (3, "0640")
    assert entries[1]["modified"] == (tmp_path / "b").stat().st_mtime
    assert entries[2]["target"] == "b"


async def test_a_file_is_described(files: Files, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"123")
    about = await files.stat(actions.StatFile("f"))
    assert (about["name"], about["kind"], about["size"]) == ("f", "file", 3)
    assert about["owner"] == (tmp_path / "f").owner()
    assert (await files.stat(actions.StatFile("/")))["name"] == "/"


async def test_directories_are_made_with_their_parents(files: Files, tmp_path: Path) -> None:
    assert (await files.make_directory(actions.MakeDirectory("a/b/c")))["created"] is True
    assert (await files.make_directory(actions.MakeDirectory("a/b/c")))["created"] is False
    (tmp_path / "file").touch()
    with pytest.raises(AlreadyExists):
        await files.make_directory(actions.MakeDirectory("file"))


async def test_a_file_is_moved_and_never_over_another(files: Files, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    with pytest.raises(AlreadyExists):
        await files.move(actions.MoveFile("a", "b"))
    await files.move(actions.MoveFile("a", "c"))
    assert names(tmp_path) == ["b", "c"]
    with pytest.raises(NotFound, match="/a"):
        await files.move(actions.MoveFile("a", "d"))
    with pytest.raises(NotFound, match="no/where"):
        await files.move(actions.MoveFile("b", "no/where"))
    (tmp_path / "dir").mkdir()
    with pytest.raises(InvalidInput):
        await files.move(actions.MoveFile("dir", "dir/inside"))


async def test_a_file_is_moved_to_another_file_system(files: Files, tmp_path: Path) -> None:
    other = Path("/dev/shm")
    if not other.is_dir() or other.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is only one file system here")
    (tmp_path / "a").write_text("a")
    target = other / f"carrel-test-{os.getpid()}"
    try:
        await files.move(actions.MoveFile("a", str(target)))
        assert target.read_text() == "a"
        assert names(tmp_path) == []
    finally:
        target.unlink(missing_ok=True)


async def test_files_and_empty_directories_are_deleted(files: Files, tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    (tmp_path / "d").mkdir()
    await files.delete(actions.DeleteFile("f"))
    await files.delete(actions.DeleteFile("d"))
    assert names(tmp_path) == []
    with pytest.raises(NotFound):
        await files.delete(actions.DeleteFile("f"))


async def test_a_full_directory_is_deleted_only_when_told(files: Files, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "f").touch()
    with pytest.raises(InvalidInput, match="not empty"):
        await files.delete(actions.DeleteFile("d"))
    await files.delete(actions.DeleteFile("d", recursive=True))
    assert names(tmp_path) == []


async def test_deleting_a_link_leaves_what_it_leads_to(files: Files, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "f").touch()
    (tmp_path / "l").symlink_to("d")
    await files.delete(actions.DeleteFile("l", recursive=True))
    assert names(tmp_path) == ["d"]
    assert names(tmp_path / "d") == ["f"]


@pytest.mark.parametrize(
    "path", ["/", "//", "/.", "/..", "/tmp/..", "/tmp/../../", "/proc/1/../.."]
)
async def test_the_root_is_never_deleted(files: Files, path: str) -> None:
    with pytest.raises(InvalidInput, match="root"):
        await files.delete(actions.DeleteFile(path, recursive=True))


# Trees


def make_tree(root: Path) -> None:
    (root / "a" / "b").mkdir(parents=True)
    (root / "empty").mkdir()
    (root / "a" / "b" / "deep").write_bytes(b"deep" * 1000)
    (root / "a" / "script").write_text("#!/bin/sh\n")
    (root / "a" / "script").chmod(0o4755)
    (root / "hard").hardlink_to(root / "a" / "script")
    (root / "up").symlink_to("a/b/deep")
    (root / "a" / "b" / "back").symlink_to("../../empty")
    (root / ("long" * 60)).write_text("long")
    (root / "ünïcödé ☃").touch()
    (root / "sealed").mkdir()
    (root / "sealed" / "f").write_text("f")
    (root / "sealed").chmod(0o500)
    Path(os.fsdecode(os.fsencode(root) + b"/bytes\xff")).write_text("b")


def picture(root: Path) -> dict[str, tuple[object, ...]]:
    found: dict[str, tuple[object, ...]] = {}
    for path in root.rglob("*"):
        info = path.lstat()
        name = os.fsencode(path.relative_to(root)).decode("latin-1")
        mode = stat.S_IMODE(info.st_mode) & 0o777
        if path.is_symlink():
            found[name] = ("link", os.readlink(path))  # noqa: PTH115
        elif path.is_dir():
            found[name] = ("directory", mode)
        else:
            found[name] = ("file", mode, path.read_bytes(), int(info.st_mtime))
    return found


async def test_a_tree_crosses_both_ways_unchanged(tmp_path: Path) -> None:
    source, copy = tmp_path / "source", tmp_path / "copy"
    source.mkdir()
    make_tree(source)
    async with guest(tmp_path) as client:
        got = await ask(client, "tree.get", path="source")
        put = await ask(client, "tree.put", body=got.out, path="copy")
    assert picture(copy) == picture(source)
    expected = got.last["result"]
    assert expected["skipped"] == 0
    assert put.last["result"]["entries"] == expected["entries"] == len(picture(source))
    assert (copy / "hard").stat().st_ino == (copy / "a" / "script").stat().st_ino
    assert not (copy / "hard").stat().st_mode & stat.S_ISUID


async def test_the_archive_is_one_that_tar_reads(tmp_path: Path) -> None:
    source, copy = tmp_path / "source", tmp_path / "copy"
    source.mkdir()
    copy.mkdir()
    make_tree(source)
    async with guest(tmp_path) as client:
        got = await ask(client, "tree.get", path="source")
    await anyio.run_process(["tar", "-xpf", "-", "-C", str(copy)], input=got.out)
    assert picture(copy) == picture(source)


@pytest.mark.parametrize("kind", ["gnu", "pax", "ustar"])
async def test_an_archive_that_tar_made_is_unpacked(tmp_path: Path, kind: str) -> None:
    source, copy = tmp_path / "source", tmp_path / "copy"
    source.mkdir()
    make_tree(source)
    if kind == "ustar":
        (source / ("long" * 60)).unlink()
    made = await anyio.run_process(["tar", f"--format={kind}", "-cf", "-", "-C", str(source), "."])
    async with guest(tmp_path) as client:
        await ask(client, "tree.put", body=made.stdout, path="copy")
    assert picture(copy) == picture(source)


async def test_links_out_of_the_tree_pipes_and_sockets_are_left_out_and_told(
    tmp_path: Path,
) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "abs").symlink_to("/etc/passwd")
    (source / "climb").symlink_to("../x")
    os.mkfifo(source / "pipe")
    (source / "f").touch()
    async with guest(tmp_path) as client:
        got = await ask(client, "tree.get", path="source")
    result = got.last["result"]
    assert (result["entries"], result["skipped"]) == (1, 3)
    assert sorted(result["skipped_names"]) == ["abs", "climb", "pipe"]
    with tarfile.open(fileobj=io.BytesIO(got.out)) as tar:
        assert tar.getnames() == ["f"]


async def test_only_a_directory_is_a_tree(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    async with guest(tmp_path) as client:
        with pytest.raises(InvalidInput, match="not a directory"):
            await ask(client, "tree.get", path="f")
        with pytest.raises(NotFound):
            await ask(client, "tree.get", path="nope")
        with pytest.raises(AlreadyExists):
            await ask(client, "tree.put", body=b"", path="f")


def archive(*members: tuple[str, dict[str, object]]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, fields in members:
            body = fields.pop("body", b"")
            info = tarfile.TarInfo(name)
            info.size = len(body)
            for key, value in fields.items():
                setattr(info, key, value)
            tar.addfile(info, io.BytesIO(body))
    return out.getvalue()


def link(target: str) -> dict[str, object]:
    return {"type": tarfile.SYMTYPE, "linkname": target}


def hard(target: str) -> dict[str, object]:
    return {"type": tarfile.LNKTYPE, "linkname": target}


EVIL: dict[str, Callable[[], bytes]] = {
    "absolute": lambda: archive(("/evil", {"body": b"x"})),
    "climbing": lambda: archive(("../evil", {"body": b"x"})),
    "climbing inside": lambda: archive(("a/../../evil", {"body": b"x"})),
    "absolute link": lambda: archive(("l", link("/etc"))),
    "climbing link": lambda: archive(("l", link("../outside"))),
    "climbing through a link": lambda: archive(
        ("a", {"type": tarfile.DIRTYPE}),
        ("a/up", link("..")),
        ("out", link("a/up/../outside")),
        ("out/evil", {"body": b"x"}),
    ),
    "writing through a link": lambda: archive(
        ("d", {"type": tarfile.DIRTYPE}), ("l", link("d")), ("l/evil", {"body": b"x"})
    ),
    "hard link out": lambda: archive(("h", hard("../outside/secret"))),
    "hard link through a link": lambda: archive(("l", link(".")), ("h", hard("l/l"))),
    "hard link to nothing": lambda: archive(("h", hard("nope"))),
    "hard link to a link": lambda: archive(
        ("a", {"type": tarfile.DIRTYPE}), ("a/l", link("..")), ("h", hard("a/l"))
    ),
    "device": lambda: archive(("dev", {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 3})),
    "pipe": lambda: archive(("p", {"type": tarfile.FIFOTYPE})),
    "the root as a file": lambda: archive((".", {"body": b"x"})),
    "a directory with content": lambda: archive(
        ("d", {"type": tarfile.DIRTYPE, "body": b"x" * 512})
    ),
    "long header": lambda: archive(("f", {"pax_headers": {"comment": "x" * 100_000}})),
    "sparse": lambda: archive(("f", {"pax_headers": {"GNU.sparse.major": "1"}})),
    "negative size": lambda: archive(("f", {"pax_headers": {"size": "-1"}})),
    "cut": lambda: archive(("f", {"body": b"x" * 5000}))[:2000],
    "garbage": lambda: os.urandom(4096),
    "empty": lambda: b"",
}


@pytest.mark.parametrize("name", EVIL)
async def test_a_hostile_archive_is_refused_and_touches_nothing_outside(
    tmp_path: Path, name: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    async with guest(tmp_path) as client:
        with pytest.raises(InvalidInput):
            await ask(client, "tree.put", body=EVIL[name](), path="tree")
    assert names(outside) == ["secret"]
    assert (outside / "secret").read_text() == "secret"
    assert (outside / "secret").stat().st_nlink == 1
    assert names(tmp_path) == ["outside", "tree"]


async def test_a_link_already_in_the_destination_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "d").symlink_to("../outside")
    (tmp_path / "tree" / "f").symlink_to("../outside/f")
    async with guest(tmp_path) as client:
        await ask(client, "tree.put", body=archive(("f", {"body": b"x"})), path="tree")
        with pytest.raises(InvalidInput):
            await ask(client, "tree.put", body=archive(("d/f", {"body": b"x"})), path="tree")
    assert names(tmp_path / "outside") == []
    assert not (tmp_path / "tree" / "f").is_symlink()


async def test_a_huge_time_stamp_does_no_harm(tmp_path: Path) -> None:
    async with guest(tmp_path) as client:
        body = archive(("f", {"body": b"x", "mtime": 2**60}))
        await ask(client, "tree.put", body=body, path="tree")
    assert (tmp_path / "tree" / "f").read_bytes() == b"x"


async def test_a_reset_transfer_frees_its_thread(tmp_path: Path) -> None:
    (tmp_path / "big").mkdir()
    (tmp_path / "big" / "f").write_bytes(bytes(20 << 20))
    async with guest(tmp_path) as client:
        for _ in range(12):
            header = {"op": "tree.get", "id": "r", "args": {"path": "big"}}
            async with await client.open(header) as stream:
                await stream.receive_message()
            header = {"op": "tree.put", "id": "r", "args": {"path": "put"}}
            async with await client.open(header) as stream:
                await stream.send(archive(("f", {"body": b"x" * 5000}))[:2000])
        answer = await ask(client, "tree.get", path="big")
    assert len(answer.out) > 20 << 20


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(position=st.integers(0, 4000), junk=st.binary(min_size=1, max_size=40), fix=st.booleans())
def test_a_damaged_archive_never_escapes_or_crashes(
    tmp_path: Path, position: int, junk: bytes, fix: bool
) -> None:
    body = bytearray(
        archive(
            ("dir", {"type": tarfile.DIRTYPE}), ("dir/ü", {"body": b"x" * 600}), ("l", link("dir"))
        )
    )
    body[position : position + len(junk)] = junk
    if fix:  # a correct checksum, so that the damage gets further
        at = position // 512 * 512
        body[at + 148 : at + 156] = b" " * 8
        body[at + 148 : at + 156] = b"%06o\0 " % sum(body[at : at + 512])
    root = tmp_path / "root"
    root.mkdir(exist_ok=True)
    pieces = [bytes(body), b""]
    with contextlib.suppress(InvalidInput, OSError):
        trees.unpack(str(root), lambda: pieces.pop(0) if pieces else b"")
    assert names(tmp_path) == ["root"]


@settings(max_examples=300)
@given(
    name=st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=4),
    target=st.lists(st.sampled_from(["..", "a", "b", ".", ""]), min_size=1, max_size=5),
)
def test_a_link_said_to_stay_inside_does(name: list[str], target: list[str]) -> None:
    text = "/".join(target)
    if trees.stays_inside("/".join(name), text):
        plain = os.path.normpath("/".join(["root", *name[:-1], text]))
        assert plain == "root" or plain.startswith("root/")
