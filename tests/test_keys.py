from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.errors import InvalidInput
from carrel.keys import KEYSYMS, canonical_key, key_keysym, parse_chord


@pytest.mark.parametrize("name", KEYSYMS)
def test_a_canonical_name_is_its_own_spelling(name: str) -> None:
    assert canonical_key(name) == name
    assert canonical_key(name.upper()) == name


@pytest.mark.parametrize(
    ("spelling", "key"),
    [
        # xdotool and X keysyms, which Anthropic uses too
        ("Return", "enter"),
        ("Page_Down", "pagedown"),
        ("Prior", "pageup"),
        ("BackSpace", "backspace"),
        ("Control_L", "ctrl"),
        ("ISO_Level3_Shift", "altgr"),
        ("KP_Add", "kp_add"),
        ("plus", "+"),
        ("XF86AudioRaiseVolume", "volumeup"),
        # pyautogui
        ("pgdn", "pagedown"),
        ("winleft", "super"),
        ("prtsc", "printscreen"),
        ("ctrlright", "ctrl_r"),
        ("num7", "kp_7"),
        # W3C KeyboardEvent.key
        ("ArrowUp", "up"),
        ("Escape", "esc"),
        ("ContextMenu", "menu"),
        ("AltGraph", "altgr"),
        # OpenAI
        ("CTRL", "ctrl"),
        ("ARROWLEFT", "left"),
        ("CMD", "super"),
        ("OPTION", "alt"),
        ("DEL", "delete"),
        # characters are themselves, and case is kept
        ("A", "A"),
        ("é", "é"),
        ("漢", "漢"),
        ("-", "-"),
        ("\n", "enter"),
        (" ", "space"),
    ],
)
def test_everyones_spelling_is_understood(spelling: str, key: str) -> None:
    assert canonical_key(spelling) == key


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("ctrl+l", ("ctrl", "l")),
        ("ctrl+shift+T", ("ctrl", "shift", "T")),
        ("ctrl++", ("ctrl", "+")),
        ("ctrl+-", ("ctrl", "-")),
        ("ctrl-c", ("ctrl", "c")),
        ("ctrl--", ("ctrl", "-")),
        ("+", ("+",)),
        ("-", ("-",)),
        ("Page_Down", ("pagedown",)),
        ("super", ("super",)),
    ],
)
def test_chords_are_read(text: str, keys: tuple[str, ...]) -> None:
    assert parse_chord(text) == keys


@pytest.mark.parametrize("text", ["", "+l", "ctrl+", "ctrl+nokey", "hello", "a+b+", "\x01", "\0"])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_chord(text)


@given(st.text())
def test_any_text_is_keys_or_refused(text: str) -> None:
    try:
        keys = parse_chord(text)
    except InvalidInput:
        return
    assert keys
    assert all(canonical_key(key) == key and key_keysym(key) > 0 for key in keys)


def test_characters_beyond_latin_use_the_unicode_keysyms() -> None:
    assert key_keysym("a") == 0x61
    assert key_keysym("é") == 0xE9
    assert key_keysym("漢") == 0x1006F22
    assert key_keysym("😀") == 0x101F600
