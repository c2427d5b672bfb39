"""Starting an engine from its keeper: its line, its descriptors, and what is told of a failure."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from carrel.machines.sandbox.child import Child, Forked, read_failure
from carrel.machines.sandbox.engine import STEP, fork_engine

if TYPE_CHECKING:
    from carrel.machines.sandbox.engine import EngineOrders


def orders(*argv: str, line: str | None = None, given: int | None = None) -> EngineOrders:
    env = {"PATH": os.environ["PATH"], "WORD": "told"}
    return {"argv": argv, "env": env, "line": line, "given": given, "cgroups": ()}


def begun(wish: EngineOrders) -> tuple[Child[Forked], socket.socket]:
    (pid, console, status), line = fork_engine(wish)
    return Child(Forked(pid), console, status), socket.socket(fileno=line)


def ended(child: Child[Forked]) -> tuple[int, str, bytes]:
    with os.fdopen(child.console) as console, os.fdopen(child.status, "rb") as status:
        return child.process.wait(), console.read(), status.read()


def test_the_line_is_standard_input_and_output_and_errors_are_the_console() -> None:
    child, line = begun(orders("sh", "-c", "read word; echo $word $WORD; echo oh >&2; exit 3"))
    with line:
        line.sendall(b"hello\n")
        assert line.recv(100) == b"hello told\n"
        assert ended(child) == (3, "oh\n", b"")


def test_the_line_can_be_another_descriptor() -> None:
    code = "import socket, sys; socket.socket(fileno=int(sys.argv[1])).send(b'here'); print('said')"
    child, line = begun(orders(sys.executable, "-c", code, "{line}", line="{line}"))
    with line:
        assert line.recv(100) == b"here"
        assert ended(child) == (0, "said\n", b"")
        assert line.recv(100) == b""


def test_what_it_is_given_is_its_own_alone(tmp_path: Path) -> None:
    given = os.open(tmp_path / "given", os.O_WRONLY | os.O_CREAT)
    child, line = begun(orders("sh", "-c", f"echo mine > /proc/self/fd/{given}", given=given))
    with line:
        assert ended(child) == (0, "", b"")
    assert (tmp_path / "given").read_text() == "mine\n"
    assert not Path(f"/proc/self/fd/{given}").exists()


def test_a_program_that_is_not_there_is_told() -> None:
    child, line = begun(orders("/no/such/engine"))
    with line:
        code, console, status = ended(child)
    failure = read_failure(status)
    assert failure is not None
    assert (code, console, failure.step) == (127, "", STEP)
    assert "No such file" in failure.message


def test_it_dies_with_its_keeper() -> None:
    code = (
        "import os, sys; from carrel.machines.sandbox.engine import fork_engine\n"
        "orders = dict(argv=('sleep', '600'), env=dict(os.environ), line=None, given=None)\n"
        "(pid, *_), _ = fork_engine({**orders, 'cgroups': ()})\n"
        "print(pid, flush=True); sys.stdin.read(); os._exit(0)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as keeper:
        assert keeper.stdout is not None
        pid = int(keeper.stdout.readline())
        handle = os.pidfd_open(pid)
        keeper.kill()
    assert select.select([handle], [], [], 60)[0]
    os.close(handle)
