from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest
from xservers import x_server


@pytest.fixture
def x_server_process() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A fresh 1024x768 display and the process behind it."""
    with x_server("Xvfb", "-screen", "0", "1024x768x24") as started:
        yield started


@pytest.fixture
def x_display(x_server_process: tuple[str, subprocess.Popen[bytes]]) -> str:
    """The name of a fresh 1024x768x24 display."""
    return x_server_process[0]
