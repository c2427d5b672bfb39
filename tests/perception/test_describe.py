from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from carrel.perception.describe import Description, describe
from carrel.perception.description import RelationKind
from carrel.perception.roles import Kind


def every_reading(text: str) -> list[Description]:
    one = describe(text)
    return [one, *one.readings]


@pytest.mark.parametrize(
    ("text", "name", "exact", "kinds"),
    [
        ("Save", "Save", False, ()),
        ("the Save button", "Save", False, (Kind.BUTTON,)),
        ('"Save"', "Save", True, ()),
        ("'Save' button", "Save", True, (Kind.BUTTON,)),
        ("the button “Save”", "Save", True, (Kind.BUTTON,)),
        ("「保存」", "保存", True, ()),
        ("“保存”按钮", "保存", True, (Kind.BUTTON,)),
        ("保存按钮", "保存", False, (Kind.BUTTON,)),
        ("the field labelled Email", "Email", False, (Kind.FIELD,)),
        ('a text box with the label "Your name"', "Your name", True, (Kind.FIELD,)),
        ("the tab called Settings", "Settings", False, (Kind.TAB,)),
        ("link that says Read more", "Read more", False, (Kind.LINK,)),
        ("名为“邮箱”的输入框", "邮箱", True, (Kind.FIELD,)),
        ("写着登录的按钮", "登录", False, (Kind.BUTTON,)),
        ("drop-down Country", "Country", False, (Kind.COMBO,)),
        ("Don't save", "Don't save", False, ()),
    ],
)
def test_a_name_and_a_kind_are_told_apart(
    text: str, name: str, exact: bool, kinds: tuple[Kind, ...]
) -> None:
    one = describe(text)
    assert (one.name, one.exact, one.kinds, one.rest) == (name, exact, kinds, ())


@pytest.mark.parametrize(
    ("text", "ordinal"),
    [
        ("the first link", 1),
        ("the 2nd link", 2),
        ("the twentieth link", 20),
        ("the last link", -1),
        ("the second to last link", -2),
        ("the third from last link", -3),
        ("link #4", 4),
        ("link number 5", 5),
        ("第二个链接", 2),
        ("第十二个链接", 12),
        ("最后一个链接", -1),
        ("倒数第二个链接", -2),
    ],
)
def test_ordinals_count_from_either_end(text: str, ordinal: int) -> None:
    one = describe(text)
    assert (one.ordinal, one.kinds, one.name) == (ordinal, (Kind.LINK,), "")


@pytest.mark.parametrize(
    ("text", "relation", "target"),
    [
        ("the icon right of Search", "right_of", "Search"),
        ("the icon to the left of Search", "left_of", "Search"),
        ("the icon just above Search", "above", "Search"),
        ("the icon underneath Search", "below", "Search"),
        ("the icon next to Search", "next_to", "Search"),
        ("the icon beside Search", "next_to", "Search"),
        ("the icon inside Search", "in", "Search"),
        ("the icon of Search", "of", "Search"),
        ("the icon in the row of Search", "row", "Search"),
        ("the icon after Search", "after", "Search"),
        ("the icon containing Search", "containing", "Search"),
        ("Search右边的图标", "right_of", "Search"),
        ("Search左侧的图标", "left_of", "Search"),
        ("Search上方的图标", "above", "Search"),
        ("Search下面的图标", "below", "Search"),
        ("Search旁边的图标", "next_to", "Search"),
        ("Search里的图标", "in", "Search"),
        ("Search所在行的图标", "row", "Search"),
    ],
)
def test_relations_name_another_thing(text: str, relation: RelationKind, target: str) -> None:
    one = describe(text)
    assert one.kinds == (Kind.ICON,)
    assert one.relation is not None
    assert (one.relation.kind, one.relation.target.name) == (relation, target)
    assert not one.relation.negated


def test_relations_chain_to_the_right() -> None:
    one = describe("the Delete button in the row of Smith in the section Staff")
    assert one.name == "Delete"
    row = one.relation
    assert row is not None
    assert row.target.name == "Smith"
    assert row.target.relation is not None
    assert row.target.relation.target.name == "Staff"


def test_one_thing_may_have_two_relations() -> None:
    one = describe("the button below Name and left of Cancel")
    assert [(r.kind, r.target.name) for r in one.relations] == [
        ("below", "Name"),
        ("left_of", "Cancel"),
    ]


@pytest.mark.parametrize("text", ["the field between Name and Submit", "Name和Submit之间的输入框"])
def test_between_has_two_ends(text: str) -> None:
    one = describe(text)
    assert one.relation is not None
    assert one.relation.kind == "between"
    assert one.relation.target.name == "Name"
    assert one.relation.other is not None
    assert one.relation.other.name == "Submit"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("the topmost button", "top"),
        ("the button at the bottom of the page", "bottom"),
        ("the button in the top right corner", "top right"),
        ("the bottom-left button", "bottom left"),
        ("the largest button", "largest"),
        ("the next button", "next"),
        ("最左边的按钮", "left"),
        ("右上角的按钮", "top right"),
        ("最大的按钮", "largest"),
    ],
)
def test_superlatives_are_places_and_extents(text: str, place: str) -> None:
    one = describe(text)
    assert (one.superlative, one.kinds) == (place, (Kind.BUTTON,))


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("the checked checkbox", ("checked",)),
        ("the unchecked checkbox", ("unchecked",)),
        ("the checkbox that is not checked", ("unchecked",)),
        ("the not selected checkbox", ("unselected",)),
        ("the greyed out checkbox", ("disabled",)),
        ("未勾选的复选框", ("unchecked",)),
        ("禁用的复选框", ("disabled",)),
    ],
)
def test_states_are_read_and_so_is_their_negation(text: str, states: tuple[str, ...]) -> None:
    one = describe(text)
    assert (one.states, one.kinds) == (states, (Kind.CHECKBOX,))


def test_looks_are_read() -> None:
    one = describe("the small red circle")
    assert (one.size, one.colour, one.shape) == ("small", "red", "circle")
    one = describe("红色的大三角形")
    assert (one.colour, one.shape) == ("red", "triangle")
    assert describe("the letter T").shape == "letter"
    assert describe("the grey button").colour == describe("the gray button").colour == "grey"


def test_negation_is_never_ignored() -> None:
    assert describe("the button not in the dialog").relations[0].negated
    assert [one.name for one in describe("all checkboxes except Bob").without] == ["Bob"]
    assert describe("all checkboxes except Bob").everything
    assert [one.name for one in describe("除了“张三”以外的复选框").without] == ["张三"]
    assert describe('the button that is not "Save"').denied
    assert describe("Do not disturb").denied


def test_words_that_are_not_understood_are_kept() -> None:
    assert describe('the wobbly "Save" button').rest == ("wobbly",)
    assert "闪亮" in "".join(describe("闪亮的“保存”按钮").rest)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("First name field", "First name"),
        ("Table of contents link", "Table of contents"),
        ("Sign in button", "Sign in"),
        ("Next button", "Next"),
        ("Back to top link", "Back to top"),
        ("Open", "Open"),
        ("Event: 'close' link", "Event: close"),
    ],
)
def test_words_with_a_meaning_may_also_be_a_name(text: str, name: str) -> None:
    assert name in {reading.name for reading in every_reading(text)}


def test_readings_hold_no_readings() -> None:
    for reading in describe("the first Save button in the last row").readings:
        assert reading.readings == ()


PIECES = st.sampled_from(
    [
        *("the", "a", "second", "last", "button", "field", "Save", "“保存”", '"x"', "'", "'s"),
        *("right", "of", "in", "row", "not", "except", "and", "between", "that", "is", "with"),
        *(
            "第二个",
            "按钮",
            "的",
            "右边",
            "里",
            "除了",
            "所有",
            "未选中的",
            "最",
            "以",
            "和",
            "之间",
        ),
        *("red", "circle", ",", ".", "#", "12"),
    ]
)


@given(st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=14).map(" ".join)))
@example("")
@example("的")
@example("第")
@example("between and")
@example("'s")
@example("of " * 30)
@example("x" * 700)
def test_no_phrase_breaks_the_reader(text: str) -> None:
    one = describe(text)
    assert one.text == " ".join(text.split())
    for reading in (one, *one.readings):
        assert reading.text == one.text


@given(st.lists(PIECES, max_size=10).map("".join))
def test_no_phrase_without_spaces_breaks_it_either(text: str) -> None:
    describe(text)


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20))
def test_a_quoted_name_is_taken_as_it_is(name: str) -> None:
    one = describe(f'the "{name}" button')
    assert (one.name, one.exact, one.kinds) == (name, True, (Kind.BUTTON,))


@pytest.mark.parametrize(
    "text",
    [
        "Age in the table header",
        "“Age” in the header of the table",
        "Age in the column headers",
        "the header of the Age column",
        "表头中的“Age”",
        "“Age”列的表头",
    ],
)
def test_the_head_of_a_column_may_be_told_by_the_line_it_is_in(text: str) -> None:
    one = describe(text)
    assert (one.name, one.kinds, one.relations) == ("Age", (Kind.COLUMN,), ())


def test_the_header_of_a_page_is_no_column() -> None:
    assert describe("Sign in in the header").kinds == ()
