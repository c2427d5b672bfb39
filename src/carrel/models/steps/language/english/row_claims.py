"""English claims about the rows and the columns of a table, put into those that rules know."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import NAME, QUOTE
from carrel.models.steps.language.numbers import NUMBER

__all__ = ["ROW_CLAIMS"]

_VALUE = rf"(?P<value>{QUOTE}|{NAME}|(?-i:[A-Z\d])\S*(?:\s(?-i:[A-Z\d])\S*)*)"
_ITEM = rf"{QUOTE}|{NAME}|[A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*)*"
_ROWS = (
    r"(?:every|each|all(?: of)?(?: the)?)(?: single| listed| visible| shown| displayed)? "
    r"(?P<rows>(?:rows?|lines?|entry|entries|records?|results?|items?|users?|people|persons?|"
    r"orders?|products?|customers?|tasks?|members?|employees?))"
    r"(?: (?:in|of) the (?:table|list)| (?:that (?:is|are) )?(?:listed|shown|displayed|visible))?"
)
_SAYS = r"(?:says?|shows?|reads?|contains?|has|have|lists?|displays?|should (?:say|show|have|read))"
_COLUMN = r"(?P<column>[A-Za-z][\w-]*(?: [\w-]+)??)"
_LIST = r"(?P<list>the (?:[\w-]+ )?(?:list|table|results?|grid|page|inbox|basket|cart|menu|folder))"
_THESE = rf"(?P<what>(?:{QUOTE}|{NAME}|(?-i:[A-Z\d])).*)"
_COUNTED = rf"(?P<how>(?:exactly|only|at least|at most) )?(?P<n>(?!no\b){NUMBER})"
_SORT = r"(?:of (?:the|these) )?(?P<sort>[a-z]+s|people)"
_HOLDS = r"(?:shows?|contains?|lists?|has|have|holds?|displays?|includes?)"

ROW_CLAIMS: tuple[tuple[re.Pattern[str], str], ...] = (
    # "every row says Assistant in the Job column"
    (
        re.compile(rf"^{_ROWS} {_SAYS} {_VALUE} (?:in|under) the {_COLUMN} column$", re.IGNORECASE),
        r"every row has the \g<column> \g<value>",
    ),
    # "the Job column shows Assistant in every row"
    (
        re.compile(
            rf"^the {_COLUMN} column (?:{_SAYS}|is) {_VALUE} (?:in|for|on) (?:every|each|all)"
            r"(?: the)? (?:single )?(?:rows?|lines?|entry|entries)$",
            re.IGNORECASE,
        ),
        r"every row has the \g<column> \g<value>",
    ),
    # "all entries in the Status column are Active"
    (
        re.compile(
            r"^(?:every|each|all(?: of)?(?: the)?) (?:value|cell|entr(?:y|ie)|item)s? "
            rf"(?:in|of) the {_COLUMN} column (?:(?:is|are|should be)|{_SAYS}) {_VALUE}$",
            re.IGNORECASE,
        ),
        r"every row has the \g<column> \g<value>",
    ),
    # "the status of two users is Invited"
    (
        re.compile(
            rf"^the (?P<column>[a-z]+) of {_COUNTED} {_SORT} (?:is|are|says|reads) (?:now )?"
            rf"{_VALUE}$",
            re.IGNORECASE,
        ),
        r"\g<how>\g<n> \g<sort> have the \g<column> \g<value>",
    ),
    # "Noor Haddad is the assignee of the first issue"
    (
        re.compile(
            rf"^{_VALUE} (?:is|should be) (?:now )?(?P<of>the (?!(?:only|first|last|next|top|same|"
            r"selected|active|current|new|old|other|right|wrong|best|latest|newest|oldest)\b)[a-z]+"
            r"(?: [a-z]+)? (?:of|for|in|on) the (?:first|second|third|fourth|fifth|last|top|"
            r"\w+ row|row)\b.*)$",
        ),
        r"\g<of> is \g<value>",
    ),
    # "the last row belongs to Sam the Eagle"
    (
        re.compile(
            r"^(?P<row>the (?:(?:first|second|third|fourth|fifth|last|top|bottom|\w+th) )"
            r"(?:row|line|entry|card|item|record|result|order|issue|task|message)"
            r"(?: (?:in|of|on) the [a-z]+)?) (?:belongs|should belong) to (?P<who>\S.*)$",
            re.IGNORECASE,
        ),
        r"\g<row> contains \g<who>",
    ),
    # "Java and JavaScript are suggested"
    (
        re.compile(
            rf"^(?P<one>{_ITEM}) (?:is|should be) (?:now )?(?:suggested|offered|proposed)"
            r"(?: as (?:a |an )?(?:suggestion|option|choice|completion))?$"
        ),
        r"the option \g<one> is shown",
    ),
    (
        re.compile(
            rf"^(?:both )?(?P<one>{_ITEM}) and (?P<two>{_ITEM}) (?:are|should be) (?:now |both )?"
            r"(?:suggested|offered|proposed)(?: as (?:suggestions|options|choices|completions))?$"
        ),
        r"the option \g<one> is shown and the option \g<two> is shown",
    ),
    # "the list contains only A", "the table only shows A and B"
    (
        re.compile(
            rf"^{_LIST} (?:(?:now )?only {_HOLDS}|(?:now |should )?(?:only )?{_HOLDS} (?:only|just|"
            rf"nothing but)) {_THESE}$",
            re.IGNORECASE,
        ),
        r"only \g<what> is listed in \g<list>",
    ),
    (
        re.compile(
            r"^(?:nothing|no (?:other )?(?:item|row|entry|one|user|task|product)) (?:but|except|"
            rf"other than|apart from|besides) {_THESE} (?P<be>is|are|remains) (?P<seen>.+)$",
            re.IGNORECASE,
        ),
        r"only \g<what> \g<be> \g<seen>",
    ),
    (
        re.compile(
            rf"^{_THESE} (?P<be>is|are) the only (?:ones?|entry|entries|items?|rows?|results?) "
            r"(?:(?:that (?:is|are) )?(?:listed|shown|left|visible|displayed))(?P<in> in .+)?$",
            re.IGNORECASE,
        ),
        r"only \g<what> \g<be> listed\g<in>",
    ),
)
"""Each form of words, and what is said instead."""
