"""`carrel export`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import click

from carrel.cli._group import Command
from carrel.cli._output import Output
from carrel.cli._progress import size_words
from carrel.cli._runs import RUN, find_run, warn_if_changed
from carrel.errors import AlreadyExists, InvalidInput, NotFound, UsageError

__all__ = ["export"]

_ENDINGS = {
    ".html": "html",
    ".htm": "html",
    ".jsonl": "jsonl",
    ".json": "atif",
    ".webm": "webm",
    ".gif": "gif",
}
_FILMS = ("webm", "gif")
_USUAL = {
    "html": ".html",
    "jsonl": ".jsonl",
    "atif": ".trajectory.json",
    "video": ".webm",
    "gif": ".gif",
}


@click.command(cls=Command, local_names=("output",))
@click.argument("run", type=RUN)
@click.option("--html", "form", flag_value="html", help="One page that plays the run.")
@click.option("--jsonl", "form", flag_value="jsonl", help="The events as JSON lines.")
@click.option("--atif", "form", flag_value="atif", help="A trajectory for other tools.")
@click.option("--video", "form", flag_value="video", help="A film: WebM, or GIF by its name.")
@click.option("--gif", "form", flag_value="gif", help="A film as a GIF, which needs no ffmpeg.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    help="The file; its ending tells the form. RUN with the form's ending by default.",
)
@click.option("--blobs", is_flag=True, help="With --jsonl: pictures too, as base64.")
@click.option(
    "--fps",
    type=click.FloatRange(0.1, 60),
    help="With --video or --gif: pictures per second, not real time.",
)
@click.option("--force", is_flag=True, help="Replace the file when there is one.")
@click.pass_obj
def export(
    out: Output,
    run: str,
    form: str | None,
    output: str | None,
    blobs: bool,
    fps: float | None,
    force: bool,
) -> None:
    r"""Write a run to a file: a page, a film, or data.

    \b
    carrel export latest -o run.html       a page that plays it
    carrel export latest -o run.gif        a film
    carrel export RUN --atif -o trajectory.json
    """
    from carrel.journal.views.phrases import counted

    found = find_run(run)
    chosen, path = _choose(found, form, output)
    if blobs and chosen != "jsonl":
        raise UsageError(
            "--blobs goes with --jsonl only", op="export", hint="add --jsonl, or leave it out"
        )
    if fps is not None and chosen not in _FILMS:
        raise UsageError(
            "--fps goes with --video and --gif only", op="export", hint="add --gif, or leave it out"
        )
    _check_place(path, chosen, force=force)
    warn_if_changed(out, found)
    write = _writer(found, chosen, path, blobs=blobs, fps=fps)
    size, pictures = _write_whole(path, write)
    document = {"run": found, "format": chosen, "path": str(path), "bytes": size}
    lines = [f"wrote {path} ({size_words(size)})"]
    if pictures:
        beside = _pictures_beside(path)
        document["pictures"] = str(beside)
        lines.append(f"wrote {counted(pictures, 'picture')} beside it, in {beside}/")
    out.result(document, *lines)


def _choose(run: str, form: str | None, output: str | None) -> tuple[str, Path]:
    if output is None:
        if form is None:
            raise UsageError(
                "in which form?",
                op="export",
                hint=f"carrel export {run} --html, or -o with a name such as run.html",
            )
        return ("webm" if form == "video" else form), Path(f"{run}{_USUAL[form]}")
    path = Path(output)
    by_ending = _ENDINGS.get(path.suffix.lower())
    if form in ("video", "gif"):
        fitting = _FILMS if form == "video" else ("gif",)
        if by_ending not in (*fitting, None):
            raise UsageError(
                f"{path.name!a} is not the name of a {form}",
                op="export",
                hint="-o run.gif" if form == "gif" else "-o run.webm or run.gif",
            )
        return by_ending or ("gif" if form == "gif" else "webm"), path
    chosen = form or by_ending
    if chosen is None:
        raise UsageError(
            f"{path.name!a} does not tell in which form",
            op="export",
            hint="add --html, --jsonl, --atif, --video or --gif, "
            f"or end it with {', '.join(_ENDINGS)}",
        )
    return chosen, path


def _check_place(path: Path, form: str, *, force: bool) -> None:
    if not path.parent.is_dir():
        raise NotFound(
            f"there is no directory {path.parent}", op="export", hint=f"mkdir -p {path.parent}"
        )
    if path.exists() and not path.is_file():
        # Renaming over a device or a pipe would do away with it.
        raise InvalidInput(f"{path} is not a file", op="export", hint="-o FILE")
    if not force:
        _refuse_existing(path)
        if form == "atif":
            _refuse_existing(_pictures_beside(path))


def _refuse_existing(path: Path) -> None:
    if os.path.lexists(path):
        raise AlreadyExists(
            f"{path} is there already", op="export", hint="add --force to replace it"
        )


def _pictures_beside(path: Path) -> Path:
    return path.with_name(f"{path.name.removesuffix('.json')}.images")


def _writer(
    run: str, form: str, path: Path, *, blobs: bool, fps: float | None
) -> Callable[[Path], int]:
    """What writes the file; it answers how many pictures it has put beside it."""
    from carrel.journal import views

    def write(passing: Path) -> int:
        if form == "gif":
            views.write_gif(run, passing, fps=fps)
        elif form == "webm":
            views.write_webm(run, passing, fps=fps)
        else:
            with passing.open("wb") as file:
                if form == "html":
                    views.write_html(run, file)
                elif form == "jsonl":
                    views.write_jsonl(run, file, blobs=blobs)
                else:
                    return views.write_atif(run, file, pictures=_pictures_beside(path))
        return 0

    return write


def _write_whole(path: Path, write: Callable[[Path], int]) -> tuple[int, int]:
    """Put the file in its place when it is whole; a failure leaves nothing.

    Returns:
        Its size, and how many pictures are beside it.
    """
    from carrel.journal.views.document import private_file

    with private_file(path) as passing:
        pictures = write(passing)
        size = passing.stat().st_size
    return size, pictures
