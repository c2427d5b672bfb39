"""Keys in English words: chords, and sequences of them with how often each is pressed."""

from __future__ import annotations

import re

from carrel.errors import InvalidInput
from carrel.keys import MODIFIERS, parse_chord
from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.english.clauses import key_like
from carrel.models.steps.language.numbers import times
from carrel.models.steps.language.talk import Talk, trim
from carrel.models.steps.program import Press, Step

__all__ = ["chord", "key_sequence"]


def chord(text: str) -> str | None:
    """`Ctrl + S` as `ctrl+s`; None when it is no chord of keys."""
    joined = re.sub(r"\s*\+\s*", "+", text.strip())
    parts = joined.split("+")
    if len(parts) == 1 and (
        dashed := re.match(r"(?:(?:ctrl|control|alt|shift|cmd|win)-)+\S+$", joined, re.IGNORECASE)
    ):
        joined = dashed[0].replace("-", "+")
    try:
        keys = parse_chord(joined)
    except InvalidInput:
        return None
    if len(keys) > 1 and not all(key in MODIFIERS for key in keys[:-1]):
        return None
    letter = keys[-1].lower() if len(keys) > 1 and len(keys[-1]) == 1 else keys[-1]
    return "+".join([*keys[:-1], letter])


_NAMED = re.compile(
    r"^(?:the\s+)?(?P<keys>.+?)\s+(?:keys?|arrows?|arrow keys?|(?:keyboard )?shortcut|"
    r"(?:key )?combination)$|"
    r"^(?:the\s+)?(?:arrow(?: keys?)?|keys?|(?:keyboard )?shortcut|(?:key )?combination)\s+"
    r"(?P<after>.+)$",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"\s*,\s*(?:and\s+)?(?:then\s+)?|\s+(?:and(?: then)?|then|followed by)\s+", re.IGNORECASE
)
_AGAIN = re.compile(
    r"^(?:(?:hit|press|push|the)\s+)+|\s+(?:once|again|on the keyboard)$", re.IGNORECASE
)


_MODIFIER = r"ctrl|control|alt|shift|cmd|command|super|win|windows"
_TOGETHER = re.compile(
    rf"\b({_MODIFIER})(?: keys?)?\s*(?:\s(?:and|plus)\s+(?:the\s+)?|\s)"
    rf"(?=(?:{_MODIFIER}|[a-z0-9]|f\d+|enter|return|tab|delete|del|esc|escape|up|down|left|"
    rf"right|home|"
    r"end|space|backspace|insert|page ?up|page ?down)(?![\w'’-]))",
    re.IGNORECASE,
)


def key_sequence(body: str, talk: Talk) -> list[Step] | None:
    """The presses of `Tab three times and then Enter`; None when they are not all keys."""
    body = _TOGETHER.sub(lambda m: m[1] + "+", body)
    whole, count = times(trim(body))
    named = _NAMED.match(whole)
    spoken = (named["keys"] or named["after"]) if named else whole
    parts = [_AGAIN.sub("", part) for part in _JOINT.split(spoken)]
    chords = [_key(_unquoted(part, talk), sure=bool(named)) for part in parts]
    if len(chords) > 1 and chords[-1] is None and all(c in MODIFIERS for c in chords[:-1]):
        chords[-1] = _key(_unquoted(parts[-1], talk), sure=True)
    if all(chords):
        for quoted in re.findall(QUOTE, spoken):
            # A key may go by another name than the one it has here.
            talk.put_aside(quoted)
        if _held_together(spoken, chords):
            keys = [c.lower() if len(c) == 1 else c for c in chords if c]
            return [Press(("+".join(keys),), times=count)]
        if count == 1 or len(chords) == 1 or (named and named["after"]):
            return [Press(tuple(c for c in chords if c), times=count)]
    return _each_so_often(trim(body), talk)


def _held_together(spoken: str, chords: list[str | None]) -> bool:
    """`Ctrl and C` is one chord."""
    modifiers = all(c in MODIFIERS for c in chords[:-1])
    return len(chords) > 1 and modifiers and not re.search(r"\bthen\b|,", spoken)


def _each_so_often(body: str, talk: Talk) -> list[Step] | None:
    """Each key with its own `twice`; those that are pressed once stay together."""
    steps: list[Press] = []
    parts = _JOINT.split(body)
    others = any(key_like(times(_AGAIN.sub("", part))[0]) for part in parts)
    for part in parts:
        bare, count = times(_AGAIN.sub("", part))
        # `Down` alone may be a button; among keys it is one.
        arrow = re.fullmatch(r"up|down|left|right", bare, re.IGNORECASE) is not None
        key = _key(_unquoted(bare, talk), sure=others and arrow)
        if key is None:
            return None
        if steps and count == 1 and steps[-1].times == 1:
            steps[-1] = Press((*steps[-1].chords, key))
        else:
            steps.append(Press((key,), times=count))
    return list(steps)


def _key(text: str, *, sure: bool) -> str | None:
    named = _NAMED.match(text)
    spoken = (named["keys"] or named["after"]) if named else text
    found = chord(spoken)
    if found is None or not (sure or named or "+" in found or key_like(spoken)):
        return None if found is None or found not in MODIFIERS else found
    return found


def _unquoted(part: str, talk: Talk) -> str:
    if re.fullmatch(QUOTE, part.strip()):
        return talk.atoms.text(part)
    return re.sub(r"^the\s+", "", part.strip(), flags=re.IGNORECASE)
