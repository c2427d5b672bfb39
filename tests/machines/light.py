"""A home of Carrel's with a light image: what a guest needs to run, and nothing else.

Programs that keep systems are given whole images, and a test that gives them one of 400 MB would
do little else.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from carrel.errors import CarrelError
from carrel.machines.images import resolve_image
from carrel.machines.paths import data_home

IMAGE = "minimal"
_LIBRARIES = ("libLLVM*", "libz3*", "dri", "gconv", "perl-base", "libicu*", "libgnutls*")
_HEAVY = (
    *(f"usr/lib/*-linux-gnu/{name}" for name in _LIBRARIES),
    *(
        "usr/lib/python3/dist-packages/*",
        "usr/lib/python3.*/lib2to3",
        "usr/lib/python3.*/distutils",
    ),
    *("usr/share/zoneinfo", "usr/share/perl5", "usr/share/ca-certificates", "usr/share/python-*"),
    *("var/lib/dpkg", "usr/share/terminfo", "usr/share/zsh", "usr/share/bash-completion"),
)
_ROOM = 2 << 30


@contextmanager
def quick_place() -> Iterator[Path]:
    """A directory for many files that live shortly: in memory, where there is room."""
    memory = Path("/dev/shm")
    there = memory.is_dir() and shutil.disk_usage(memory).free > _ROOM
    with tempfile.TemporaryDirectory(
        prefix="carrel-test-", dir=memory if there else None, ignore_cleanup_errors=True
    ) as place:
        yield Path(place)


def light_home(home: Path) -> None:
    """Make it; skip where there is no image, or nobody may make namespaces."""
    if os.geteuid() != 0:
        pytest.skip("making systems for the fake needs root")
    try:
        image = resolve_image(IMAGE)
    except CarrelError as error:
        pytest.skip(f"{error.message}: carrel image build {IMAGE}")
    target = home / "images" / image.rootfs.parent.name
    target.mkdir(parents=True)
    shutil.copy(image.rootfs.parent / "image.json", target)
    (target / "rootfs").mkdir()
    out = [f"--exclude=./{path}" for path in _HEAVY]
    pack = subprocess.Popen(
        ["tar", "-c", *out, "-C", image.rootfs, "."], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with pack:
        subprocess.run(
            ["tar", "-x", "-C", target / "rootfs"], stdin=pack.stdout, check=True, timeout=60
        )
    # The same guest program as everywhere: compiling it takes longer than the test.
    (data_home() / "bundles").mkdir(parents=True, exist_ok=True)
    (home / "bundles").symlink_to(data_home() / "bundles")
