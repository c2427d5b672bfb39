"""Which pages are looked at, and the packages they come from."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Literal

import anyio
import platformdirs

from carrel.errors import CarrelError, Unavailable

__all__ = ["Package", "Page", "available", "fetch", "packages"]

PACKING = 180.0
"""Seconds that npm has for one package."""

Origin = Literal["debian", "npm"]


@dataclass(frozen=True, slots=True)
class Package:
    """Pages that somebody else wrote.

    Attributes:
        root: Where Debian has them.
        script: One of Debian's that the pages do not find by themselves.
        provides: The global name by which they ask for it.
    """

    origin: Origin
    name: str
    pages: tuple[str, ...]
    version: str = ""
    root: str = ""
    script: str = ""
    provides: str = ""

    @property
    def source(self) -> str:
        """As one asks for it: `apt install …`, `npm pack …`."""
        at = f"@{self.version}" if self.version else ""
        return f"{self.name}{at}"


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a package, on this system."""

    package: Package
    path: str

    @property
    def name(self) -> str:
        """Unique in the catalogue, and good for a file name."""
        stem = str(PurePosixPath(self.path).with_suffix("")).replace("/", ".")
        return f"{self.package.name}.{stem}"


@cache
def packages() -> tuple[Package, ...]:
    """All there are."""
    text = resources.files(__package__).joinpath("pages.toml").read_text("utf-8")
    listed = tomllib.loads(text)["package"]
    return tuple(Package(**{**item, "pages": tuple(item["pages"])}) for item in listed)


def cache_home() -> Path:
    """Where packages of npm are kept."""
    return platformdirs.user_cache_path("carrel") / "screens"


async def fetch(package: Package, home: Path | None = None) -> Path:
    """The directory that has the package's pages, fetched once.

    Raises:
        Unavailable: The package is not installed, or npm cannot get it.
    """
    if package.origin == "debian":
        root = Path(package.root)
        if not root.is_dir():
            raise Unavailable(
                f"{package.name} is not installed", hint=f"apt-get install {package.name}"
            )
        return root
    place = (home or cache_home()) / f"{package.name}-{package.version}"
    if not place.is_dir():
        await _pack(package, place)
    return place


async def _pack(package: Package, place: Path) -> None:
    """Have npm download the package, and unpack it; it is whole when it has its name."""
    import shutil
    import tempfile

    place.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=".", dir=place.parent))
    try:
        await _npm("pack", package.source, "--silent", "--ignore-scripts", cwd=work)
        found = sorted(work.glob("*.tgz"))
        if len(found) != 1:
            raise Unavailable(f"npm packed {package.source} into {len(found)} files")
        await anyio.to_thread.run_sync(_unpack, found[0], work / "out")
        (work / "out" / "package").rename(place)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _unpack(archive: Path, place: Path) -> None:
    import tarfile

    with tarfile.open(archive) as tar:
        tar.extractall(place, filter="data")


async def _npm(*arguments: str, cwd: Path) -> None:
    try:
        with anyio.fail_after(PACKING):
            done = await anyio.run_process(["npm", *arguments], cwd=cwd, check=False)
    except FileNotFoundError as error:
        raise Unavailable("npm is not installed", hint="apt-get install npm") from error
    except TimeoutError as error:
        raise Unavailable(f"npm took more than {PACKING:g} s") from error
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise Unavailable(f"npm failed: {said[-1] if said else done.returncode}")


async def available(
    chosen: tuple[Package, ...] | None = None, home: Path | None = None
) -> tuple[list[tuple[Page, Path]], dict[str, str]]:
    """Every page that can be had, with its package's directory, and why others cannot."""
    found: list[tuple[Page, Path]] = []
    missing: dict[str, str] = {}
    for package in packages() if chosen is None else chosen:
        pages = [Page(package, path) for path in package.pages]
        try:
            root = await fetch(package, home)
        except CarrelError as error:
            missing.update({page.name: str(error) for page in pages})
            continue
        for page in pages:
            if (root / page.path).is_file():
                found.append((page, root))
            else:
                missing[page.name] = f"{package.source} has no {page.path}"
    return found, missing
