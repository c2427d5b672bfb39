"""The guest program as one directory of pure Python, for an interpreter that has no packages."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from carrel.errors import Unavailable
from carrel.machines.images import list_images
from carrel.machines.paths import data_home

__all__ = ["bundles_home", "guest_bundle"]

_PROGRAM = "carrel/guest/__main__.py"

# What the guest imports of our own; everything else of Carrel stays outside the machine.
_OWN = (
    "__init__.py",
    "actions",
    "codec.py",
    "errors.py",
    "events.py",
    "frames.py",
    "geometry.py",
    "guest",
    "ids.py",
    "keys.py",
    "results.py",
    "stream",
)
_NEEDED = ("anyio", "idna", "typing_extensions", "Xlib", "six", "jeepney")
# anyio asked for it up to version 4.11.
_WANTED = ("sniffio",)
_LEFT_OUT = {"__pycache__", "tests", "pytest_plugin.py", "_trio.py"}

_KEPT_DAYS = 30
_FORM = 2
"""Changes when the same files give another bundle."""

Sources = dict[str, bytes]
Compilers = dict[str, Path | None]

log = logging.getLogger(__name__)


def bundles_home() -> Path:
    """Where bundles are."""
    return data_home() / "bundles"


def guest_bundle() -> Path:
    """The directory to put on the guest's `PYTHONPATH`; made when its content is new.

    It is named by the hash of its content, complete from the moment it has that name, and
    readable by everybody. A bundle that no machine was started with for 30 days is removed
    when a new one is made.
    """
    compilers = _compilers()
    seen = _appearance(compilers)
    if (known := _known(seen)) is not None:
        os.utime(known)
        return known
    final = _made(compilers)
    _remember(seen, final)
    return final


def _made(compilers: Compilers) -> Path:
    sources = _sources()
    home = bundles_home()
    final = home / _digest(sources, compilers)
    if final.is_dir():
        if _is_whole(final, sources):
            os.utime(final)
            return final
        _discard(final)
    home.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=".partial-", dir=home))
    try:
        _fill(partial, sources, compilers)
        _publish(partial, final)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    _prune(home, final)
    return final


def _note() -> Path:
    return data_home() / "bundle.json"


def _known(seen: str) -> Path | None:
    """The bundle that was made when everything looked the same, if it is still there."""
    try:
        note = json.loads(_note().read_text())
    except (OSError, ValueError):
        return None
    if not isinstance(note, dict) or note.get("seen") != seen:
        return None
    path = bundles_home() / str(note.get("bundle"))
    # All of it is looked at where the note does not hold; this tells one that was cleared.
    return path if (path / _PROGRAM).is_file() else None


def _is_whole(bundle: Path, sources: Sources) -> bool:
    """Whether all is there: a system that went down may have kept the name and not the files."""
    try:
        return all((bundle / name).stat().st_size == len(each) for name, each in sources.items())
    except FileNotFoundError:
        return False


def _discard(bundle: Path) -> None:
    """Remove one in one step, so that what is left of it is never taken for it."""
    doomed = bundle.with_name(f".gone-{secrets.token_hex(4)}")
    # Another maker may put it away, or make it whole, at the same moment.
    with suppress(FileNotFoundError):
        bundle.rename(doomed)
        shutil.rmtree(doomed, ignore_errors=True)


def _remember(seen: str, bundle: Path) -> None:
    draft = _note().with_name(f".{_note().name}.{os.getpid()}.{threading.get_native_id()}")
    draft.write_text(json.dumps({"seen": seen, "bundle": bundle.name}))
    draft.replace(_note())


def _appearance(compilers: Iterable[str]) -> str:
    """Tells whether a file may have changed, for a tenth of what reading them all costs."""
    digest = hashlib.sha256(f"{_FORM} {' '.join(compilers)}".encode())
    for path, base in _places():
        for file in _listing(str(path)):
            found = os.stat(file)  # noqa: PTH116 - every start waits for this
            marks = (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
            digest.update(f"{base}\0{file}\0{marks}\0".encode())
    return digest.hexdigest()


def _sources() -> Sources:
    found = {
        str(Path(file).relative_to(base)): Path(file).read_bytes()
        for path, base in _places()
        for file in _listing(str(path))
    }
    return dict(sorted(found.items()))


def _places() -> Iterator[tuple[Path, Path]]:
    """Every file and directory that goes in, and what its name there is relative to."""
    own = _location("carrel")
    for name in _OWN:
        yield own / name, own.parent
    wanted = (name for name in _WANTED if importlib.util.find_spec(name) is not None)
    for name in (*_NEEDED, *wanted):
        path = _location(name)
        yield path, path.parent


def _location(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise Unavailable(
            f"the guest needs the Python package {name}, which is not installed",
            op="guest.bundle",
            hint="pip install --force-reinstall carrel",
        )
    origin = Path(spec.origin)
    return origin.parent if origin.name == "__init__.py" else origin


def _listing(path: str) -> Iterator[str]:
    """A file, or all that goes in of a directory. Plain texts: paths take five times as long."""
    if path.endswith(".py"):
        yield path
        return
    with os.scandir(path) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.name not in _LEFT_OUT and (entry.name.endswith(".py") or entry.is_dir()):
            yield from _listing(entry.path)


def _digest(sources: Sources, compilers: Iterable[str]) -> str:
    digest = hashlib.sha256(f"{_FORM} {' '.join(compilers)}".encode())
    for name, content in sources.items():
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def _fill(directory: Path, sources: Sources, compilers: Compilers) -> None:
    for name, content in sources.items():
        target = directory / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    for rootfs in compilers.values():
        _compile(directory, rootfs)
    for path in (directory, *directory.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def _compilers() -> Compilers:
    """Who compiles for each kind of bytecode that will be needed: ourselves, or an image."""
    found: Compilers = {sys.implementation.cache_tag: None}
    for image in list_images():
        python = image.rootfs / image.python.lstrip("/")
        if image.current and python.is_symlink():
            name = python.readlink().name
            found.setdefault(name.replace("python3.", "cpython-3"), image.rootfs)
    return found


def _compile(directory: Path, rootfs: Path | None) -> None:
    # Isolated: what our caller's environment says of bytecode is not meant for the bundle.
    python = [sys.executable, "-I"] if rootfs is None else [*_python_of(rootfs), "-B"]
    env = {} if rootfs is None else {"PYTHONHOME": str(rootfs / "usr")}
    # Unchecked: the bundle is read-only to the guest and never changes under its name.
    options = ("-qq", "--invalidation-mode", "unchecked-hash")
    done = subprocess.run(
        [*python, "-S", "-m", "compileall", *options, directory],
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode != 0:
        # The guest then compiles at every start: slower, and otherwise the same.
        log.warning("cannot compile the guest for %s: %s", rootfs or "us", done.stderr.strip())


def _python_of(rootfs: Path) -> list[str | Path]:
    """The command that runs an image's interpreter from outside, with no chroot and no right."""
    loader = next(rootfs.glob("usr/lib/*-linux-gnu*/ld-linux*.so.*"))
    python = rootfs / "usr/bin" / (rootfs / "usr/bin/python3").readlink().name
    return [loader, "--library-path", loader.parent, python]


def _publish(partial: Path, final: Path) -> None:
    try:
        partial.rename(final)
    except OSError:
        # Another process was quicker with the same content.
        if not final.is_dir():
            raise


def _prune(home: Path, current: Path) -> None:
    oldest = time.time() - _KEPT_DAYS * 86400
    for path in home.iterdir():
        # Another maker may put its own away, or clear the same ones, at the same moment.
        with suppress(FileNotFoundError):
            if path != current and path.stat().st_mtime < oldest:
                _discard(path)
