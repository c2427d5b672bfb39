"""Running a build step as root of its own mount and process namespaces.

Whatever such a step mounts or starts ends with it, also when it or Carrel is killed: no bind
mount of the host is left in a half-built tree for a later removal to walk into.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import anyio
from anyio.streams.text import TextReceiveStream

from carrel.errors import RunError, TimedOut, Unavailable

__all__ = ["privileged", "probe", "remove_tree", "run", "walled"]

# mmdebstrap prints all the time; a package script that says nothing this long is stuck.
_SILENCE = 600.0

_INSTALL = "apt-get install mmdebstrap uidmap"
_RANGES = 'sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 "$USER"'


def privileged() -> bool:
    """Whether this process is root, and needs no user namespace to own files as others."""
    return os.geteuid() == 0


def walled(command: Sequence[str | Path]) -> list[str]:
    """The command line that runs `command` behind its own walls."""
    identity = [] if privileged() else ["--user", "--map-root-user", "--map-auto"]
    return [
        *("setpriv", "--pdeathsig", "KILL"),
        *("unshare", *identity, "--mount", "--pid", "--fork", "--kill-child", "--"),
        *map(str, command),
    ]


def probe() -> None:
    """Check that an image can be built here.

    Raises:
        Unavailable: A program is missing, or the kernel refuses the namespaces.
    """
    sudo = "" if privileged() else "sudo "
    for program in ("mmdebstrap", "setpriv", "unshare"):
        if shutil.which(program) is None:
            raise Unavailable(
                f"building an image needs {program}, which is not installed",
                op="image.build",
                hint=f"{sudo}{_INSTALL}",
            )
    done = subprocess.run(walled(["true"]), capture_output=True, text=True, timeout=30, check=False)
    if done.returncode != 0:
        said = done.stderr.strip().removesuffix(": Success")
        raise Unavailable(
            f"building an image needs namespaces of its own: {said}",
            op="image.build",
            hint=_RANGES if "/etc/sub" in said else f"{sudo}{_INSTALL}; carrel doctor tells more",
        )


async def run(
    command: Sequence[str | Path],
    *,
    log: Path,
    line: Callable[[str], None] | None = None,
    env: dict[str, str] | None = None,
    held: Sequence[int] = (),
) -> None:
    """Run a step to its end, appending what it prints to `log`.

    Args:
        command: What to run behind the walls.
        log: File that keeps the output.
        line: Called with every line of output.
        env: Added to a plain environment.
        held: Descriptors the step keeps open, so that a lock lasts as long as it.

    Raises:
        RunError: It failed; the message holds what it said last.
        TimedOut: It said nothing for ten minutes.
    """
    process = await anyio.open_process(
        walled(command),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        env={**_plain_environment(), **(env or {})},
        pass_fds=held,
    )
    async with process:
        assert process.stdout is not None
        tail = await _follow(TextReceiveStream(process.stdout, errors="replace"), log, line)
        status = await process.wait()
    if status != 0:
        said = "; ".join(text for text in tail if text.startswith("E:")) or "; ".join(tail[-3:])
        raise RunError(
            f"{Path(command[0]).name} failed with status {status}: {said}",
            op="image.build",
            hint=f"the whole output is in {log}",
            retryable=True,
        )


async def _follow(
    output: TextReceiveStream, log: Path, line: Callable[[str], None] | None
) -> list[str]:
    tail: list[str] = []
    rest = ""
    with log.open("a", encoding="utf-8") as kept:
        while True:
            try:
                with anyio.fail_after(_SILENCE):
                    text = await output.receive()
            except anyio.EndOfStream:
                return [*tail, rest][-20:]
            except TimeoutError:
                raise TimedOut(
                    f"the build said nothing for {_SILENCE:.0f} s", hint=f"look into {log}"
                ) from None
            kept.write(text)
            kept.flush()
            *lines, rest = (rest + text).split("\n")
            tail = [*tail, *lines][-20:]
            if line is not None:
                for one in lines:
                    line(one)


def _plain_environment() -> dict[str, str]:
    return {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/",
        "LC_ALL": "C.UTF-8",
        "DEBIAN_FRONTEND": "noninteractive",
    }


def remove_tree(path: Path) -> None:
    """Remove a tree, also one that holds files of the identities a build ran as."""
    command: Sequence[str | Path] = ("rm", "-rf", "--one-file-system", "--", path)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 and not privileged():
        done = subprocess.run(walled(command), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RunError(
            f"cannot remove {path}: {done.stderr.strip()}",
            op="image.delete",
            hint=None if privileged() else f"sudo rm -r '{path}'",
        )
