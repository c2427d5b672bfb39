"""Codes that a page tells somewhere: `the voucher code from the banner` is what is written there.

A code is known by its looks: capitals and figures that make no word. It is the one that is meant
where the noun that it is asked for by stands beside it, in its line or in its own text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Element
from carrel.models.steps.layout.chrome import part_meant
from carrel.perception.labels import written_on
from carrel.perception.roles import CONTROLS, is_field, kind_of

__all__ = ["code_shown"]

_ASKED = re.compile(
    r"(?:(?:the|my|our|your|its|this)\s+)?(?P<words>(?:[a-z-]+\s+){0,3}?)"
    r"(?P<noun>code|voucher|coupon|reference|pin|key|token|serial|number|id)"
    r"(?:\s+(?P<more>(?:code|number|no\.?)\b))?(?P<where>\s+(?:that|which|shown|displayed|given|"
    r"printed|written|told|from|in|at|on|of|above|below|you)\b.*)?",
    re.IGNORECASE,
)
_CODE = re.compile(r"(?<![\w-])(?=[A-Z\d-]{4,})(?:[A-Z\d]+(?:-[A-Z\d]+)*)(?![\w-])")
_PLAIN = re.compile(r"[A-Z]{4,}")
NEAR = 40
"""Pixels between a code and the words beside or over it, at most."""


def code_shown(elements: Sequence[Element], phrase: str) -> str | None:
    """The one code that a phrase means; None where it asks for none, or several may be meant."""
    asked = _ASKED.fullmatch(phrase.strip())
    if asked is None:
        return None
    nouns = {word for word in (asked["noun"], asked["more"]) if word}
    telling = set(re.findall(r"[a-z]+", asked["words"].casefold())) & _SORTS
    texts = [e for e in part_meant(elements, "") if e.box is not None and not _is_used(e)]
    found: dict[str, int] = {}
    for element in texts:
        beside = " ".join(written_on(e) for e in texts if _is_beside(e, element)).casefold()
        said = set(re.findall(r"[a-z]+", beside))
        if not any(noun.casefold() in said for noun in nouns):
            continue
        for code in _codes(written_on(element), alone=len(written_on(element).split()) == 1):
            found[code] = max(found.get(code, 0), len(telling & said))
    most = max(found.values(), default=0)
    best = [code for code, told in found.items() if told == most]
    return best[0] if len(best) == 1 else None


_SORTS = frozenset(
    {"promo", "promotion", "discount", "voucher", "coupon", "gift", "booking", "order", "tracking"}
    | {"confirmation", "reference", "customer", "access", "invite", "invitation", "security"}
    | {"verification", "activation", "serial", "door", "ticket", "referral"}
)


def _is_used(element: Element) -> bool:
    return is_field(element) or kind_of(element) in CONTROLS


def _codes(text: str, *, alone: bool) -> list[str]:
    """What in a text looks like a code; letters alone only where nothing else stands there."""
    codes = [found[0] for found in _CODE.finditer(text)]
    return [code for code in codes if re.search(r"\d", code) or (alone and _PLAIN.fullmatch(code))]


def _is_beside(one: Element, of: Element) -> bool:
    """Whether a text is a part of the same line, or stands right over it."""
    if one.box is None or of.box is None:
        return False
    level = abs(one.box.center.y - of.box.center.y) <= max(one.box.height, of.box.height) // 2
    over = 0 <= of.box.y - one.box.bottom <= NEAR and one.box.x <= of.box.right
    return level or (over and of.box.x <= one.box.right)
