from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from carrel.bench import suite

HERE = Path(__file__).parent
Env = dict[str, str]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Of the session, so that a desk may outlive a test: all of a module share one event loop."""
    return "asyncio"


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A distribution that declares the suite `clip`, as installing it would leave it."""
    place = tmp_path_factory.mktemp("site")
    facts = place / "clip_suite-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: clip-suite\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(
        "[carrel.suites]\nclip = clip_suite:ClipSuite\nbroken = clip_suite:Missing\n"
        "stuck = clip_suite:StuckSuite\nspoilt = clip_suite:SpoiltSuite\n"
    )
    return place


@pytest.fixture
def installed(plugin: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The plug-in, seen by this process."""
    monkeypatch.setattr(sys, "path", [str(plugin), str(HERE), *sys.path])
    suite._points.cache_clear()
    yield
    suite._points.cache_clear()


@pytest.fixture
def env(plugin: Path, tmp_path: Path) -> Env:
    """An environment for commands: machines of their own, and the plug-in."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith("CARREL_")}
    # What is under test may be found by it, too.
    paths = [str(plugin), str(HERE), *filter(None, [plain.get("PYTHONPATH")])]
    return {
        **plain,
        "PYTHONPATH": os.pathsep.join(paths),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
