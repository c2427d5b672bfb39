"""What this machine's own apt knows and an image build should use too."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

__all__ = ["apt_options", "apt_sources", "keyring_options"]

_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_FIELDS = "$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(ORIGIN)"
# Settings that decide whether the mirror can be reached and believed at all.
_KEPT = ("Acquire::http::Proxy", "Acquire::https::Proxy", "Acquire::Check-Valid-Until")


def apt_sources(suite: str) -> list[str]:
    """This machine's Debian mirrors for a release; empty lets mmdebstrap take its default."""
    output = _ask("apt-get", "indextargets", "--format", _FIELDS, "Created-By: Packages")
    return parse_sources(output, suite)


def parse_sources(output: str, suite: str) -> list[str]:
    """Source lines for `suite` out of `apt-get indextargets`."""
    wanted = {suite, f"{suite}-updates", f"{suite}-security"}
    lines: dict[str, None] = {}
    for row in output.splitlines():
        uri, _, rest = row.partition("|")
        release, component, origin = [*rest.split("|"), "", ""][:3]
        # apt leaves the field as it is where the index was never fetched.
        debian = origin in ("Debian", "$(ORIGIN)")
        if release in wanted and component == "main" and debian:
            lines[f"deb {uri} {release} main"] = None
    # Without the release itself the updates alone would not make a system.
    return list(lines) if any(f" {suite} " in line for line in lines) else []


def apt_options() -> list[str]:
    """This machine's proxy and validity settings as apt configuration lines."""
    kept = []
    for line in _ask("apt-config", "dump").splitlines():
        name, _, value = line.partition(" ")
        if value != '"";' and any(name == key or name.startswith(key + "::") for key in _KEPT):
            kept.append(line.rstrip(";"))
    return kept


def keyring_options() -> list[str]:
    """Arguments that make Debian's own keys known on any system that has them."""
    return [f"--keyring={_KEYRING}"] if _KEYRING.exists() else []


def _ask(*command: str) -> str:
    if shutil.which(command[0]) is None:
        return ""
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    return done.stdout if done.returncode == 0 else ""
