"""Steps written as words read as the same steps again."""

from __future__ import annotations

import pytest
from corpora import stripped
from hypothesis import given, settings
from hypothesis import strategies as st

from carrel.errors import InvalidInput
from carrel.models.steps import program as p
from carrel.models.steps.language import read_file, read_sentence, write_program, write_step
from carrel.models.steps.language.atoms import quoted

_WORDS = st.sampled_from(
    [
        "the",
        "a",
        "Save",
        "and",
        "click",
        "then",
        "Submit",
        "if",
        "field",
        "3",
        "twice",
        "until",
        "“x”",
        "into",
        "to",
        "from",
        ",",
        ".",
        "in",
        "Ann's",
        "second",
        "button",
        ">",
        "all",
        "every",
        "it",
        "left",
        "12/31/2016",
        "保存",
        "按钮",
        "和",
        "select",
        "{user}",
        "times:",
        "else",
        "before",
    ]
)
PHRASES = st.one_of(
    st.lists(_WORDS, min_size=1, max_size=6).map(" ".join),
    st.sampled_from(["the Save button", 'the "OK" button', "Name", "the second row", "{each}"]),
).filter(lambda text: not text.endswith("it"))
TEXTS = st.one_of(
    st.text(
        st.characters(
            exclude_categories=("Cs", "Cc", "Co", "Zl", "Zp"), exclude_characters="\u2028\x85"
        ),
        max_size=30,
    ),
    st.sampled_from(
        ['say "hi"', "a, then click b", "", "  spaced  ", "it's", "C:\\new", "line\nline", "“”"]
    ),
).filter(lambda text: '"""' not in text and not text.endswith('"') and text != "{it}")
NAMES = st.sampled_from(["price", "user_name", "Total2"])
PLACES = st.one_of(st.none(), PHRASES)
SIDES = st.sampled_from(["width", "height", "both"])
DIRECTIONS = st.sampled_from(["up", "down", "left", "right"])


def conditions() -> st.SearchStrategy[p.Condition]:
    simple = st.one_of(
        st.builds(p.Shows, PHRASES),
        st.builds(
            p.Has,
            PHRASES,
            TEXTS,
            st.sampled_from(["equals", "contains", "starts", "ends", "matches", "less", "greater"]),
        ),
        st.builds(
            p.Is,
            PHRASES,
            st.sampled_from(["checked", "selected", "enabled", "focused", "expanded", "empty"]),
        ),
        st.builds(
            p.Count, PHRASES, st.integers(0, 50), st.sampled_from(["equals", "least", "most"])
        ),
        st.builds(p.WindowOpen, TEXTS),
        st.builds(p.Exists, TEXTS),
        st.builds(
            p.Compare,
            TEXTS,
            st.sampled_from(["equals", "contains", "starts", "ends", "matches", "less", "greater"]),
            TEXTS,
        ),
    )
    return st.recursive(
        simple,
        lambda inner: st.one_of(
            st.builds(p.Not, inner),
            st.builds(p.Within, PHRASES, inner),
            st.builds(p.Every, st.lists(inner, min_size=2, max_size=3).map(tuple), st.booleans()),
        ),
        max_leaves=4,
    )


def bodies(strategy: st.SearchStrategy[p.Step]) -> st.SearchStrategy[tuple[p.Step, ...]]:
    # After a find, what follows is about the thing found: the place would be read into it.
    steps = strategy.filter(lambda step: not isinstance(step, p.Find))
    return st.lists(steps, min_size=1, max_size=3).map(tuple)


def some(strategy: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(strategy, min_size=1, max_size=3).map(tuple)


PLAIN = st.one_of(
    st.builds(
        p.Point,
        PHRASES,
        st.sampled_from(["click", "double", "triple", "right", "middle", "hover"]),
        st.sampled_from([(), ("ctrl",), ("ctrl", "shift")]),
        st.integers(1, 4),
        place=PLACES,
    ),
    st.builds(p.Point, PHRASES, st.just("hover"), stay=st.just(True)),
    st.builds(p.Enter, TEXTS, PLACES, st.booleans(), place=PLACES),
    st.builds(p.Clear, PLACES),
    st.builds(p.Choose, some(PHRASES), PLACES),
    st.builds(
        p.Choose, st.lists(PHRASES, min_size=2, max_size=3).map(tuple), PLACES, st.just(True)
    ),
    st.just(p.Choose(())),
    st.builds(p.Tick, some(PHRASES), st.booleans(), place=PLACES),
    st.builds(p.PickDate, st.just("12/31/2016"), st.just("2016-12-31"), PHRASES),
    st.builds(p.PickTime, st.just("9:37 PM"), st.just("21:37"), PHRASES),
    st.builds(p.SetValue, PLACES, TEXTS),
    st.builds(p.SetValue, PHRASES, st.sampled_from(["2", "-3"]), st.just(True)),
    st.builds(
        p.Press,
        some(st.sampled_from(["ctrl+s", "enter", "tab", "ctrl+shift+t", "f5", "a"])),
        st.integers(1, 3),
    ),
    st.builds(
        p.Scroll, DIRECTIONS, st.one_of(st.none(), st.integers(1, 9), st.just("end")), PLACES
    ),
    st.builds(p.Scroll, DIRECTIONS, st.none(), PLACES, PHRASES),
    st.builds(p.Drag, PHRASES, PHRASES),
    st.builds(p.Drag, PHRASES, by=st.tuples(st.integers(-99, 99), st.integers(-99, 99))),
    st.builds(
        p.Drag, PHRASES, direction=DIRECTIONS, places=st.one_of(st.none(), st.integers(1, 5))
    ),
    st.builds(
        p.Draw,
        st.sampled_from(["a line", "a vertical line", "a circle"]),
        PHRASES,
        st.sampled_from(["through", "around", "from", "on"]),
    ),
    st.builds(p.Resize, PHRASES, st.sampled_from(["larger", "smaller"]), SIDES),
    st.builds(p.Sort, PHRASES, st.sampled_from(["ascending", "descending"])),
    st.builds(p.Expand, PHRASES, st.booleans()),
    st.builds(p.Complete, TEXTS.filter(bool), TEXTS, TEXTS, PLACES),
    st.builds(p.Highlight, PHRASES),
    st.builds(p.Wait, st.sampled_from([0.5, 1.0, 30.0])),
    st.builds(p.Wait, st.sampled_from([None, 30.0]), until=conditions()),
    st.builds(p.Copy, PLACES),
    st.builds(p.Paste, PLACES),
    st.builds(p.SwitchTo, TEXTS),
    st.builds(p.CloseWindow, st.one_of(st.none(), TEXTS.filter(bool))),
    st.builds(p.GoTo, st.sampled_from(["https://example.org/a?b=c", "{url}", "intranet", "a b"])),
    st.builds(p.Navigate, st.sampled_from(["back", "forward", "reload"])),
    st.builds(p.Open, TEXTS.filter(str.strip)),
    st.builds(p.Run, TEXTS.filter(str.strip), st.one_of(st.none(), NAMES)),
    st.builds(p.Read, PHRASES, NAMES),
    st.builds(p.Find, PHRASES, place=PLACES),
    st.builds(
        p.Compute,
        st.sampled_from(
            ["count", "sum", "difference", "product", "average", "greatest", "least", "solve"]
        ),
        PHRASES,
        NAMES,
    ),
    st.builds(p.Answer, TEXTS),
    st.builds(
        p.Perform,
        st.sampled_from(["forward", "delete", "book", "frobnicate"]),
        PLACES,
        st.lists(
            st.tuples(st.sampled_from(["to", "from", "with the text", "quantity"]), TEXTS),
            max_size=3,
        ).map(tuple),
    ),
    st.builds(p.Let, NAMES, TEXTS),
    st.builds(p.Change, PHRASES, TEXTS),
    st.builds(p.Fill, PLACES, PLACES),
    st.just(p.Submit()),
    st.builds(p.Check, conditions()),
)
STEPS: st.SearchStrategy[p.Step] = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.builds(
            p.If,
            conditions(),
            bodies(inner),
            st.one_of(st.just(()), bodies(inner)),
            place=PLACES,
        ),
        st.builds(p.Repeat, bodies(inner), st.integers(1, 9), place=PLACES),
        st.builds(p.Repeat, bodies(inner), until=conditions(), place=PLACES),
        st.builds(p.ForEach, NAMES, bodies(inner), some(TEXTS)),
        st.builds(
            p.ForEach,
            st.one_of(NAMES, st.just("each")),
            bodies(inner),
            every=PHRASES,
            but=st.lists(PHRASES, max_size=2).map(tuple),
            limit=st.one_of(st.none(), st.integers(1, 9)),
            order=st.sampled_from(["reading", "ascending", "descending"]),
            place=PLACES,
        ),
    ),
    max_leaves=4,
)


@settings(max_examples=150, deadline=None)
@given(STEPS)
def test_a_step_written_and_read_is_the_same_step(step: p.Step) -> None:
    text = write_step(step)
    (program,) = read_file(text)
    assert [stripped(one) for one in program.steps] == [step], text


def test_what_follows_a_find_is_about_the_thing_found() -> None:
    (program,) = read_file("find the row of Ann\nclick Delete")
    assert program.steps[1].place == "the row of Ann"


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_a_quoted_text_is_typed_verbatim(text: str) -> None:
    (step,) = read_sentence(f"Type {quoted(text)} into the field.").steps
    assert isinstance(step, p.Enter)
    assert step.text == text


def test_plain_words_are_kept_where_they_read_the_same() -> None:
    assert write_step(p.Point("the Save button")) == "click the Save button"
    assert write_step(p.Point("Save and click OK")) == "click [Save and click OK]"
    assert write_step(p.Enter("a b", into="the Name field")) == 'type "a b" into the Name field'
    assert write_step(p.Choose(("A", "B"), "the list")) == "choose [A] and [B] from [the list]"


@pytest.mark.parametrize("name", ["to", "to the field", "of it", "the first of the list"])
def test_a_name_in_brackets_is_a_name_whatever_its_words(name: str) -> None:
    day = p.PickDate("12/31/2016", "2016-12-31", into=name)
    (program,) = read_file(f"choose the date 12/31/2016 in [{name}]")
    assert [stripped(one) for one in program.steps] == [day]


def test_what_has_no_words_is_refused() -> None:
    with pytest.raises(InvalidInput, match="Unclear"):
        write_step(p.Unclear(why="?"))


def test_a_program_is_written_as_a_file() -> None:
    program = p.Program(
        (p.Point("OK"), p.If(p.Shows("X"), (p.Submit(),), (p.Wait(1.0),))), title="Orders"
    )
    text = write_program(program)
    assert text.splitlines() == [
        "title: Orders",
        "click OK",
        "if [X] is visible",
        "    submit",
        "else",
        "    wait 1 seconds",
    ]
    (again,) = read_file(text)
    assert again.title == "Orders"
    assert tuple(stripped(step) for step in again.steps) == program.steps
