"""Whether a machine can be had here, asked of the kernel and not of the code under test."""

from __future__ import annotations

import subprocess

import pytest

BY_HAND = "unshare --user --map-root-user --mount --pid --fork --net --ipc --uts true"


def require_namespaces(usable: bool, reason: str) -> None:
    """Skip where the kernel gives no namespaces; fail where only our probe says so."""
    if usable:
        return
    done = subprocess.run(BY_HAND.split(), capture_output=True, text=True, timeout=20)
    assert done.returncode != 0, f"namespaces work here, but the probe says: {reason}"
    pytest.skip(f"no namespaces here: {reason}; {done.stderr.strip()}")
