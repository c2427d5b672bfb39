"""What an image is made of: Debian packages, a few files, and a hash over both."""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import PurePosixPath

from carrel.errors import InvalidInput

__all__ = ["AGENT_GID", "AGENT_NAME", "AGENT_UID", "ImageFile", "Recipe"]

AGENT_NAME = "agent"
AGENT_UID = 1000
AGENT_GID = 1000

# Raised when the builder changes what it makes out of the same recipe.
_BUILDER_VERSION = 1


@dataclass(frozen=True, slots=True)
class ImageFile:
    """A file laid over the installed packages, owned by root.

    Attributes:
        path: Absolute path inside the image.
        text: Its content.
        mode: Its permissions.
        append: Add to the file a package brought instead of replacing it.
    """

    path: str
    text: str
    mode: int = 0o644
    append: bool = False

    def __post_init__(self) -> None:
        pure = PurePosixPath(self.path)
        if not pure.is_absolute() or ".." in pure.parts:
            raise InvalidInput(f"{self.path!r} is not an absolute path inside an image")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to make one image.

    Attributes:
        name: What people call the image.
        packages: Debian packages on top of the variant's own.
        files: Laid over the tree when every package is in.
        leave_out: Paths, as dpkg patterns, that are never unpacked.
        commands: Run inside the tree, as its root, when the files are in place.
        suite: Debian release by code name.
        variant: mmdebstrap's name of the base set.
    """

    name: str
    packages: tuple[str, ...]
    files: tuple[ImageFile, ...] = ()
    leave_out: tuple[str, ...] = ()
    commands: tuple[tuple[str, ...], ...] = ()
    suite: str = "bookworm"
    variant: str = "minbase"

    @property
    def hash(self) -> str:
        """A digest of everything that decides what the image will hold."""
        return _digest(self)

    @property
    def directory_name(self) -> str:
        """The name of the directory that holds the built image."""
        return f"{self.name}-{self.hash[:12]}"


@cache
def _digest(recipe: Recipe) -> str:
    facts = asdict(recipe)
    # The order of packages does not change the result, that of the rest may.
    facts["packages"] = sorted(set(recipe.packages))
    facts["machine"] = platform.machine()
    facts["builder"] = _BUILDER_VERSION
    text = json.dumps(facts, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
