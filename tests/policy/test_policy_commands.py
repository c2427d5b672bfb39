from __future__ import annotations

import shutil
import subprocess
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.policy.commands import read_command, suspects

SIMPLE = {
    "ls": ["ls"],
    "  ls   -la\t/tmp ": ["ls -la /tmp"],
    "echo 'a;  b'": ["echo 'a;  b'"],
    'echo "a && b"': ['echo "a && b"'],
    "echo 'it'\\''s'": ["echo 'it'\\''s'"],
    "echo a\\;b": ["echo a\\;b"],
    "echo a#b": ["echo a#b"],
    "git commit -m 'x | y'": ["git commit -m 'x | y'"],
    "echo '$HOME `id`'": ["echo '$HOME `id`'"],
}

COMPOUND = {
    "ls; rm x": ["ls", "rm x"],
    "ls && rm x": ["ls", "rm x"],
    "ls || rm x": ["ls", "rm x"],
    "ls | sh": ["ls", "sh"],
    "ls & rm x": ["ls", "rm x"],
    "ls\nrm x": ["ls", "rm x"],
    "ls;rm x;": ["ls", "rm x"],
    "ls |& sh": ["ls", "sh"],
}

OPAQUE = [
    "ls $(rm x)",
    "ls `rm x`",
    'ls "$(rm x)"',
    'ls "`rm x`"',
    "ls ${x:-$(rm y)}",
    "ls $X",
    "ls > /etc/passwd",
    "ls >> x",
    "ls < /dev/sda",
    "ls 2>&1",
    "ls <<EOF\nrm x\nEOF",
    "(rm x)",
    "ls <(rm x)",
    "ls() { rm x; }; ls",
    "case x in x) rm y;; esac",
    "ls # '\nrm -rf / #'",
    "# only a comment",
    "ls 'open",
    'ls "open',
    "ls \\",
    "l\\\ns",
    "",
    "   ",
    ";;",
    "\n",
    "echo $'\\n'",
]


@pytest.mark.parametrize(("command", "parts"), [*SIMPLE.items(), *COMPOUND.items()])
def test_a_command_is_cut_into_simple_commands(command: str, parts: list[str]) -> None:
    assert read_command(command) == parts


@pytest.mark.parametrize("command", OPAQUE)
def test_what_only_a_shell_can_read_is_not_read(command: str) -> None:
    assert read_command(command) is None


WORD = st.sampled_from(["ls", "rm", "-x", "a b", "'", '"', "$X", "`id`", "#", "é"])
GLUE = st.sampled_from([" ", ";", "&&", "|", "\n", ">", "$(", ")", "\\", "'", '"', "#", " #", "\t"])


@given(st.lists(st.one_of(WORD, GLUE), max_size=12).map("".join))
def test_reading_any_text_never_fails_and_parts_are_never_empty(text: str) -> None:
    parts = read_command(text)
    assert parts is None or (parts and all(part.strip() == part and part for part in parts))
    suspects(text)


@given(st.text(max_size=60))
def test_reading_hostile_text_never_fails(text: str) -> None:
    read_command(text)
    suspects(text)


# Words that are harmless and reveal themselves: `mark` is only ever printed by running it.
PIECES = st.sampled_from(
    [
        "echo ok",
        "mark",
        " ",
        ";",
        "&",
        "|",
        "\n",
        "'",
        '"',
        "\\",
        "#",
        "(",
        ")",
        "`",
        "$(",
        "x",
        "&&",
    ]
)


@pytest.mark.skipif(shutil.which("sh") is None, reason="compares with a real shell")
@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=8).map(lambda pieces: "echo ok" + "".join(pieces)))
def test_a_real_shell_runs_no_command_that_was_not_seen(text: str) -> None:
    """If the reader says `one simple echo`, then a shell does not run `mark` as a command."""
    parts = read_command(text)
    if parts is None or any(not part.startswith("echo") for part in parts):
        return
    script = f"mark() {{ echo RAN-MARK >&2; }}\n{text}\n"
    done = subprocess.run(
        ["sh", "-c", script], capture_output=True, timeout=10, stdin=subprocess.DEVNULL
    )
    assert b"RAN-MARK" not in done.stderr, text


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf /",
        "/bin/rm -rf /",
        "'rm' -rf /",
        "r''m -rf /",
        "\\rm -rf /",
        "ls; rm -rf /",
        "ls && /usr/bin/rm -rf /",
        "echo $(rm -rf /)",
        'echo "`rm -rf /`"',
        "sudo rm -rf /",
        "sudo -u root /bin/rm -rf /",
        "env A=1 rm -rf /",
        "A=1 rm -rf /",
        "nice -n 5 rm -rf /",
        "timeout 5 rm -rf /",
        "sh -c 'rm -rf /'",
        'bash -lc "ls; rm -rf /"',
        "(rm -rf /)",
        "{ rm -rf /; }",
        "true\nrm -rf /",
        "xargs rm -rf /",
        "sh -c \"sh -c 'rm -rf /'\"",
    ],
)
def test_a_deny_rule_is_shown_what_hides_in_a_command(command: str) -> None:
    found = suspects(command)
    assert found is not None
    assert any(text.startswith("rm -rf /") for text in found), found


def test_a_deny_rule_is_not_shown_what_is_only_an_argument() -> None:
    found = suspects("grep rm notes.txt")
    assert found is not None
    assert not any(text.startswith("rm") for text in found)


@pytest.mark.parametrize(
    "command",
    ["a;" * 400_000, "sh -c " * 150_000, "A=1 " * 200_000 + "rm x", "'" * 900_000, "$(" * 400_000],
    ids=["parts", "shells", "assignments", "quotes", "substitutions"],
)
def test_a_command_that_is_too_long_to_look_through_is_not_read(command: str) -> None:
    assert read_command(command) is None
    assert suspects(command) is None


@pytest.mark.parametrize(
    "command",
    ["a;" * 32_000, "sh -c " * 10_000, "A=1 " * 16_000 + "rm x", "`" * 65_000, "env " * 16_000],
    ids=["parts", "shells", "assignments", "backticks", "wrappers"],
)
def test_a_long_command_is_looked_through_in_bounded_time(command: str) -> None:
    started = time.process_time()
    read_command(command)
    suspects(command)
    assert time.process_time() - started < 5


def test_no_number_of_wrappers_hides_a_command() -> None:
    found = suspects("env A=1 " * 500 + "rm x")
    assert found is not None
    assert "rm x" in found
