"""What nodes send: only the run that was asked for is kept, and only when it is whole."""

from __future__ import annotations

import io
import stat
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.bench import incoming
from carrel.bench.incoming import pack_run, take_run
from carrel.codec import Json
from carrel.errors import AlreadyExists, InvalidInput
from carrel.journal.journal import Journal
from carrel.journal.paths import run_directory
from carrel.journal.verify import verify

RUN = "run_1"


def keep(home: Path, run: str = RUN, **more: Json) -> bytes:
    """A real run on a node, packed there."""
    with Journal.create(run, home=home) as journal:
        journal.append("run.started", {"task": "copy", "model": "steps", "machine": {}} | more)
        sha = journal.blobs.put(b"\x89PNG picture")
        journal.append("frame", {"frame": sha}, blobs=(sha,))
        journal.append("run.finished", {"status": "succeeded", "reason": "done"})
    return pack_run(run, home)


def files(home: Path) -> set[str]:
    return {str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()}


@pytest.fixture
def sent(tmp_path: Path) -> bytes:
    return keep(tmp_path / "node")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The driver's directory, with results and a run of its own."""
    place = tmp_path / "results"
    keep(place, "run_0")
    (place / "results.jsonl").write_text("mine\n")
    return place


def remake(sent: bytes, change: Callable[[tarfile.TarFile], None]) -> bytes:
    """The archive again, with something more in it."""
    out = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(sent)) as old, tarfile.open(fileobj=out, mode="w") as new:
        change(new)
        for member in old:
            new.addfile(member, old.extractfile(member) if member.isreg() else None)
    return out.getvalue()


def add(tar: tarfile.TarFile, name: str, data: bytes = b"theirs", **facts: object) -> None:
    info = tarfile.TarInfo(name)
    info.size = 0 if "type" in facts else len(data)
    for key, value in facts.items():
        setattr(info, key, value)
    tar.addfile(info, io.BytesIO(data))


def test_an_honest_run_arrives_whole_and_private(sent: bytes, home: Path) -> None:
    take_run(sent, RUN, home)
    found = verify(RUN, home)
    assert (found.ok, found.events, found.blobs) == (True, 3, 1)
    kept = [run_directory(RUN, home), *run_directory(RUN, home).rglob("*")]
    assert not any(stat.S_IMODE(path.stat().st_mode) & 0o077 for path in kept)
    assert not list(home.glob(".incoming-*"))


@pytest.mark.parametrize(
    "name",
    [
        "results.jsonl",
        "runs/run_0/journal.jsonl",
        "runs/run_10/journal.jsonl",
        "runs/run_1/../run_0/journal.jsonl",
        "../outside",
        "/tmp/carrel-outside",
        ".lock",
    ],
)
def test_nothing_but_that_run_is_taken(sent: bytes, home: Path, name: str) -> None:
    before = files(home.parent)
    wicked = remake(sent, lambda tar: add(tar, name))
    try:
        take_run(wicked, RUN, home)
    except InvalidInput:
        assert files(home.parent) == before
    assert (home / "results.jsonl").read_text() == "mine\n"
    assert verify("run_0", home).ok
    added = files(home.parent) - before
    assert all(path.startswith(f"results/runs/{RUN}/") for path in added), added
    assert not Path("/tmp/carrel-outside").exists()


def test_links_and_devices_are_left_out_and_modes_are_ours(
    sent: bytes, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "private").write_text("mine")

    def spoil(tar: tarfile.TarFile) -> None:
        private = str(tmp_path / "private")
        add(tar, f"runs/{RUN}/link", type=tarfile.SYMTYPE, linkname=private)
        add(tar, f"runs/{RUN}/hard", type=tarfile.LNKTYPE, linkname="../../results.jsonl")
        add(tar, f"runs/{RUN}/pipe", type=tarfile.FIFOTYPE)
        add(tar, f"runs/{RUN}/note", mode=0o7777)

    wicked = remake(sent, spoil)
    take_run(wicked, RUN, home)
    place = run_directory(RUN, home)
    assert not {"link", "hard", "pipe"} & {path.name for path in place.iterdir()}
    assert stat.S_IMODE((place / "note").stat().st_mode) == 0o600


def test_a_changed_journal_is_not_kept(home: Path, tmp_path: Path) -> None:
    node = tmp_path / "node"
    keep(node)
    journal = run_directory(RUN, node) / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b"copy", b"copi"))
    with pytest.raises(InvalidInput, match="damaged"):
        take_run(pack_run(RUN, node), RUN, home)
    assert not run_directory(RUN, home).exists()
    assert not list(home.glob(".incoming-*"))


def test_a_missing_picture_is_found_out(home: Path, tmp_path: Path) -> None:
    node = tmp_path / "node"
    keep(node)
    for blob in (run_directory(RUN, node) / "blobs").iterdir():
        blob.unlink()
    with pytest.raises(InvalidInput, match="damaged"):
        take_run(pack_run(RUN, node), RUN, home)


def test_a_run_that_is_here_is_not_replaced(sent: bytes, home: Path, tmp_path: Path) -> None:
    theirs = keep(tmp_path / "other", "run_0")
    before = (run_directory("run_0", home) / "journal.jsonl").read_bytes()
    with pytest.raises(AlreadyExists):
        take_run(theirs, "run_0", home)
    assert (run_directory("run_0", home) / "journal.jsonl").read_bytes() == before


@pytest.mark.parametrize("run", ["", "..", "../run_0", "run_0/../x", "a b", "x" * 65])
def test_what_is_no_id_of_a_run_is_refused(sent: bytes, home: Path, run: str) -> None:
    before = files(home)
    with pytest.raises(InvalidInput):
        take_run(sent, run, home)
    assert files(home) == before


def test_another_run_than_the_one_announced_is_refused(sent: bytes, home: Path) -> None:
    with pytest.raises(InvalidInput, match="does not hold the run run_2"):
        take_run(sent, "run_2", home)
    assert not run_directory("run_2", home).exists()


def test_a_whole_run_of_something_else_is_refused(home: Path, tmp_path: Path) -> None:
    sent = keep(tmp_path / "node", origin={"bench": "copy seed 1"})
    strange: list[dict[str, Json]] = [
        {"task": "paste"},
        {"task": "copy", "origin": {"bench": "copy seed 2"}},
    ]
    for wrong in strange:
        with pytest.raises(InvalidInput, match="is of something else"):
            take_run(sent, RUN, home, wrong)
    assert not run_directory(RUN, home).exists()
    take_run(sent, RUN, home, {"task": "copy", "origin": {"bench": "copy seed 1"}})
    assert verify(RUN, home).ok


def test_a_task_with_what_looks_like_a_key_is_still_its_task(home: Path, tmp_path: Path) -> None:
    task = "type sk-ant-0123456789abcdefghij into the field"
    sent = keep(tmp_path / "node", task=task)
    take_run(sent, RUN, home, {"task": task})
    assert verify(RUN, home).ok


def test_more_than_a_run_can_be_is_refused(
    sent: bytes, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incoming, "MOST_BYTES", 100)
    with pytest.raises(InvalidInput, match="too large"):
        take_run(sent, RUN, home)
    monkeypatch.setattr(incoming, "MOST_BYTES", 1 << 30)
    monkeypatch.setattr(incoming, "MOST_FILES", 2)
    with pytest.raises(InvalidInput, match="too large"):
        take_run(sent, RUN, home)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=600), st.integers(0, 20_000), st.integers(0, 255))
def test_whatever_is_sent_nothing_is_kept_but_a_whole_run(
    noise: bytes, place: int, value: int
) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        good = keep(root / "node")
        spoilt = bytearray(good)
        spoilt[place % len(good)] = value
        for data in (noise, bytes(spoilt), good[: place % len(good)]):
            home = root / f"home-{len(data)}-{data[:1].hex()}"
            try:
                take_run(data, RUN, home)
            except (InvalidInput, AlreadyExists):
                assert not files(home)
            else:
                assert verify(RUN, home).ok
