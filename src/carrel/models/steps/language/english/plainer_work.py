"""English turns of speech of people at work: what they want of a program, in plainer words."""

from __future__ import annotations

from carrel.models.steps.language.atoms import DATED, QUOTE, TIMED
from carrel.models.steps.language.english.plainer_pages import Rule, rule

__all__ = ["OF_WORK"]

_VALUE = rf"(?:{QUOTE}|{DATED}|{TIMED}|[-+]?[\d.,]+\s?(?:%|px|pt|em|percent)?)"
_GO_ON = (
    r"(?:go|move|continue|proceed|carry|advance|get|jump|step)(?:\s+(?:on|ahead|forward|over))*"
)
_STEP = r"(?:step|screen|section|stage|question|slide|part)"
OF_WORK: tuple[Rule, ...] = (
    # Values
    rule(
        rf"make\s+(?P<what>(?:the|my|your)\s[a-z][\w -]*?)\s+(?:equal\s+to\s+)?"
        rf"(?P<text>{_VALUE})",
        "set {what} to {text}",
    ),
    rule(
        r"make\s+(?P<a>(?:the|my|this|that)\s[\w -]+?)\s+(?P<b>bold|italic|underlined|red|green|"
        r"blue|yellow|black|white|orange|purple|pink|larger|smaller)\s+and\s+"
        r"(?P<c>(?:the|my|this|that)\s[\w -]+?)\s+(?P<d>bold|italic|underlined|red|green|blue|"
        r"yellow|black|white|orange|purple|pink|larger|smaller)",
        "make {a} {b} and make {c} {d}",
    ),
    rule(
        r"(?:set|change)\s+(?P<what>the\sfont)\s+to\s+(?P<a>[^,]+?),?\s+(?:with|in|and)?\s*"
        r"(?:the\s+|a\s+)?(?:font\s+)?size\s+(?:of\s+)?(?P<b>[\d.]+(?:\s?p[tx])?)",
        "set {what} to {a} and set the font size to {b}",
    ),
    # One step further
    rule(
        rf"{_GO_ON}\s+(?:to|with)\s+the\s+(?:next|following)\s+{_STEP}(?:\s+of\s+.+)?",
        "continue",
    ),
    # What is opened to be changed
    rule(
        r"(?:open|bring\s+up|call\s+up)\s+(?P<what>\S.*?)\s+(?:for\s+editing|to\s+edit\s+it|"
        r"in\s+(?:edit|editing)\s+mode)",
        "edit {what}",
    ),
    # What is left to be seen
    rule(
        r"filter\s+(?P<what>(?:the|my)\s.+?)\s+(?:to|so\s+that\s+(?:it|they)|so\s+(?:it|they))\s+"
        r"(?:only\s+shows?|shows?\s+only|only\s+lists?|lists?\s+only|only\s+displays?|"
        r"displays?\s+only|shows?(?:\s+just)?)\s+(?:the\s+)?(?P<text>(?!the\s)[\w-]+)\s+\w+s",
        "filter {what} by {text}",
    ),
    # All of them
    rule(
        rf"(?P<do>replace)\s+(?:every|each|all(?:\s+the)?)\s+(?:(?:word|instance|occurrence)s?\s+(?:of\s+)?)?"
        rf"(?P<a>{QUOTE})\s+(?:with|by)\s+(?P<b>{QUOTE})(?P<more>\s+in\s.+)?",
        "{do} all occurrences of {a} with {b}{more}",
    ),
    rule(
        r"(?P<who>(?:the|my)\s[\w -]+?)\s+(?P<modal>should|must)\s+(?:then\s+|now\s+)?"
        r"(?:be\s+left\s+with|end\s+up\s+with)\s+(?P<text>.+)",
        "{who} {modal} have {text}",
    ),
)
