from __future__ import annotations

import pytest

from carrel.frames import Element
from carrel.guest.atspi import ROLES
from carrel.perception.roles import (
    CHINESE,
    ENGLISH,
    Kind,
    fits,
    is_disabled,
    is_field,
    kind_of,
)


def element(role: str, *states: str, **more: object) -> Element:
    return Element("e1", role, states=states, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("role", "states", "kind"),
    [
        ("push button", (), Kind.BUTTON),
        ("toggle button", (), Kind.BUTTON),
        ("entry", ("editable",), Kind.FIELD),
        ("text", ("editable", "focusable"), Kind.FIELD),
        ("text", (), Kind.TEXT),
        ("section", ("editable",), Kind.FIELD),
        ("section", (), Kind.GROUP),
        ("password text", ("editable",), Kind.PASSWORD),
        ("check box", ("checked",), Kind.CHECKBOX),
        ("table cell", ("checkable",), Kind.CHECKBOX),
        ("table cell", (), Kind.CELL),
        ("document web", (), Kind.PAGE),
        ("frame", (), Kind.WINDOW),
        ("something new", (), Kind.ANY),
    ],
)
def test_an_element_is_what_a_person_would_call_it(
    role: str, states: tuple[str, ...], kind: Kind
) -> None:
    assert kind_of(element(role, *states)) is kind


def test_every_role_has_a_kind_and_fits_it() -> None:
    for role in ROLES:
        one = element(role)
        assert fits(one, kind_of(one)) == 1.0
        assert fits(one, Kind.ANY) == 1.0


def test_fitting_is_a_share_and_the_proper_word_fits_best() -> None:
    for role in ROLES:
        one = element(role)
        for kind in Kind:
            assert 0.0 <= fits(one, kind) <= 1.0
            assert fits(one, kind) <= fits(one, kind_of(one))


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("button", Kind.BUTTON),
        ("buttons", Kind.BUTTON),
        ("text box", Kind.FIELD),
        ("text boxes", Kind.FIELD),
        ("drop-down", Kind.COMBO),
        ("tab", Kind.TAB),
        ("entries", Kind.FIELD),
        ("switches", Kind.SWITCH),
        ("按钮", Kind.BUTTON),
        ("输入框", Kind.FIELD),
        ("复选框", Kind.CHECKBOX),
        ("链接", Kind.LINK),
    ],
)
def test_words_for_kinds_are_known_in_both_languages(word: str, kind: Kind) -> None:
    assert (ENGLISH | CHINESE)[word] is kind


def test_every_kind_has_a_word_in_both_languages() -> None:
    assert set(ENGLISH.values()) == set(Kind)
    assert set(CHINESE.values()) == set(Kind)


def test_pixels_do_not_say_that_something_is_disabled() -> None:
    assert is_disabled(element("push button", "visible"))
    assert not is_disabled(element("push button", "sensitive"))
    assert not is_disabled(element("push button"))
    assert not is_disabled(element("push button", "visible", source="ocr"))


def test_what_can_be_edited_is_a_field_whatever_its_role() -> None:
    assert is_field(element("combo box", "editable"))
    assert is_field(element("spin button"))
    assert not is_field(element("label"))
