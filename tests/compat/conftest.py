from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from apart import apart

sys.path.insert(0, str(Path(__file__).parents[1] / "guest"))
sys.path.insert(0, str(Path(__file__).parents[1] / "conformance"))

from subjects import KINDS, Subject


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """One event loop for a module: its desk is shared between tests."""
    return "asyncio"


@pytest.fixture(scope="module")
async def shared_local(
    anyio_backend: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Subject]:
    missing = [name for name in ("Xvfb", "openbox", "xdotool", "xterm") if not shutil.which(name)]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    async with apart(KINDS["local"](tmp_path_factory.mktemp("compat-desk"))) as subject:
        yield subject


@pytest.fixture
async def local(shared_local: Subject) -> AsyncIterator[Subject]:
    """A real desk of this system, with nothing left held down afterwards."""
    yield shared_local
    try:
        await shared_local.at_rest()
    finally:
        await shared_local.let_go()
