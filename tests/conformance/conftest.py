from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from apart import apart
from namespaces import require_namespaces

sys.path.insert(0, str(Path(__file__).parents[1] / "guest"))
sys.path.insert(0, str(Path(__file__).parent))

from subjects import KINDS, Subject

from carrel.errors import CarrelError
from carrel.machines.images import resolve_image
from carrel.machines.providers.namespace import NamespaceProvider

NEEDED = ("Xvfb", "openbox", "xdotool", "xclip", "xterm", "chromium", "xprop", "xwininfo")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """One event loop for all: desks and browsers are shared between tests."""
    return "asyncio"


def _require_tools() -> None:
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")


async def _require_machine() -> None:
    health = await NamespaceProvider().probe()
    require_namespaces(health.usable, health.reason)
    try:
        resolve_image("desktop")
    except CarrelError as error:
        pytest.skip(f"{error.message}: {error.hint}")


# Of this folder: a desk and its browser are not kept for the rest of the session.
@pytest.fixture(
    scope="package",
    params=[
        "local",
        "remote",
        pytest.param("machine", marks=[pytest.mark.namespace, pytest.mark.image]),
    ],
)
async def shared_desk(
    request: pytest.FixtureRequest,
    anyio_backend: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Subject]:
    """Each kind of computer, started once for all its tests."""
    _require_tools()
    kind = request.param
    if kind == "machine":
        await _require_machine()
    folder = tmp_path_factory.mktemp(kind)
    async with apart(KINDS[kind](folder)) as subject:
        yield subject


@pytest.fixture
async def desk(shared_desk: Subject) -> AsyncIterator[Subject]:
    """A computer under test; no test may leave a key or a button down."""
    yield shared_desk
    try:
        await shared_desk.at_rest()
    finally:
        await shared_desk.let_go()


@pytest.fixture
async def machine_possible() -> None:
    """For tests that make a machine of their own."""
    await _require_machine()
