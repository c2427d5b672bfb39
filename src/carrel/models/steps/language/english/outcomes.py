"""English words for what shall have come of an act: `so that …`, and the order that is to be."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.english.reader import Reader, condition_of
from carrel.models.steps.language.english.waiting import checked
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.language.words import verb_at
from carrel.models.steps.program import Condition, Is, Repeat, Sorted, Step

__all__ = ["put_in_order", "so_that"]

_ACT = re.compile(
    r"(?P<act>\S.*?),?\s+(?P<word>(?:so|such)\s+that|until|till)\s+(?P<so>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_UP = r"smallest|lowest|least|fewest|cheapest|earliest|oldest|shortest|lightest|slowest|youngest"
_DOWN = (
    r"largest|biggest|highest|greatest|latest|newest|longest|heaviest|fastest|"
    r"most\s+(?:expensive|recent|popular|viewed)|dearest|best"
)
_FIRST = re.compile(
    rf"(?:the\s+)?(?:(?P<up>{_UP})|(?P<down>{_DOWN}))(?:\s+(?P<noun>[a-z]+(?:\s[a-z]+)?))??\s+"
    r"(?:is\s+|are\s+|comes?\s+|stands?\s+|appears?\s+|shows?\s+up\s+|is\s+shown\s+|"
    r"is\s+listed\s+)?(?:right\s+)?"
    r"(?:(?P<top>first|on\s+top|at\s+the\s+(?:very\s+)?top|uppermost|in\s+the\s+first\s+row)|"
    r"last|at\s+the\s+(?:very\s+)?bottom|in\s+the\s+last\s+row)",
    re.IGNORECASE,
)
_HEADING = re.compile(
    rf"\w+\s+(?:on\s+)?(?:the\s+)?(?:heading|header|title|head)\s+(?:of\s+)?(?:the\s+)?"
    rf"(?P<of>{QUOTE}|[\w -]+?)(?:\s+column)?|"
    rf"\w+\s+(?:on\s+)?(?:the\s+)?(?P<column>{QUOTE}|[\w -]+?)\s+"
    r"(?:column(?:\s+(?:heading|header|title|head))?|heading|header)(?:\s+(?:again|once more))?",
    re.IGNORECASE,
)
# The older a person is, the higher is the age; of days the oldest is the least.
_AGED = re.compile(r"oldest|youngest", re.IGNORECASE)


def put_in_order(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Click Price so that the cheapest comes first`: as often as it takes to get that order."""
    found = _ACT.fullmatch(text)
    heading = _HEADING.fullmatch(found["act"]) if found else None
    verb = verb_at(found["act"]) if found else None
    if found is None or heading is None or verb is None or verb[0] not in ("click", "press"):
        return None
    column = talk.phrase(heading["of"] or heading["column"])
    order = _order_of(found["so"], column) or condition_of(found["so"], talk)
    if not isinstance(order, Sorted):
        return None
    talk.put_aside(text[found.start("word") :])
    words = talk.atoms.original(text)
    return [Repeat(tuple(read(found["act"], talk)), until=order, words=words)]


def _order_of(said: str, column: str) -> Condition | None:
    """Which end of a column comes first."""
    found = _FIRST.fullmatch(said.strip())
    if found is None:
        return None
    down = bool(found["down"])
    if _AGED.match(found["up"] or "") and re.search(r"\bage\b", column, re.IGNORECASE):
        down = (found["up"] or "").casefold() == "oldest"
    return Sorted(column, down=down if found["top"] else not down)


_MAY = re.compile(
    r"(?:[\w'’-]+\s+){1,4}?(?:can|could|may|might|will|do\s+not|does\s+not|don['’]?t|won['’]?t)\b|"
    r"nobody\b|no\s+one\b|everyone\b",
    re.IGNORECASE,
)
# What these do depends on what shall come of it.
_SHAPED = frozenset(
    ("drag", "move", "own:sort", "own:filter", "own:show", "own:arrange", "own:resize", "own:edit",
     "own:order", "sort", "resize", "set", "change", "make", "verify", "wait")
)  # fmt: skip


def so_that(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Click + twice so that the quantity is 3`: the clicks, and what can be seen then."""
    found = _ACT.fullmatch(text)
    verb = verb_at(found["act"]) if found else None
    if found is None or verb is None or found["word"].lower() in ("until", "till"):
        return None
    if _MAY.match(found["so"]) or re.match(r"only\s", found["so"], re.IGNORECASE):
        return None
    if verb[0] == "scroll":
        return read(f"{found['act']} until {found['so']}", talk)
    if verb[0] in _SHAPED:
        return None
    condition = condition_of(found["so"], talk)
    if condition is None or (isinstance(condition, Is) and condition.state == "focused"):
        # Where the keyboard is then is what the click is for.
        return None
    return [*read(found["act"], talk), checked(condition, talk.atoms.original(text))]
