"""Every command and snippet in the documentation is run, in order, page by page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A command with the lines of its here-document, if it has one.
COMMAND = re.compile(r"^\$ .*<<'END'\n(?:.*\n)*?END$|^\$ .*", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#]+)")
# These run the whole suite or the demo, which have targets and tests of their own.
NOT_HERE = ("make ", ". .venv/")


def steps(page: Path) -> list[tuple[str, str]]:
    found = []
    for kind, body in BLOCK.findall(page.read_text()):
        if kind == "python":
            found.append((kind, body))
            continue
        commands = [command[2:] for command in COMMAND.findall(body)]
        assert commands, f"a console block in {page.name} has no command"
        found += [(kind, command) for command in commands if not command.startswith(NOT_HERE)]
    return found


RUNNABLE = [page for page in PAGES if steps(page)]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    # The state is private to the page; the image, which takes minutes to build, is shared.
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {
        **os.environ,
        "PATH": path,
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "CARREL_RUNS": str(tmp_path / "runs"),
    }


@pytest.mark.slow
@pytest.mark.image
@pytest.mark.namespace
@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_snippet_works(page: Path, environment: dict[str, str], tmp_path: Path) -> None:
    # A page is written for somebody who stands in the checkout; it must not write there.
    (tmp_path / "README.md").write_bytes((ROOT / "README.md").read_bytes())
    try:
        for kind, text in steps(page):
            command = ["bash", "-c", text] if kind == "console" else [sys.executable, "-c", text]
            done = subprocess.run(
                command,
                env=environment,
                cwd=tmp_path,
                capture_output=True,
                timeout=120,
                stdin=subprocess.DEVNULL,
            )
            assert done.returncode == 0, f"{text}\n{done.stdout.decode()}\n{done.stderr.decode()}"
    finally:
        for name in ("desk", "web", "there", "study", "lectern", "library"):
            delete = [sys.executable, "-m", "carrel", "delete", "--yes", name]
            subprocess.run(delete, env=environment, capture_output=True, timeout=60)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        if not target.startswith(("http:", "https:")):
            assert (page.parent / target).exists(), target
