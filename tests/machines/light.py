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

IMAGE = "desktop"
_LIBRARIES = ("libLLVM*", "libz3*", "dri", "gconv", "perl-base", "libgnutls*", "libgs*", "libicu*")
_LIBRARIES += ("libx265*", "libaom*", "libgtk*", "systemd", "libjxl*", "librsvg*")
_SHARED = ("zoneinfo", "perl5", "ca-certificates", "icons", "mime", "poppler", "themes", "fonts")
_SHARED += ("ghostscript", "gtksourceview-4", "python-*", "terminfo", "zsh", "bash-completion")
_HEAVY = (
    *(f"usr/lib/*-linux-gnu/{name}" for name in _LIBRARIES),
    *(f"usr/share/{name}" for name in _SHARED),
    *("usr/lib/chromium", "usr/lib/python3/dist-packages/*", "usr/lib/python3.*/lib2to3"),
    *("usr/lib/file", "usr/lib/systemd", "var/lib/dpkg"),
    # A bare screen will do: what is not there is not waited for.
    *("usr/bin/openbox", "usr/bin/dbus-daemon", "usr/libexec/at-spi*"),
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
