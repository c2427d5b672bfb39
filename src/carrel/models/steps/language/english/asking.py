"""What somebody wants to be told, in English words: `tell me the price`, `what is the total?`."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.english.conditions import read_condition
from carrel.models.steps.language.talk import IT, NotUnderstood, Talk, trim
from carrel.models.steps.language.values import computed
from carrel.models.steps.program import Answer, If, Read, Step

__all__ = ["asked", "tell"]

TOLD = Answer(f"{{{IT}}}", aloud=True)
_BE = r"(?:is|are|was|were)"
_THE = r"(?:the|my|your|our|its|his|her|their|this|that)"
_WH = r"(?:what|who|when|where|which|why|how|is|are|does|do)"
_AT = r"(?:in|on|under|at|next to|below|above)"
_HOW = r"how (?:much|expensive|high|big|large|long|old)"
_PRICED = (
    r"(?!.*\b(?:price|cost|total|sum|amount|fee|balance|bill|shipping|delivery|tax|vat|discount|deposit|"
    r"rent|salary|charge)s?\b).+?"
)
"""What is no sum of money itself, but has a price."""
_TAKEN = r"(?:selected|chosen|picked|set|entered|typed)"
_SAYS = r"(?:says?|reads?|shows?|displays?|contains?|holds?|states?)"
_LOOKS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(words, re.IGNORECASE), thing)
    for words, thing in (
        (
            (
                rf"(?:what|which(?:\s+\w+)?)(?:['’]s|\s+{_BE})\s+(?:(?:currently|now)\s+)?{_TAKEN}"
                r"(?:\s+(?:(?:in\s+)?there|here|now|in\s+it|at\s+the\s+moment))?"
            ),
            "there",
        ),
        (
            (
                rf"(?:what|which(?:\s+\w+)?)(?:['’]s|\s+{_BE})\s+(?:(?:currently|now)\s+)?{_TAKEN}"
                rf"\s+(?:in|from|for)\s+(?P<what>{_THE}\s.+)"
            ),
            "{what}",
        ),
        (
            rf"what(?:['’]s|\s+{_BE})?\s+(?:written\s+|shown\s+)?(?P<place>{_AT}\s.+)",
            "the text {place}",
        ),
        (rf"(?:what|which\s+\w+)\s+(?P<what>{_THE}\s.+?)\s+(?:{_BE}|{_SAYS})(?:\s+now)?", "{what}"),
        (rf"(?:what|who|when|where)(?:['’]s|\s+{_BE})\s+(?P<what>{_THE}\s.+)", "{what}"),
        (rf"what\s+(?:does\s+|do\s+)?(?P<what>(?:{_THE}\s|cell\s|{QUOTE}).*?)\s+{_SAYS}", "{what}"),
        (
            r"(?:how much|what)\s+(?:does\s+|do\s+)?(?P<what>(?!the\s+\w+\s+of\b).+?)\s+costs?",
            "the price of {what}",
        ),
        (
            (
                rf"how (?:much|expensive)\s+(?:(?P<a>{_THE}\s{_PRICED})\s+{_BE}|"
                rf"{_BE}\s+(?P<b>{_THE}\s{_PRICED}))"
            ),
            "the price of {a}{b}",
        ),
        (rf"{_HOW}\s+(?:(?P<a>{_THE}\s.+?)\s+{_BE}|{_BE}\s+(?P<b>{_THE}\s.+))", "{a}{b}"),
        (
            rf"(?:about\s+)?(?P<what>(?!{_WH}\b)(?:{_THE}\s|all\s|every\s|each\s|(?-i:[A-Z])).*)",
            "{what}",
        ),
    )
)


def tell(rest: str, talk: Talk) -> list[Step]:
    """`tell me X`: read it, and say it at the end."""
    body = re.sub(r"^(?:(?:me|us)\b|of\s)\s*", "", trim(rest), flags=re.IGNORECASE)
    if re.fullmatch(QUOTE, body):
        return [Answer(talk.text(body), aloud=True)]
    if re.fullmatch(r"(?:the )?(?:answer|result)|it", body, re.IGNORECASE):
        return [TOLD]
    if steps := _truth(body, talk):
        return steps
    if counted := computed(body, talk):
        return [counted, TOLD]
    for words, thing in _LOOKS:
        if found := words.fullmatch(body):
            said = {key: text or "" for key, text in found.groupdict().items()}
            return [Read(talk.phrase(thing.format(**said)), IT), TOLD]
    raise NotUnderstood("it does not say what to tell: “tell me the price of X”")


def _truth(body: str, talk: Talk) -> list[Step] | None:
    """`whether X is shown`: yes or no."""
    found = re.fullmatch(r"(?:whether(?: or not)?|if)\s+(?P<what>.+)", body, re.IGNORECASE)
    if found is None:
        return None
    condition = read_condition(found["what"], talk.atoms)
    if condition is None:
        raise NotUnderstood(f"what “{talk.atoms.original(body)}” would look like is not clear")
    return [If(condition, (Answer("yes", aloud=True),), (Answer("no", aloud=True),))]


_QUESTION = re.compile(
    r"(?:what(?:['’]s|\s+is|\s+are|\s+does|\s+do)|how (?:much|expensive|big|high|long|old|large)|"
    r"who(?:['’]s|\s+is|\s+are)|when(?:['’]s|\s+is|\s+are)|where(?:['’]s|\s+is|\s+are))\s+.+",
    re.IGNORECASE | re.DOTALL,
)


def asked(text: str, talk: Talk) -> list[Step] | None:
    """`What is the total?` wants to be told."""
    found = _QUESTION.fullmatch(text.strip())
    if found is None:
        return None
    return tell(text, talk)
