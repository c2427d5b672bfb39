"""What Firecracker says, and that it fills no disk."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from carrel.machines.firecracker.figures import make_pipe
from carrel.machines.firecracker.log import LOG, Log


def test_whole_lines_are_told_when_they_are_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_pipe(tmp_path / LOG, None)
    log = Log(tmp_path)
    log.tell()
    with (tmp_path / LOG).open("ab", buffering=0) as told:
        told.write(b"[WARN] one\n[ERR")
        log.tell()
        assert capsys.readouterr().err == "firecracker: [WARN] one\n"
        told.write(b"OR] \xff\n" + b"y" * 20_000 + b"\nlast words")
        log.finish()
    second, third, last = capsys.readouterr().err.splitlines()
    assert last == "firecracker: last words"
    assert second == "firecracker: [ERROR] �"
    assert third == f"firecracker: {'y' * 4096}"


def test_however_much_is_said_no_file_grows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_pipe(tmp_path / LOG, None)
    log = Log(tmp_path)
    # It reads to the end of its process, as its holder does.
    threading.Thread(target=log.follow, daemon=True).start()
    said = [f"[WARN] {number} {'x' * 900}" for number in range(2000)]
    with (tmp_path / LOG).open("a") as told:
        told.writelines(f"{line}\n" for line in said)
    log.tell()
    assert capsys.readouterr().err.splitlines() == [f"firecracker: {line}" for line in said]
    assert [(path.name, path.stat().st_size) for path in tmp_path.iterdir()] == [(LOG, 0)]
