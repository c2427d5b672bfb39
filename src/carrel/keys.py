"""The one table of key names.

A key is a canonical lower-case name (`enter`, `ctrl`, `pagedown`, `f5`) or one printed character
(`a`, `A`, `+`, `é`). Spellings of xdotool, pyautogui, W3C `KeyboardEvent.key`, OpenAI and
Anthropic are accepted at the edge by `canonical_key` and never travel further.
"""

from __future__ import annotations

import unicodedata

from carrel.errors import InvalidInput

__all__ = ["KEYSYMS", "MODIFIERS", "canonical_key", "key_keysym", "parse_chord"]

MODIFIERS = ("ctrl", "shift", "alt", "super", "meta", "hyper", "altgr")
"""Keys that may be held while another is pressed or the pointer is used."""

KEYSYMS: dict[str, int] = {
    "backspace": 0xFF08,
    "tab": 0xFF09,
    "linefeed": 0xFF0A,
    "clear": 0xFF0B,
    "enter": 0xFF0D,
    "pause": 0xFF13,
    "scrolllock": 0xFF14,
    "sysrq": 0xFF15,
    "esc": 0xFF1B,
    "compose": 0xFF20,
    "home": 0xFF50,
    "left": 0xFF51,
    "up": 0xFF52,
    "right": 0xFF53,
    "down": 0xFF54,
    "pageup": 0xFF55,
    "pagedown": 0xFF56,
    "end": 0xFF57,
    "begin": 0xFF58,
    "select": 0xFF60,
    "printscreen": 0xFF61,
    "execute": 0xFF62,
    "insert": 0xFF63,
    "undo": 0xFF65,
    "redo": 0xFF66,
    "menu": 0xFF67,
    "find": 0xFF68,
    "cancel": 0xFF69,
    "help": 0xFF6A,
    "break": 0xFF6B,
    "numlock": 0xFF7F,
    "kp_enter": 0xFF8D,
    "kp_multiply": 0xFFAA,
    "kp_add": 0xFFAB,
    "kp_separator": 0xFFAC,
    "kp_subtract": 0xFFAD,
    "kp_decimal": 0xFFAE,
    "kp_divide": 0xFFAF,
    "kp_equal": 0xFFBD,
    "shift": 0xFFE1,
    "shift_r": 0xFFE2,
    "ctrl": 0xFFE3,
    "ctrl_r": 0xFFE4,
    "capslock": 0xFFE5,
    "meta": 0xFFE7,
    "meta_r": 0xFFE8,
    "alt": 0xFFE9,
    "alt_r": 0xFFEA,
    "super": 0xFFEB,
    "super_r": 0xFFEC,
    "hyper": 0xFFED,
    "hyper_r": 0xFFEE,
    "altgr": 0xFE03,
    "delete": 0xFFFF,
    "space": 0x0020,
    "volumedown": 0x1008FF11,
    "volumemute": 0x1008FF12,
    "volumeup": 0x1008FF13,
    "mediaplay": 0x1008FF14,
    "mediastop": 0x1008FF15,
    "mediaprevious": 0x1008FF16,
    "medianext": 0x1008FF17,
    "browserback": 0x1008FF26,
    "browserforward": 0x1008FF27,
    "browserrefresh": 0x1008FF29,
    **{f"f{n}": 0xFFBD + n for n in range(1, 36)},
    **{f"kp_{n}": 0xFFB0 + n for n in range(10)},
}
"""Canonical name to X keysym."""

# Other people's spellings, compared in lower case with `_`, `-` and spaces removed.
_ALIASES: dict[str, str] = {
    **{name.replace("_", ""): name for name in KEYSYMS},
    "return": "enter",
    "ret": "enter",
    "newline": "enter",
    "escape": "esc",
    "bksp": "backspace",
    "back": "backspace",
    "del": "delete",
    "forwarddelete": "delete",
    "ins": "insert",
    "spacebar": "space",
    "isolefttab": "tab",
    "arrowup": "up",
    "arrowdown": "down",
    "arrowleft": "left",
    "arrowright": "right",
    "uparrow": "up",
    "downarrow": "down",
    "leftarrow": "left",
    "rightarrow": "right",
    "prior": "pageup",
    "pgup": "pageup",
    "next": "pagedown",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
    "print": "printscreen",
    "prtsc": "printscreen",
    "prtscr": "printscreen",
    "prntscrn": "printscreen",
    "apps": "menu",
    "contextmenu": "menu",
    "multikey": "compose",
    "control": "ctrl",
    "controll": "ctrl",
    "controlleft": "ctrl",
    "ctrll": "ctrl",
    "ctrlleft": "ctrl",
    "controlr": "ctrl_r",
    "controlright": "ctrl_r",
    "ctrlright": "ctrl_r",
    "shiftl": "shift",
    "shiftleft": "shift",
    "shiftright": "shift_r",
    "altl": "alt",
    "altleft": "alt",
    "altright": "alt_r",
    "option": "alt",
    "optionleft": "alt",
    "optionright": "alt_r",
    "altgraph": "altgr",
    "isolevel3shift": "altgr",
    "modeswitch": "altgr",
    "superl": "super",
    "win": "super",
    "winleft": "super",
    "winright": "super_r",
    "windows": "super",
    "windowskey": "super",
    "os": "super",
    "cmd": "super",
    "command": "super",
    "metal": "meta",
    "metaleft": "super",
    "metaright": "super_r",
    "hyperl": "hyper",
    "caps": "capslock",
    "num": "numlock",
    "scroll": "scrolllock",
    "add": "kp_add",
    "subtract": "kp_subtract",
    "multiply": "kp_multiply",
    "divide": "kp_divide",
    "decimal": "kp_decimal",
    "separator": "kp_separator",
    "numpadenter": "kp_enter",
    "numpadadd": "kp_add",
    "numpadsubtract": "kp_subtract",
    "numpadmultiply": "kp_multiply",
    "numpaddivide": "kp_divide",
    "numpaddecimal": "kp_decimal",
    **{f"num{n}": f"kp_{n}" for n in range(10)},
    **{f"numpad{n}": f"kp_{n}" for n in range(10)},
    "audiolowervolume": "volumedown",
    "audioraisevolume": "volumeup",
    "audiovolumedown": "volumedown",
    "audiovolumeup": "volumeup",
    "audiovolumemute": "volumemute",
    "audiomute": "volumemute",
    "xf86audiolowervolume": "volumedown",
    "xf86audioraisevolume": "volumeup",
    "xf86audiomute": "volumemute",
    "playpause": "mediaplay",
    "mediaplaypause": "mediaplay",
    "xf86audioplay": "mediaplay",
    "prevtrack": "mediaprevious",
    "mediatrackprevious": "mediaprevious",
    "nexttrack": "medianext",
    "mediatracknext": "medianext",
    "xf86back": "browserback",
    "xf86forward": "browserforward",
}

# Keysym names of printed characters, as xdotool and Anthropic spell them.
_CHARACTERS: dict[str, str] = {
    "plus": "+",
    "minus": "-",
    "hyphen": "-",
    "dash": "-",
    "equal": "=",
    "equals": "=",
    "comma": ",",
    "period": ".",
    "dot": ".",
    "slash": "/",
    "backslash": "\\",
    "semicolon": ";",
    "colon": ":",
    "apostrophe": "'",
    "quotedbl": '"',
    "grave": "`",
    "backquote": "`",
    "quoteleft": "`",
    "asciitilde": "~",
    "tilde": "~",
    "exclam": "!",
    "at": "@",
    "numbersign": "#",
    "dollar": "$",
    "percent": "%",
    "asciicircum": "^",
    "ampersand": "&",
    "asterisk": "*",
    "parenleft": "(",
    "parenright": ")",
    "bracketleft": "[",
    "bracketright": "]",
    "braceleft": "{",
    "braceright": "}",
    "underscore": "_",
    "bar": "|",
    "less": "<",
    "greater": ">",
    "question": "?",
}

_CONTROL_CHARACTERS = {"\n": "enter", "\r": "enter", "\t": "tab", "\b": "backspace", "\x1b": "esc"}


def canonical_key(name: str) -> str:
    """The canonical name of a key in anyone's spelling.

    Raises:
        InvalidInput: Nobody calls a key that.
    """
    if len(name) == 1:
        if name in _CONTROL_CHARACTERS:
            return _CONTROL_CHARACTERS[name]
        if name == " ":
            return "space"
        if unicodedata.category(name) not in ("Cc", "Cs", "Cn"):
            return name
    folded = name.strip().lower()
    if folded in KEYSYMS:
        return folded
    # Separators inside a name do not matter (Page_Down, page-down); at its ends they do (ctrl--).
    squeezed = folded.translate({ord(c): None for c in "_- "})
    plain = folded == folded.strip("_-")
    found = (_ALIASES.get(squeezed) or _CHARACTERS.get(squeezed)) if plain else None
    if found is None:
        raise InvalidInput(
            f"there is no key named {name[:40]!r}",
            hint="use a character or a name such as enter, ctrl, pagedown, f5",
        )
    return found


def parse_chord(text: str) -> tuple[str, ...]:
    """Read `ctrl+shift+t`, `ctrl++`, `Return` or `ctrl-c` into canonical keys.

    Raises:
        InvalidInput: A part is not a key.
    """
    if len(text) == 1:
        return (canonical_key(text),)
    parts = text.split("+")
    # "ctrl++" splits into ["ctrl", "", ""]: the two empty parts are one plus key.
    if len(parts) >= 3 and parts[-1] == parts[-2] == "":
        parts[-2:] = ["+"]
    if len(parts) == 1 and text.count("-") and not _is_key(text):
        parts = _split_dashes(text)
    return tuple(canonical_key(part) for part in parts)


def _split_dashes(text: str) -> list[str]:
    # "ctrl--" is ctrl and the minus key.
    return [*text[:-2].split("-"), "-"] if text.endswith("--") else text.split("-")


def _is_key(name: str) -> bool:
    try:
        canonical_key(name)
    except InvalidInput:
        return False
    return True


def key_keysym(key: str) -> int:
    """The X keysym of a canonical key: the table's, or the character's own."""
    if key in KEYSYMS:
        return KEYSYMS[key]
    code = ord(key)
    # Latin-1 keysyms equal their code points; everything else is in the Unicode range.
    return code if 0x20 <= code <= 0x7E or 0xA0 <= code <= 0xFF else 0x1000000 | code
