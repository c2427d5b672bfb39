"""URLs as a browser reads them, not as they are written.

A host is compared in one form: lower case, punycode, no final dot, no user name before it. What
cannot be brought into that form is *unreadable*: no pattern allows it, every host pattern of a
deny rule touches it.
"""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address
from urllib.parse import unquote

from carrel.errors import InvalidInput
from carrel.machines.addresses import normal_host

__all__ = ["Url", "host_matches", "read_host", "read_url", "url_matches"]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
_WRAPPERS = ("view-source", "blob", "filesystem", "feed")
_STRIPPED = "".join(map(chr, range(33)))


@dataclass(frozen=True, slots=True)
class Url:
    """One URL.

    Attributes:
        scheme: In lower case.
        host: In the form that is compared; None when there is one that cannot be read, empty when
            the scheme has none.
        port: Written out or the scheme's own; None when neither.
        rest: Path, query and fragment.
    """

    scheme: str
    host: str | None
    port: int | None
    rest: str

    def __str__(self) -> str:
        if self.host == "" and not self.rest.startswith("/"):
            return f"{self.scheme}:{self.rest}"
        host = f"[{self.host}]" if self.host and ":" in self.host else self.host
        port = "" if self.port in (None, _PORTS.get(self.scheme)) else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.rest}"


def read_url(text: str) -> Url | None:
    """A URL, by the rules browsers follow; None when the text has no scheme.

    Blanks around it and line breaks inside it do not count, a backslash is a slash, and any number
    of slashes may follow the scheme.
    """
    text = re.sub(r"[\t\n\r]", "", text.strip(_STRIPPED))
    found = _SCHEME.match(text)
    if found is None:
        return None
    scheme, rest = found[1].lower(), text[found.end() :]
    if scheme in _WRAPPERS and (inner := read_url(rest)) is not None:
        return inner
    if scheme in _PORTS:
        authority, rest = _split(rest.replace("\\", "/").lstrip("/"))
        host, port = _authority(authority, _PORTS[scheme])
        return Url(scheme, host, port, _without_dots(rest))
    if rest.startswith("//"):
        authority, rest = _split(rest[2:])
        host, port = _authority(authority, None) if authority else ("", None)
        return Url(scheme, host, port, rest)
    return Url(scheme, "", None, rest)


def _without_dots(rest: str) -> str:
    """Path, query and fragment with `.` and `..` followed, also where they are written %2e."""
    end = re.search(r"[?#]", rest)
    path, tail = (rest, "") if end is None else (rest[: end.start()], rest[end.start() :])
    kept: list[str] = []
    segments = path.split("/")[1:]
    for index, segment in enumerate(segments):
        plain = re.sub("%2e", ".", segment, flags=re.IGNORECASE)
        if plain == "..":
            del kept[-1:]
        if plain not in (".", ".."):
            kept.append(segment)
        elif index == len(segments) - 1:
            kept.append("")
    return "/" + "/".join(kept) + tail


def _split(text: str) -> tuple[str, str]:
    found = re.search(r"[/?#]", text)
    return (text, "") if found is None else (text[: found.start()], text[found.start() :])


def _authority(text: str, default: int | None) -> tuple[str | None, int | None]:
    # What stands before the last @ is a user name, whatever it looks like.
    host, port = text.rpartition("@")[2], ""
    if not host.endswith("]"):
        head, colon, tail = host.rpartition(":")
        if colon and (head.endswith("]") or ":" not in head):
            host, port = head, tail
    if port and not (port.isascii() and port.isdigit() and int(port) <= 65535):
        return None, None
    return read_host(host), int(port) if port else default


def read_host(text: str) -> str | None:
    """A host in the form that is compared; None when browsers and we might disagree about it."""
    text = unquote(text)
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    number = _old_address(text.rstrip("."))
    try:
        return str(number) if number is not None else normal_host(text)
    except InvalidInput:
        return None


def _old_address(text: str) -> IPv4Address | None:
    """An IPv4 address in any of the forms browsers still take: `127.1`, `0x7f000001`, `017700`."""
    parts = text.split(".")
    if len(parts) > 4 or not parts[-1]:
        return None
    try:
        numbers = [_number(part) for part in parts]
    except ValueError:
        return None
    *high, low = numbers
    if any(number > 255 for number in high) or low >= 256 ** (5 - len(numbers)):
        return None
    total = low + sum(number << (24 - 8 * index) for index, number in enumerate(high))
    return IPv4Address(total)


def _number(text: str) -> int:
    if not re.fullmatch(r"0[xX][0-9a-fA-F]*|[0-9]+", text):
        raise ValueError(text)
    if text[:2] in ("0x", "0X"):
        return int(text[2:] or "0", 16)
    return int(text, 8) if len(text) > 1 and text[0] == "0" else int(text)


def host_matches(pattern: str, url: Url) -> bool:
    """Whether `example.com`, `*.example.com` or `example.com:8080` names the host of a URL."""
    if url.host is None:
        return False
    host, port = _split_pattern(pattern)
    if port is not None and port != url.port:
        return False
    return _host_pattern(host).fullmatch(url.host) is not None


def url_matches(pattern: str, url: Url) -> bool:
    """Whether `https://example.com/docs/*` speaks of a URL: scheme, host and the rest, each."""
    scheme, mark, after = pattern.partition("://")
    if not mark:
        return fnmatch.fnmatchcase(str(url), pattern)
    host, rest = _split(after)
    if not rest:
        # `https://example.com*` means every page there, not every host that begins so.
        host, rest = (host.removesuffix("*") or "*"), "*"
    if not fnmatch.fnmatchcase(url.scheme, scheme.lower()):
        return False
    fits = host_matches(host, url) if host else not url.host
    return fits and fnmatch.fnmatchcase(url.rest or "/", rest)


def _split_pattern(pattern: str) -> tuple[str, int | None]:
    head, _, tail = pattern.rpartition(":")
    has_port = tail.isascii() and tail.isdigit() and (":" not in head or head.endswith("]"))
    if head and has_port:
        return head.strip("[]"), int(tail)
    return pattern.strip("[]"), None


@lru_cache(maxsize=1024)
def _host_pattern(host: str) -> re.Pattern[str]:
    """The pattern with its fixed labels in punycode, so that both spellings mean the same."""
    if not set(host) & set("*?"):
        return re.compile(re.escape(read_host(host) or host.lower()))
    text = ".".join(map(_label, host.removesuffix(".").split("."))).lower()
    return re.compile(re.escape(text).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)


def _label(text: str) -> str:
    return text if text.isascii() else read_host(text) or text
