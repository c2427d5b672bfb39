"""X servers for tests, each on a display of its own."""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

START_SECONDS = 20


def _read_number(fd: int, server: subprocess.Popen[bytes]) -> int:
    text = b""
    while not text.endswith(b"\n"):
        ready, _, _ = select.select([fd], [], [], START_SECONDS)
        chunk = os.read(fd, 64) if ready else b""
        if not chunk:
            raise RuntimeError(f"the X server did not start (exit {server.poll()})")
        text += chunk
    return int(text)


@contextmanager
def x_server(
    *arguments: str, last: str = "-noreset"
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """An X server of its own on a free display; `arguments` start with the program.

    What it does when its last client leaves is `last`: nothing, or `-terminate`.
    """
    reader, writer = os.pipe()
    command = [*arguments, "-displayfd", str(writer), "-nolisten", "tcp", last]
    server = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        yield f":{_read_number(reader, server)}", server
    finally:
        os.close(reader)
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait(10)
