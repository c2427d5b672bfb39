"""Pages of HTML that need nothing else, and private files."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.journal.views.document import private_file, write_document


def policy(page: str) -> dict[str, str]:
    found = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert found
    return dict(rule.split(" ", 1) for rule in found[1].split("; "))


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_only_our_own_style_and_script_are_allowed() -> None:
    style, script = "p { color: red }", "console.log('{}')"
    rules = policy(write_document("A", style, "<p>{body}</p>", script=script).decode())
    assert rules["default-src"] == "'none'"
    assert rules["style-src"] == digest(style)
    assert rules["script-src"] == digest(script)
    assert rules["img-src"] == "data:"


def test_without_a_script_none_is_allowed() -> None:
    page = write_document("A", "", "<p>{body}</p>").decode()
    assert "script-src" not in policy(page)
    assert "<script" not in page
    assert "<p>{body}</p>" in page


@given(st.text())
def test_a_title_is_text_whatever_it_holds(title: str) -> None:
    page = write_document(title, "", "").decode()
    inside = page.partition("<title>")[2].partition("</title>")[0]
    assert "<" not in inside
    assert page.count("<title>") == 1


def test_a_private_file_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    before = os.umask(0)
    try:
        with private_file(path) as passing:
            passing.write_text("one")
            assert not path.exists()
    finally:
        os.umask(before)
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("one", 0o600)
    with pytest.raises(NotADirectoryError), private_file(path) as passing:
        (passing / "below").write_text("two")
    assert path.read_text() == "one"
    assert list(tmp_path.iterdir()) == [path]
