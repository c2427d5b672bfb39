from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from carrel.bench.suites.screens.catalogue import Package, Page, available, fetch, packages
from carrel.bench.suites.screens.desktop import APPS
from carrel.errors import Unavailable

pytestmark = pytest.mark.anyio

NPM = """#!/bin/sh
[ "$1" = pack ] && [ "$2" = {source} ] || {{ echo "npm error 404 no such package" >&2; exit 1; }}
echo once >> {log}
cp {archive} .
"""


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program called npm that has one package; the answer is how often it was asked."""
    archive, log = tmp_path / "demo-1.0.0.tgz", tmp_path / "asked"
    with tarfile.open(archive, "w:gz") as tar:
        info = tarfile.TarInfo("package/docs/index.html")
        info.size = 5
        tar.addfile(info, io.BytesIO(b"<p>Hi"))
    program = tmp_path / "bin" / "npm"
    program.parent.mkdir()
    program.write_text(NPM.format(source="demo@1.0.0", log=log, archive=archive))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return log


DEMO = Package("npm", "demo", ("docs/index.html", "docs/other.html"), "1.0.0")


def test_there_are_enough_pages_and_applications_and_no_two_have_one_name() -> None:
    names = [Page(package, path).name for package in packages() for path in package.pages]
    names += [app.name for app in APPS]
    assert len(names) == len(set(names))
    assert sum(len(package.pages) for package in packages()) >= 30
    assert len(APPS) >= 5
    assert not any("/" in name or "@" in name for name in names)


async def test_a_package_is_fetched_once(npm: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    for _ in range(2):
        root = await fetch(DEMO, home)
        assert (root / "docs" / "index.html").read_text() == "<p>Hi"
    assert npm.read_text() == "once\n"
    assert [path.name for path in home.iterdir()] == ["demo-1.0.0"]


async def test_what_cannot_be_had_is_told_and_left_out(npm: Path, tmp_path: Path) -> None:
    other = Package("npm", "gone", ("index.html",), "2.0.0")
    absent = Package("debian", "libjs-absent", ("a.html",), root=str(tmp_path / "absent"))
    found, missing = await available((DEMO, other, absent), tmp_path / "home")
    assert [page.name for page, _ in found] == ["demo.docs.index"]
    assert missing["demo.docs.other"] == "demo@1.0.0 has no docs/other.html"
    assert "404 no such package" in missing["gone.index"]
    assert "libjs-absent is not installed" in missing["libjs-absent.a"]


async def test_without_npm_the_reason_is_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="npm is not installed"):
        await fetch(DEMO, tmp_path / "home")
