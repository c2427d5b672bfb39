"""English claims that tell how something came to a value: gone down to 2, with tax, back at 1."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY, QUOTE
from carrel.models.steps.language.numbers import NUMBER

__all__ = ["as_value"]

_BE = r"(?:is|are|was|were|should|must)"
_SHOULD = r"(?:should|must)"
_GONE = (
    rf"(?:{_SHOULD} (?:now |have )?(?:be|been|gone?)|is|are|has gone) (?:now )?"
    r"(?:back )?(?:down|up|back)"
)
_STAYS = (
    rf"(?:{_SHOULD} (?:now |still )?(?:stay|remain|stand|lie|stop|end up|be left)|"
    r"stays|remains|stands)"
)
_AMOUNT = rf"(?P<to>(?:[$€£¥]\s?)?(?:\d[\d.,]*|{QUOTE})(?:\s?(?:[$€£¥%]|[A-Z]{{3}}))?)"
_MORE = (
    r"(?:(?:together |along )?with|including|incl\.|excluding|without|plus|after|before|minus|less)"
)
_IN_ALL = r"(?:in (?:total|sum|all)|all in all|altogether|all told|overall)"
_SAYS = rf"{_SHOULD} (?:now )?(?:say|read|show|be|display|contain)|says|reads|shows|is|displays"
_THING = rf"(?P<what>(?:the|my|your) \S.*?|{QUOTE}|[A-Z]\S*(?: \S+){{0,3}}?)"
_SOME = rf"(?P<so>{QUOTE}|[A-Z]\S*(?: [a-z]+)*)"
_SIGN = r"(?:label|tag|badge|mark|marker|sticker|stamp|chip|pill|flag|note)"
_NTH = r"(?:first|second|third|fourth|fifth|last|top|topmost|bottom|upper|next|only)"
_ROLE = (
    r"(?:owner|author|sender|recipient|assignee|winner|organi[sz]er|host|reviewer|contact|leader|"
    r"manager|driver|teacher|doctor|approver|guest|editor)"
)
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    # "all in all it should cost 45.10": the sum of all
    (
        re.compile(
            rf"^{_IN_ALL},? (?:it|that|this|everything|all) (?=(?:{_SHOULD}|costs?|comes?)\b)"
        ),
        "the total ",
    ),
    # "with the delivery fee the total should come to 15.00"
    (
        re.compile(
            rf"^(?:{_MORE}\s[^,\"“]+?|{_IN_ALL}),?\s"
            rf"(?=(?:the|its?|my|your)\s[^,]+?\s{_SHOULD}\s.*\d)",
            re.IGNORECASE,
        ),
        "",
    ),
    # "Open tickets" should be down to 2; the list should be down to 4 entries
    (
        re.compile(
            rf"^(?P<what>\S.*?) (?:{_GONE}|{_SHOULD} (?:now )?be back) (?:to|at) {_AMOUNT}$"
        ),
        r"\g<what> should be \g<to>",
    ),
    (
        re.compile(
            rf"^(?P<what>(?:the|my|your) \S.*?) {_GONE} to (?P<n>{NUMBER}) (?P<noun>[a-z][\w ]*)$"
        ),
        r"\g<what> should have \g<n> \g<noun>",
    ),
    # "the price should stay at 80.00"
    (re.compile(rf"^(?P<what>\S.*?) {_STAYS} (?:at|on) {_AMOUNT}$"), r"\g<what> should be \g<to>"),
    # "nothing should be left in the search box"
    (
        re.compile(
            r"^nothing (?:else )?(?:should|must) (?:be|remain|stay) (?:left |there )?(?:in|inside) "
            r"(?P<in>(?:the|my|your) .+)$",
            re.IGNORECASE,
        ),
        r"\g<in> should be empty",
    ),
    # "there should be no more open tickets"; with "than" it would be a bound
    (
        re.compile(rf"^there (?P<be>{_BE}(?: now)?(?: be)?) no more (?!.*\bthan\b)(?=[a-z])"),
        r"there \g<be> no ",
    ),
    # "X can be read on the page"
    (
        re.compile(
            rf"^(?P<what>{ANY}) (?:can|could|should|must|may) (?:now )?be (?:read|found|seen)"
            r"(?: somewhere)?(?P<on> (?:on|in|at|under|below|above|next to|beside) .+)?$"
        ),
        r"\g<what> is shown\g<on>",
    ),
    # "the last row should be the Lashing strap", "the first result should be the blue mug"
    (
        re.compile(
            rf"^(?P<row>the {_NTH} [a-z]+(?: (?:in|of|on) the [\w ]+?)?) "
            rf"(?:{_SHOULD} (?:now )?be|is) (?:now )?the "
            r"(?P<name>(?!one\b|same\b|first\b|last\b|other\b)[^,]*?[\w\"“”])(?<!\bone)$"
        ),
        r"\g<row> mentions \g<name>",
    ),
    # "the button should now say "Unfollow" instead of "Follow""
    (
        re.compile(
            rf"^(?P<what>\S.*?) (?P<verb>{_SAYS}) (?P<new>{QUOTE}) (?:instead of|rather than|"
            rf"and not|not|no longer|in place of) (?P<old>{QUOTE})$"
        ),
        r"\g<what> \g<verb> \g<new> and \g<what> is not \g<old>",
    ),
    # "the card should wear the tag Urgent", "the row should be tagged Overdue"
    (
        re.compile(
            rf"^{_THING} {_SHOULD} (?:now |still |also )?(?:wear|bear|carry|have got|have|get|show|"
            rf"display) (?:the|an?|its) {_SIGN} {_SOME}$"
        ),
        r"\g<what> should mention \g<so>",
    ),
    (
        re.compile(
            rf"^{_THING} {_SHOULD} (?:now |still |also )?be (?:tagged|flagged|labelled|labeled|"
            rf"stamped|badged|marked|shown|listed|displayed|given) (?:as |with )?"
            rf"(?:(?:the|an?) {_SIGN} )?{_SOME}$"
        ),
        r"\g<what> should mention \g<so>",
    ),
    # "Anna should be the owner now"
    (
        re.compile(
            rf"^(?P<who>(?-i:[A-Z])\S*(?: (?-i:[A-Z])\S*){{0,3}}|{QUOTE}) {_SHOULD} (?:now )?be "
            rf"(?P<what>(?:the|its|his|her|their) (?:new )?{_ROLE})$"
        ),
        r"\g<what> should be \g<who>",
    ),
)


def as_value(text: str) -> tuple[str, str]:
    """A claim as what has which value, and the words that it was told with besides."""
    told = text
    for form, plain in _FORMS:
        told = form.sub(plain, told)
    kept = set(re.findall(r"\w+", told))
    return told, " ".join(word for word in re.findall(r"\w+", text) if word not in kept)
