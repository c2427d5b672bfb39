"""A replay of what happened: PNG frames, and one HTML file that plays them."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass, field
from pathlib import Path

from carrel import Frame, Point

PAGE = Path(__file__).with_name("replay.html")


@dataclass
class Replay:
    """Collects frames; `save` writes the player."""

    folder: Path
    title: str
    steps: list[dict[str, object]] = field(default_factory=list)

    def add(self, words: str, frame: Frame, at: Point | None = None) -> None:
        """Keep one frame with what was done in words, and where."""
        self.folder.mkdir(parents=True, exist_ok=True)
        name = f"{len(self.steps):03}.png"
        (self.folder / name).write_bytes(frame.image)
        self.steps.append(
            {
                "image": name,
                "words": words,
                "at": [at.x, at.y] if at else None,
                "size": [frame.size.width, frame.size.height],
                "changed": round(frame.change.share * 100, 2) if frame.change else None,
            }
        )

    def save(self) -> Path:
        """Write `index.html` and return its path."""
        # A closing tag inside the data would end the script element.
        data = json.dumps(self.steps).replace("</", "<\\/")
        text = PAGE.read_text().replace("__TITLE__", html.escape(self.title))
        target = self.folder / "index.html"
        target.write_text(text.replace("__STEPS__", data))
        return target
