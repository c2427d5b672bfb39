"""English claims in other words, put into those that the rules of claims know."""

from __future__ import annotations

import re
from collections.abc import Callable

from carrel.models.steps.language.atoms import QUOTE, TIMED
from carrel.models.steps.language.english.row_claims import ROW_CLAIMS
from carrel.models.steps.language.numbers import NUMBER

__all__ = ["in_other_words"]

_PART = r"(?P<part>\b(?:section|panel|accordion|group))"
_BE = r"(?:is|are|was|were|should be|must be)"
_NO = r"(?P<no>\s+(?:not|no longer))?"
_ING = {
    "showing": "show", "displaying": "display", "listing": "list", "saying": "say",
    "reading": "read", "containing": "contain", "holding": "contain", "offering": "offer",
}  # fmt: skip
_SHOWING = re.compile(
    rf"(?P<what>\S.*?)\s+{_BE}{_NO}\s+(?:now\s+|still\s+|currently\s+)?(?P<ing>{'|'.join(_ING)})"
    r"\s+(?P<rest>\S.*)",
    re.IGNORECASE,
)
_IN_EACH = re.compile(
    r"there (?:is|are|should be|must be) (?P<what>\S.*?) (?:in|on|next to|beside|for) "
    r"(?P<each>(?:every|each)(?: single)? [a-z][\w ]*)",
    re.IGNORECASE,
)
_SORTS = (
    r"(?:(?:text|input|entry|search) )?(?:fields|boxes|inputs)|check ?boxes|buttons|switches|"
    r"toggles|radio buttons|sliders|drop-?downs|links|tabs|sections|options"
)
_MANY = re.compile(
    rf"the (?P<sort>(?:other |remaining )?(?:{_SORTS})(?: (?:in|on|under) (?:the|this) [\w ]+?)?) "
    r"(?P<be>(?:are|should be|must be)(?: now| all| still| again)?) "
    r"(?P<so>(?:not )?(?:empty|blank|disabled|enabled|gr[ae]yed out|ticked|unticked|checked|"
    r"unchecked|off|on|switched off|switched on|turned off|turned on|collapsed|expanded|editable|"
    r"clickable|read-only))(?: again| now| any ?more| by default)*",
    re.IGNORECASE,
)
_WORDS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    # "nobody named Dora is in the table"
    (
        re.compile(
            rf"^(?:no ?body|no one|no person) (?:named|called) "
            rf"(?P<who>{QUOTE}|[A-Z]\S*(?: [A-Z]\S*)*) "
            r"(?:is|should be|must be|appears|can be found)\s+",
            re.IGNORECASE,
        ),
        r"\g<who> is not ",
    ),
    # "the search box is cleared": it is there, and holds nothing.
    (
        re.compile(
            r"(?P<what>\b(?:fields?|(?:text|search|input|entry) ?box(?:es)?|inputs?|cells?|cart|"
            r"basket|display))\s+(?:is|are|should be|must be|was|were|has been|have been)(?: now)?"
            r" (?:cleared|emptied)(?: again)?$",
            re.IGNORECASE,
        ),
        lambda m: f"{m['what']} {'are' if m['what'].lower().endswith(('s', 'es')) else 'is'} empty",
    ),
    # "everyone in the table is …"
    (re.compile(r"^every ?(?:one|body) (?=in |on )", re.IGNORECASE), "every row "),
    (re.compile(r"^(?:no ?body|no one) (?=in |on )", re.IGNORECASE), "no row "),
    (re.compile(r"^neither (?=[a-z]+ (?:is|has|should|must)\b)", re.IGNORECASE), "no "),
    # What is below nothing.
    (
        re.compile(rf"(?<=\s)(?P<be>{_BE})(?P<no> not)? negative$", re.IGNORECASE),
        r"\g<be>\g<no> less than 0",
    ),
    (
        re.compile(rf"(?<=\s)(?P<be>{_BE})(?P<no> not)? positive$", re.IGNORECASE),
        r"\g<be>\g<no> greater than 0",
    ),
    (
        re.compile(
            rf"(?<=\s)(?:progress|bar|indicator)(?P<be>\s{_BE}) (?:full|complete)$", re.IGNORECASE
        ),
        r"bar\g<be> 100%",
    ),
    # "Carla is from Oslo", "lives in Oslo", "works as a nurse": what is written of her.
    (
        re.compile(
            r"(?<=\S)\s(?:(?:is|are|comes|come|should be) from|(?:lives?|works?|studies) "
            r"(?:in|at|for|as)(?: an?)?)"
            rf"\s+(?P<what>{QUOTE}|[A-Z\d]\S*(?:\s[A-Z\d]\S*)*)$"
        ),
        r" mentions \g<what>",
    ),
    (re.compile(r"\s(?:is|are|should be) (?P<n>\d+) years? old$"), r" mentions \g<n>"),
    # "the second row is for Ben"
    (
        re.compile(
            r"(?P<row>\b(?:row|line|entry|item|card|record|result|message|mail|e-?mail))\s"
            rf"(?:is|should be|must be) (?:for|about|of) (?P<what>{QUOTE}|[A-Z]\S*(?:\s[A-Z]\S*)*)$"
        ),
        r"\g<row> mentions \g<what>",
    ),
    (
        re.compile(
            rf"(?<=\s)(?P<be>{_BE}) (?P<n>\d+ ?%) (?:full|complete|done|used|charged|finished)$"
        ),
        r"\g<be> \g<n>",
    ),
    # What can be done with a thing.
    (
        re.compile(
            r"(?<=\s)(?:can(?:not| not|['’]t)|(?:should|must) not be able to) be "
            r"(?:clicked|pressed|used|selected|chosen|ticked)$"
        ),
        "is disabled",
    ),
    (re.compile(r"(?<=\s)can be (?:clicked|pressed|used|chosen)$"), "is enabled"),
    (re.compile(r"(?<=\s)can(?:not| not|['’]t) be (?:edited|changed|modified)$"), "is read-only"),
    (re.compile(r"(?<=\s)can be (?:edited|changed|modified)$"), "is editable"),
    (
        re.compile(
            rf"^(?P<what>{QUOTE}|[A-Z\d]\S*(?:\s\S+){{0,3}}?) (?:is|should be) "
            r"(?:selected|chosen|set) as (?P<of>the .+)$"
        ),
        r"\g<of> is \g<what>",
    ),
    (
        re.compile(
            rf"^nothing {_BE}(?: left)?(?: (?:listed|shown|displayed|visible|found))? in "
            r"(?P<of>(?:the|my|your) (?!page|screen|window|field)\S.*)$",
            re.IGNORECASE,
        ),
        r"\g<of> is empty",
    ),
    # "Cash is not offered as a payment method": what that one holds.
    (
        re.compile(
            rf"^(?P<what>{QUOTE}|[A-Z\d]\S*(?:\s\S+){{0,3}}?) {_BE}(?P<no>(?: not| no longer)?) "
            r"(?:available|offered|listed|selectable|on offer|proposed|suggested) as (?:an?|the) "
            r"(?P<of>\S.*)$"
        ),
        lambda m: f"the {m['of']} {'does not contain' if m['no'] else 'contains'} {m['what']}",
    ),
    (
        re.compile(
            rf"{_PART} (?P<be>{_BE})(?P<no> not)? "
            r"(?:closed|folded up)$"
        ),
        r"\g<part> \g<be>\g<no> collapsed",
    ),
    (
        re.compile(rf"{_PART} (?P<be>{_BE})(?P<no> not)? open$"),
        r"\g<part> \g<be>\g<no> expanded",
    ),
    (re.compile(rf"\s{_BE} (?P<n>{TIMED}|\d[\d:.]*) long$"), r" mentions \g<n>"),
    # What a search returned is counted.
    (
        re.compile(
            r"^(?:the|that|this|my|your)\s(?:[a-z]+\s)?(?:search|query|filter|lookup)\s+(?:returns|"
            r"returned|gives|gave|finds|found|yields|yielded|brings up|(?:should|must)\s+(?:return|"
            rf"give|find|yield|bring up))\s+"
            rf"(?P<n>(?:exactly |only |at least |at most )?(?:{NUMBER}))\s+"
            r"(?P<what>results?|hits?|matches|match|entries|records)$",
            re.IGNORECASE,
        ),
        r"there are \g<n> \g<what>",
    ),
    (
        re.compile(
            rf"^the (?:page|screen|site) says (?:that )?(?=there (?:are|is) {NUMBER} [a-z]+$)"
        ),
        "",
    ),
)


def in_other_words(text: str) -> str:
    """`is no longer showing Bob` as `does not show Bob`, `is from Oslo` as `mentions Oslo`."""
    if found := _SHOWING.fullmatch(text):
        verb = _ING[found["ing"].lower()]
        text = f"{found['what']} should {'not ' if found['no'] else ''}{verb} {found['rest']}"
    if each := _IN_EACH.fullmatch(text):
        return f"{each['each']} has {each['what']}"
    if many := _MANY.fullmatch(text):
        return f"all the {many['sort']} {many['be']} {many['so']}"
    for form, plain in (*_WORDS, *ROW_CLAIMS):
        text = form.sub(plain, text)
    return text
