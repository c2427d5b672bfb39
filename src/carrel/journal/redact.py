"""Taking secrets out of what is written down.

Two kinds are found: values that are known (also when they were escaped for JSON, URL-encoded, or
encoded as base64 or hexadecimal on the way), and text with the shape of a credential, under any
name. What is left is never less than `[redacted]`.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import quote

from carrel.codec import Json

__all__ = ["MARK", "Redactor"]

MARK = "[redacted]"

# A value this short is no secret anywhere but where it stands alone.
_SHORT = 4
_MOST_NAMES = 1000
_LEAST_ENCODED = 6

_SHAPES = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-ant-[A-Za-z0-9_-]{8,}"
    r"|[sr]k[-_](?=[A-Za-z0-9_-]{0,64}[0-9])[A-Za-z0-9_-]{16,}"
    r"|AIza[0-9A-Za-z_-]{30,}"
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|xox[abeprs]-[A-Za-z0-9-]{10,}"
    r"|hf_[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,}|xai-[A-Za-z0-9]{20,}"
    r"|A[KS]IA[0-9A-Z]{16}(?![0-9A-Z])"
    r"|ya29\.[A-Za-z0-9_-]{20,}"
    r"|eyJ[A-Za-z0-9_-]{8,999}\.eyJ[A-Za-z0-9_-]{8,4999}\.[A-Za-z0-9_-]{8,}"
    r")|-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*?-----END [A-Z ]*PRIVATE KEY-----|.*)",
    re.DOTALL,
)
_BEARER = re.compile(r"\b(Bearer|Basic)(\s{1,8}|%20)([A-Za-z0-9._~+/-]{8,}=*)", re.IGNORECASE)
# Looking for these in a text first is ten times as quick as the expressions above.
_SIGNS = (
    *("sk-", "sk_", "rk_", "rk-", "AIza", "gh", "glpat-", "xox", "hf_", "xai-"),
    *("AKIA", "ASIA", "ya29.", "eyJ", "PRIVATE KEY"),
)
_BEARER_SIGNS = ("bearer", "basic")

_NAMES = re.compile(
    r"(?:x-)?(?:goog-)?api[-_]?key|(?:proxy-)?authorization|(?:set-)?cookie|pass(?:word|wd|phrase)"
    r"|(?:access|refresh|id|auth|session|security)[-_]?token|client[-_]?secret|private[-_]?key"
    r"|secret[-_]?(?:access[-_]?)?key|aws[-_](?:secret[-_]access[-_]key|session[-_]token)",
    re.IGNORECASE,
)


class Redactor:
    """Replaces secrets by `[redacted]` in every string of some data, names of fields included.

    Args:
        values: Known secrets.
        env: Names of environment variables whose values are secrets too.
        shapes: Whether what looks like a credential is taken for one.
    """

    def __init__(
        self, values: Iterable[str] = (), *, env: Iterable[str] = (), shapes: bool = True
    ) -> None:
        self._shapes = shapes
        known = {*values, *(os.environ.get(name, "") for name in env)} - {""}
        # The longest first: one secret may be a part of another.
        self._names: dict[str, str] = {}
        self._secrets = [_Secret(value) for value in sorted(known, key=lambda v: (-len(v), v))]

    def data(self, data: Mapping[str, Json]) -> dict[str, Json]:
        """The same object without secrets."""
        return {self._name(key): self._field(key, value) for key, value in data.items()}

    def text(self, text: str) -> str:
        """The same text without secrets."""
        for secret in self._secrets:
            text = secret.remove(text)
        if not self._shapes:
            return text
        if any(sign in text for sign in _SIGNS):
            text = _SHAPES.sub(MARK, text)
        lower = text.lower()
        if any(sign in lower for sign in _BEARER_SIGNS):
            text = _BEARER.sub(_without_credentials, text)
        return text

    def _name(self, name: str) -> str:
        # The names of an event's fields are few, and the same in every event.
        if name not in self._names:
            if len(self._names) >= _MOST_NAMES or not isinstance(name, str):
                return self.text(name)
            self._names[name] = self.text(name)
        return self._names[name]

    def _field(self, name: str, value: Json) -> Json:
        if self._shapes and isinstance(value, str) and value and _NAMES.fullmatch(name):
            return MARK
        return self._any(value)

    def _any(self, value: Json) -> Json:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return self.data(value)
        if isinstance(value, list | tuple):
            return [self._any(item) for item in value]
        return value


def _without_credentials(match: re.Match[str]) -> str:
    # "basic knowledge" is no credential; what carries one has a digit or the padding of base64.
    if match[1].lower() == "basic" and not re.search(r"[0-9=]", match[3]):
        return match[0]
    return f"{match[1]}{match[2]}{MARK}"


class _Secret:
    """One known value in all the forms it may take."""

    def __init__(self, value: str) -> None:
        self._value = value
        self._replace: Callable[[str], str] | None = None
        if len(value) < _SHORT:
            alone = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
            self._replace = lambda text: alone.sub(MARK, text)
            return
        raw = value.encode("utf-8", "surrogatepass")
        forms = {quote(raw), quote(raw, safe=""), raw.hex(), raw.hex().upper(), *_base64_forms(raw)}
        self._forms = sorted(forms - {value}, key=len, reverse=True)
        # Any mixture of escapes: each character may be written in any of its own ways.
        # A run of backslashes is one thing and is met at its beginning only: were each its own,
        # a text of many could keep us for ever.
        pieces = re.findall(r"\\+|[^\\]", value)
        start = r"(?<!\\)" if value.startswith("\\") else ""
        self._escaped = re.compile(start + "".join(map(_spellings, pieces)))

    def remove(self, text: str) -> str:
        if self._replace is not None:
            return self._replace(text) if self._value in text else text
        if self._value in text:
            text = text.replace(self._value, MARK)
        for form in self._forms:
            if form in text:
                text = text.replace(form, MARK)
        if "\\" in text or "%" in text or "+" in text:
            text = self._escaped.sub(MARK, text)
        return text


def _spellings(character: str) -> str:
    """One character, as it is or escaped for JSON (once or more), or for a URL."""
    if character.startswith("\\"):
        return (
            rf"(?:\\{{{len(character)},}}|(?:%(?:25)?5[cC]|\\{{1,16}}u005[cC]){{{len(character)}}})"
        )
    ways = [re.escape(character)]
    if character in _SHORTHAND:
        ways.insert(0, rf"\\{{1,16}}{_SHORTHAND[character]}")
    units = character.encode("utf-16-be", "surrogatepass").hex()
    escaped = "".join(rf"\\{{1,16}}u{_any_case(units[i : i + 4])}" for i in range(0, len(units), 4))
    ways.append(escaped)
    raw = character.encode("utf-8", "surrogatepass").hex()
    ways.append("".join(f"%(?:25)?{_any_case(raw[i : i + 2])}" for i in range(0, len(raw), 2)))
    if character == " ":
        ways.append(r"\+")
    return f"(?:{'|'.join(ways)})"


_SHORTHAND = {
    '"': '"',
    "/": "/",
    "\n": "n",
    "\r": "r",
    "\t": "t",
    "\b": "b",
    "\f": "f",
}


def _any_case(digits: str) -> str:
    return "".join(f"[{d}{d.upper()}]" if d.isalpha() else d for d in digits)


def _base64_forms(raw: bytes) -> set[str]:
    """What of a value is the same wherever it stands in something encoded as base64."""
    forms = set()
    for offset in range(3):
        encoded = base64.b64encode(b"\0" * offset + raw).decode()
        # Characters that mix bits with what stands before or after are left out.
        first = (offset * 8 + 5) // 6
        last = (offset + len(raw)) * 8 // 6
        core = encoded[first:last]
        if len(core) >= _LEAST_ENCODED:
            forms |= {core, core.replace("+", "-").replace("/", "_")}
    return forms
