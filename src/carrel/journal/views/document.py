"""One page of HTML that needs nothing else, and a file that only its owner can read for it.

What a page shows (a model's words, a page's title, a path) is hostile until proven otherwise: its
policy allows our own style and script by their hashes, and no network.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

__all__ = ["private_file", "write_document"]

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def write_document(title: str, style: str, body: str, *, script: str = "") -> bytes:
    """The page.

    Args:
        title: As text; it is escaped.
        style: Ours, in CSS.
        body: In HTML: whoever writes it escapes what is in it. Pictures in it are `data:`.
        script: Ours, run at the end of the body; without one, nothing runs.
    """
    if script:
        body = f"{body}\n<script>{script}</script>"
    page = _PAGE.format(policy=_policy(script, style), title=escape(title), style=style, body=body)
    return page.encode("utf-8", "replace")


def _policy(script: str, style: str) -> str:
    rules = [
        "default-src 'none'",
        f"style-src '{_digest(style)}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    if script:
        rules.insert(1, f"script-src '{_digest(script)}'")
    return "; ".join(rules)


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@contextmanager
def private_file(path: Path) -> Iterator[Path]:
    """Where to write a file that is put in its place when it is whole; a failure leaves nothing.

    What a run shows may be private: only its owner can read it.
    """
    path = path.resolve()
    passing = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        os.close(os.open(passing, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC, 0o600))
        passing.chmod(0o600)
        yield passing
        passing.rename(path)
    finally:
        passing.unlink(missing_ok=True)
