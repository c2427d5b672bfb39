"""Commands and quotes: what is quoted is exactly that, and nothing left over goes to a shell."""

from __future__ import annotations

import pytest

from carrel.models.steps.language import read_sentence, write_step
from carrel.models.steps.language.atoms import Atoms
from carrel.models.steps.program import Run, Unclear


def _read(text: str) -> list[str]:
    return [write_step(step) for step in read_sentence(text).steps]


@pytest.mark.parametrize(
    ("sentence", "steps"),
    [
        (
            "Switch to the terminal and run the command `cat a.txt` there",
            ['switch to "terminal"', 'in the terminal, run "cat a.txt"'],
        ),
        (
            "Open the terminal and run `ls` in it",
            ["open the terminal", 'in the terminal, run "ls"'],
        ),
        ("Run this command in the terminal: `ls`", ['in the terminal, run "ls"']),
        ("Execute `ls -la` in the open terminal", ['in the terminal, run "ls -la"']),
        ("Run the following command: `ls`", ['run "ls"']),
        ("Run `ls` again", ['run "ls"']),
        ("Run `ls` and remember the output as FILES", ['run "ls"', "read the output as FILES"]),
        ("Run the tests", ['perform "run" on the tests']),
    ],
)
def test_which_words_are_the_command(sentence: str, steps: list[str]) -> None:
    assert _read(sentence) == steps


@pytest.mark.parametrize(
    "sentence",
    [
        "Run the command `cat a.txt` there",
        "Open the terminal. Open the text editor. Run `ls` there",
        "Run `ls` in the Documents folder",
        "Run `ls` silently",
        'Execute "ls" as the user',
        "Run `ls` in Documents",
    ],
)
def test_words_left_over_are_never_given_to_a_shell(sentence: str) -> None:
    steps = read_sentence(sentence).steps
    assert any(isinstance(step, Unclear) for step in steps), steps
    assert not any(isinstance(step, Run) for step in steps)


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ('"Value: ["a","b"]" is shown', 'Value: ["a","b"]'),
        ('"He said "no"" is shown', 'He said "no"'),
        ("“He said “no”” is shown", "He said “no”"),
        ('"<a href="x">y</a>" is shown', '<a href="x">y</a>'),
        ('log("a", "b")["c"] is shown', 'log("a", "b")["c"]'),
        ("'it's \"me\"' is shown", 'it\'s "me"'),
        ("【确定】 is shown", "确定"),
    ],
)
def test_quotes_in_quotes_are_one_text(text: str, inside: str) -> None:
    atoms = Atoms()
    masked = atoms.mask(text)
    assert masked[1:] == " is shown"
    assert atoms.inner[masked[0]] == inside


@pytest.mark.parametrize(
    "text", ['"a" and "b"', '"a","b"', '"(", ")"', '点击"登录"和"退出"', '"Name: " and "x"']
)
def test_quotes_beside_one_another_are_two(text: str) -> None:
    assert len(Atoms().mask(text)) < len(text) - 2
    assert len([c for c in Atoms().mask(text) if "\ue000" <= c <= "\ue7ff"]) == 2


@pytest.mark.parametrize(
    "sentence", ['verify that "5" pipe" is shown', 'verify that "a "b c" is shown']
)
def test_quotes_that_do_not_close_are_refused(sentence: str) -> None:
    (step,) = read_sentence(sentence).steps
    assert isinstance(step, Unclear)
    assert "do not close" in step.why


def test_inches_are_no_quote() -> None:
    assert _read('choose the 27" monitor') == ['choose the 27" monitor']
