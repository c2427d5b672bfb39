"""Shell commands as a policy reads them: cut into simple commands, or not read at all.

An allow rule must never be stretched by `;`, `&&`, `|`, `$(…)`, backticks, newlines, comments or
redirections, so what is not plainly a list of simple commands cannot be allowed by a pattern.
A deny rule looks the other way: into every fragment, however it is quoted or wrapped.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["read_command", "suspects"]

_SEPARATORS = ";&|\n"
# Outside quotes these begin something that only a shell can read.
_OPAQUE = "$`<>()"
_WRAPPERS = {
    "builtin", "busybox", "command", "doas", "env", "eval", "exec", "ionice", "nice", "nohup",
    "setsid", "stdbuf", "sudo", "time", "timeout", "xargs",
}  # fmt: skip
_SHELLS = {"sh", "bash", "dash", "zsh", "ksh", "ash"}
_FRAGMENT = re.compile(r"[;&|\n(){}`<>]|\$\(")
_DEPTH = 4
_WRAPPED = 8

LONGEST = 65_536
"""Characters of a command that are looked through; a longer one is not read at all."""
MOST_PARTS = 64
MOST_FRAGMENTS = 4096


@dataclass
class _Reader:
    text: str
    at: int = 0
    quote: str = ""
    opaque: bool = False
    word: bool = False
    """Whether a word has begun; `#` is a comment only where none has."""
    part: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    def read(self) -> list[str] | None:
        while self.at < len(self.text) and not self.opaque:
            self._step(self.text[self.at])
        self._end_part()
        return None if self.opaque or self.quote or not self.parts else self.parts

    def _step(self, char: str) -> None:
        if self.quote == "'":
            self._take(char)
            self.quote = "" if char == "'" else "'"
        elif char == "\\":
            self._escape()
        elif self.quote:
            self.opaque = char in "$`"
            self._take(char)
            self.quote = "" if char == '"' else '"'
        else:
            self._plain(char)

    def _escape(self) -> None:
        following = self.text[self.at + 1 : self.at + 2]
        # A line that goes on, or nothing left to escape.
        self.opaque = following in ("", "\n")
        self._take("\\")
        if following:
            self._take(following)

    def _plain(self, char: str) -> None:
        if char in _OPAQUE or (char == "#" and not self.word):
            self.opaque = True
        elif char in _SEPARATORS:
            self.at += 1
            self._end_part()
        elif char in " \t":
            self.at += 1
            if self.part and self.part[-1] != " ":
                self.part.append(" ")
            self.word = False
        else:
            self.quote = char if char in "'\"" else ""
            self._take(char)

    def _take(self, char: str) -> None:
        self.part.append(char)
        self.at += 1
        self.word = True

    def _end_part(self) -> None:
        part = "".join(self.part).strip(" ")
        if part:
            self.parts.append(part)
        self.part, self.word = [], False


def read_command(command: str) -> list[str] | None:
    """The simple commands in a command line, blanks outside quotes made one.

    Returns:
        None when it holds anything a pattern cannot speak for: an expansion, a substitution, a
        redirection, a subshell, a comment, a continued line, an open quote, or no command at all.
    """
    if len(command) > LONGEST:
        return None
    parts = _Reader(command).read()
    return None if parts is None or len(parts) > MOST_PARTS else parts


def suspects(command: str) -> set[str] | None:
    """Every text in a command that a deny rule should look at.

    Quotes are taken off, directories of programs too, and what `sudo`, `env`, `sh -c` and their
    kind would run is looked at as well. It is a best effort: no pattern sees what a program does.

    Returns:
        None when there is too much of it to look through.
    """
    if len(command) > LONGEST:
        return None
    found: set[str] = set()
    waiting = [(command, _DEPTH)]
    seen = 0
    while waiting:
        text, depth = waiting.pop()
        for fragment in _fragments(text):
            seen += 1
            if seen > MOST_FRAGMENTS:
                return None
            scripts = _look_at(fragment, found)
            waiting += [(script, depth - 1) for script in scripts if depth and script != text]
    return found


def _look_at(fragment: str, found: set[str]) -> list[str]:
    """Take note of a fragment in all its forms; the scripts it gives to a shell."""
    found.add(fragment)
    scripts: list[str] = []
    for words in _unwrapped(_words(fragment)):
        name = words[0].rpartition("/")[2]
        found.add(" ".join(words))
        found.add(" ".join([name, *words[1:]]))
        if name in _SHELLS:
            scripts += words[1:]
    return scripts


def _fragments(command: str) -> Iterator[str]:
    yield command.strip()
    yield from read_command(command) or ()
    # Also cut without regard to quotes: a substitution works inside double quotes, too.
    yield from (text for piece in _FRAGMENT.split(command) if (text := piece.strip(" \t\"'")))


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _unwrapped(words: list[str]) -> Iterator[list[str]]:
    """The words, and again without the wrappers, assignments and options that stand before."""
    for index, word in enumerate(words):
        before = words[index - 1] if index else ""
        passes = word.rpartition("/")[2] in _WRAPPERS or "=" in word or word.startswith("-")
        # `timeout 5 rm`, `nice -n 5 rm`: a word that belongs to the wrapper before it.
        last = not (passes or word.isdigit() or before.startswith("-"))
        if last or index < _WRAPPED:
            yield words[index:]
        if last:
            return
