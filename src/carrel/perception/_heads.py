"""The head of an English phrase: what stands around a name, without relations to others."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from carrel.perception import _vocabulary as vocabulary
from carrel.perception._tokens import Token, join
from carrel.perception.description import Description
from carrel.perception.roles import ENGLISH, Kind

__all__ = ["read_head"]

MAX_KIND_WORDS = 3
_VAGUE = frozenset(["box", "item", "block", "tile", "element", "thing", "object", "one", "figure"])
"""Words for whatever looks as described, where nothing but its looks is said of it."""

_NUMBERED = re.compile(r"(\d{1,3})(?:st|nd|rd|th)")
_HASH = re.compile(r"#(\d{1,3})")
_BACKWARDS = (
    ("to", "last"),
    ("from", "last"),
    ("to", "the", "last"),
    ("last",),
    ("from", "the", "bottom"),
    ("from", "the", "end"),
    ("from", "the", "right"),
)


def read_head(tokens: Sequence[Token], *, said: bool = False) -> list[Description]:
    """Every way to read words that describe one thing by itself, the likelier ones first.

    `said` is whether something else is said of it, too, so that a word for a kind will be one.
    """
    if not tokens:
        return []
    text = join(tokens)
    if any(token.quoted for token in tokens):
        quoted = _with_quote(tokens, text)
        return [quoted, *_quoted_kind(tokens, quoted), *_around_quote(tokens, text)]
    tokens, states = _clause(tokens)
    found = _unquoted(tokens, said=said)
    found = [replace(one, text=text, states=(*one.states, *states)) for one in found]
    return [_watch_denial(one) for one in found]


def _watch_denial(one: Description) -> Description:
    """A "not" among words that are not understood, or left in front of a name."""
    words = [*one.rest, *one.name.casefold().split()]
    denied = not one.exact and any(word in vocabulary.DENIALS for word in words)
    return replace(one, denied=one.denied or denied)


@dataclass(slots=True)
class _Part:
    """One modifier: how many words it took, and what it says."""

    taken: int
    apply: Callable[[Description], Description]


def _modifier(words: Sequence[str]) -> _Part | None:
    """What the first words say, where they say something about any thing."""
    first = words[0]
    if first in vocabulary.ANY_ONE:
        taken = 3 if words[1:3] == ["of", "the"] else 2 if words[1:2] == ["one"] else 1
        return _Part(taken, lambda one: replace(one, any_one=True))
    if words[:3] == ["one", "of", "the"]:
        return _Part(3, lambda one: replace(one, any_one=True))
    if first in vocabulary.ARTICLES or first in vocabulary.FILLERS:
        return _Part(1, lambda one: one)
    if first in vocabulary.QUANTIFIERS:
        taken = 2 if words[1:2] == ["of"] else 1
        return _Part(taken, lambda one: replace(one, everything=True))
    return _ordinal(words) or _superlative(words) or _state(words) or _look(words)


def _ordinal(words: Sequence[str]) -> _Part | None:
    number = _number(words[0])
    if number is None:
        return None
    taken = 1
    for ending in _BACKWARDS:
        if number > 0 and tuple(words[1 : 1 + len(ending)]) == ending:
            number, taken = -number, 1 + len(ending)
    count = number
    return _Part(taken, lambda one: replace(one, ordinal=count))


def _number(word: str) -> int | None:
    if word in vocabulary.ORDINALS:
        return vocabulary.ORDINALS[word]
    match = _NUMBERED.fullmatch(word)
    number = int(match[1]) if match else 0
    return number or None


def _superlative(words: Sequence[str]) -> _Part | None:
    first = words[0]
    place = vocabulary.SUPERLATIVES.get(first)
    if place is None:
        return None
    second = vocabulary.SUPERLATIVES.get(words[1], "") if len(words) > 1 else ""
    if place in ("top", "bottom") and second in ("left", "right"):
        place, taken = f"{place} {second}", 2
    else:
        taken = 1
    if len(words) > taken and words[taken] in ("most", "hand"):
        taken += 1
    if place == "":
        return _Part(1, lambda one: one)
    found = place
    return _Part(taken, lambda one: replace(one, superlative=found))


def _state(words: Sequence[str]) -> _Part | None:
    if words[0] in ("not", "non") and len(words) > 1 and words[1] in vocabulary.STATES:
        opposite = _negate(vocabulary.STATES[words[1]])
        return _Part(2, lambda one: replace(one, states=(*one.states, opposite)))
    if words[:2] in (["greyed", "out"], ["grayed", "out"]):
        return _Part(2, lambda one: replace(one, states=(*one.states, "disabled")))
    state = vocabulary.STATES.get(words[0])
    if state is None:
        return None
    return _Part(1, lambda one: replace(one, states=(*one.states, state)))


def _negate(state: str) -> str:
    for one, other in vocabulary.OPPOSITES.items():
        if state in (one, other):
            return other if state == one else one
    raise AssertionError(state)


def _look(words: Sequence[str]) -> _Part | None:
    word = words[0]
    for end in ("-colored", "-coloured"):
        word = word.removesuffix(end)
    if word in vocabulary.COLOURS:
        taken = 2 if words[1:2] and words[1] in vocabulary.IN_COLOUR else 1
        colour = vocabulary.COLOURS[word]
        shade = "" if word in (colour, "gray") else word
        return _Part(taken, lambda one: replace(one, colour=colour, shade=shade))
    if word in vocabulary.IN_COLOUR:
        return _Part(1, lambda one: replace(one, colour="coloured"))
    if word == "small" or vocabulary.SIZES.get(word) == "small":
        return _Part(1, lambda one: replace(one, size="small"))
    if vocabulary.SIZES.get(word) == "large":
        return _Part(1, lambda one: replace(one, size="large"))
    return None


def _clause(tokens: Sequence[Token]) -> tuple[Sequence[Token], tuple[str, ...]]:
    """Take "that is not checked", or "with focus", from the end."""
    words = [token.word for token in tokens]
    looks = _looked(words)
    if looks is not None:
        # "The box that is red" is the red box.
        return [Token(looks[1]), *tokens[: looks[0]]], ()
    if words[-2:] == ["has", "focus"] or words[-2:] == ["with", "focus"]:
        cut = -3 if words[-3:-2] in (["that"], ["which"]) else -2
        return tokens[:cut], ("focused",)
    if not words or words[-1] not in vocabulary.STATES or len(words) < 2:
        return tokens, ()
    state = vocabulary.STATES[words[-1]]
    before = words[:-1]
    negated = before[-1] in ("not", "isn't", "aren't")
    if before[-1] == "not":
        before.pop()
    if before and before[-1] in ("is", "are", "isn't", "aren't", "currently"):
        before.pop()
    elif not (before and before[-1] == "that's"):
        return tokens, ()
    if before and before[-1] in ("that", "which"):
        before.pop()
    return tokens[: len(before)], (_negate(state) if negated else state,)


_LOOKED = (
    ("that", "is"),
    ("which", "is"),
    ("that's",),
    ("of", "the", "colour"),
    ("of", "the", "color"),
    ("with", "the", "colour"),
    ("with", "the", "color"),
    ("with", "colour"),
    ("with", "color"),
    ("of", "colour"),
    ("of", "color"),
    ("in",),
    ("coloured",),
    ("colored",),
    ("painted",),
)


def _looked(words: Sequence[str]) -> tuple[int, str] | None:
    """How many words come before a colour that is said at the end, and the colour."""
    if len(words) < 3 or words[-1] not in vocabulary.COLOURS:
        return None
    for before in _LOOKED:
        at = len(words) - 1 - len(before)
        if at > 0 and tuple(words[at:-1]) == before:
            return at, words[-1]
    return None


def _front(words: list[str]) -> list[_Part]:
    """All modifiers at the start, one after the other."""
    parts: list[_Part] = []
    at = 0
    while at < len(words):
        part = _modifier(words[at:])
        if part is None:
            break
        parts.append(part)
        at += part.taken
    return parts


def _kind_at(words: Sequence[str], *, end: bool) -> tuple[int, Kind] | None:
    for count in range(min(MAX_KIND_WORDS, len(words)), 0, -1):
        part = words[-count:] if end else words[:count]
        kind = ENGLISH.get(" ".join(part))
        if kind is not None:
            return count, kind
    return None


def _quoted_kind(tokens: Sequence[Token], one: Description) -> list[Description]:
    """In `a "radio" widget` the kind is what is quoted."""
    words = [token.word for token in tokens if not token.quoted]
    vague = [word for word in words if ENGLISH.get(word) is Kind.ANY or word in ("field", "input")]
    said = one.name.casefold()
    kind = Kind.FIELD if said == "text" else ENGLISH.get(said)
    if not vague or kind is None or one.rest:
        return []
    return [replace(one, name="", exact=False, kinds=(kind,))]


def _around_quote(tokens: Sequence[Token], text: str) -> list[Description]:
    """A name that has quotes in it."""
    if all(token.quoted for token in tokens):
        return []
    plain = [Token(token.text) for token in tokens]
    quotes = [token.text for token in tokens if token.quoted]
    named = [one for one in _unquoted(plain, said=True) if all(q in one.name for q in quotes)]
    return [replace(one, text=text, exact=True) for one in named]


def _unquoted(tokens: Sequence[Token], *, said: bool) -> list[Description]:
    words = [token.word for token in tokens]
    parts = _front(words)
    found: list[Description] = []
    for used in range(len(parts), -1, -1):
        at = sum(part.taken for part in parts[:used])
        core = tokens[at:]
        if not core and tokens[0].word not in vocabulary.ARTICLES and _is_proper(tokens[0]):
            # "Gray" alone is somebody's name, and "Last" a link's.
            continue
        kind_only = (said or used > 0) and not (core and core[0].text[0].isupper())
        found += [_applied(one, parts[:used]) for one in _core(core, kind_only=kind_only)]
    return found


def _is_proper(token: Token) -> bool:
    return token.text[0].isupper() or token.word in vocabulary.COLOURS


def _applied(one: Description, parts: Sequence[_Part]) -> Description:
    for part in parts:
        one = part.apply(one)
    return one


def _core(tokens: Sequence[Token], *, kind_only: bool) -> list[Description]:
    """A name and a kind, without modifiers in front.

    `kind_only` is whether nothing but a word for a kind cannot be a name.
    """
    words = [token.word for token in tokens]
    if not words:
        return [Description("")]
    found = [*_apposed(tokens), *_shape(tokens), *_tail_number(tokens)]
    last = _kind_at(words, end=True)
    if len(words) == 1 and words[0] in _VAGUE:
        found.append(Description("", kinds=(Kind.ANY,)))
    if last is not None:
        name = tokens[: -last[0]]
        found += _hinted(tokens, last) or [_thing(name, last[1])]
    first = _kind_at(words, end=False)
    # In "Hyperlink button" the first word is the name.
    # And "place order" is what to do, where "the place" is not said.
    named = first is not None and (first[1] is not Kind.ANY or kind_only)
    if first is not None and named and first[0] < len(words) and last is None:
        found.append(_thing(tokens[first[0] :], first[1]))
    # "The second button" is a button, though there may be one that is called "Button".
    if not (kind_only and last is not None and last[0] == len(words)):
        found.append(Description("", name=join(tokens)))
    return found


def _hinted(tokens: Sequence[Token], last: tuple[int, Kind]) -> list[Description]:
    """Read "the search field" also as a field that is called so, or has such a use."""
    words = [token.word for token in tokens]
    hint, count = words[-last[0]], last[0]
    if count < 2 or hint not in vocabulary.HINTS or ENGLISH.get(words[-1]) not in _FIELDLIKE:
        return []
    called = _thing(tokens[:-1], Kind.FIELD)
    if count < len(words) and tokens[-count - 1].word not in vocabulary.ARTICLES:
        return [called]
    return [called, replace(_thing((), last[1]), hint=hint)]


_FIELDLIKE = (Kind.FIELD, Kind.TOOLBAR, None)


def _apposed(tokens: Sequence[Token]) -> list[Description]:
    """Read "user @ann" as what is called @ann, and "button ONE" as the button called ONE."""
    words = [token.word for token in tokens]
    if len(words) < 2:
        return []
    found = []
    proper = tokens[1].text[0].isupper() or tokens[1].text[0] == "@"
    if words[0] in vocabulary.APPOSED and proper:
        found.append(Description("", name=join(tokens[1:])))
    kind = ENGLISH.get(words[0])
    if kind not in (None, Kind.ANY) and len(words) == 2 and proper:
        found.append(_thing(tokens[1:], kind))
    return found


def _thing(name: Sequence[Token], kind: Kind) -> Description:
    name = name[1:] if name and name[0].word in vocabulary.ARTICLES else name
    kinds = () if kind is Kind.ANY else (kind,)
    return Description("", name=join(name) if name else "", kinds=kinds)


def _shape(tokens: Sequence[Token]) -> list[Description]:
    """Read a drawn thing: "circle", "letter T", "T letter", "square shape", "3s"."""
    words = [token.word for token in tokens]
    if words[0] in _SHADES and words[1:2] == ["of"] and words[-1] in vocabulary.COLOURS:
        return [Description("", shape="any", colour=vocabulary.COLOURS[words[-1]], shade="any")]
    if words[-1] in _FORMS and len(words) == 2 and words[0] in vocabulary.SHAPES:
        words, tokens = words[:1], tokens[:1]
    found = [Description("", shape=shape) for shape in (vocabulary.VAGUE.get(words[0]),) if shape]
    if len(words) == 1 and found:
        return found
    for at, name in ((0, tokens[1:]), (len(words) - 1, tokens[:-1])):
        shape = vocabulary.SHAPES.get(words[at])
        if shape is None or len(name) > 1:
            continue
        if not name or (shape in _CHARACTERS and len(name[0].text) == 1):
            return [Description("", name=join(name) if name else "", shape=shape)]
    return _character(tokens)


_SHADES = ("shade", "shades", "tint", "tints", "hue", "hues", "tone", "tones")
_FORMS = ("shape", "shapes", "item", "items", "figure", "figures", "object", "objects")
_CHARACTERS = ("digit", "letter", "number")


def _character(tokens: Sequence[Token]) -> list[Description]:
    """Read a single letter or digit as one that is drawn; "3s" and "T's" are several."""
    text = tokens[0].text
    single = re.fullmatch(r"(\w)(?:['’]?s)?", text)
    if len(tokens) > 1 or single is None or not single[1].isalnum():
        return []
    return [Description("", name=single[1], shape="character")]


def _tail_number(tokens: Sequence[Token]) -> list[Description]:
    """Read "row 3", "tab number 2", "button #4" as ordinals, should nothing be called so."""
    words = [token.word for token in tokens]
    if len(words) < 2:
        return []
    match = _HASH.fullmatch(words[-1])
    digits = match[1] if match else words[-1]
    number = vocabulary.NUMERALS.get(digits) or (
        int(digits) if digits.isascii() and digits.isdigit() else 0
    )
    rest = tokens[:-2] if words[-2] in ("number", "no", "nr") else tokens[:-1]
    last = _kind_at([token.word for token in rest], end=True)
    if not 0 < number < 1000 or last is None:
        return []
    name = rest[: -last[0]]
    return [replace(_thing(name, last[1]), ordinal=number)]


def _with_quote(tokens: Sequence[Token], text: str) -> Description:
    """A quoted name, and whatever stands around it."""
    at = next(i for i, token in enumerate(tokens) if token.quoted)
    one = Description(text, name=tokens[at].text, exact=True)
    rest = [token.text for token in tokens[at + 1 :] if token.quoted]
    after, states = _clause([token for token in tokens[at + 1 :] if not token.quoted])
    one = replace(one, states=states)
    one, left = _around(one, [token.word for token in tokens[:at]])
    one, more = _around(one, [token.word for token in after])
    rest += [*left, *more]
    return replace(one, rest=tuple(rest), denied=_leaves_doubt(one, rest, tokens))


def _leaves_doubt(one: Description, rest: Sequence[str], tokens: Sequence[Token]) -> bool:
    """Whether what is not understood may say that another thing is meant."""
    if not rest:
        return False
    telling = vocabulary.DENIALS | vocabulary.TELLING
    several = sum(token.quoted for token in tokens) > 1 or len(one.kinds) > 1
    foreign = any(char >= "\u2e80" for word in rest for char in word)
    return several or foreign or any(word in telling for word in rest)


def _around(one: Description, words: list[str]) -> tuple[Description, list[str]]:
    """Take modifiers and a kind from words that hold no name; the rest is given back."""
    left: list[str] = []
    while words:
        kind = _kind_at(words, end=False)
        if kind is not None and (len(words) == kind[0] or words[0] not in vocabulary.STATES):
            kinds = one.kinds if kind[1] is Kind.ANY else (*one.kinds, kind[1])
            one, words = replace(one, kinds=kinds), words[kind[0] :]
            continue
        part = _modifier(words)
        if part is not None:
            one, words = part.apply(one), words[part.taken :]
        elif words[0] in vocabulary.SHAPES:
            one, words = replace(one, shape=vocabulary.SHAPES[words[0]]), words[1:]
        else:
            left.append(words[0])
            words = words[1:]
    return one, left
