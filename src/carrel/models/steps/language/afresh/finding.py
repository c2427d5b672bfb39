"""What is read somewhere first, by its number, and typed then: the 5th word of a paragraph."""

from __future__ import annotations

from carrel.models.steps.language.afresh.turns import Turn, turn

__all__ = ["FINDING"]

_WRITE = (
    r"(?:type|enter|write|put|fill(?:\s+in)?|key\s+in|input|insert|give|provide|supply|use|set|add)"
)
_END = r"(?=\s*(?:[.;!]|,|$|\s(?:and|then)\s+(?:then\s+)?[a-z]))"
_ORDINAL = (
    r"(?P<nth>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|"
    r"\d+(?:st|nd|rd|th))"
)
_UNIT = r"(?P<noun>word|letter|character|number|line|sentence|name|item|entry)"
_PUT = (
    r"(?:fill|enter|type|write|put|copy|insert|key|give|provide)\s+(?:in\s+)?(?:it|that(?:\s+word|"
    r"\s+one)?|this(?:\s+word)?|"
    r"the\s+(?:word|answer|result|one)(?:\s+you\s+find)?)(?:\s+down)?\s*(?:in\s+)?"
)
FINDING: tuple[Turn, ...] = (
    turn(
        rf"\b(?:in|into)\s+(?P<where>the\s[\w ]+?)\s+(?:goes|comes|belongs|put|type|write|enter)"
        rf"\s+the\s+{_ORDINAL}\s+{_UNIT}"
        rf"\s+(?P<in>(?:in|of|from)\s+the\s[^.;,?]+?){_END}",
        r"read the \g<nth> \g<noun> \g<in> and type it into \g<where>",
    ),
    turn(
        r"\bcount\s+(?:through\s+)?the\s+(?P<noun>word|letter|line|name|number)s\s+(?P<in>(?:of|"
        r"in)\s+the\s[^.;,?]+?)\s*,?\s+"
        rf"(?:and|then)\s+(?:then\s+)?(?:type|enter|write|put|copy|fill)\s+(?:in\s+)?the\s+"
        rf"{_ORDINAL}(?:\s+(?:one|word))?\s+"
        rf"(?:in|into|to)\s+(?P<where>the\s[^.;,]+?){_END}",
        r"read the \g<nth> \g<noun> \g<in> and type it into \g<where>",
    ),
    turn(
        rf"\b(?:copy|transfer|take|bring|put)\s+the\s+{_ORDINAL}\s+{_UNIT}\s+(?P<in>(?:in|of|from)"
        rf"\s+the\s(?:(?!\binto?\b)"
        rf"[^.;,?])+?)\s+(?:over\s+)?(?:in|into|to)\s+(?P<where>the\s[^.;,]+?){_END}",
        r"read the \g<nth> \g<noun> \g<in> and type it into \g<where>",
    ),
    # "Which word is the 8th one in the paragraph? Fill it into the box."
    turn(
        rf"\b(?:which|what)\s+{_UNIT}\s+(?:is|comes|stands|do\s+you\s+find|appears)\s+(?:the\s+|"
        rf"in\s+)?{_ORDINAL}"
        r"(?:\s+(?:one|place|position|word))?\s+(?P<in>(?:in|of)\s+the\s[^.;,?]+?)"
        r"\s*[?.;,]\s*(?:please\s+|then\s+)*"
        rf"{_PUT}(?:in|into|to)\s+(?P<where>the\s[^.;,]+?){_END}",
        r"read the \g<nth> \g<noun> \g<in> and type it into \g<where>",
    ),
    turn(
        rf"\b(?:which|what)\s+is\s+the\s+{_ORDINAL}\s+{_UNIT}\s+(?P<in>(?:in|of)\s+the\s[^.;,?]+?)"
        rf"\s*[?.;,]\s*"
        rf"(?:please\s+|then\s+)*{_PUT}(?:in|into|to)\s+(?P<where>the\s[^.;,]+?){_END}",
        r"read the \g<nth> \g<noun> \g<in> and type it into \g<where>",
    ),
    # "Look up the 8th word of the paragraph and type it into the box"
    turn(
        rf"\b(?:look\s+up|look\s+for|locate|take|count\s+to|get|read|note|pick\s+out|identify|"
        rf"determine|go\s+to|copy)\s+the\s+"
        rf"{_ORDINAL}\s+{_UNIT}\s+(?P<in>(?:in|of|from)\s+the\s[^.;,?]+?)\s*(?:[.;,]|\s+and)"
        rf"\s*(?:then\s+|and\s+|please\s+)*"
        rf"{_PUT}(?:in|into|to)\s+(?P<where>the\s[^.;,]+?){_END}",
        r"read the \g<nth> \g<noun> \g<in> and type it into \g<where>",
    ),
    turn(
        rf"\b(?:the\s+)?(?P<where>(?:text\s*)?(?:box|field|input|textbox))\s+(?:should|must|"
        rf"needs\s+to|has\s+to|is\s+to)\s+"
        rf"(?:contain|hold|have|get|receive)\s+the\s+{_ORDINAL}\s+{_UNIT}\s+(?P<in>(?:in|of|from)"
        rf"\s+the\s[^.;,?]+?)"
        rf"(?:[.;,]\s*(?:{_WRITE})\s+it\s+(?:in|there)(?:\s+there)?)?{_END}",
        r"read the \g<nth> \g<noun> \g<in> and type it into the \g<where>",
    ),
)
