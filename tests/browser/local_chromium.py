"""A Chromium of this system for tests, without a window."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
    "--remote-debugging-port=0",
)


@asynccontextmanager
async def local_chromium(folder: Path, *arguments: str) -> AsyncIterator[int]:
    """Start one with a profile of its own; yields its debugging port."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("no Chromium here")
    command = [program, *FLAGS, f"--user-data-dir={folder / 'profile'}", *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        told = folder / "profile" / "DevToolsActivePort"
        with anyio.fail_after(60):
            # Chromium writes its port into this file, and says so nowhere else.
            while not (told.exists() and told.read_text().count("\n")):
                assert process.poll() is None, "Chromium ended at once"
                await anyio.sleep(0.05)
        yield int(told.read_text().split()[0])
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)
