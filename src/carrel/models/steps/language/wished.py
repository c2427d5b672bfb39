"""What a task first says to be so: nothing was done that it could have come of, so it is a wish.

In a file of steps such a line is a claim, and nothing is done to make it true. A task that begins
with `Make sure that A and B are ticked, then press Save` can only want them ticked.
"""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import DATED, TIMED, Atoms
from carrel.models.steps.language.words import bare, verb_at

__all__ = ["wished"]

_ACTS = {
    "ticked": "tick", "checked": "tick", "check-marked": "tick", "unticked": "untick",
    "unchecked": "untick", "selected": "select", "chosen": "choose",
    "picked": "choose", "highlighted": "select", "deselected": "untick", "unselected": "untick",
    "turned on": "turn on", "switched on": "turn on", "turned off": "turn off",
    "switched off": "turn off",
}  # fmt: skip
_OPPOSITE = {
    "tick": "untick", "untick": "tick", "select": "untick", "turn on": "turn off",
    "turn off": "turn on",
}  # fmt: skip
_STATE = "|".join(sorted(_ACTS, key=len, reverse=True))
_ENSURE = r"(?:please\s+)?(?:make\s+(?:sure|certain)|ensure|see\s+to\s+it|be\s+sure|take\s+care)"
_BE = r"(?:is|are|gets?|(?:has|have)\s+been)"
_SHALL = r"(?:should|must|needs?\s+to|ha(?:s|ve)\s+to|ought\s+to)(?P<never>\s+not)?\s+be"
_WHAT = (
    r"(?P<what>(?!(?:no|none|nothing|neither|it|they|this|that|there|when|once|if|unless|in\s+case|as\s+soon|"
    r"while|after|before|verify|check|confirm|any|at\s+(?:most|least)|only|exactly)\b)[^.;:?!]+?)"
)
_WHERE = r"(?P<where>\s+(?:in|from|on|under|for|of)\s+(?:the|this|that|your|my)\s[^.;,:]+?)?"
_REST = r"(?P<rest>\s*[.;:,]\s+.+|,?\s+and\s+.+|[.\s]*)"
_SO = (
    r"(?:once|when|as\s+soon\s+as)\s+(?:it|that|this|they)(?:['’](?:s|re)|\s+(?:is|are|has\s+been|have\s+been))"
    r"(?:\s+\w+(?:\s+in)?)?"
)
_BEFORE = r"(?P<lead>before\s+(?:you\s+)?\w[^,.;]*,\s+)?"
_IN_STATE = rf"(?P<no>not\s+)?(?P<state>{_STATE})"
# As in "that the following boxes are ticked" with the boxes listed behind it.
_LISTED = (
    rf"(?:\s+that)?\s+(?:the\s+following|these|those)(?:\s+[a-z]+)?\s+{_BE}\s+{_IN_STATE}\s*:\s*"
    r"(?P<what>[^.;:]+?)(?P<where>)"
)
_TOLD_BEHIND = (
    rf"(?:the\s+following|these)(?:\s+[a-z]+)?\s+{_SHALL}\s+{_IN_STATE}"
    r"(?:\s+(?P<lead>before\s+you\s[^:]+))?\s*:\s*(?P<what>[^.;:]+?)(?P<where>)(?P<rest>[.\s]*)"
)
_FORMS = tuple(
    re.compile(form, re.IGNORECASE | re.DOTALL)
    for form in (
        f"{_BEFORE}{_ENSURE}{_LISTED}{_REST}",
        _TOLD_BEHIND,
        rf"{_BEFORE}{_ENSURE}(?:\s+that)?\s+{_WHAT}\s+{_BE}\s+{_IN_STATE}{_WHERE}{_REST}",
        rf"{_BEFORE}{_WHAT}\s+{_SHALL}\s+{_IN_STATE}{_WHERE}{_REST}",
    )
)
_SET = re.compile(
    rf"{_BEFORE}(?:{_ENSURE}(?:\s+that)?\s+)?(?P<what>(?:the|your|my)\s[^.;:,]+?)\s+"
    rf"(?:(?:{_BE}|{_SHALL})\s+(?:set|changed|moved|brought|switched)\s+to\s+(?P<value>[^.;,]+?)|"
    rf"{_SHALL.replace('P<never>', ':')}\s+(?P<told>{DATED}|{TIMED})){_REST}",
    re.IGNORECASE | re.DOTALL,
)


# "make sure the Save button is selected": nobody chooses buttons.
_NO_CHOICE = re.compile(r"\b(?:buttons?|links?|fields?|windows?|pages?|dialogs?)$", re.IGNORECASE)


_BOXES = re.compile(r"\b(?:box(?:es)?|check\s?box(?:es)?|options?|items?)\b|:", re.IGNORECASE)


def wished(text: str) -> str:
    """The task with its first wish as a deed; as it was where it says what must be so by now.

    Args:
        text: A whole task, as a person gives it.
    """
    atoms = Atoms()
    masked = " ".join(atoms.mask(text).split())
    for form in (*_FORMS, _SET):
        found = form.fullmatch(masked)
        if found is not None and _goes_on(found):
            return atoms.original(_as_deed(found))
    return text


def _goes_on(found: re.Match[str]) -> bool:
    """Whether it is told what is done after it: a task of one claim is only looked at."""
    what, state = found["what"], found.groupdict().get("state") or ""
    if verb_at(bare(what)) is not None or _NO_CHOICE.search(what):
        return False
    if (
        state.lower() == "checked"
        and "never" in found.re.groupindex
        and not _BOXES.search(found[0])
    ):
        # "The total must be checked": somebody looks at it.
        return False
    rest = re.sub(
        rf"^[\s.;:,]*(?:(?:and|then|after(?:wards| that)|{_SO}),?\s+)*",
        "",
        found["rest"],
        flags=re.IGNORECASE,
    )
    return bool(found["lead"]) or verb_at(bare(rest)) is not None


def _as_deed(found: re.Match[str]) -> str:
    lead, what = (found["lead"] or "").strip(" ,"), found["what"]
    lead = f"{lead}, " if lead else ""
    rest = re.sub(rf"(?<=[.;,]\s){_SO},\s+", "then ", found["rest"], flags=re.IGNORECASE)
    what = re.sub(r"^(?:The|Your|My|All|Both|Each|Every)\b", lambda m: m[0].lower(), what)
    groups = found.groupdict()
    if "value" in groups:
        deed = f"set {what} to {found['value'] or found['told']}"
    else:
        act = _ACTS[" ".join(found["state"].lower().split())]
        denied = groups.get("no") or groups.get("never")
        deed = (
            f"{_OPPOSITE.get(act, f'do not {act}') if denied else act} {what}{found['where'] or ''}"
        )
    return f"{lead}{deed if lead else deed[0].upper() + deed[1:]}{rest}"
