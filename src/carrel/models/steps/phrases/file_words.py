"""Files and folders in words: `notes.txt in my home folder`, `the Documents folder`."""

from __future__ import annotations

import re

__all__ = ["file_said", "folder_said", "is_file_name"]

_KNOWN = "documents|downloads|desktop|pictures|music|videos|public|templates"
_WHOSE = r"(?:(?:the|my|your|our)\s+)?(?:user(?:'s)?\s+)?"
_HOME = re.compile(rf"{_WHOSE}home(?:\s+(?:folder|directory|dir))?|~/?", re.IGNORECASE)
_KNOWN_FOLDER = re.compile(
    rf"{_WHOSE}(?P<name>{_KNOWN})(?:\s+(?:folder|directory))?", re.IGNORECASE
)
_PATH = re.compile(r"[\"“]?(?P<path>(?:~|/)[^\"”]*)[\"”]?")
_NAME = r"[^\s/\"“”][^/\"“”]*\.[A-Za-z][A-Za-z\d]{0,7}|[^\s/\"“”]+\.[A-Za-z\d]{1,7}"
_FILE = re.compile(
    r"(?:the\s+)?(?:(?P<of>contents?|text)\s+of\s+)?(?:the\s+)?"
    r"(?P<noun>(?:saved\s+|new\s+)?(?:text\s+)?(?:file|document)\s+(?:called\s+|named\s+)?)?"
    rf"[\"“]?(?P<name>(?:~|/)[^\s\"”]+|{_NAME})[\"”]?"
    r"(?:\s+(?:in|on|from|inside|under)\s+(?P<folder>.+))?",
    re.IGNORECASE,
)


def folder_said(words: str) -> str | None:
    """The path of a folder that every desk has, or of one that is said by its path; else None."""
    said = words.strip(" \"“”'")
    if _HOME.fullmatch(said):
        return "~"
    if known := _KNOWN_FOLDER.fullmatch(said):
        return f"~/{known['name'].capitalize()}"
    path = _PATH.fullmatch(re.sub(r"^(?:the\s+)?(?:folder|directory)\s+", "", said))
    return (path["path"].rstrip("/") or "/") if path else None


def is_file_name(words: str) -> bool:
    """Whether it is a mere name with an ending, as only files have."""
    return re.fullmatch(_NAME, words.strip(' "“”')) is not None


def file_said(words: str) -> str | None:
    """The path of a file that is said to be one; one without a folder is in the home folder.

    None where the words may mean something else, or a folder that is not known.
    """
    found = _FILE.fullmatch(words.strip())
    if found is None:
        return None
    name, folder = found["name"], found["folder"]
    if name.startswith(("~", "/")):
        return name if folder is None else None
    if folder is None:
        return f"~/{name}" if found["noun"] else None
    there = folder_said(folder)
    return None if there is None else f"{there.rstrip('/')}/{name}"
