"""What is done to a tree of installed packages to make an image out of it."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from carrel.errors import RunError
from carrel.machines.images.recipe import AGENT_GID, AGENT_NAME, AGENT_UID, ImageFile, Recipe

__all__ = ["disk_usage", "finish"]

_HOSTS = "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n"


def finish(recipe: Recipe, rootfs: Path, *, privileged: bool) -> None:
    """Lay the recipe's files over the tree, add the agent, and forget this machine."""
    _forget_host(rootfs)
    for file in recipe.files:
        _lay(rootfs, file)
    _add_agent(rootfs, privileged=privileged)
    _drop_privileged_bits(rootfs)


def disk_usage(tree: Path) -> int:
    """Bytes a tree takes on disk, hard links counted once."""
    seen: set[tuple[int, int]] = set()
    total = 0
    for entry in _walk(tree):
        facts = entry.stat(follow_symlinks=False)
        if facts.st_nlink > 1 and not entry.is_dir(follow_symlinks=False):
            key = (facts.st_dev, facts.st_ino)
            if key in seen:
                continue
            seen.add(key)
        total += facts.st_blocks * 512
    return total


def _forget_host(rootfs: Path) -> None:
    # mmdebstrap copies the builder's name and resolver into the tree.
    (rootfs / "etc/resolv.conf").unlink(missing_ok=True)
    _write(rootfs / "etc/hostname", "carrel\n")
    _write(rootfs / "etc/hosts", _HOSTS)
    _write(rootfs / "etc/machine-id", "")
    # The builder's proxy is no business of the image.
    (rootfs / "etc/apt/apt.conf.d/99mmdebstrap").unlink(missing_ok=True)
    _keep_lines(rootfs / "etc/dpkg/dpkg.cfg.d/99mmdebstrap", "path-")
    # Every provider brings its own /dev; nodes here only get in the way of copying the tree.
    for entry in (rootfs / "dev").iterdir():
        shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()


def _keep_lines(path: Path, start: str) -> None:
    if path.exists():
        lines = path.read_text().splitlines(keepends=True)
        _write(path, "".join(line for line in lines if line.startswith(start)))


def _lay(rootfs: Path, file: ImageFile) -> None:
    target = rootfs / file.path.lstrip("/")
    target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    if not target.parent.resolve().is_relative_to(rootfs.resolve()):
        raise RunError(f"{file.path} would leave the image through a link", op="image.build")
    before = target.read_text() if file.append and target.is_file() else ""
    _write(target, before + file.text, file.mode)


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    # A link there could point out of the tree: replace it, never follow it.
    path.unlink(missing_ok=True)
    path.write_text(text)
    path.chmod(mode)


def _add_agent(rootfs: Path, *, privileged: bool) -> None:
    home = rootfs / "home" / AGENT_NAME
    _add_line(rootfs / "etc/group", f"{AGENT_NAME}:x:{AGENT_GID}:")
    _add_line(
        rootfs / "etc/passwd",
        f"{AGENT_NAME}:x:{AGENT_UID}:{AGENT_GID}:{AGENT_NAME}:/home/{AGENT_NAME}:/bin/bash",
    )
    _add_line(rootfs / "etc/shadow", f"{AGENT_NAME}:!:19000:0:99999:7:::")
    shutil.copytree(rootfs / "etc/skel", home, symlinks=True)
    (home / "Downloads").mkdir()
    home.chmod(0o755)
    if privileged:
        os.chown(home, AGENT_UID, AGENT_GID)
        for entry in _walk(home):
            os.chown(entry.path, AGENT_UID, AGENT_GID, follow_symlinks=False)


def _add_line(path: Path, line: str) -> None:
    with path.open("a") as file:
        file.write(line + "\n")


def _drop_privileged_bits(rootfs: Path) -> None:
    """Nothing in a machine may gain a right by being run, so no file says it could."""
    for entry in _walk(rootfs):
        if entry.is_file(follow_symlinks=False):
            mode = entry.stat(follow_symlinks=False).st_mode
            if mode & (stat.S_ISUID | stat.S_ISGID):
                Path(entry.path).chmod(stat.S_IMODE(mode) & ~(stat.S_ISUID | stat.S_ISGID))


def _walk(tree: Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(tree) as entries:
        for entry in entries:
            yield entry
            if entry.is_dir(follow_symlinks=False):
                yield from _walk(Path(entry.path))
