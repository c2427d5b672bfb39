"""One screen, caught with all that is said about it, so that it can be looked at again later."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from carrel import codec
from carrel.bench.suites.screens.truth import Truth
from carrel.errors import InvalidInput, NotFound
from carrel.frames import Element, Window
from carrel.geometry import Size

__all__ = ["Shot", "read_shot", "shot_names", "write_shot"]

Said = Literal["dom", "tree", "program"]
"""Who told the truth: the page, the application's tree, or the program itself."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A screen.

    Attributes:
        name: Of the page or the application.
        image: PNG.
        changed: The same with one line of text changed; empty where it could not be.
        tree: What the accessibility tree said.
        browser: What the browser said; None where none was asked.
        seconds: How long each of them took to say it.
    """

    name: str
    size: Size
    said: Said
    truth: Truth
    tree: tuple[Element, ...] = ()
    browser: tuple[Element, ...] | None = None
    windows: tuple[Window, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    image: bytes = b""
    changed: bytes = b""

    @property
    def key(self) -> str:
        """Its name and size, good for a directory."""
        return f"{self.name}@{self.size}"


@dataclass(frozen=True, slots=True)
class _Kept:
    """All but the pictures."""

    name: str
    size: Size
    said: Said
    truth: Truth
    tree: tuple[Element, ...]
    browser: tuple[Element, ...] | None
    windows: tuple[Window, ...]
    seconds: dict[str, float]


def write_shot(shot: Shot, home: Path) -> Path:
    """Keep a shot in a directory of its own."""
    place = home / shot.key
    place.mkdir(parents=True, exist_ok=True)
    (place / "screen.png").write_bytes(shot.image)
    if shot.changed:
        (place / "changed.png").write_bytes(shot.changed)
    kept = _Kept(
        shot.name,
        shot.size,
        shot.said,
        shot.truth,
        shot.tree,
        shot.browser,
        shot.windows,
        shot.seconds,
    )
    text = json.dumps(codec.encode(kept), ensure_ascii=False, separators=(",", ":"))
    # Last: a shot that was broken off has none.
    (place / "shot.json").write_text(text, "utf-8")
    return place


def shot_names(home: Path) -> tuple[str, ...]:
    """The directories of the shots that are there."""
    return tuple(sorted(path.parent.name for path in home.glob("*/shot.json")))


def read_shot(home: Path, key: str) -> Shot:
    """Take a shot out again.

    Raises:
        NotFound: There is none of that name.
        InvalidInput: It is damaged, or of another name than its directory.
    """
    place = home / key
    try:
        kept = codec.decode(_Kept, json.loads((place / "shot.json").read_text("utf-8")))
        image = (place / "screen.png").read_bytes()
    except FileNotFoundError as error:
        raise NotFound(f"there is no shot {key} in {home}") from error
    except ValueError as error:
        raise InvalidInput(f"{place}: not a shot: {error}") from error
    changed = place / "changed.png"
    shot = Shot(
        kept.name,
        kept.size,
        kept.said,
        kept.truth,
        kept.tree,
        kept.browser,
        kept.windows,
        kept.seconds,
        image,
        changed.read_bytes() if changed.exists() else b"",
    )
    if shot.key != key:
        # Somebody else may have caught it, and files are named after it.
        raise InvalidInput(f"{place}: not a shot: it says that it is {shot.key[:80]!r}")
    return shot
