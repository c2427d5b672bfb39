"""Pictures of a desktop at work: each a little different from the one before."""

from __future__ import annotations

import random
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

__all__ = ["SIZE", "draw_frames"]

SIZE = (1024, 768)
WORDS = ("the", "run", "step", "opened", "file", "window", "saved", "error", "search", "page")


def draw_frames(directory: Path, count: int) -> list[Path]:
    """Draw that many distinct frames as PNG files; their paths, in order."""
    directory.mkdir(parents=True, exist_ok=True)
    chance = random.Random(7)
    screen = _desktop(chance)
    font = ImageFont.load_default(13)
    paths = []
    for number in range(count):
        _work(screen, font, number, chance)
        path = directory / f"{number:04}.png"
        screen.save(path, "png", compress_level=1)
        paths.append(path)
    return paths


def _desktop(chance: random.Random) -> Image.Image:
    """A wallpaper, a part of it a photograph, two windows full of text, and a panel."""
    screen = Image.linear_gradient("L").resize(SIZE).convert("RGB")
    photo = Image.effect_noise((150, 100), 40).resize((200, 130), Image.Resampling.BICUBIC)
    screen.paste(photo.convert("RGB"), (760, 30))
    draw = ImageDraw.Draw(screen)
    font = ImageFont.load_default(12)
    for left, top, right, bottom, paper, ink in (
        (40, 60, 640, 560, "#ffffff", "#222222"),
        (380, 180, 990, 700, "#101830", "#c8d0e0"),
    ):
        draw.rectangle((left, top, right, bottom), paper, "#404040")
        draw.rectangle((left, top, right, top + 24), "#3a5a8a")
        draw.text((left + 8, top + 5), "Untitled - Editor", "#ffffff", font)
        for row in range(top + 32, bottom - 16, 16):
            draw.text((left + 8, row), _line(chance), ink, font)
    draw.rectangle((0, 740, *SIZE), "#202020")
    return screen


def _work(
    screen: Image.Image,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    number: int,
    chance: random.Random,
) -> None:
    """What a step changes: a line of text, the title, the clock."""
    draw = ImageDraw.Draw(screen)
    row = 212 + number % 29 * 16
    draw.rectangle((384, row, 986, row + 15), "#101830")
    draw.text((388, row), f"{number}: {_line(chance)}", "#c8d0e0", font)
    draw.rectangle((880, 742, 1023, 767), "#202020")
    draw.text((900, 746), f"{number // 60:02}:{number % 60:02} #{number}", "#ffffff", font)


def _line(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=11))[:80]
