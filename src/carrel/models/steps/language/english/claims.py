"""English conditions of a form of their own: pairs, pages, the keyboard, the order of things."""

from __future__ import annotations

import re
from collections.abc import Callable

from carrel.models.steps.language.atoms import QUOTE, Atoms
from carrel.models.steps.language.english.alone import ALONE
from carrel.models.steps.language.english.standing import STANDING
from carrel.models.steps.language.numbers import ORDINALS
from carrel.models.steps.program import Condition, Count, Every, Has, Is, Not, Shows, Sorted, Within

__all__ = ["CLAIMS", "Rule"]

Rule = Callable[[str, Atoms], Condition | None]

_HOW_MANY = re.compile(
    r"the (?:total )?(?:number|count|amount) of (?P<what>[a-z][\w ]*?)"
    r"(?: (?:shown|displayed|visible))? (?:is|equals|should be|is now|must be) (?P<n>\d{1,4})",
    re.IGNORECASE,
)
_ON_PAGE = re.compile(
    r"(?:i|we|you|the user|the browser)(?:(?: am| are| is|['’]m|['’]re| should be| must be)"
    r"(?P<no> not)?(?: now| back| still| taken| redirected| sent| brought| forwarded)*"
    r"|(?: should| must| will)? (?:now )?(?:land|arrive|end up|come out)s?(?: back)?)"
    r" (?:on|at|to|in) (?:(?:the )?(?P<name>.+?) (?:page|screen)|"
    r"(?:a|the) (?:page|screen) (?:titled|called|named|with the title) (?P<titled>.+))"
    r"|(?:the )?(?P<named>(?:(?! (?:on|in|of|at|from) ).)+?) page (?:is|has been|has)"
    r"(?P<never> not)? "
    r"(?:open(?:ed)?|loaded|reached)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:(?:i|we|you)(?: am| are|['’]m|['’]re| should be)(?: now| still| back)* on page (?P<n>\d+)"
    r"|(?:the )?page (?P<m>\d+) is (?:the )?(?:current(?: page| one)?|active|selected|"
    r"highlighted|shown)"
    r"|the (?:current|active|selected) page(?: number)? is (?:page )?(?P<k>\d+))",
    re.IGNORECASE,
)
_FOCUS = re.compile(
    r"(?:the )?(?:cursor|caret|(?:keyboard |input )?focus) (?:is|should be)(?P<no>n't| not)?"
    r"(?: now)? (?:in|on|at|inside|placed in)(?: the)? (?P<what>.+)"
    r"|(?P<thing>.+?) (?:has|should have)(?P<never> not)? (?:the )?(?:keyboard |input )?focus",
    re.IGNORECASE,
)
_STATUS = re.compile(
    r"(?P<what>.*\b(?:(?P<word>status|state|stage)|role|type|category|priority|mode|plan|level)"
    r"(?:\s(?:of|for|in)\s.+?)?)\s+"
    r"(?:is|should be|must be|reads|says|becomes)(?P<no>n't|\s+not)?(?:\s+now)?\s+"
    rf"(?P<text>{QUOTE}|[A-Z][\w -]*|(?(word)(?:open|closed|active|inactive|hidden|online|offline|"
    r"enabled|disabled|locked|available)|(?!)))"
)
_SORTED = re.compile(
    r"(?:the )?(?P<what>.+?) (?:is|are|should be|must be)(?P<no> not)?(?: now)? "
    r"(?:sorted|ordered|listed|arranged|in)\b(?P<rest>.*)",
    re.IGNORECASE,
)
_DOWN = re.compile(
    r"descending|decreasing|high(?:est)? to low|high(?:est)? first|largest|biggest|newest|latest|"
    r"z (?:to|-) a|z-a|most expensive|reverse|greatest|from high",
    re.IGNORECASE,
)
_UP = re.compile(
    r"ascending|increasing|low(?:est)? to high|alphabetical|a (?:to|-) z|a-z|cheapest|smallest|"
    r"oldest|lowest|earliest|numerical|from low",
    re.IGNORECASE,
)


def _no(condition: Condition, negative: object) -> Condition:
    return Not(condition) if negative else condition


_CLOSED = re.compile(
    r"(?P<what>(?:the|that|this|any|its|an?) (?:.+ )?(?:dialog(?:ue)?(?: box)?|pop-?up|modal|menu|"
    r"drop-?down|notification|banner|toast|prompt|alert|overlay|message))\s+"
    r"(?:(?:is|are|was|has|have|been|got|gets|becomes?|now|already|\s)+)?(?P<no>not )?"
    r"(?P<how>closed|dismissed|gone|closes|open(?:ed)?|opens)",
    re.IGNORECASE,
)


def _closed(text: str, atoms: Atoms) -> Condition | None:
    found = _CLOSED.fullmatch(text)
    if found is None:
        return None
    away = not found["how"].lower().startswith("open")
    return _no(Shows(atoms.phrase(found["what"])), away != bool(found["no"]))


_REACHED = re.compile(r"^(i|we|you) (?:reach|get to|come to) (?=.*(?:page|screen)$)", re.IGNORECASE)


def _on_page(text: str, atoms: Atoms) -> Condition | None:
    found = _ON_PAGE.fullmatch(_REACHED.sub(r"\1 are on ", text))
    name = (found["name"] or found["titled"] or found["named"]) if found else ""
    if found is None or re.fullmatch(
        r"(?:same|right|next|previous|web|new|first|second|third|fourth|fifth|last|other)",
        name,
        re.IGNORECASE,
    ):
        return None
    said = atoms.text(name)
    heading = f'the heading "{said}"' if '"' not in said else f"the heading “{said}”"
    there = Every((Has("the page title", said), Shows(heading)), any=True)
    return _no(there, found["no"] or found["never"])


def _counted(text: str, atoms: Atoms) -> Condition | None:
    found = _HOW_MANY.fullmatch(text)
    return Count(atoms.phrase(found["what"]), int(found["n"])) if found else None


_NTH_PAGE = re.compile(
    rf"(?:i|we|you)(?: am| are| should be| must be)(?: now| still| back)* on the (?P<nth>"
    rf"{'|'.join(ORDINALS)}) page",
    re.IGNORECASE,
)


def _numbered(text: str, atoms: Atoms) -> Condition | None:
    if nth := _NTH_PAGE.fullmatch(text):
        return Is(f"the {nth['nth'].lower()} page", "selected")
    found = _NUMBER.fullmatch(text)
    return Is(f"page {found['n'] or found['m'] or found['k']}", "selected") if found else None


def _focused(text: str, atoms: Atoms) -> Condition | None:
    found = _FOCUS.fullmatch(text)
    what = (found["what"] or found["thing"]) if found else ""
    if found is None or re.match(r"(?:very )?(?:start|end|beginning|top|bottom)\b", what):
        return None
    return _no(Is(atoms.phrase(what), "focused"), found["no"] or found["never"])


_POSSIBLE = re.compile(
    r"it (?:should|must|is|should now|will)(?P<no> not| no longer)?(?: now)?(?: be)? "
    r"(?P<im>im)?possible to (?:click|edit|select|press|change|choose|use|tick|open|modify|tap)"
    r"(?: on)? (?P<what>\S.*)",
    re.IGNORECASE,
)


def _possible(text: str, atoms: Atoms) -> Condition | None:
    """`It should not be possible to edit the name`: what can be used is enabled."""
    found = _POSSIBLE.fullmatch(text)
    if found is None:
        return None
    return _no(Is(atoms.phrase(found["what"]), "enabled"), bool(found["no"]) != bool(found["im"]))


def _status(text: str, atoms: Atoms) -> Condition | None:
    found = _STATUS.fullmatch(text)
    if found is None:
        return None
    held = Has(atoms.phrase(found["what"]), atoms.text(found["text"]), "equals")
    return _no(held, found["no"])


def _in_order(text: str, atoms: Atoms) -> Condition | None:
    found = _SORTED.fullmatch(text)
    if found is None:
        return None
    rest = found["rest"]
    down, up = bool(_DOWN.search(rest)), bool(_UP.search(rest))
    plain = re.search(r"\b(?:sorted|ordered|arranged)\b", text, re.IGNORECASE)
    if down and up and not re.search(r"high(?:est)? to low", rest, re.IGNORECASE):
        up = not re.search(r"^.*?\bto\b", rest) or not down
    if not (down or up) and not (
        plain and re.fullmatch(r"(?: (?:correctly|properly))?(?: by .+)?", rest)
    ):
        return None
    by = re.search(
        r"\b(?:by|order of) (?:the )?(?P<by>.+?)(?:,| in | from |\s*\(| \w+ to |$)", rest
    )
    what, key = atoms.phrase(found["what"]), atoms.phrase(by["by"]) if by else ""
    key = re.sub(r"\s*(?:column|ascending|descending|first)$", "", key, flags=re.IGNORECASE)
    return _no(Sorted(what, key, down=down and not (up and not down)), found["no"])


_PRINTED = re.compile(
    r"(?P<what>the (?:terminal|console|shell|command line)(?: window)?) (?:now )?(?:shows|lists|"
    r"prints|displays|says|should (?:show|list|print|say)) "
    r"(?P<text>(?!(?:nothing|something|anything|everything|it|this|that|them|errors?|warnings?|"
    r"output|results?|text)$)[\w.~/-]+)",
    re.IGNORECASE,
)


def _printed(text: str, atoms: Atoms) -> Condition | None:
    """`the terminal shows reports`: one word that it prints, whatever that means elsewhere."""
    found = _PRINTED.fullmatch(text)
    return Has(atoms.phrase(found["what"]), atoms.text(found["text"])) if found else None


_SHOWN_AS = re.compile(
    r"(?P<in>the\s[\w -]+?)\s+(?:shows?|displays?|lists?|marks?|has)\s+(?P<rest>\S.*\sas\s\S.*)",
    re.IGNORECASE,
)
_AS = re.compile(rf"(?P<what>{QUOTE}|[^,]+?)\s+as\s+(?P<so>{QUOTE}|\S+(?:\s\S+)?)", re.IGNORECASE)
_STATES = ("selected", "checked", "enabled", "disabled", "expanded", "empty", "focused")


def _is_state(said: re.Match[str] | None) -> bool:
    return said is not None and said["so"].lower() in _STATES


def _shown_as(text: str, atoms: Atoms) -> Condition | None:
    """`the seat map shows 14C as selected and the price as €24`: what is so of each."""
    found = _SHOWN_AS.fullmatch(text)
    pieces = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", found["rest"]) if found else []
    each = [_AS.fullmatch(piece) for piece in pieces]
    if found is None or not all(each) or (len(each) == 1 and not _is_state(each[0])):
        return None
    claims: list[Condition] = []
    for one in (one for one in each if one):
        what, so = atoms.phrase(one["what"]), one["so"].lower()
        if so.startswith("the "):
            # "shows Ann as the name": the other way round.
            claims.append(Has(atoms.phrase(one["so"]), atoms.text(one["what"]), "equals"))
            continue
        if so == "disabled":
            claims.append(Not(Is(what, "enabled")))
        elif so in _STATES:
            claims.append(Is(what, so))  # type: ignore[arg-type]
        else:
            claims.append(Has(what, atoms.text(one["so"]), "equals"))
    held = claims[0] if len(claims) == 1 else Every(tuple(claims))
    return Within(atoms.phrase(found["in"]), held)


CLAIMS: tuple[Rule, ...] = (
    _shown_as,
    *ALONE,
    *STANDING,
    _printed,
    _counted,
    _possible,
    _closed,
    _numbered,
    _on_page,
    _focused,
    _status,
    _in_order,
)
"""Each reads one kind of claim."""
