"""Moving and copying files from folder to folder in a file manager, by the keys they all have.

What is selected is known by what is copied: the clipboard says where the file is. What comes of it
is known by the files themselves.
"""

from __future__ import annotations

import re
from posixpath import basename, dirname, splitext
from urllib.parse import unquote

from carrel.actions import Key, StatFile
from carrel.models.steps.claims.copied import clipboard_text
from carrel.models.steps.desk import Desk
from carrel.models.steps.layout.chrome import web_page
from carrel.models.steps.phrases.file_words import folder_said, is_file_name
from carrel.models.steps.turns import Missed, Turns
from carrel.models.steps.verbs.entering import typed
from carrel.models.steps.verbs.filing import file_manager, file_name, select_named

__all__ = ["paste_into_folder", "shelve"]

LOOKS = (0.3, 0.6, 1.2, 2.0)
CUT, COPY, PASTE = Key(("ctrl", "x")), Key(("ctrl", "c")), Key(("ctrl", "v"))
_FOLDER = re.compile(
    r"(?:(?:the|a|my|this|that)\s+)?(?:new\s+)?(?:(?:folder|directory)\s+(?:named\s+|called\s+)?)?"
    r"[\"“']?(?P<name>[^\"”'/]+?)[\"”']?(?:\s+(?:folder|directory))?",
    re.IGNORECASE,
)


def shelve(desk: Desk, what: str, onto: str, *, moved: bool) -> Turns[bool]:
    """Put a file into a folder where a file manager is in front; whether that is meant.

    Raises:
        Missed: There is no such file or folder, or it is not there afterwards.
    """
    if web_page(desk.elements) is not None or (yield from file_manager(desk)) is None:
        return False
    try:
        path = yield from _taken(desk, what, CUT if moved else COPY)
        folder = yield from _folder(desk, onto, dirname(path))
    except Missed:
        if is_file_name(file_name(what)):
            raise
        return False
    yield from _go_to(desk, folder)
    yield from _paste(desk, folder, basename(path))
    if moved and (yield from _is_there(desk, path)) is not None:
        raise Missed(f"{path} is still there after it was moved to {folder}")
    yield from _go_to(desk, dirname(path))
    return True


def paste_into_folder(desk: Desk, onto: str) -> Turns[bool]:
    """Paste the file that was copied into a folder; whether a file manager is in front for it."""
    if web_page(desk.elements) is not None or (yield from file_manager(desk)) is None:
        return False
    path = _path_of((yield from clipboard_text(desk)))
    if path is None:
        return False
    folder = yield from _folder(desk, onto, dirname(path))
    yield from _go_to(desk, folder)
    yield from _paste(desk, folder, basename(path))
    yield from _go_to(desk, dirname(path))
    return True


def _taken(desk: Desk, what: str, keys: Key) -> Turns[str]:
    """Select a file and cut or copy it; where it is, as the clipboard says.

    Raises:
        Missed: Something else was selected.
    """
    name = file_name(what)
    yield from select_named(desk, name)
    yield from desk.do(keys, why=f"take {name}", commits=False)
    path = _path_of((yield from clipboard_text(desk)))
    if path is None or name not in (basename(path), splitext(basename(path))[0]):
        raise Missed(f"{name} could not be selected; selected is {path or 'no one file'}")
    return path


def _path_of(copied: str) -> str | None:
    """The one file that the clipboard holds."""
    lines = [line.strip() for line in copied.splitlines() if line.strip()]
    files = [line for line in lines if line.startswith("file://")]
    if len(lines) != 1 or len(files) != 1:
        return None
    return unquote(files[0].removeprefix("file://"))


def _folder(desk: Desk, words: str, here: str) -> Turns[str]:
    """The path of the folder that is meant: beside the file, or one that every desk has.

    Raises:
        Missed: There is none.
    """
    found = _FOLDER.fullmatch(words.strip())
    name = found["name"] if found else words.strip(" \"“”'")
    if name.casefold() in ("parent", "folder above"):
        return dirname(here)
    said = folder_said(words)
    for path in (*([said] if said and "/" in words else []), f"{here.rstrip('/')}/{name}", said):
        if path is not None and (yield from _is_there(desk, path)) == "directory":
            return path
    raise Missed(f"there is no folder {name} in {here}")


def _is_there(desk: Desk, path: str) -> Turns[str | None]:
    """What sort of file a path is; None where there is none."""
    results = yield from desk.attempt(StatFile(path), why=f"whether there is {path}", commits=False)
    return str(results[0].data.get("kind")) if results and results[0].ok else None


def _go_to(desk: Desk, folder: str) -> Turns[None]:
    """Show a folder by the field for where one is."""
    keys = (Key(("ctrl", "l")), Key(("ctrl", "a")), typed(folder), Key(("enter",)))
    yield from desk.do(*keys, why=f"show {folder}")
    yield from desk.again(0.4, why="what the folder holds")


def _paste(desk: Desk, folder: str, name: str) -> Turns[None]:
    """Paste what was taken, and see that it is there.

    Raises:
        Missed: One of that name was there before, or none is now.
    """
    path = f"{folder.rstrip('/')}/{name}"
    if (yield from _is_there(desk, path)) is not None:
        raise Missed(f"there is a {name} in {folder} already")
    yield from desk.do(PASTE, why=f"paste it into {folder}", last=True)
    for pause in LOOKS:
        if (yield from _is_there(desk, path)) is not None:
            return
        yield from desk.again(pause, why=f"whether {name} is there")
    raise Missed(f"there is no {name} in {folder} after it was pasted")
