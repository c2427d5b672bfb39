"""What each key of the keyboard layout gives, and which keycodes the layout leaves unused.

Only the first group of the layout is used: typing always happens in that group, with no lock on
(see `carrel.guest.keyboard`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from carrel.errors import Unsupported
from carrel.keys import KEYSYMS

__all__ = ["Keymap", "SparePool", "Stroke", "keysym_character"]

Rows = Mapping[int, Sequence[int]]
"""Keysyms by keycode, in the order of the core protocol: levels 1 and 2 of group 1 come first,
then two of group 2, then levels 3 and 4 of group 1."""

_LEVELS: Final = ((0, False, False), (1, True, False), (4, False, True), (5, True, True))
"""Column of a row, and whether Shift and AltGr reach it."""

_NUM_LOCK: Final = 0xFF7F
_LEVEL3: Final = 0xFE03
_KEYPAD: Final = range(0xFF80, 0xFFBE)
_MODIFIER_KEYSYMS: Final = frozenset({*range(0xFFE1, 0xFFEF), _LEVEL3, 0xFE11, 0xFF7E, _NUM_LOCK})

# Layouts older than Unicode keysyms use these: the second byte is a character of that code page.
_CODE_PAGES: Final = {0x01: "iso8859-2", 0x05: "iso8859-6", 0x0C: "iso8859-8", 0x0D: "tis-620"}
_NO_KEYSYMS: Final = frozenset({0xCFD, 0xCFE, 0xDEE, 0xDEF, 0xDFA, 0xDFB})
# And these are like no code page; the characters from byte A0 on, a space where there is none.
_TABLES: Final = {
    0x02: (
        " Ħ    Ĥ  İ ĞĴ    ħ    ĥ  ı ğĵ        ĊĈ         "
        "     Ġ  Ĝ    ŬŜ      ċĉ              ġ  ĝ    ŭŝ "
    ),
    0x03: (
        "  ĸŖ ĨĻ   ĒĢŦ      ŗ ĩļ   ēģŧŊ ŋĀ      Į    Ė  Ī"
        " ŅŌĶ     Ų   ŨŪ ā      į    ė  ī ņōķ     ų   ũū "
    ),
    0x06: (
        " ђѓёєѕіїјљњћќґўџ№ЂЃЁЄЅІЇЈЉЊЋЌҐЎЏюабцдефгхийклмно"
        "пярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ"
    ),
    0x07: (
        " ΆΈΉΊΪ ΌΎΫ Ώ  ΅― άέήίϊΐόύϋΰώ     ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟ"
        "ΠΡΣ ΤΥΦΧΨΩ       αβγδεζηθικλμνξοπρσςτυφχψω      "
    ),
    0x13: "                            ŒœŸ",
    0x20: "            €",
}


def keysym_character(keysym: int) -> str | None:
    """The character a keysym stands for; None for keys such as Return and for dead keys."""
    if 0x20 <= keysym <= 0x7E or 0xA0 <= keysym <= 0xFF:
        return chr(keysym)
    if 0x1000100 <= keysym <= 0x110FFFF:
        return chr(keysym - 0x1000000)
    page, low = keysym >> 8, keysym & 0xFF
    if low < 0xA1 or keysym in _NO_KEYSYMS:
        return None
    if page in _TABLES:
        return _TABLES[page][low - 0xA0 : low - 0x9F].strip() or None
    if page in _CODE_PAGES:
        character = bytes([low]).decode(_CODE_PAGES[page], errors="ignore")
        # What Latin-1 has is not repeated in the other pages.
        return character if character > "\xff" else None
    return None


@dataclass(frozen=True, slots=True)
class Stroke:
    """One key to press, with what must be held or locked for it to give its symbol."""

    keycode: int
    shift: bool = False
    altgr: bool = False
    num_lock: bool = False


class Keymap:
    """Lookup of keys in one state of the server's keyboard mapping.

    Args:
        rows: Keysyms of every keycode.
        modifiers: For each of the eight modifier bits, the keycodes that set it.
        spares: Keycodes lent to characters: no part of the layout.
    """

    def __init__(
        self, rows: Rows, modifiers: Sequence[Sequence[int]], spares: Collection[int] = ()
    ) -> None:
        self._characters: dict[str, Stroke] = {}
        self._keys: dict[int, Stroke] = {}
        self._modifiers = [[code for code in row if code] for row in modifiers]
        self._rows = rows
        layout = {code: row for code, row in rows.items() if code not in spares}
        for column, shift, altgr in _LEVELS:
            for keycode, row in layout.items():
                if column < len(row) and row[column]:
                    self._learn(row, row[column], Stroke(keycode, shift, altgr))
        self.shift = self._first_level(KEYSYMS["shift"], KEYSYMS["shift_r"])
        self.altgr = self._modifier_key(_LEVEL3)
        self.num_lock_mask = self._mask(_NUM_LOCK)
        self._characters = {c: s for c, s in self._characters.items() if self._can(s)}

    def _can(self, stroke: Stroke) -> bool:
        reach_shift = not stroke.shift or self.shift is not None
        return reach_shift and (not stroke.altgr or self.altgr is not None)

    def _learn(self, row: Sequence[int], keysym: int, stroke: Stroke) -> None:
        if not stroke.shift and not stroke.altgr:
            self._keys.setdefault(keysym, stroke)
        elif keysym in _KEYPAD and stroke.shift and not stroke.altgr:
            # Shift would also work, but then the application sees Shift held.
            self._keys.setdefault(keysym, Stroke(stroke.keycode, num_lock=True))
        character = keysym_character(keysym)
        # On keypad keys Num Lock has a say, which differs between programs.
        if character is None or row[0] in _KEYPAD:
            return
        known = self._characters.get(character)
        # The main block has the low keycodes: prefer Shift+9 over a rare "(" key, as people do.
        if known is None or (known.altgr, known.keycode) > (stroke.altgr, stroke.keycode):
            self._characters[character] = stroke

    def character(self, character: str) -> Stroke | None:
        """How to type a character with the layout's own keys; None where it has none."""
        return self._characters.get(character)

    def key(self, keysym: int) -> Stroke | None:
        """The key that gives a keysym without Shift; None where there is none."""
        return self._keys.get(keysym)

    def modifier(self, name: str) -> int | None:
        """The keycode to hold for a modifier such as `ctrl`, `alt_r` or `altgr`.

        Where the layout has no such key, one that sets the same modifier bit serves: the other
        side's, or Alt for Meta.
        """
        base = name.removesuffix("_r")
        wanted = [KEYSYMS[key] for key in (name, base, f"{base}_r") if key in KEYSYMS]
        for keysym in wanted:
            keycode = self._modifier_key(keysym)
            if keycode is not None:
                return keycode
        return self._same_bit(set(wanted))

    def _modifier_key(self, keysym: int) -> int | None:
        for row in self._modifiers:
            for keycode in row:
                if self._rows[keycode][0] == keysym:
                    return keycode
        return None

    def _same_bit(self, keysyms: set[int]) -> int | None:
        for row in self._modifiers:
            if any(keysyms.intersection(self._rows[code]) for code in row):
                real = (code for code in row if self._rows[code][0] in _MODIFIER_KEYSYMS)
                return next(real, None)
        return None

    def _first_level(self, *keysyms: int) -> int | None:
        found = (self._modifier_key(keysym) for keysym in keysyms)
        return next((code for code in found if code is not None), None)

    def _mask(self, keysym: int) -> int:
        for bit, row in enumerate(self._modifiers):
            if any(keysym in self._rows[code] for code in row):
                return 1 << bit
        return 0


class SparePool:
    """Keycodes the layout leaves empty, lent to symbols it lacks; least recently used go first."""

    def __init__(self) -> None:
        self._lent: OrderedDict[int, int] = OrderedDict()

    def __len__(self) -> int:
        return len(self._lent)

    @property
    def keycodes(self) -> frozenset[int]:
        """Every keycode of the pool."""
        return frozenset(self._lent)

    @property
    def lent(self) -> dict[int, int]:
        """Keysym by keycode, of those in use."""
        return {keycode: keysym for keycode, keysym in self._lent.items() if keysym}

    def follow(self, rows: Rows, ours: Collection[int]) -> None:
        """Take over what the server's mapping says now.

        Args:
            rows: Keysyms of every keycode.
            ours: Keycodes lent earlier, also by a process that did not live to give them back.
        """
        fresh: dict[int, int] = {}
        for keycode, row in rows.items():
            # The first keycode is 0 to programs that think in kernel codes, which means "none".
            if keycode > 8:
                if not any(row):
                    fresh[keycode] = 0
                elif keycode in ours and {row[0], 0} >= set(row):
                    fresh[keycode] = row[0]
        kept = [keycode for keycode in self._lent if keycode in fresh]
        rest = [keycode for keycode in fresh if keycode not in self._lent]
        # Empty ones first: they can be lent without waiting for anybody.
        order = sorted([*kept, *rest], key=lambda keycode: fresh[keycode] != 0)
        self._lent = OrderedDict((keycode, fresh[keycode]) for keycode in order)

    def find(self, keysym: int) -> int | None:
        """The keycode lent to a keysym."""
        for keycode, lent in self._lent.items():
            if lent == keysym:
                return keycode
        return None

    def touch(self, keycode: int) -> None:
        """Count a keycode as used just now."""
        self._lent.move_to_end(keycode)

    def choose(self, keysyms: Collection[int], held: Collection[int]) -> dict[int, int]:
        """Choose a keycode for each keysym that has none.

        Args:
            keysyms: At most as many as there are keycodes that are not held.
            held: Keycodes that are down and must stay as they are.

        Returns:
            The keycodes to change, with their new keysym; nothing is lent yet.

        Raises:
            Unsupported: The pool is too small.
        """
        known = set(self._lent.values())
        missing = [keysym for keysym in sorted(keysyms) if keysym not in known]
        free = [
            keycode
            for keycode, keysym in self._lent.items()
            if keysym not in keysyms and keycode not in held
        ]
        if len(free) < len(missing):
            raise Unsupported(
                "the keyboard layout leaves no keycode free for characters it lacks",
                hint="choose another layout, for example with: setxkbmap us",
            )
        return dict(zip(free, missing, strict=False))

    def lend(self, changes: Mapping[int, int]) -> None:
        """Note that these keycodes now give these keysyms."""
        for keycode, keysym in changes.items():
            self._lent[keycode] = keysym
            self.touch(keycode)
