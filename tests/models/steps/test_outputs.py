"""What the last command wrote, in words; commands in terminals, names in quotes, cells."""

from __future__ import annotations

from dataclasses import replace

import pytest

from carrel.geometry import Size
from carrel.models.steps.claims.outputs import printed
from carrel.models.steps.desk import Desk
from carrel.models.steps.language import read_sentence, write_step
from carrel.models.steps.phrases.place_words import placed_in
from carrel.models.steps.turns import Missed
from carrel.models.steps.verbs.dates import day_meant
from carrel.models.steps.verbs.terminals import _Line, _printed


@pytest.mark.parametrize(
    ("sentence", "steps"),
    [
        ('Run "ls -l" in the terminal', ['in the terminal, run "ls -l"']),
        ("Run the command `ls` in the shell", ['run "ls"']),
        ("Click OK. Save it as /tmp/a.csv", ["click OK", 'save (as: "/tmp/a.csv")']),
    ],
)
def test_sentences(sentence: str, steps: list[str]) -> None:
    assert [write_step(step) for step in read_sentence(sentence).steps] == steps


def test_one_thing_of_what_was_printed() -> None:
    desk = Desk(Size(100, 100))
    assert printed(desk, "the output") is None
    desk.output = "Mon 16 Nov 2026"
    assert printed(desk, "the year it prints") == "2026"
    assert printed(desk, "what the command printed") == "Mon 16 Nov 2026"
    assert printed(desk, "the Year field") is None
    with pytest.raises(Missed, match="several"):
        printed(desk, "the number it prints")


def test_lines_between_a_command_and_the_next_prompt() -> None:
    lines = [_Line("me@x:~$ date +%Y", 20), _Line("2026", 33), _Line("me@x:~$", 46)]
    assert _printed(lines, "date +%Y") == ["2026"]
    assert _printed(lines[:2], "date +%Y") is None
    before = _Line("me@x:~$ true", 7)
    assert _printed([before, lines[0], lines[2]], "date +%Y") == []


def test_a_name_in_quotes_is_not_taken_apart() -> None:
    assert placed_in('the "Tip of the Day" dialog') is None


def test_a_day_of_the_month_that_is_shown() -> None:
    assert day_meant("the 20th", "the calendar") == 20
    assert day_meant("the 20th", "the list") is None
    assert day_meant("the 40th", "the calendar") is None


def test_output_that_does_not_end_its_last_line_stands_before_the_prompt() -> None:
    asked = _Line("ann@desk:~$ printf 'one two'", 20, 12)
    glued = _Line("one twoann@desk:~$", 36, 12)
    assert _printed([asked, glued], "printf 'one two'") == ["one two"]
    more = [asked, _Line("first", 36, 12), replace(glued, y=52)]
    assert _printed(more, "printf 'one two'") == ["first", "one two"]
    assert _printed([asked, _Line("one two", 36, 12)], "printf 'one two'") is None


def test_after_a_prompt_behind_a_text_the_end_alone_is_known() -> None:
    asked = _Line("one twoann@desk:~$ cat a.txt", 20, 12)
    assert _printed([asked, _Line("Dear Bob,ann@desk:~$", 36, 12)], "cat a.txt") == []
    assert _printed([asked, _Line("Dear Bob, it costs 5$", 36, 12)], "cat a.txt") is None


def test_a_command_is_known_though_its_small_letters_were_read_as_others() -> None:
    asked = _Line('me@x:"$ 1s "/work I wc -1', 20, 12)
    lines = [asked, _Line("3", 33, 12), _Line("me@x:~$■", 46, 12)]
    assert _printed(lines, "ls ~/work | wc -l") == ["3"]
    assert _printed(lines, "ls ~/work | sort") is None


def test_a_prompt_sign_in_a_command_is_no_end_of_its_prompt() -> None:
    lines = [_Line("me@x:~$ echo 4 > n.txt", 20, 12), _Line("me@x:~$", 33, 12)]
    assert _printed(lines, "echo 4 > n.txt") == []
