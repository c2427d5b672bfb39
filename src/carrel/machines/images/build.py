"""Building an image out of Debian packages, once."""

from __future__ import annotations

import fcntl
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from anyio import to_thread

from carrel.errors import RunError
from carrel.machines.images import _walls
from carrel.machines.images._apt import apt_options, apt_sources, keyring_options
from carrel.machines.images._finish import disk_usage, finish
from carrel.machines.images.cache import (
    Image,
    images_home,
    partial_path,
    read_image,
    sweep_partials,
    write_image,
)
from carrel.machines.images.progress import ProgressReader, Report
from carrel.machines.images.recipe import Recipe
from carrel.machines.paths import data_home

__all__ = ["build", "downloads_home"]

_LOCK_POLL = 0.2

# Packages are fetched straight into a directory that outlives the build, so that an
# interrupted one does not fetch them again. apt itself checks what it finds there.
_SETUP_HOOK = (
    'mkdir -p "$1/var/cache/apt/archives" && '
    'mount --bind "$CARREL_DOWNLOADS" "$1/var/cache/apt/archives"'
)
_CUSTOMIZE_HOOK = (
    'APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" apt-get autoclean && umount "$1/var/cache/apt/archives"'
)
# Without it Debian 12 brings in usrmerge and with it the whole of Perl.
_MERGED_USR = Path("/usr/share/mmdebstrap/hooks/merged-usr")


def downloads_home() -> Path:
    """Where fetched packages are kept between builds."""
    return data_home() / "downloads"


async def build(recipe: Recipe, *, progress: Report) -> Image:
    """Build an image, or return the one that was built from the same recipe before.

    Two builds never run at once: the second waits for the first. An interrupted build leaves
    no image, and the next one uses what it had downloaded.

    Args:
        recipe: What to build.
        progress: Called on the event loop with every step forward.

    Raises:
        Unavailable: mmdebstrap or the namespaces it needs are missing here.
        RunError: A download or a package failed.
    """
    final = images_home() / recipe.directory_name
    if (ready := read_image(final)) is not None:
        return ready
    await to_thread.run_sync(_walls.probe)
    reader = ProgressReader(progress)
    async with _build_lock(reader) as lock:
        if (ready := read_image(final)) is not None:
            reader.enter("done")
            return ready
        await to_thread.run_sync(sweep_partials)
        partial = partial_path(recipe.directory_name)
        await _make_tree(recipe, partial, reader, lock)
        await to_thread.run_sync(_seal, recipe, partial, final)
    reader.enter("done")
    image = read_image(final)
    if image is None:
        raise RunError(
            f"{final} was removed while it was being finished",
            op="image.build",
            hint=f"carrel image build {recipe.name}",
        )
    return image


async def _make_tree(recipe: Recipe, partial: Path, reader: ProgressReader, lock: int) -> None:
    rootfs = partial / "rootfs"
    log = partial.with_name(f"{recipe.directory_name}.log")
    downloads = downloads_home()
    await to_thread.run_sync(_prepare, rootfs, downloads, log)
    sources = await to_thread.run_sync(apt_sources, recipe.suite)
    options = await to_thread.run_sync(apt_options)
    await _walls.run(
        _mmdebstrap(recipe, rootfs, sources, options),
        log=log,
        line=reader.feed,
        env={"CARREL_DOWNLOADS": str(downloads)},
        held=(lock,),
    )
    reader.enter("finish")
    if not _walls.privileged():
        # Then the whole tree belongs to whoever built it, and needs no help to be removed.
        await _walls.run(("chown", "-hR", "0:0", rootfs), log=log, held=(lock,))
    await to_thread.run_sync(lambda: finish(recipe, rootfs, privileged=_walls.privileged()))
    for command in recipe.commands:
        await _walls.run(("chroot", rootfs, *command), log=log, held=(lock,))


def _prepare(rootfs: Path, downloads: Path, log: Path) -> None:
    rootfs.mkdir(mode=0o755, parents=True)
    (downloads / "partial").mkdir(parents=True, exist_ok=True)
    log.write_text("")


def _mmdebstrap(
    recipe: Recipe, rootfs: Path, sources: list[str], options: list[str]
) -> list[str | Path]:
    apt = [
        'APT::Install-Recommends "false"',
        'Acquire::Languages "none"',
        'Acquire::Retries "3"',
        *options,
    ]
    # dpkg need not sync every file: an image counts only once all of it is on disk.
    dpkg = ["force-unsafe-io", *(f"path-exclude={pattern}" for pattern in recipe.leave_out)]
    return [
        "mmdebstrap",
        "--verbose",
        f"--mode={'root' if _walls.privileged() else 'unshare'}",
        "--format=directory",
        f"--variant={recipe.variant}",
        "--skip=essential/unlink",
        *keyring_options(),
        *(f"--aptopt={option}" for option in apt),
        *(f"--dpkgopt={option}" for option in dpkg),
        f"--include={','.join(recipe.packages)}",
        *([f"--hook-dir={_MERGED_USR}"] if _MERGED_USR.is_dir() else []),
        f"--setup-hook={_SETUP_HOOK}",
        f"--customize-hook={_CUSTOMIZE_HOOK}",
        recipe.suite,
        rootfs,
        *sources,
    ]


def _seal(recipe: Recipe, partial: Path, final: Path) -> None:
    write_image(partial, recipe, disk_usage(partial / "rootfs"))
    # The name must never reach the disk before the content.
    os.sync()
    partial.rename(final)


@asynccontextmanager
async def _build_lock(reader: ProgressReader) -> AsyncIterator[int]:
    """Hold the one build lock; build steps inherit it, so it lasts until the last one ends."""
    images_home().mkdir(parents=True, exist_ok=True)
    lock = os.open(images_home() / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not _try_lock(lock):
            reader.enter("waiting")
            while not _try_lock(lock):  # noqa: ASYNC110 - another process has no event to wait for
                await anyio.sleep(_LOCK_POLL)
        yield lock
    finally:
        os.close(lock)


def _try_lock(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
