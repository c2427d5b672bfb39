"""A step as words that have to be accounted for, whatever order they stand in."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from carrel.models.steps.phrases.small_words import ACTS, EXACT, GRAMMAR, KINDS, SETS
from carrel.models.steps.phrases.stemming import stem

__all__ = ["Saying", "read_saying"]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_QUOTED = re.compile(r"[\"“”«]([^\"“”»]+)[\"”»]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_OFF = re.compile(
    r"\b(?:(?:turn|switch|toggle|set|flip)(?P<off> .+?|) off|disable|deactivate|untick|uncheck|"
    r"deselect|unselect|opt out of|unsubscribe from|no longer (?:want|need|get|receive)|"
    r"stop(?: \w+ing)?|mute|(?:do not|don['’]t) (?:want|need|send|show|include|get|use|allow))\b",
    re.IGNORECASE,
)
_ON = re.compile(
    r"\b(?:(?:turn|switch|toggle|set|flip)(?P<on> .+?|) on|enable|activate|tick|check|opt in(?:to)?"
    r"|subscribe to|allow|include|reactivate)\b",
    re.IGNORECASE,
)
_RATHER = re.compile(r",?\s+(?:instead of|rather than)\s+\S.*$", re.IGNORECASE)
_LEADS = re.compile(
    r"^(?:please |now |then |next |and |finally |only |i(?: would|['’]d) like to |i want to |"
    r"i need to |"
    r"let['’]?s |make sure (?:that )?(?:i |we )?|(?:can|could) you )+",
    re.IGNORECASE,
)
_MERE = _listed(
    "about using via so be are was get have has had want like like only also too any some when "
    "i we us he she they them him list filter option drop down dropdown menu box field value "
    "button toggle switch checkbox one within inside"
)
"""What says nothing of its own in a step that sets something."""


@dataclass(frozen=True, slots=True)
class Saying:
    """What a step says.

    Attributes:
        text: In the person's words.
        words: What something on the screen has to say, in one form for all inflections.
        quoted: Texts that are quoted.
        on: Whether something is to be switched on or off, where that is said.
        verb: The first word.
        spoken: The words as they were said, one after another, small ones too.
    """

    text: str
    words: frozenset[str]
    quoted: tuple[str, ...] = ()
    on: bool | None = None
    verb: str = ""
    spoken: tuple[str, ...] = ()

    def run_of(self, words: frozenset[str]) -> str:
        """These words as they were said, where they stand together; empty where they do not."""
        at = [index for index, word in enumerate(self.spoken) if stem(word.casefold()) in words]
        if not at or at[-1] - at[0] >= len(at):
            return ""
        return " ".join(self.spoken[at[0] : at[-1] + 1])


def read_saying(text: str) -> Saying | None:
    """The words of a step in English; None where they say more than what is to be set or used.

    Args:
        text: As the person said it.
    """
    plain = _RATHER.sub("", _LEADS.sub("", text.strip().rstrip(".!")))
    if _HAN.search(plain) or not plain:
        return None
    quoted = tuple(_QUOTED.findall(plain))
    unquoted = _QUOTED.sub(" ", plain)
    on = None
    for pattern, state in ((_OFF, False), (_ON, True)):
        if (found := pattern.search(unquoted)) is not None:
            on = state
            kept = next((g for g in found.groupdict().values() if g), "")
            unquoted = f"{unquoted[: found.start()]} {kept} {unquoted[found.end() :]}"
            break
    told = [word.strip("'’-") for word in re.findall(r"[^\W_][\w'’-]*", unquoted)]
    told = [re.sub(r"['’]s?$", "", word) for word in told]
    spoken = [word.casefold() for word in told]
    if not spoken or EXACT & set(spoken) - {"off", "only"}:
        return None
    verb = spoken[0]
    said = spoken[1:] if verb in ACTS | SETS and on is None else spoken
    telling = frozenset(stem(w) for w in said if w not in GRAMMAR | _MERE)
    return Saying(plain, telling, quoted, on, verb, tuple(told))


def without_kinds(saying: Saying) -> Saying:
    """The same without the words for kinds of things, which need not stand on anything."""
    return replace(saying, words=saying.words - frozenset(map(stem, KINDS)))
