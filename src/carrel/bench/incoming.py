"""Journals from other computers: what a node sends is looked at before any of it is kept.

A node is not trusted with the results: it may have been taken over, or be nobody's node at all.
Only the one run that was asked for is taken from what it sends, and only when its journal is whole
and says that it is of what was asked for.
"""

from __future__ import annotations

import io
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from carrel.codec import Json
from carrel.errors import AlreadyExists, InvalidInput, NotFound
from carrel.journal import read_events
from carrel.journal.paths import check_run_id, run_directory
from carrel.journal.redact import Redactor
from carrel.journal.verify import verify

__all__ = ["pack_run", "take_run"]

MOST_BYTES = 1 << 30
"""Of one run, unpacked."""
MOST_FILES = 100_000


def pack_run(run: str, home: Path) -> bytes:
    """A run's directory, to be sent."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        tar.add(run_directory(run, home), _inside(run))
    return out.getvalue()


def take_run(
    data: bytes, run: str, home: Path, begun: Mapping[str, Json] = MappingProxyType({})
) -> None:
    """Put a run that was sent among the runs of a directory.

    Args:
        data: As `pack_run` makes it, if the sender is honest.
        run: The one that is expected; whatever else is in there is left out.
        home: Where it goes: `runs/<run>` in it.
        begun: What its first event has to say.

    Raises:
        InvalidInput: It is no archive, is too large, its journal is not as it was written, or it is
            the journal of something else.
        AlreadyExists: There is such a run here.
    """
    place = run_directory(run, home)
    if place.exists():
        raise AlreadyExists(f"there is a run {run} here already")
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".incoming-", dir=home) as name:
        passing = Path(name)
        _extract(data, run, passing)
        _check(run, passing)
        _check_begun(run, passing, begun)
        run_directory(run, passing).rename(place)


def _inside(run: str) -> str:
    return f"runs/{check_run_id(run)}"


def _extract(data: bytes, run: str, passing: Path) -> None:
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tar:
            tar.extractall(passing, _members(tar, run), filter=_private)  # noqa: S202 (filtered)
    except (tarfile.TarError, OSError, ValueError, EOFError) as error:
        raise InvalidInput(f"what was sent is no archive of a run: {error}") from error


def _members(tar: tarfile.TarFile, run: str) -> Iterator[tarfile.TarInfo]:
    """The plain files and directories of that run, up to a bound."""
    wanted = PurePosixPath(_inside(run))
    size = count = 0
    for member in tar:
        if not PurePosixPath(member.name).is_relative_to(wanted):
            continue
        if not (member.isreg() or member.isdir()):
            continue
        size, count = size + member.size, count + 1
        if size > MOST_BYTES or count > MOST_FILES:
            raise InvalidInput("what was sent is too large for a run")
        yield member


def _private(member: tarfile.TarInfo, place: str) -> tarfile.TarInfo:
    """As tarfile's own filter has it, which keeps it inside; and for its owner alone."""
    mode = 0o700 if member.isdir() else 0o600
    return tarfile.data_filter(member, place).replace(mode=mode, deep=False)


def _check(run: str, passing: Path) -> None:
    try:
        found = verify(run, passing)
    except NotFound as error:
        raise InvalidInput(f"what was sent does not hold the run {run}") from error
    if not found.ok:
        raise InvalidInput(f"the journal of {run} that was sent is damaged: {found.problems[0]}")


def _check_begun(run: str, passing: Path, begun: Mapping[str, Json]) -> None:
    started = next(iter(read_events(run, passing))).data
    # Journals are written without what looks like a key.
    for name, value in Redactor().data(begun).items():
        if started.get(name) != value:
            told = f"{name} is {str(started.get(name))[:80]!r}, not {str(value)[:80]!r}"
            raise InvalidInput(f"the journal of {run} that was sent is of something else: {told}")
