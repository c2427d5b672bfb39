"""What is or is not so on the screen, in English words."""

from __future__ import annotations

import re
from typing import Literal

from carrel.models.steps.language.atoms import NAME, QUOTE, Atoms
from carrel.models.steps.language.claims import Rule, claims
from carrel.models.steps.language.counts import HOW_MANY, counted, how_many
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.windows import BE, NOT, file_there, negated, window_open
from carrel.models.steps.program import (
    Compare,
    Condition,
    Every,
    Has,
    Is,
    Not,
    Shows,
)

__all__ = ["read_condition"]

How = Literal["equals", "contains", "starts", "ends", "matches", "less", "greater"]
State = Literal["checked", "selected", "enabled", "focused", "expanded", "empty", "visible"]

_STATES: dict[str, tuple[State, bool]] = {
    "checked": ("checked", True),
    "ticked": ("checked", True),
    "on": ("checked", True),
    "switched on": ("checked", True),
    "turned on": ("checked", True),
    "off": ("checked", False),
    "switched off": ("checked", False),
    "turned off": ("checked", False),
    "unchecked": ("checked", False),
    "unticked": ("checked", False),
    "selected": ("selected", True),
    "chosen": ("selected", True),
    "active": ("selected", True),
    "unselected": ("selected", False),
    "deselected": ("selected", False),
    "enabled": ("enabled", True),
    "clickable": ("enabled", True),
    "available": ("enabled", True),
    "disabled": ("enabled", False),
    "greyed out": ("enabled", False),
    "grayed out": ("enabled", False),
    "unavailable": ("enabled", False),
    "focused": ("focused", True),
    "in focus": ("focused", True),
    "expanded": ("expanded", True),
    "unfolded": ("expanded", True),
    "collapsed": ("expanded", False),
    "folded": ("expanded", False),
    "empty": ("empty", True),
    "blank": ("empty", True),
    "filled": ("empty", False),
    "filled in": ("empty", False),
    "hidden": ("visible", False),
    "invisible": ("visible", False),
}
_SEEN = (
    r"visible|shown|displayed|present|there|on (?:the )?(?:screen|page)|showing|in view|loaded|"
    r"ready|listed|to be seen|visible on (?:the )?(?:screen|page)"
)
_STATE = "|".join(sorted(map(re.escape, _STATES), key=len, reverse=True))


# When it is so, of which a picture of now tells nothing more.
_LATELY = re.compile(
    r"(?:,?\s+(?:already|any ?more|any longer|yet|at all|again|right now|now|so far|by default|"
    r"at the moment|at present|either))+$",
    re.IGNORECASE,
)


def read_condition(text: str, atoms: Atoms) -> Condition | None:
    """The condition that the masked words state; None when no rule understands them."""
    bare = re.sub(r"^(?:that|whether|if)\s+", "", text.strip(" .,:"), flags=re.IGNORECASE)
    bare = _LATELY.sub("", re.sub(r"^(?:his|her|their)\s", "the ", bare, flags=re.IGNORECASE))
    bare = re.sub(r"\b(it|that|there|he|she|this)['’]s\b", r"\1 is", bare, flags=re.IGNORECASE)
    bare = re.sub(
        r"\b(is|are|be|was|were)(\s+not|n't)?\s+(?:already|currently|still|now|actually|yet)\b",
        r"\1\2",
        bare,
        flags=re.IGNORECASE,
    )
    bare = re.sub(
        r"\b(?:should|must|shall|can)(?: not|n't) be\b", "is not", bare, flags=re.IGNORECASE
    )
    bare = re.sub(rf"^({NAME})\s+(?:should|must)\s+be\b", r"\1 is", bare, flags=re.IGNORECASE)
    bare = re.sub(r"^both\s+(?=.+\band\b)", "", bare, flags=re.IGNORECASE)
    if found := re.match(r"(?P<word>not|all of|any of)\s*(?=\()", bare, re.IGNORECASE):
        return _structured(found["word"].lower(), bare[found.end() :], atoms)
    if found := re.match(
        r"no\s+(?!more\b|fewer\b|less\b|longer\b)(?=\S+.*\s)", bare, re.IGNORECASE
    ):
        inner = _single(bare[found.end() :], atoms)
        return Not(inner) if isinstance(inner, Shows | Is) else None
    if either := re.fullmatch(
        r"(?P<one>.+?) can be seen,? (?:and|but) (?:that )?(?P<other>.+?) (?:cannot|can't|can not)",
        bare,
    ):
        return Every(
            (Shows(atoms.phrase(either["one"])), Not(Shows(atoms.phrase(either["other"]))))
        )
    bare = re.sub(r"(?<=\w) to be (?=\S)", " is ", bare, count=1, flags=re.IGNORECASE)
    bare = re.sub(r"\b(should|must) now\b", r"\1", bare, flags=re.IGNORECASE)
    return _joined(bare, atoms) or _single(bare, atoms)


def _structured(word: str, text: str, atoms: Atoms) -> Condition | None:
    """`not (…)`, `all of (…), (…)`, `any of (…), (…)`."""
    parts, depth, start = list[str](), 0, 0
    for at, letter in enumerate(text):
        if letter == "(":
            start = at + 1 if depth == 0 else start
            depth += 1
        elif letter == ")":
            depth -= 1
            if depth == 0:
                parts.append(text[start:at])
    found = [read_condition(part, atoms) for part in parts]
    conditions = tuple(one for one in found if one)
    if depth or not parts or len(conditions) < len(found):
        return None
    if word == "not":
        return Not(conditions[0]) if len(conditions) == 1 else None
    return Every(conditions, any=word == "any of")


def _joined(text: str, atoms: Atoms) -> Condition | None:
    for word, some in ((r"\s+or\s+", True), (r"\s*,?\s+and\s+(?:that\s+)?|\s*,\s*", False)):
        parts = re.split(word, text, flags=re.IGNORECASE)
        if len(parts) > 1:
            found = [_single(part, atoms) for part in parts]
            if all(found):
                return Every(tuple(one for one in found if one), any=some)
    return None


# "Save or Open is visible": one thing with that name, or two?
_OPEN_CHOICE = re.compile(r"\sor\s(?!(?:more|less|fewer|greater|higher|lower)\b)", re.IGNORECASE)


def _single(text: str, atoms: Atoms) -> Condition | None:
    rules: tuple[Rule, ...] = (
        *claims(_single),
        *((_there,) if text.lower().startswith("there ") else ()),
        _lies,
        how_many,
        _compared,
        _there,
        window_open,
        file_there,
        _seen,
        _state,
        _appears,
        _said,
        _held,
    )
    if found := file_there(text, atoms):
        return found
    if re.search(r"\b(?:until|unless|stays?|remains?|has been|have been)\s", text, re.IGNORECASE):
        return None
    if _OPEN_CHOICE.search(text) or re.match(r"nothing\b", text, re.IGNORECASE):
        return None
    for rule in rules:
        found = rule(text, atoms)
        if found is not None:
            return found
    return Shows(atoms.phrase(text)) if re.fullmatch(QUOTE, text) else None


_WHERE = (
    r"above|below|under|underneath|beneath|over|left of|right of|to the (?:left|right) of|"
    r"next to|beside|between|inside(?: of)?|within|in"
)


def _lies(text: str, atoms: Atoms) -> Condition | None:
    """Where a thing lies: above another, not above a number."""
    found = re.fullmatch(
        rf"(?P<what>.+?)\s+(?:{BE}|lies|stands|comes|sits){NOT}\s+(?:listed\s+|shown\s+)?"
        rf"(?P<where>(?:directly |right |just )?(?:{_WHERE}))\s+(?P<other>.+)",
        text,
        re.IGNORECASE,
    )
    if found is None:
        return None
    what, other = found["what"].strip(), found["other"].strip()
    if re.fullmatch(
        r"(?:the )?(?:focus|view|screen|page)|use|order|progress", other, re.IGNORECASE
    ):
        return None
    amount = re.fullmatch(r"[^\w\s]?\d.*", atoms.text(other)) or re.fullmatch(
        rf"{NAME}|{NUMBER}", other, re.IGNORECASE
    )
    if amount and not re.fullmatch(QUOTE, what):
        return None
    if re.fullmatch(r"it|them|there", other, re.IGNORECASE):
        return negated(Shows(atoms.phrase(what)), found["no"])
    phrase = f"{atoms.phrase(what)} {found['where']} {atoms.phrase(other)}"
    return negated(Shows(phrase), found["no"])


_ORDERED: tuple[tuple[str, How], ...] = (
    (r"(?:is\s+)?(?:less|lower|smaller|fewer|cheaper|below|under)(?:\s+than)?|<", "less"),
    (r"(?:is\s+)?(?:greater|more|higher|larger|bigger|above|over)(?:\s+than)?|>", "greater"),
    (r"is not|isn't|does not equal|doesn't equal|!=|≠", "equals"),
    (r"equals?|is equal to|==?|is exactly|is", "equals"),
    (r"contains?|includes?", "contains"),
    (r"starts? with|begins? with", "starts"),
    (r"ends? with", "ends"),
    (r"matches|match", "matches"),
)


def _compared(text: str, atoms: Atoms) -> Condition | None:
    """Names and numbers against one another, and numbers on the screen."""
    found = re.fullmatch(
        rf"the (?:text|value) (?P<left>{QUOTE}|{NAME}) (?P<how>equals|contains|starts with|"
        rf"ends with|matches|is less than|"
        rf"is greater than) (?P<right>{QUOTE}|{NAME})",
        text,
        re.IGNORECASE,
    )
    if found:
        how = found["how"].lower().removeprefix("is ").split()[0]
        return Compare(atoms.text(found["left"]), how, atoms.text(found["right"]))  # type: ignore[arg-type]
    for words, how in _ORDERED:
        found = re.fullmatch(
            rf"(?P<left>.+?)\s*(?:{'(?<=[^a-z])' if words[0] != '(' else ''}(?<!\w)(?:{words}))"
            rf"\s+(?P<right>.+)",
            text,
            re.IGNORECASE,
        )
        if found is None:
            continue
        left, right = found["left"].strip(), found["right"].strip()
        if re.fullmatch(rf"{NAME}|{NUMBER}", left, re.IGNORECASE) and _of_things(right):
            return None
        if re.fullmatch(rf"{NAME}|{NUMBER}", left, re.IGNORECASE):
            compare = Compare(atoms.text(left), how, atoms.text(right))
            return negated(compare, "not" in words)
        if how in ("less", "greater"):
            left = re.sub(r"\s+(?:is|are|gets|drops|rises|goes|falls)$", "", left)
            return Has(atoms.phrase(left), atoms.text(right), how)
    return None


def _of_things(words: str) -> bool:
    """Whether only a thing can be so, and not a text: `{item} is checked`."""
    bare = re.sub(r"^(?:not|no longer|now)\s+", "", words.lower())
    state = _STATES.get(bare)
    return re.fullmatch(_SEEN, bare) is not None or (state is not None and state[0] != "empty")


def _there(text: str, atoms: Atoms) -> Condition | None:
    found = re.fullmatch(
        rf"there (?:is|are|should be|must be|exists?)"
        rf"(?P<no>n't| not| no(?! (?:more|fewer|less)))?\s+"
        rf"(?:{HOW_MANY}\s+)?(?:(?P<n>{NUMBER})\s+)?(?P<what>.+?)"
        rf"(?:\s+(?:on (?:the )?(?:screen|page)|visible|shown|displayed))?",
        text,
        re.IGNORECASE,
    )
    if found is None:
        return None
    if found["n"] and not found["no"] and (count := number(found["n"])) is not None:
        return counted(atoms.phrase(found["what"]), int(count), found["how"])
    what = re.sub(r"^(?:any|a|an)\s+", "", found["what"], flags=re.IGNORECASE)
    return negated(Shows(atoms.phrase(what)), found["no"])


def _seen(text: str, atoms: Atoms) -> Condition | None:
    found = re.fullmatch(
        rf"(?P<what>.+?)\s*(?:{BE}|can be seen|cannot be seen|can't be seen|is)(?P<no>\s+not|n't|"
        rf"\s+no longer)?\s+(?:{_SEEN})(?: (?:on|in) (?:the )?(?:screen|page|window))?",
        text,
        re.IGNORECASE,
    )
    if found is None:
        return None
    many = re.fullmatch(
        rf"(?:(?P<how>at least|at most|exactly|only)\s+)?(?P<n>{NUMBER})\s+(?P<what>.+)",
        found["what"],
        re.IGNORECASE,
    )
    if many and not found["no"] and (count := number(many["n"])) is not None:
        return counted(atoms.phrase(many["what"]), int(count), many["how"])
    return negated(Shows(atoms.phrase(found["what"])), found["no"])


def _state(text: str, atoms: Atoms) -> Condition | None:
    found = re.fullmatch(
        rf"(?P<what>.+?)\s*(?<![^\s'’])(?:{BE}){NOT}\s+(?P<state>{_STATE})", text, re.IGNORECASE
    )
    if found is None:
        return None
    state, positive = _STATES[found["state"].lower()]
    is_ = Is(atoms.phrase(found["what"]), state)
    # "No longer greyed out" is not not enabled.
    return negated(negated(is_, not positive), found["no"])


def _said(text: str, atoms: Atoms) -> Condition | None:
    """What someone sees, and what the whole screen says."""
    found = re.fullmatch(
        r"(?:(?:i|you|we|the user|they)\s+(?:(?:should|can|will|must|do)\s*)?(?P<no>not|n't|"
        r"cannot|can't)?\s*(?:be able to )?see|(?:the|this) (?:page|screen|website|site|window)"
        r"(?:\s+(?:should|must|does))?(?P<never>\s*not|n't)?\s+(?:shows?|says?|displays?|contains?|"
        r"reads?|has|have|includes?))\s+(?:the (?:text|words?|message)\s+)?(?P<what>.+)",
        text,
        re.IGNORECASE,
    )
    if found is None:
        return None
    return negated(Shows(atoms.phrase(found["what"])), found["no"] or found["never"])


def _appears(text: str, atoms: Atoms) -> Condition | None:
    found = re.fullmatch(
        r"(?P<what>.+?)\s+(?:(?:has|have|should|must|does)\s+)?(?:(?P<no>not|n't)\s+)?(?:"
        r"(?P<gone>disappear(?:s|ed)?|vanish(?:es|ed)?|goes away|go away|is gone|are gone|gone|"
        r"closes?)|appear(?:s|ed)?|shows?(?: up)?|comes? up|pops? up|loads?|loaded|opens?|exists?|"
        r"finish(?:es|ed)? loading|turns up)(?: (?:on|in) (?:the )?(?:screen|page|view))?",
        text,
        re.IGNORECASE,
    )
    if found is None:
        return None
    what = re.sub(r"\s+(?:has|have|is|are)$", "", found["what"])
    return negated(Shows(atoms.phrase(what)), bool(found["gone"]) != bool(found["no"]))


_HOLDS: tuple[tuple[str, How], ...] = (
    (r"(?:starts?|begins?) with", "starts"),
    (r"ends? with", "ends"),
    (r"match(?:es)?", "matches"),
    (r"(?:contains?|includes?|mentions?|lists|(?<=[td] )list)(?: the text)?", "contains"),
    (
        r"(?:reads?|says?|shows?|displays|(?<=[td] )display)(?: the text)?",
        "contains",
    ),
    (
        (
            r"equal to|equals?|changes? (?:to|into)|turns? (?:to|into)|goes to|becomes?|"
            r"is set to|is equal to|(?:has|have) the (?:value|"
            r"text)|holds?|"
            r"has|have|is|are|be|="
        ),
        "equals",
    ),
)


def _held(text: str, atoms: Atoms) -> Condition | None:
    for words, how in _HOLDS:
        found = re.fullmatch(
            rf"(?P<what>.+?)\s+(?:(?:should|must|does|do|will|is|has)\s*(?=\s|n't))?"
            rf"(?P<no>n't|\s*not)?\s*(?<!\w)(?:{words})(?P<not>\s+not)?\s+(?P<text>.+)",
            text,
            re.IGNORECASE,
        )
        # "… is enabled and Cancel is not": a second thing, of which too little is said.
        if found and re.search(
            r"^(?:not|so|too)$|\sand\s.+\s(?:is|are|has)\b", found["text"].strip(), re.IGNORECASE
        ):
            return None
        negative = found and (found["no"] or found["not"])
        if found and how == "equals" and not _is_value(found["text"].strip(), negative):
            return None
        if found:
            held = Has(atoms.phrase(found["what"]), atoms.text(found["text"]), how)
            return negated(held, negative)
    return None


# What follows "is" and is no text to be read off: how, where or how much something is.
_NO_VALUE = re.compile(
    rf"(?:at|between|about|around|more|less|fewer|no|as|like|so|too|very|not|nothing|back|only|"
    rf"one of|either|both|neither|{_STATE}|{_SEEN})\b",
    re.IGNORECASE,
)


def _is_value(text: str, negative: object) -> bool:
    """Whether words after "is" can be what a thing says.

    Of a state that no rule knows, "is not …" would always be true: no text says so. There it must
    look like a text.
    """
    if re.fullmatch(rf"{QUOTE}|{NAME}|{NUMBER}", text, re.IGNORECASE):
        return True
    if _NO_VALUE.match(text):
        return False
    return not negative or re.match(r"[^a-z]", text) is not None
