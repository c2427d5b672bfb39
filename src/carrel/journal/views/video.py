"""A run as a film: the screen, with marks where things were done."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from carrel.errors import NotFound, RunError, Unavailable
from carrel.journal.blobs import read_blob
from carrel.journal.reader import read_events
from carrel.journal.views.moments import Mark, Moment, tell

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Shot", "shots", "write_gif", "write_webm"]

_SHOWN = frozenset({"frame", "act"})
_LEAST, _LAST = 0.1, 2.0
_COLOUR = (214, 51, 108)


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture of a film, and how many seconds it stands."""

    frame: str
    screen: tuple[int, int] | None
    marks: tuple[Mark, ...]
    seconds: float


def shots(run: str, *, home: Path | None = None, fps: float | None = None) -> list[Shot]:
    """What the film shows, in order: in the time it took, or each picture for `1 / fps` seconds.

    Raises:
        NotFound: There is no such run, or nothing to see in it.
    """
    moments = list(tell(read_events(run, home)))
    seen = [moment for moment in moments if moment.kind in _SHOWN and moment.frame]
    if not seen:
        raise NotFound(f"there is no picture in {run}", hint="carrel export RUN --html shows words")
    ends = [moment.at for moment in seen[1:]] + [seen[-1].at + _LAST]
    found: list[Shot] = []
    for moment, end in zip(seen, ends, strict=True):
        seconds = 1 / fps if fps else max(_LEAST, end - moment.at)
        found.append(_shot(moment, seconds))
    return found


def _shot(moment: Moment, seconds: float) -> Shot:
    assert moment.frame is not None
    return Shot(moment.frame, moment.screen, moment.marks, seconds)


def write_gif(
    run: str, path: Path, *, home: Path | None = None, fps: float | None = None, width: int = 800
) -> None:
    """Write an animated GIF, at most `width` pixels wide.

    Raises:
        NotFound: There is no such run, or nothing to see in it.
        Unavailable: Pillow is missing.
    """
    film = shots(run, home=home, fps=fps)
    size = _film_size(run, film, home, width)
    pictures = (_with_palette(image) for image in _pictures(run, film, home, size))
    first = next(pictures)
    first.save(
        path,
        "gif",
        save_all=True,
        append_images=pictures,
        duration=[round(shot.seconds * 1000) for shot in film],
        loop=0,
    )


def write_webm(
    run: str, path: Path, *, home: Path | None = None, fps: float | None = None, width: int = 1280
) -> None:
    """Write a WebM film (VP9) with the program `ffmpeg`.

    Raises:
        NotFound: There is no such run, or nothing to see in it.
        Unavailable: `ffmpeg` or Pillow is missing.
        RunError: `ffmpeg` failed.
    """
    program = shutil.which("ffmpeg")
    if program is None:
        raise Unavailable(
            "a WebM film needs the program ffmpeg, which is not installed",
            hint="apt-get install ffmpeg, or export a GIF: carrel export RUN -o run.gif",
        )
    film = shots(run, home=home, fps=fps)
    size = _film_size(run, film, home, width)
    with tempfile.TemporaryDirectory(prefix="carrel-film-") as name:
        script = _write_script(Path(name), film, _pictures(run, film, home, size))
        command = [
            *(program, "-nostdin", "-loglevel", "error", "-y"),
            *("-f", "concat", "-safe", "0", "-i", str(script)),
            *("-fps_mode", "vfr", "-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p"),
            *("-crf", "30", "-b:v", "0", "-deadline", "realtime", "-cpu-used", "8"),
            *("-f", "webm", str(path.absolute())),
        ]
        done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise RunError(f"ffmpeg could not make the film: {said[-400:]}", op="export.video")


def _write_script(directory: Path, film: list[Shot], pictures: Iterator[Image]) -> Path:
    lines = ["ffconcat version 1.0"]
    name = ""
    for number, (shot, image) in enumerate(zip(film, pictures, strict=True)):
        name = f"{number:06}.png"
        image.save(directory / name, "png", compress_level=1)
        lines += [f"file {name}", f"duration {shot.seconds:.3f}"]
    # The last duration counts only when something follows.
    lines.append(f"file {name}")
    script = directory / "film.ffconcat"
    script.write_text("\n".join(lines) + "\n")
    return script


def _open(run: str, sha: str, home: Path | None) -> Image:
    try:
        from PIL import Image
    except ImportError as error:
        raise Unavailable("a film needs Pillow", hint="pip install pillow") from error

    try:
        return Image.open(io.BytesIO(read_blob(run, sha, home))).convert("RGB")
    except OSError as error:
        raise RunError(f"picture {sha} cannot be read: {error}") from error


def _film_size(run: str, film: list[Shot], home: Path | None, width: int) -> tuple[int, int]:
    """As large as the first picture of the whole screen; even numbers, which encoders want."""
    whole = next((shot for shot in film if shot.screen), film[0])
    first = _open(run, whole.frame, home).size
    scale = min(1.0, width / first[0])
    return max(2, round(first[0] * scale) // 2 * 2), max(2, round(first[1] * scale) // 2 * 2)


def _pictures(
    run: str, film: list[Shot], home: Path | None, size: tuple[int, int]
) -> Iterator[Image]:
    """Every picture with its marks, one in memory at a time."""
    last = ""
    plain: Image | None = None
    for shot in film:
        if plain is None or shot.frame != last:
            plain, last = _fit(_open(run, shot.frame, home), size), shot.frame
        image = plain
        if shot.marks and shot.screen:
            image = plain.copy()
            for mark in shot.marks:
                _draw(image, mark, shot.screen)
        yield image


def _with_palette(image: Image) -> Image:
    from PIL import Image

    # Dither would make every frame differ from the last, and the file large.
    return image.quantize(128, dither=Image.Dither.NONE)


def _fit(image: Image, size: tuple[int, int]) -> Image:
    """The picture in the middle of the film's, as large as fits."""
    from PIL import Image, ImageOps

    if image.size == size:
        return image
    fitted = ImageOps.contain(image, size, Image.Resampling.BOX)
    if fitted.size == size:
        return fitted
    sheet = Image.new("RGB", size, (40, 40, 40))
    sheet.paste(fitted, ((size[0] - fitted.width) // 2, (size[1] - fitted.height) // 2))
    return sheet


def _draw(image: Image, mark: Mark, screen: tuple[int, int]) -> None:
    from PIL import ImageDraw

    draw = ImageDraw.Draw(image)
    points = [
        (round(x * image.width / screen[0]), round(y * image.height / screen[1]))
        for x, y in mark.points
    ]
    x, y = points[-1]
    unit = max(image.size) / 100
    if mark.kind == "drag":
        draw.line(points, fill=_COLOUR, width=max(2, round(unit / 3)))
    if mark.kind in ("click", "drag"):
        x0, y0 = points[0]
        ring = 2 * unit
        draw.ellipse((x0 - ring, y0 - ring, x0 + ring, y0 + ring), outline=_COLOUR, width=3)
    if mark.kind != "text":
        dot = max(2.0, 0.6 * unit)
        draw.ellipse((x - dot, y - dot, x + dot, y + dot), fill=_COLOUR)
    _caption(draw, mark.label, (x, y), image.size)


def _caption(draw: object, text: str, at: tuple[int, int], size: tuple[int, int]) -> None:
    from PIL import ImageDraw, ImageFont

    assert isinstance(draw, ImageDraw.ImageDraw)
    font = ImageFont.load_default(max(11, max(size) / 55))
    # The font that Pillow carries has no more than this.
    plain = text[:60].encode("latin-1", "replace").decode("latin-1")
    width = draw.textlength(plain, font)
    height = max(11, max(size) / 55) * 1.3
    x = min(max(2, at[0] + 8), max(2, size[0] - width - 4))
    y = min(max(2, at[1] + 12), max(2, size[1] - height - 4))
    draw.text((x, y), plain, fill=(255, 255, 255), font=font, stroke_width=2, stroke_fill=(0, 0, 0))
