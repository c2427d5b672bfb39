"""Desktop entries: the applications a desktop knows, and which of them opens what.

After the Desktop Entry and MIME Applications specifications of freedesktop.org.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from carrel.errors import ActionFailed

__all__ = ["Entries", "Entry", "read_groups"]

MAX_FILE = 256 * 1024

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_CODE = re.compile(r"%(.)", re.DOTALL)
_CALLED = re.compile(r"(?:Generic)?Name(?:\[[\w@.]+\])?$")
_MAIN_TYPES = {
    "FileManager": "inode/directory",
    "Spreadsheet": "text/csv",
    "TextEditor": "text/plain",
    "WebBrowser": "x-scheme-handler/http",
}
"""What files of a kind of program tell which one of them was chosen."""
_VALUES = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}

Groups = dict[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class Entry:
    """One application."""

    id: str
    path: str
    name: str
    exec: str
    icon: str = ""
    cwd: str = ""
    try_exec: str = ""
    terminal: bool = False
    types: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    """Its name and what kind of program it is, in every language it tells them in."""
    categories: frozenset[str] = frozenset()
    shown: bool = True

    def command(self, arguments: Sequence[str] = ()) -> list[str]:
        """Its command line, with files or URLs filled in where it wants them.

        Raises:
            ActionFailed: Its `Exec` line is not one.
        """
        rest = list(arguments)
        words: list[str] = []
        for word in _split(self.exec):
            if word in ("%F", "%U"):
                words += rest
                rest = []
            elif word in ("%f", "%u"):
                words += rest[:1]
                rest = rest[1:]
            elif word == "%i":
                words += ["--icon", self.icon] if self.icon else []
            else:
                words.append(_CODE.sub(self._fill, word))
        words = list(filter(None, words))
        if not words:
            raise ActionFailed(f"the desktop entry {self.path} says nothing to run")
        return words + rest

    def _fill(self, match: re.Match[str]) -> str:
        """A code inside a word; those that stand for files are of no use there."""
        return {"%": "%", "c": self.name, "k": self.path}.get(match[1], "")


def _split(line: str) -> list[str]:
    return [
        _ESCAPE.sub(r"\1", match[1]) if match[1] is not None else match[2]
        for match in _TOKEN.finditer(line)
    ]


def read_groups(path: Path) -> Groups:
    """The groups of a key file; lines that are none are passed over, as everyone does."""
    with path.open("rb") as file:
        text = file.read(MAX_FILE).decode("utf-8", "replace")
    groups: Groups = {}
    current: dict[str, str] = {}
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            current = groups.setdefault(line[1:-1], {})
        elif "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            current.setdefault(key.strip(), value.strip())
    return groups


def _unescape(value: str) -> str:
    return _ESCAPE.sub(lambda match: _VALUES.get(match[1], match[0]), value)


def read_entry(name: str, path: Path) -> Entry | None:
    """The application that a file describes; None when it describes none."""
    fields = read_groups(path).get("Desktop Entry", {})
    line = fields.get("Exec")
    if not line or fields.get("Type", "Application") != "Application":
        return None
    if fields.get("Hidden") == "true":
        return None
    return Entry(
        name,
        str(path),
        _unescape(fields.get("Name", name)),
        _unescape(line),
        _unescape(fields.get("Icon", "")),
        _unescape(fields.get("Path", "")),
        _unescape(fields.get("TryExec", "")),
        fields.get("Terminal") == "true",
        frozenset(filter(None, fields.get("MimeType", "").split(";"))),
        frozenset(_unescape(fields[key]).casefold() for key in fields if _CALLED.match(key)),
        frozenset(filter(None, fields.get("Categories", "").split(";"))),
        fields.get("NoDisplay") != "true",
    )


class Entries:
    """All applications of an environment, read anew each time it is made."""

    def __init__(self, env: Mapping[str, str], home: str) -> None:
        data = env.get("XDG_DATA_HOME") or f"{home}/.local/share"
        config = env.get("XDG_CONFIG_HOME") or f"{home}/.config"
        dirs = env.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
        config_dirs = env.get("XDG_CONFIG_DIRS") or "/etc/xdg"
        self._roots = [Path(d, "applications") for d in (data, *dirs.split(":")) if d]
        self._configs = [Path(d) for d in (config, *config_dirs.split(":")) if d]
        self._entries: dict[str, Entry] = {}
        hidden: set[str] = set()
        for root in self._roots:
            for name, path in _files(root):
                if name in self._entries or name in hidden:
                    continue
                entry = read_entry(name, path)
                if entry is None:
                    # It also hides one of the same name further down.
                    hidden.add(name)
                else:
                    self._entries[name] = entry

    def find(self, name: str) -> Entry | None:
        """By id, with or without `.desktop`."""
        return self._entries.get(name.removesuffix(".desktop"))

    def search(self, name: str) -> Entry | None:
        """By the name people see, or the last part of the id; case does not matter."""
        wanted = name.casefold()
        by_name = (e for e in self._entries.values() if e.name.casefold() == wanted)
        by_id = (
            entry
            for key, entry in self._entries.items()
            if wanted in (key.casefold(), key.rpartition(".")[2].casefold())
        )
        return next(by_name, None) or next(by_id, None) or next(iter(self.of_kind(name)), None)

    def of_kind(self, name: str) -> list[Entry]:
        """Programs of a kind, such as `text editor`: what was chosen for its files first."""
        wanted = name.casefold()
        category = "".join(word.capitalize() for word in wanted.split())
        fitting = [
            entry
            for entry in self._entries.values()
            if category in entry.categories or wanted in entry.called
        ]
        chosen = list(self._chosen(_MAIN_TYPES[category])) if category in _MAIN_TYPES else []

        def rank(entry: Entry) -> tuple[bool, bool, int, bool]:
            known = f"{entry.id}.desktop"
            at = chosen.index(known) if known in chosen else len(chosen)
            return entry.terminal, not entry.shown, at, category not in entry.categories

        return sorted(fitting, key=rank)

    def names(self) -> list[str]:
        """What people could ask for."""
        return sorted({entry.name for entry in self._entries.values()})

    def for_type(self, mime: str) -> list[Entry]:
        """Who opens such files: what was chosen first, then windows before terminals."""
        chosen = [entry for name in self._chosen(mime) if (entry := self.find(name)) is not None]
        able = [entry for entry in self._entries.values() if mime in entry.types]
        able.sort(key=lambda entry: entry.terminal)
        return list(dict.fromkeys([*chosen, *able]))

    def _chosen(self, mime: str) -> Iterator[str]:
        for path in (*self._configs, *self._roots):
            lists = (path / "mimeapps.list", path / "defaults.list")
            for groups in (read_groups(file) for file in lists if file.is_file()):
                for group in ("Default Applications", "Added Associations"):
                    yield from filter(None, groups.get(group, {}).get(mime, "").split(";"))


def _files(root: Path) -> Iterable[tuple[str, Path]]:
    """Ids and files; a file in a subfolder has its folders in its id."""
    for path in sorted(root.rglob("*.desktop")):
        if path.is_file():
            relative = path.relative_to(root)
            yield "-".join(relative.with_suffix("").parts), path
