"""What is never taken apart: quotes, names in braces, addresses, dates and bracketed words.

Each becomes one private-use character, so that the rules of the language see one letter where the
person wrote a text of their own, and what was inside comes back verbatim.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from carrel.models.steps.language.dates import DATE, TIME

__all__ = ["ANY", "DATED", "NAME", "OTHER", "PHRASE", "QUOTE", "TIMED", "Atoms", "quoted"]

_RANGES = {
    "quote": (0xE000, 0xE7FF),
    "name": (0xE800, 0xEBFF),
    "date": (0xEC00, 0xEEFF),
    "time": (0xEF00, 0xF0FF),
    "phrase": (0xF100, 0xF4FF),
    "other": (0xF500, 0xF8FF),
}
QUOTE = "[\ue000-\ue7ff]"
NAME = "[\ue800-\uebff]"
DATED = "[\uec00-\ueeff]"
TIMED = "[\uef00-\uf0ff]"
PHRASE = "[\uf100-\uf4ff]"
OTHER = "[\uf500-\uf8ff]"
ANY = "[\ue000-\uf8ff]"

# Opening quote to closing quote; the first whose closing one is not in a text can hold it.
PAIRS = {
    '"': '"',
    "“": "”",
    "「": "」",
    "『": "』",
    "«": "»",
    "‹": "›",
    "`": "`",
    "⟦": "⟧",
    "‘": "’",
    "„": "“",
    "＂": "＂",
}
_QUOTED = "|".join(
    f"{re.escape(a)}[^{re.escape(b)}\n]*{re.escape(b)}"
    for a, b in PAIRS.items()
    if a not in ('"', "‘")
)
# `log("a", "b")`: a program's words are one text, whatever they quote.
_CODE = (
    r"(?<![\w$])[a-z_$][a-z\d_$.]*(?:\[[^\[\]\n]*[\"'`][^\[\]\n]*\]|\([^()\n]*[\"'`][^()\n]*\))+"
)
_ATOM = re.compile(
    r'(?P<block>"""(?P<inside>.*?)""")'
    rf"|(?P<code>{_CODE})"
    r'|(?P<quote>"[^"\n]*"|' + _QUOTED + r"|(?<!\w)‘[^’\n]*’(?!\w)"
    r"|(?<![\w'])'(?=\S)[^'\n]*(?:(?<=\w)'(?=\w)[^'\n]*)*'(?!\w)|【[^【】\n]+】)"
    r"|(?P<title>《[^《》\n]+》)"
    r"|(?P<name>\{\{\s*secret:[^{}\n]*\}\}|\{[^\W\d][\w.-]*\})"
    r"|(?P<char>[\ue000-\uf8ff]+)"
    r"|(?P<other>\b(?:https?|ftp|file|about|chrome|data|mailto)://?[^\s，。；、（）)\ue000-\uf8ff]*"
    r"[^\s，。；、（）).,;:!?\ue000-\uf8ff]"
    r"|\((?:\s*-?\d+(?:\.\d+)?\s*[,，]?){2,}\)|\[(?:\s*-?\d+(?:\.\d+)?\s*[,，]?){2,}\]"
    r"|(?:(?![\u3400-\u9fff])[\w.+-])+@[A-Za-z\d-]+(?:\.[A-Za-z\d-]+)+"
    r"|(?<![\w/])(?:~|\.{1,2})?/(?:[\w.@%+-]+/)*[\w@%+-]+(?:\.\w+)*/?"
    r"|(?<!\w)[A-Za-z]:\\[^\s\"，。；、：（）！？\ue000-\uf8ff]+"
    r"|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w))"
    r"|(?P<phrase>\[[^\[\]\n]+\]|⟨[^⟨⟩\n]+⟩)"
    rf"|(?P<date>{DATE})"
    rf"|(?P<time>{TIME})",
    re.DOTALL | re.IGNORECASE,
)

_TITLE = re.compile(r"《([^《》]+)》")


@dataclass(slots=True)
class Atoms:
    """The texts behind the private-use characters of one masked text."""

    known: dict[str, str] = field(default_factory=dict)
    inner: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def mask(self, text: str) -> str:
        """The text with every atom as one character."""
        parts: list[str] = []
        at = 0
        while found := _ATOM.search(text, at):
            nests = found["quote"] and found[0][0] in PAIRS
            whole = whole_quote(text, found) if nests else found[0]
            letter = whole and (self._swap(found) if whole == found[0] else self._nested(whole))
            # Quotes that do not close leave their mark in the words.
            parts += [text[at : found.start()], letter or text[found.start()]]
            at = found.start() + len(whole or text[found.start()])
        return "".join([*parts, text[at:]])

    def _nested(self, text: str) -> str:
        return self._keep("quote", text, text[1:-1])

    def _swap(self, match: re.Match[str]) -> str:
        kind = match.lastgroup or "other"
        text = match[0]
        if kind in ("inside", "block"):
            return self._keep("quote", text, match["inside"])
        if kind == "quote":
            return self._keep("quote", text, text[1:-1])
        if kind == "code":
            return self._keep("quote", text, text)
        if kind == "title":
            # A thing is called by what is in them; where it is typed they belong to it.
            return self._keep("quote", text, text)
        if kind == "phrase":
            return self._keep("phrase", text, text[1:-1])
        return self._keep("other" if kind == "char" else kind, text, text)

    def keep_quote(self, text: str, inside: str) -> str:
        """A letter for a text that was said in other words."""
        return self._keep("quote", text, inside)

    def _keep(self, kind: str, text: str, inside: str) -> str:
        first, last = _RANGES[kind]
        number = self.counts.get(kind, 0)
        if first + number > last:
            # Out of letters: the last one of its kind would have to mean two things.
            return re.sub(ANY, "", text)
        self.counts[kind] = number + 1
        letter = chr(first + number)
        self.known[letter] = text
        self.inner[letter] = inside
        return letter

    def original(self, masked: str) -> str:
        """As the person wrote it."""
        return re.sub(ANY, lambda m: self.known.get(m[0], m[0]), masked)

    def phrase(self, masked: str) -> str:
        """A thing in words: quotes stay, straight where they can be, and brackets go."""
        return re.sub(ANY, lambda m: self._spoken(m[0]), masked).strip()

    def _spoken(self, letter: str) -> str:
        if re.match(PHRASE, letter):
            return self.inner[letter]
        if re.match(QUOTE, letter):
            return quoted(_TITLE.sub(r"\1", self.inner[letter]))
        return self.known.get(letter, letter)

    def text(self, masked: str) -> str:
        """A text to type: only what is inside when all of it is one quote."""
        bare = masked.strip()
        if len(bare) == 1 and bare in self.inner:
            return self.inner[bare]
        return self.original(masked).strip()


_INNER = re.compile(r'(?<=[\s(\[{=:,])"(?=\w)')


def whole_quote(text: str, found: re.Match[str]) -> str:
    """A quote with the quotes that it holds; empty where these do not close."""
    start, opening = found.start(), found[0][0]
    close = PAIRS[opening]
    line = text[start:].split("\n", 1)[0]
    depth = 0
    for at, letter in enumerate(line):
        same = letter == opening
        if same and (opening != close or depth == 0 or _INNER.match(text, start + at)):
            depth += 1
        elif letter == close:
            depth -= 1
            if depth == 0:
                return line[: max(at + 1, len(found[0]))]
    return ""


def quoted(text: str) -> str:
    """The text in quotes that it does not hold itself."""
    if "\n" in text or all(close in text for close in PAIRS.values()):
        return f'"""{text}"""'
    for opening, close in PAIRS.items():
        if close not in text and opening not in text:
            return f"{opening}{text}{close}"
    return f'"""{text}"""'
