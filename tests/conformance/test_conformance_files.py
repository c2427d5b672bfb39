from __future__ import annotations

import os
import stat

import pytest
from proofs import bounded, proves
from subjects import Subject

from carrel.errors import CarrelError, NotFound

pytestmark = pytest.mark.desktop

TEXT = "Zeile eins\nline two 漢字 😀\n\n no end"


@proves("write_file")
async def test_a_written_file_holds_the_text(desk: Subject) -> None:
    with desk.folder() as (here, inside):
        for text in (TEXT, "shorter", "", "x" * 900_000):
            await desk.computer.write_file(f"{inside}/file name ü", text)
            assert (here / "file name ü").read_text() == text
            assert [path.name for path in here.iterdir()] == ["file name ü"]


@proves("append_file")
async def test_text_is_added_to_the_end_of_a_file(desk: Subject) -> None:
    with desk.folder() as (here, inside):
        for text in ("one", TEXT, "three"):
            await desk.computer.append_file(f"{inside}/file", text)
        assert (here / "file").read_text() == "one" + TEXT + "three"


@proves("read_file")
async def test_a_file_is_read_as_it_is(desk: Subject) -> None:
    with desk.folder() as (here, inside):
        (here / "file").write_text(TEXT)
        (here / "file").chmod(0o644)
        assert await desk.computer.read_file(f"{inside}/file") == TEXT
        assert await desk.computer.read_file(f"{inside}/file", limit=5) == TEXT[:5]


@proves("list_files")
async def test_a_directory_is_listed_as_it_is(desk: Subject) -> None:
    with desk.folder() as (here, inside):
        (here / "a file\nname").write_text("12345")
        (here / "folder").mkdir()
        (here / "link").symlink_to("nowhere")
        found = {entry["name"]: entry for entry in await desk.computer.list_files(inside)}
        assert {name: entry["kind"] for name, entry in found.items()} == {
            "a file\nname": "file",
            "folder": "directory",
            "link": "link",
        }
        assert found["a file\nname"]["size"] == 5


@proves("stat_file")
async def test_a_file_is_described_as_it_is(desk: Subject) -> None:
    with desk.folder() as (here, inside):
        (here / "file").write_text("123")
        (here / "file").chmod(0o640)
        os.utime(here / "file", (1_000_000_000, 1_000_000_000))
        facts = await desk.computer.stat_file(f"{inside}/file")
        assert (facts["name"], facts["kind"], facts["size"]) == ("file", "file", 3)
        assert facts["modified"] == 1_000_000_000
        assert facts["mode"] == "0640"


@proves("make_directory")
async def test_a_directory_is_made_with_its_parents(desk: Subject) -> None:
    with desk.folder() as (here, inside):
        await desk.computer.make_directory(f"{inside}/one/two/drei ü")
        assert (here / "one/two/drei ü").is_dir()


@proves("move_file")
async def test_a_file_is_moved_with_its_content(desk: Subject) -> None:
    with desk.folder() as (here, inside):
        await desk.computer.write_file(f"{inside}/old", TEXT)
        await desk.computer.move_file(f"{inside}/old", f"{inside}/new")
        assert not (here / "old").exists()
        assert (here / "new").read_text() == TEXT


@proves("delete_file")
async def test_a_deleted_file_is_gone_and_a_full_directory_only_when_meant(desk: Subject) -> None:
    with desk.folder() as (here, inside):
        await desk.computer.make_directory(f"{inside}/full")
        await desk.computer.write_file(f"{inside}/full/file", TEXT)
        with pytest.raises(CarrelError):
            await desk.computer.delete_file(f"{inside}/full")
        assert (here / "full/file").exists()
        await desk.computer.delete_file(f"{inside}/full/file")
        assert not (here / "full/file").exists()
        await desk.computer.write_file(f"{inside}/full/other", TEXT)
        await desk.computer.delete_file(f"{inside}/full", recursive=True)
        assert not (here / "full").exists()


@bounded
async def test_bytes_and_trees_cross_both_ways(desk: Subject) -> None:
    with desk.folder() as (here, inside):
        data = os.urandom(3_000_000)
        await desk.computer.write_bytes(f"{inside}/bytes", data)
        assert (here / "bytes").read_bytes() == data
        assert await desk.computer.read_bytes(f"{inside}/bytes", 1000, 50) == data[1000:1050]
        source = desk.home.parent / "source"
        (source / "deep").mkdir(parents=True, exist_ok=True)
        (source / "deep" / "run").write_bytes(data)
        (source / "deep" / "run").chmod(0o755)
        await desk.computer.upload(source, f"{inside}/tree")
        assert (here / "tree/deep/run").read_bytes() == data
        assert stat.S_IMODE((here / "tree/deep/run").stat().st_mode) == 0o755
        await desk.computer.download(f"{inside}/tree", source / "back")
        assert (source / "back/deep/run").read_bytes() == data


@bounded
async def test_missing_files_are_not_found(desk: Subject) -> None:
    for ask in (
        desk.computer.read_file,
        desk.computer.list_files,
        desk.computer.stat_file,
        desk.computer.delete_file,
        desk.computer.read_bytes,
    ):
        with pytest.raises(NotFound):
            await ask("/no/such/file")
