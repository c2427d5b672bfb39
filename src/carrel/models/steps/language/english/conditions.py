"""What is or is not so on the screen, in English words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TypeGuard

from carrel.models.steps.language.atoms import ANY, DATED, NAME, PHRASE, QUOTE, TIMED, Atoms
from carrel.models.steps.language.dates import is_from_now, is_spoken_time
from carrel.models.steps.language.english.claim_parts import AT, SEEN, STATE, shown
from carrel.models.steps.language.english.claims import CLAIMS, Rule
from carrel.models.steps.language.english.gapped import (
    ELSEWHERE,
    NONE_OF_THEM,
    as_valued,
    holder_of,
    placed_also,
)
from carrel.models.steps.language.english.predicates import (
    LATELY,
    Predicate,
    as_it_comes,
    predicate_of,
    uncontracted,
)
from carrel.models.steps.language.english.quantified import of_some
from carrel.models.steps.language.english.reworded import in_other_words
from carrel.models.steps.language.english.said_of import said_of
from carrel.models.steps.language.english.standing import all_listed
from carrel.models.steps.language.english.there_is import there_is
from carrel.models.steps.language.english.told_rows import with_column
from carrel.models.steps.language.english.windows import file_there, negated, window_open
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.program import Compare, Condition, Every, Has, Is, Not, Only, Shows, Within

__all__ = ["claimed", "read_condition"]


_THAT_ONE = re.compile(
    r"that\s+(?:button|link|icon|tab|menu|item|field|box|checkbox|option|row|column|cell|card|"
    r"entry|"
    r"file|folder|line|list|table|section|dialog|window|message|page|switch|error|warning|text|"
    r"value|"
    r"number|name)\s+(?:is|was|has|does|do|should|must|can|will|shows|says|contains|no|not|now|"
    r"still)\b",
    re.IGNORECASE,
)


# "A is visible" is about something called so.
_CAPITAL = re.compile(
    r"^(?:The|An|This|That|There|It|No|Every|Each|All|Both|Neither)\b|"
    r"^A(?=\s(?!(?:is|are|was|has|should|must|does|can|will|and|or|shows?|appears?|"
    r"contains?)\b)[a-z])"
)


def claimed(text: str) -> str:
    """What is claimed, without `that`; in `that field is empty` it tells which."""
    if _THAT_ONE.match(text):
        return text
    return _LATER.sub(
        "", re.sub(r"^(?:that|whether|if|to see(?: that| if)?)\s+", "", text, flags=re.IGNORECASE)
    )


_LATER = re.compile(
    r"^(?:after (?:this|that)|by (?:now|then)|afterwards|now|then),?\s+", re.IGNORECASE
)


_WITHIN = re.compile(rf"(?P<condition>.+)\s+within\s+(?P<place>{PHRASE})", re.IGNORECASE)


def read_condition(text: str, atoms: Atoms) -> Condition | None:
    """The condition that the masked words state; None when no rule understands them."""
    if any(is_from_now(atoms.known[day]) for day in re.findall(DATED, text)) or any(
        is_spoken_time(atoms.known[time]) for time in re.findall(TIMED, text)
    ):
        # How a page writes that nobody said.
        return None
    if there := _WITHIN.fullmatch(text.strip()):
        inner = read_condition(there["condition"], atoms)
        return None if inner is None else Within(atoms.phrase(there["place"]), inner)
    bare = claimed(text.strip(" ,:").rstrip(" .,:"))
    bare = LATELY.sub("", re.sub(r"^(?:his|her|their)\s", "its ", bare, flags=re.IGNORECASE))
    bare = as_it_comes(uncontracted(bare))
    bare = re.sub(r"^both\s+(?=.+\band\b)", "", bare, flags=re.IGNORECASE)
    bare = with_column(re.sub(_CAPITAL, lambda m: m[0].lower(), bare), atoms)
    bare = _GOES.sub(" is ", bare)
    bare = in_other_words(bare)
    bare = _YIELDS.sub(r"there are no \g<what>", bare)
    bare = _CHANGED.sub(r"the \g<part> of \g<what> is \g<to>", bare)
    if found := re.match(r"(?P<word>not|all of|any of)\s*(?=\()", bare, re.IGNORECASE):
        return _structured(found["word"].lower(), bare[found.end() :], atoms)
    if found := re.match(
        r"no\s+(?!more\b|fewer\b|less\b|longer\b)(?=\S+.*\s)", bare, re.IGNORECASE
    ):
        inner = _single(bare[found.end() :], atoms)
        return Not(inner) if isinstance(inner, Shows | Is) else None
    if (listed := all_listed(bare, atoms)) is not None:
        return listed
    if _UNSEEN.search(bare):
        return None
    return _either(bare, atoms) or _with(bare, atoms) or _joined(bare, atoms)


# That some are alike, for whom it is so, or how many letters a text has, is seen of none of them.
_UNSEEN = re.compile(
    rf"\b(?:{NUMBER})\s+(?:more|fewer|less)\s[a-z ]+\sthan\s|"
    rf"\bin (?:exactly )?(?:this|that) order$|"
    rf"\s(?:with|having|that have) the same [a-z]+(?!\s+as\b)|\b(?:ha(?:s|ve)|contains?|with)\s+"
    rf"(?:(?:exactly|at least|at most|only)\s+)?(?:{NUMBER})\s+"
    r"(?:decimals?|decimal places|digits|characters|letters)\b|"
    r"\s(?:disabled|enabled|hidden|visible|shown|gr[ae]yed out|available|missing)\s+for\s+"
    r"(?:the\s+|an?\s+)?(?:(?:new|other|all|normal|registered|anonymous)\s+)?(?:guest|admin|user|customer|visitor|member|"
    r"employee|manager)s?(?:\s+(?:accounts?|users?|roles?))?$",
    re.IGNORECASE,
)
_WITH = re.compile(
    rf"(?P<main>.+?),?\s+with\s+(?:(?:an?|the|its)\s+(?P<state>empty|blank|disabled|greyed out|"
    rf"enabled|hidden)\s+(?P<what>[^,]+)|(?P<thing>(?:the|an?|its|no|{NUMBER})\s[^,]+?|{QUOTE})\s+"
    rf"(?P<so>{STATE}|in it|on it|below it))",
    re.IGNORECASE,
)


def _with(text: str, atoms: Atoms) -> Condition | None:
    """`The form is shown, with an empty name field`: two claims in one."""
    found = _WITH.fullmatch(text)
    if found is None or predicate_of(found["main"]) is None:
        return None
    main = _joined(found["main"], atoms)
    thing, so = found["what"] or found["thing"], found["state"] or found["so"]
    placed = so.lower().endswith(" it")
    more = (
        f"there is {thing}"
        if placed
        else f"the {thing} is {so}"
        if found["what"]
        else f"{thing} is {so}"
    )
    other = _single(more, atoms)
    return Every((main, other)) if main is not None and other is not None else None


_CHANGED = re.compile(
    r"^(?P<what>.+?)\s+(?:(?:should|must)\s+(?:now\s+)?(?:have changed|change)|has changed|changes|"
    r"changed)\s+its\s+(?P<part>[a-z]+)\s+(?:from\s.+?\s)?(?:in)?to\s+(?P<to>.+)$",
    re.IGNORECASE,
)


_GOES = re.compile(
    r"\s(?:drops?|dropped|falls?|fell|goes|went|dips?|sinks?|sank|rises?|rose|climbs?|climbed|gets?|got)"
    r"\s+(?=(?:below|under|above|over)\s+\S?\d)",
    re.IGNORECASE,
)
_YIELDS = re.compile(
    r"^(?:the|that|this|your|my)\s(?:[a-z]+\s)?(?:search|query|filter|lookup)\s+(?:returns|"
    r"returned|gives|gave|finds|found|yields|yielded|shows|showed|has|had|brings up|"
    r"comes up with|(?:should|must)\s+(?:return|give|find|yield|show|have|bring up|"
    r"come up with))\s+no\s+(?P<what>[a-z ]+)$",
    re.IGNORECASE,
)


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


_ONE_OF = re.compile(
    rf"(?P<head>.*[a-z]\s+)(?:either\s+)?(?P<list>(?:{QUOTE}|{NAME})(?:\s*,\s*(?:{QUOTE}|{NAME}))*)"
    rf"\s*,?\s+or\s+(?P<last>{QUOTE}|{NAME})",
    re.IGNORECASE,
)


def _one_of(text: str, atoms: Atoms) -> Condition | None:
    """`contains "A" or "B"`: one of them; `does not contain "A" or "B"`: neither."""
    listed = _ONE_OF.fullmatch(text)
    if listed is None:
        return None
    texts = (*re.findall(rf"{QUOTE}|{NAME}", listed["list"]), listed["last"])
    found = [_single(listed["head"] + one, atoms) for one in texts]
    denied = all(isinstance(one, Not) for one in found)
    return Every(tuple(one for one in found if one), any=not denied) if all(found) else None


def _either(text: str, atoms: Atoms) -> Condition | None:
    if (one_of := _one_of(text, atoms)) is not None or _ONE_OF.fullmatch(text):
        return one_of
    parts = re.split(r"\s+or\s+(?:that\s+(?=(?:the|an?|there|it)\s))?", text, flags=re.IGNORECASE)
    found = [_single(part, atoms) for part in parts] if len(parts) > 1 else [None]
    return Every(tuple(one for one in found if one), any=True) if all(found) else None


_JOINT = re.compile(
    r"\s*[,;]?\s+(?:and|but|while|whereas|yet|though)\s+(?:that\s+)?|\s*[,;]\s+(?:that\s+)?",
    re.IGNORECASE,
)
_SHORT = re.compile(
    r"(?P<what>.+?)\s+(?:is|are|was|were|does|do|did|has|have|can|will|should|must)"
    r"(?:\s+(?P<no>not)|\s+(?P<too>too|as well|also))?",
    re.IGNORECASE,
)
_SO = re.compile(
    r"(?:so|neither|nor)\s+(?:is|are|does|do|has|have|can)\s+(?P<what>.+)", re.IGNORECASE
)
_BUT_NOT = re.compile(r"not\s+(?P<what>\S.*)", re.IGNORECASE)
# "Wi-Fi is on and Bluetooth off": the verb is said once.
_GAPPED = re.compile(rf"(?P<what>\S.*?)\s+(?P<state>{STATE})", re.IGNORECASE)
# "is visible and enabled": of the same thing.
_ALSO = re.compile(rf"(?P<not>not\s+)?(?:{STATE}|{SEEN})", re.IGNORECASE)
_IT = re.compile(r"(?:it|they|he|she|this|that)\b(?=\s)", re.IGNORECASE)
_ITS = re.compile(r"(?:its|their|his|her)\s", re.IGNORECASE)


def _joined(text: str, atoms: Atoms) -> Condition | None:
    """One claim, or several: each of its own, of the same thing, or the same of another."""
    starts = [0, *(joint.end() for joint in _JOINT.finditer(text))]
    ends = [*(joint.start() for joint in _JOINT.finditer(text)), len(text)]
    pieces = [text[a:b] for a, b in zip(starts, ends, strict=True)]
    found, at = list[Condition](), 0
    last: Predicate | None = None
    while at < len(pieces):
        # The shortest words that are a claim; what follows may still belong to them.
        for end in range(at + 1, len(pieces) + 1):
            words = text[starts[at] : ends[end - 1]]
            one = _continued(words, last, atoms)
            if one is None or not _begins(text[ends[end - 1] :], pieces[end:], one[1]):
                continue
            found += one[0].conditions if _is_all(one[0]) else (one[0],)
            last, at = one[1], end
            break
        else:
            return None
    return found[0] if len(found) == 1 else Every(tuple(found))


def _is_all(condition: Condition) -> TypeGuard[Every]:
    return isinstance(condition, Every) and not condition.any


def _begins(rest: str, pieces: list[str], last: Predicate | None) -> bool:
    """Whether what follows is a claim of its own, and no part of the one before it."""
    if not pieces:
        return True
    first = pieces[0]
    if _SHORT.fullmatch(first) or _SO.fullmatch(first):
        return True
    if last is not None and ELSEWHERE.fullmatch(first) and re.match(rf"{AT}\s", last.rest):
        return True
    if last is not None and as_valued(first, last) is not None:
        return True
    if last is not None and last.sense == "be" and _ALSO.fullmatch(first):
        return True
    if _BUT_NOT.fullmatch(first):
        other = rf"\s*,?\s+(?:[Bb]ut\s|[Aa]nd\s+not\s+(?:{ANY}|[A-Z]))"
        return last is not None and re.match(other, rest) is not None
    if predicate_of(uncontracted(first)) is not None:
        return True
    if last is not None and last.sense == "be" and _GAPPED.fullmatch(first):
        return True
    whole = "".join(rest[rest.find(first) :])
    return re.match(rf"{QUOTE}|{_DET}", first) is not None and predicate_of(whole) is not None


_DET = r"(?:the|an?|there|no|every|each|both)\s"


def _continued(
    words: str, last: Predicate | None, atoms: Atoms
) -> tuple[Condition, Predicate | None] | None:
    """A claim, where words that it leaves out were said in the one before."""
    if last is not None:
        short = _SHORT.fullmatch(words) or _SO.fullmatch(words)
        if short is not None and (short.re is _SO or short["no"] or short["too"] or last.no):
            same = _single(last.of(short["what"]), atoms)
            denied = bool(short["no"]) if short.re is _SHORT and not short["too"] else last.no
            return None if same is None else (negated(same, denied), last)
        gapped = _GAPPED.fullmatch(words) if last.sense == "be" and not last.no else None
        if last.sense == "be" and (also := _ALSO.fullmatch(words)):
            words = f"{last.subject} is {'not ' if last.no and not also['not'] else ''}{words}"
        elif gapped and predicate_of(words) is None:
            words = f"{gapped['what']} is {gapped['state']}"
        if none := NONE_OF_THEM.fullmatch(words):
            words = f"{holder_of(last)} should not contain {none['what']}"
        if elsewhere := ELSEWHERE.fullmatch(words):
            return placed_also(elsewhere, last, atoms)
        if (valued := as_valued(words, last)) is not None:
            words = valued
        but = _BUT_NOT.fullmatch(words)
        if but and last.sense == "be" and re.fullmatch(STATE, last.rest, re.IGNORECASE):
            # "Milk is ticked and not Eggs": the state is that of another.
            same = _single(last.of(but["what"]), atoms)
            return None if same is None or last.no else (Not(same), last)
        if but:
            other = Predicate(last.subject, last.verb, last.sense, no=True, rest=but["what"])
            said = said_of(other, atoms)
            return None if said is None else (said, last)
        words = _IT.sub(lambda _: last.subject, words, count=1) if _IT.match(words) else words
        if _ITS.match(words) and not _ITS.match(last.subject):
            own = _ITS.sub("the ", words, count=1)
            claim = predicate_of(own)
            words = (
                f"{claim.subject} of {last.subject}{own[len(claim.subject) :]}" if claim else words
            )
    claim = predicate_of(words)
    if claim is not None and not claim.subject and last is not None:
        words = f"{last.subject} {words}"
        claim = predicate_of(words)
    one = _single(words, atoms)
    return None if one is None else (one, claim)


# "Save or Open is visible": one thing with that name, or two?
_OPEN_CHOICE = re.compile(
    r"\sor\s(?!(?:more|less|fewer|greater|higher|lower|later|earlier|above|below|over|under)\b)",
    re.IGNORECASE,
)


# When it is so, in a clause of its own: no picture of now tells that.
_MEANWHILE = re.compile(
    r"\s(?:once|when|while|whenever|as soon as|as long as)\s+(?:you|it|the|an?|i|they)\s|"
    r"\s(?:after|before)\s(?:[^,]*)\b(?:has|have|had|is|are|was|were)\b",
    re.IGNORECASE,
)


# "and no message is selected": of none of them.
_NONE = re.compile(
    r"no\s+(?!more\b|further\b|new\b|longer\b|fewer\b|less\b|one\b)"
    rf"(?=(?:{QUOTE}|\w)[\w .-]*?\s(?:is|are|was|were|has|have|should|must|can|shows?|contains?|"
    r"appears?)\s)",
    re.IGNORECASE,
)


# "nothing but Tea is left", "no other order than #20418 is listed": only that.
_SAVE = re.compile(
    r"(?:nothing|nobody|no\s+(?:other|further)\s+(?P<sort>[a-z-]+))(?:\s+else)?\s+"
    r"(?:but|except(?:\s+for)?|besides|(?:other\s+)?than|apart\s+from)\s+(?=\S)",
    re.IGNORECASE,
)


def _single(text: str, atoms: Atoms) -> Condition | None:
    if save := _SAVE.match(text):
        only = _single(f"only {text[save.end() :]}", atoms)
        listed = only.condition if isinstance(only, Within) else only
        if not isinstance(listed, Only):
            return None
        listed = replace(listed, sort=save["sort"] or "")
        return replace(only, condition=listed) if isinstance(only, Within) else listed
    rules: tuple[Rule, ...] = (
        *CLAIMS,
        of_some,
        there_is,
        _against,
        window_open,
        file_there,
        _said,
    )
    if found := file_there(text, atoms):
        return found
    if re.search(
        r"\b(?:until|unless|except|apart from|other (?:[a-z]+ )?than)\s", text, re.IGNORECASE
    ):
        return None
    if _MEANWHILE.search(text):
        return None
    if (_OPEN_CHOICE.search(text) and not text.startswith("either ")) or re.match(
        r"nothing\b|no (?:more|further|new)\b", text, re.IGNORECASE
    ):
        return None
    if none := _NONE.match(text):
        inner = _single(text[none.end() :], atoms)
        return Not(inner) if isinstance(inner, Shows | Is | Has) else None
    for rule in rules:
        found = rule(text, atoms)
        if found is not None:
            return found
    return Shows(atoms.phrase(text)) if re.fullmatch(QUOTE, text) else None


def _said(text: str, atoms: Atoms) -> Condition | None:
    """What someone sees, or what is said of a thing."""
    seen = re.fullmatch(
        r"(?:i|you|we|the user|they)\s+(?:(?:should|can|will|must|do)\s+)?"
        r"(?P<no>not\s+|no longer\s+)?(?:be able to )?(?:see|sees|find|notice|get|"
        r"receive)\s+(?P<what>.+)",
        text,
        re.IGNORECASE,
    )
    if seen:
        what = re.sub(rf"^the (?:text|words?|message)\s+(?={QUOTE})", "", seen["what"])
        there = shown(what, None, atoms)
        return None if there is None else negated(there, seen["no"])
    claim = predicate_of(text)
    return said_of(claim, atoms) if claim is not None else None


_SIGNS = {"<": "less", ">": "greater", "=": "equals", "==": "equals", "!=": "equals", "≠": "equals"}


def _against(text: str, atoms: Atoms) -> Condition | None:
    """Texts and numbers against one another: `the text "a" equals "b"`, `{total} < 5`."""
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
    found = re.fullmatch(
        rf"(?P<left>\S.*?)\s*(?P<sign><|>|==?|!=|≠)\s*(?P<right>{QUOTE}|{NAME}|[^\w\s]?{NUMBER})",
        text,
    )
    if found is None:
        return None
    how = _SIGNS[found["sign"]]
    left, right = found["left"], atoms.text(found["right"])
    if re.fullmatch(rf"{NAME}|{NUMBER}", left, re.IGNORECASE):
        compared: Condition = Compare(atoms.text(left), how, right)  # type: ignore[arg-type]
    else:
        compared = Has(atoms.phrase(left), right, how)  # type: ignore[arg-type]
    return negated(compared, found["sign"] in ("!=", "≠"))
