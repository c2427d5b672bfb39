from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli_runner import Carrel, invoke
from click.testing import Result


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of its own, with nothing in it."""
    path = tmp_path / "carrel home"
    monkeypatch.setenv("CARREL_HOME", str(path))
    monkeypatch.delenv("CARREL_MACHINE", raising=False)
    return path


@pytest.fixture
def carrel(home: Path) -> Carrel:
    """Run a command in this process."""

    def run(*args: str, text: str | bytes | None = None) -> Result:
        return invoke(args, text)

    return run


@pytest.fixture(scope="session")
def plain_env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment for programs under test: nothing about Carrel, modules compiled once."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("CARREL_")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**env, "PYTHONPYCACHEPREFIX": str(tmp_path_factory.mktemp("compiled"))}
