from __future__ import annotations

import pytest
from clients import keysym_text

from carrel.errors import Unsupported
from carrel.guest.keymap import Keymap, SparePool, Stroke, keysym_character

LEGACY = [*range(0x20, 0x2100), *range(0xFE00, 0xFFFF)]
UNICODE = [*range(0x1000100, 0x1000700), 0x1004E00, 0x101F600, 0x110FFFF]


def test_a_keysym_is_no_other_character_than_gtk_and_qt_say() -> None:
    ours = {keysym: keysym_character(keysym) for keysym in (*LEGACY, *UNICODE)}
    wrong = {k: c for k, c in ours.items() if c is not None and c != keysym_text(k)}
    assert wrong == {}
    assert keysym_character(0x6C1) == "а"
    assert keysym_character(0x7E1) == "α"
    assert keysym_character(0xFF0D) is None
    assert keysym_character(0xFE51) is None


ROWS = {
    8: [0, 0],
    9: [ord("a"), ord("A"), 0, 0, ord("@"), 0],
    10: [ord("9"), ord("("), 0, 0, 0, 0],
    50: [0xFFE1, 0, 0, 0, 0, 0],
    64: [0xFFE9, 0xFFE7, 0, 0, 0, 0],
    80: [0xFF95, 0xFFB7, 0, 0, 0, 0],
    92: [0xFE03, 0, 0, 0, 0, 0],
    97: [0, 0, 0, 0, 0, 0],
    98: [0, 0, 0, 0, 0, 0],
    187: [ord("("), 0, 0, 0, 0, 0],
}
MODIFIERS = [[50], [], [], [64], [], [], [], [92]]


def test_the_main_keys_are_preferred_to_rare_ones() -> None:
    keymap = Keymap(ROWS, MODIFIERS)
    assert keymap.character("(") == Stroke(10, shift=True)
    assert keymap.character("A") == Stroke(9, shift=True)
    assert keymap.character("@") == Stroke(9, altgr=True)
    assert keymap.character("漢") is None


def test_levels_without_a_key_for_them_are_not_used() -> None:
    keymap = Keymap(ROWS, [[50], [], [], [64], [], [], [], []])
    assert keymap.character("@") is None


def test_keypad_digits_want_num_lock() -> None:
    assert Keymap(ROWS, MODIFIERS).key(0xFFB7) == Stroke(80, num_lock=True)


def test_a_missing_modifier_is_served_by_one_of_the_same_bit() -> None:
    keymap = Keymap(ROWS, MODIFIERS)
    assert keymap.modifier("meta") == 64
    assert keymap.modifier("shift_r") == 50
    assert keymap.modifier("hyper") is None


def test_the_least_recently_used_keycode_changes_hands() -> None:
    pool = SparePool()
    pool.follow(ROWS, ())
    assert pool.keycodes == {97, 98}
    for keysym in (1, 2):
        pool.lend(pool.choose({keysym}, ()))
    used = pool.find(1)
    assert used is not None
    pool.touch(used)
    assert pool.choose({1, 3}, ()) == {pool.find(2): 3}
    assert pool.choose({3}, held={pool.find(2)}) == {used: 3}


def test_too_small_a_pool_says_so() -> None:
    pool = SparePool()
    pool.follow(ROWS, ())
    with pytest.raises(Unsupported, match="no keycode free"):
        pool.choose({1, 2, 3}, ())


def test_a_keycode_the_layout_takes_is_not_lent_any_more() -> None:
    pool = SparePool()
    pool.follow(ROWS, ())
    pool.lend({97: 0x1006F22, 98: 0x1005B57})
    pool.follow({**ROWS, 97: [0x5C, 0x5F, 0, 0, 0, 0], 98: [0x1005B57, 0, 0x1005B57, 0]}, [97, 98])
    assert pool.lent == {98: 0x1005B57}
