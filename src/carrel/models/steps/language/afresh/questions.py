"""Questions whose answer is to be written down: what is asked is read, worked out or counted."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import QUOTE

__all__ = ["QUESTIONS"]

_START = r"(?:^|(?<=[.!?;:]\s))"
_PUT = (
    r"(?:fill\s+in|fill|write\s+down|write|type\s+in|type|enter|put|give|insert|provide|note|copy)"
)
_ANSWER = (
    r"(?:it|that|this|them|(?:the|your|its|that|this|his|her|their)\s+(?:\w+\s+)?(?:answer|result|"
    r"number|value|word|"
    r"solution|count|total|sum|name|amount|figure|text|price|date|entry|information|age|city|cost))"
)
_DOWN = r"(?:\s+down|\s+in(?=\s*(?:$|[,.;]|and\b|then\b))|\s+there)?\b"
_INTO = r"(?:in|into|to|inside|at|as|for)"
_FIELD = r"(?:the|that|this|your|a)\s+[^,.;?!]*?(?:field|box|area|input|form|blank|cell|text\s?box)"
_PLACE = rf"(?P<place>{_FIELD}(?:\s+(?:below|above|underneath|beneath|provided|there))?)"
_WRITTEN = (
    rf"(?:please\s+|then\s+|now\s+)*{_PUT}\s+(?P<answer>{_ANSWER})"
    rf"{_DOWN}(?:\s+{_INTO}\s+{_PLACE})?"
)
_MAKING = r"(?:sum|problem|calculation|equation|exercise|task|question|expression|maths?|puzzle)"


def _ask(words: str, plain: str) -> tuple[re.Pattern[str], str]:
    return re.compile(words, re.IGNORECASE), plain


_ASKED: tuple[tuple[re.Pattern[str], str], ...] = (
    # "How many lamps are there altogether?"
    _ask(
        r"how\s+many\s+(?P<what>.+?)(?:\s+(?:are|is|can|do)\s+(?:there|shown|visible|displayed|"
        r"you\s+(?:see|count|find)|you|be\s+seen)(?:\s+(?:see|count|find))?)?"
        r"(?P<where>\s+(?:in|on|within)\s+(?:the|this)\s[^,?]+?)?"
        r"(?:\s+(?:altogether|in\s+total|in\s+all|overall|here|below|all\s+together|there\s+"
        r"are|"
        r"are\s+there))*",
        r"the number of \g<what>\g<where>",
    ),
    _ask(
        r"what\s+is\s+the\s+(?:total\s+)?number\s+of\s+(?P<what>.+?)(?:\s+(?:altogether|"
        r"shown|here|below))?",
        r"the number of \g<what>",
    ),
    # "What is x?"
    _ask(
        r"(?:what|which\s+(?:number|value))\s+(?:is|does|has)\s+(?P<what>[a-z])"
        r"(?:\s+(?:equal(?:\s+to)?|stand\s+for|have|here))?",
        r"solve \g<what>",
    ),
    _ask(r"what\s+(?:is|'s)\s+the\s+value\s+of\s+(?P<what>[a-z])", r"solve \g<what>"),
    _ask(
        rf"what\s+(?:is|does|do)\s+(?:the\s+)?(?:(?:answer|result|solution|outcome|value)\s+"
        rf"(?:of|to|for)\s+)?(?:this|the)\s+(?:[a-z]+\s+)?{_MAKING}s?(?:\s+(?:come\s+to|equal|"
        r"give|make|add\s+up\s+to|yield|evaluate\s+to|work\s+out\s+(?:to|as)|result\s+in))?"
        r"(?:\s+(?:below|above|shown|here))?",
        "solve the problem",
    ),
    _ask(r"what\s+(?:is|'s)\s+the\s+(?:answer|result|solution)(?:\s+here)?", "solve the problem"),
    # "Which word does the text end with?"
    _ask(
        r"(?:which|what)\s+word\s+(?:does|do)\s+(?P<what>(?:the|this)\s.+?)\s+(?:end|finish|"
        r"stop|"
        r"close)\s*(?:with|on|in)?",
        r"the last word in \g<what>",
    ),
    _ask(
        r"(?:with\s+)?(?:which|what)\s+word\s+(?:does|do)\s+(?P<what>(?:the|this)\s.+?)\s+"
        r"(?:begin|start|open)\s*(?:with|on)?",
        r"the first word in \g<what>",
    ),
    _ask(
        r"(?:with|on)\s+(?:which|what)\s+word\s+(?:does|do)\s+(?P<what>(?:the|this)\s.+?)\s+"
        r"(?:end|finish|stop|close)",
        r"the last word in \g<what>",
    ),
    _ask(
        r"(?:which|what)\s+(?:word\s+(?:is|comes|stands)|is\s+the\s+word)\s+(?:at\s+)?"
        r"(?P<nth>first|last|final)(?:ly)?\s+(?:in|of)\s+(?P<what>.+)",
        r"the \g<nth> word in \g<what>",
    ),
    _ask(
        r"(?:which|what)\s+word\s+(?:is|comes|stands)\s+at\s+the\s+(?:very\s+)?end\s+of\s+"
        r"(?P<what>.+)",
        r"the last word in \g<what>",
    ),
    # "What does the table give for Country?"
    _ask(
        r"what\s+(?:value\s+)?(?:does|do)\s+(?:the|this)\s+(?:table|list|page|chart|grid|"
        r"overview|sheet|record|data)\s+(?:give|say|show|list|hold|have|contain|state|tell|"
        r"display|mention|report)\s+(?:for|about|under|of|as|next\s+to|beside|on)\s+"
        r"(?P<what>.+)",
        r"the value of \g<what>",
    ),
    _ask(
        r"(?:what|which)(?:\s+value)?\s+(?:is|stands|belongs|appears)\s+(?:given|listed|shown|"
        r"written|stated|next|recorded|noted|to)\s*(?:for|to|beside|under|next\s+to|as)?\s+"
        r"(?P<what>.+?)(?:\s+in\s+(?:the|this)\s+(?:table|list))?",
        r"the value of \g<what>",
    ),
    _ask(
        r"(?:what|which)\s+value\s+(?:does|has)\s+(?P<what>.+?)(?:\s+have)?(?:\s+in\s+"
        r"(?:the|this)\s+(?:table|list))?",
        r"the value of \g<what>",
    ),
    # "Which city is listed for Ann?"
    _ask(
        r"(?:what|which)\s+(?P<sort>[a-z][\w ]*?)\s+(?:is|are)\s+(?:given|listed|shown|"
        r"written|stated|recorded|noted|set)\s+(?:for|beside|next\s+to|under)\s+(?P<what>.+)",
        r"the \g<sort> of \g<what>",
    ),
    _ask(
        r"(?:what|which)\s+(?P<sort>[a-z][\w ]*?)\s+(?:does|has|have)\s+(?P<what>.+?)"
        r"(?:\s+have)?",
        r"the \g<sort> of \g<what>",
    ),
    # "What is the price of the mug?"
    _ask(
        r"(?:what|who|which)\s+(?:is|are|'s)\s+(?P<what>(?:the|(?-i:[A-Z])\S*['’]s)\s.+?)",
        r"\g<what>",
    ),
    _ask(
        r"how\s+much\s+(?:does|do|is|are)\s+(?P<what>.+?)(?:\s+cost)?",
        r"the price of \g<what>",
    ),
    _ask(r"how\s+old\s+is\s+(?P<what>.+)", r"the age of \g<what>"),
    _ask(rf"what\s+does\s+(?P<what>(?:the\s.+|{QUOTE}))\s+(?:say|read|show)", r"\g<what>"),
)


def _answered(found: re.Match[str]) -> str:
    """The question and what is done with its answer, as what is read and typed."""
    asked = " ".join(found["asked"].split())
    place = found["place"] or "the text field"
    for form, plain in _ASKED:
        if one := form.fullmatch(asked):
            what = " ".join(one.expand(plain).split())
            return _typed(what, place)
    return found[0]


def _typed(what: str, place: str) -> str:
    if what.startswith("solve "):
        return f"Solve {what[6:]} and type the answer into {place}"
    return (
        f"Read {what} and type it into {place}"
        if not what.startswith("the number of")
        else f"Type {what} into {place}"
    )


_LOOK = r"(?:look\s+up|look\s+for|find(?:\s+out)?|check|see|read(?:\s+off)?|get|determine|take)"
_WHAT_IT_SAYS = (
    r"(?:what\s+(?:it|that|the\s+table|is)\s+(?:says|shows|gives|reads|holds|there|stands\s+there|"
    r"contains)|its\s+value|the\s+value(?:\s+(?:of|for|beside|next\s+to)\s+it)?|what\s+you\s+"
    r"(?:find|"
    r"see|read)(?:\s+there)?|(?:the|its)\s+(?:answer|entry|number|content))"
)
_JOINED = r"(?:,\s+(?:and\s+|then\s+)*|\s+and\s+(?:then\s+)?)"
_TABLE = r"the\s+(?:\w+\s+)?(?:table|list|grid|chart|sheet|overview)"
QUESTIONS: tuple[Turn, ...] = (
    turn(r"\b(?P<w>what|who|how|where|which)['’]s\b", r"\g<w> is"),
    turn(rf"{_START}how\s+much\s+is\s+(?:it|that|this)\?\s+", ""),
    # "Find the value of x, put it in the box", "Work out the sum and give the answer in the box"
    turn(
        r"\b(?:find|determine|get|work\s+out|calculate|figure\s+out|compute)\s+(?:the\s+value\s+"
        r"of|what)\s+"
        r"(?P<x>[a-z])(?:\s+(?:is|equals|stands\s+for))?(?=[,.;]|\s+(?:and|then)\b|$)",
        r"solve for \g<x>",
    ),
    turn(
        rf"{_START}(?:please\s+)?(?:work\s+out|calculate|solve|compute|do|figure\s+out)\s+"
        rf"(?P<what>(?:the|this)\s"
        rf"[^,.;]*?{_MAKING}[^,.;]*?){_JOINED}{_PUT}\s+{_ANSWER}{_DOWN}(?:\s+{_INTO}\s+{_PLACE})?",
        lambda m: f"Solve the problem and type the answer into {m['place'] or 'the text field'}",
    ),
    turn(
        rf"{_START}(?:please\s+)?{_PUT}\s+(?:the|your)\s+(?:result|answer|solution)\s+(?:of|to|"
        rf"for)\s+(?:the|this)\s"
        rf"(?:[a-z]+\s)?{_MAKING}{_DOWN}(?:\s+{_INTO}\s+{_PLACE})?(?=[,.;]|\s+(?:and|then)\b|$)",
        lambda m: f"Solve the problem and type the answer into {m['place'] or 'the text field'}",
    ),
    # "Scroll down in the text area, and enter its last word …"
    turn(
        rf"{_START}scroll\b[^.;,]*?\b(?P<area>the\s+(?:text\s?area|text\s?box|text|page|article|"
        rf"box)),?\s+(?:and\s+|"
        r"then\s+)*(?P<put>enter|type|write|put|fill\s+in)\s+its\s+(?:very\s+)?(?P<nth>last|first|"
        r"final)\s+word\s+",
        r"\g<put> the \g<nth> word of \g<area> ",
    ),
    # "Copy the Country value out of the table into the field"
    turn(
        rf"\b(?:copy|take|transfer|carry|move|bring|type|enter|write|put)\s+(?:over\s+)?(?:the\s+"
        rf"(?P<a>[^,.;]+?)\s+(?:value|"
        rf"entry)|the\s+(?:value|entry)\s+(?:of|for)\s+(?P<b>[^,.;]+?))\s+(?:out\s+of|from|in|"
        rf"off)\s+{_TABLE}\s+"
        rf"(?:over\s+)?(?:in)?to\s+{_PLACE}",
        lambda m: f"Read the value of {m['a'] or m['b']} and type it into {m['place']}",
    ),
    turn(
        r"\b(?:fill(?:\s+in)?|complete)\s+(?:every|each)\s+(?:field|box|input|blank)(?:\s+(?:in|"
        r"of|on)\s+(?P<form>the\s+"
        r"form))?\s+with\s+(?:what|whatever|the\s+value\s+(?:that\s+)?)\s*the\s+table\s+(?:says|"
        r"shows|gives|lists|has)\s+"
        r"(?:for|beside|next\s+to|under)\s+(?:its|the|that)\s+(?:label|name)",
        "enter the value for each field into the form",
    ),
    turn(
        rf"{_START}there\s+is\s+an?\s+(?:code|text|word|string|sequence)[^.;,]*?\s(?P<where>below|"
        rf"above|underneath|here)"
        r"[.;,]\s+(?:please\s+)?(?P<put>enter|type|write|copy|put)\s+it\s+(?:in|into|to)\s+",
        lambda m: f"Read the text {_side(m['where'])} and type it into ",
    ),
    turn(
        r"\b(?P<put>type|enter|write|copy|put)\s+what(?:ever)?\s+(?:you\s+(?:can\s+)?see|is\s+"
        r"(?:shown|written|displayed)|"
        r"stands)\s+(?P<where>below|above|underneath|beneath|here)\s+(?:in|into|to)\s+",
        lambda m: f"read the text {_side(m['where'])} and type it into ",
    ),
    turn(rf"{_START}(?P<asked>(?:with\s+|on\s+)?(?:what|which|how|who)\b[^.?!]*)\?\s+{_WRITTEN}",
         _answered),
    turn(
        rf"{_START}(?:please\s+)?(?:answer\s+(?:the|this)\s+question)\s*[:,]?\s+"
        rf"(?P<asked>(?:what|which|how|who)\b[^.?!]*)\?(?P<place>(?!))?",
        _answered,
    ),
    # "Find out how many …", "Work out what x is, and …"
    turn(
        rf"{_START}(?:please\s+)?(?:find\s+out|work\s+out|determine|figure\s+out|calculate|see|"
        rf"tell)"
        rf"\s+(?P<asked>how\s+many\s[^,.;?!]+?){_JOINED}{_WRITTEN}",
        _answered,
    ),
    turn(
        r"\b(?P<do>find\s+out|work\s+out|determine|figure\s+out)\s+what\s+(?P<x>[a-z])\s+"
        r"(?:is|equals|stands\s+for)\b",
        r"solve for \g<x>",
    ),
    # "Count all the lamps, write how many there are in the box"
    turn(
        rf"{_START}(?:please\s+)?count\s+(?:up\s+)?(?P<what>[^,.;?!]+?),?\s+(?:and\s+|then\s+"
        rf")*{_PUT}\s+"
        r"(?:how\s+many(?:\s+(?:there\s+are|you\s+(?:see|found|counted)|of\s+them\s+there\s+are))?"
        rf"|{_ANSWER}){_DOWN}\s+(?:in|into)\s+{_PLACE}",
        r"Type the number of \g<what> into \g<place>",
    ),
    turn(r"\b(?P<n>number\s+of)\s+(?:all\s+(?:of\s+)?)?the\s+(?=[a-z]+s\b)", r"\g<n> "),
    # "Look up Country in the table, type what it says in the box"
    turn(
        rf"{_START}(?:please\s+)?{_LOOK}\s+(?P<what>[^,.;?!]+?)(?:\s+(?:in|from|on|inside)\s+"
        rf"(?P<table>the\s+[a-z ]*?(?:table|list|grid|chart|sheet|overview)))?,?\s+(?:and\s+|"
        rf"then\s+)*"
        rf"{_PUT}\s+{_WHAT_IT_SAYS}{_DOWN}\s+(?:in|into)\s+{_PLACE}",
        r"Read the value of \g<what> and type it into \g<place>",
    ),
    # "the final word of the text area"
    turn(r"\b(?:the\s+)?(?:very\s+last|final|closing|ending)\s+word\b", "the last word"),
    turn(r"\bthe\s+(?:very\s+first|opening|starting)\s+word\b", "the first word"),
    turn(
        r"\bthe\s+word\s+(?:at\s+the\s+(?:very\s+)?end\s+of|(?:that|which)\s+(?:ends|comes\s+"
        r"last\s+in|"
        r"is\s+last\s+in|concludes))\s+",
        "the last word in ",
    ),
    # "what the table says for Country"
    turn(
        r"\bwhat(?:ever)?\s+(?:the|this)\s+(?:table|list|grid|chart|page)\s+(?:gives|says|shows|"
        r"lists|holds|has|contains|states)\s+(?:for|about|under|beside|next\s+to)\s+"
        r"(?P<what>[^,.;]+?)"
        r"(?=\s+(?:in|into)\s+(?:the|that|this)\s|[,.;]|$)",
        r"the value of \g<what>",
    ),
    turn(
        r"\bthe\s+(?:value|entry|data|text)\s+(?:that\s+|which\s+)?(?:belongs\s+to|belonging\s+to|"
        r"goes\s+with|stands\s+(?:beside|next\s+to)|listed\s+(?:for|under)|given\s+for|"
        r"shown\s+for|next\s+to|beside)\s+(?=(?-i:[A-Z\ue000-\ue7ff]))",
        "the value of ",
    ),
    # Every field of a form by the same label.
    turn(
        r"\b(?:complete|fill(?:\s+in|\s+out|\s+up)?)\s+(?P<form>the\s+(?:\w+\s+)?form)\s+(?:with|"
        r"using|"
        r"from|by\s+using)\s+(?:the\s+)?(?:values?|data|entries|information|details|contents)"
        r"(?:\s+(?:from|in|of|shown\s+in|given\s+in)\s+the\s+\w+)?(?:\s+(?:that\s+|which\s+"
        r")?(?:belong"
        r"(?:s|ing)?\s+to|match(?:es|ing)?|correspond(?:s|ing)?\s+(?:to|with)|go(?:es|ing)?\s+with|"
        r"fit(?:s|ting)?|for)\s+(?:the|its|their|each|every|these)\s+(?:labels?|fields?|names?))?",
        r"enter the value for each field into \g<form>",
    ),
    turn(
        r"\bfor\s+(?:every|each)\s+(?:label|field)\s+(?:in|of|on)\s+(?P<form>the\s+(?:\w+\s+"
        r")?form),?\s+"
        r"(?:look\s+up|find|get|take|read)\s+(?:its|the)\s+(?:value|entry)(?:\s+(?:in|from)\s+"
        r"the\s+"
        r"\w+)?,?\s+(?:and\s+|then\s+)*(?:fill|enter|type|write|put)\s+it(?:\s+(?:in|down|there|"
        r"into\s+\w+(?:\s\w+)?))?",
        r"enter the value for each field into \g<form>",
    ),
    turn(
        r"\b(?:fill(?:\s+in)?|complete)\s+(?:every|each|all(?:\s+of)?)\s+(?:the\s+)?(?:fields?|"
        r"labels?)"
        r"(?:\s+(?:in|of|on)\s+the\s+form)?\s+with\s+(?:the\s+)?values?\s+(?:(?:that|which)\s+)?"
        r"(?:the\s+table\s+(?:gives|shows|has|lists)(?:\s+for\s+(?:it|them))?|(?:from|in)\s+the\s+"
        r"table)",
        "enter the value for each field into the form",
    ),
    # "Copy the characters you see underneath into the field"
    turn(
        r"\b(?:copy|type|enter|write|transcribe|retype)\s+(?:out\s+|down\s+)?(?:the\s+"
        r")?(?:characters|"
        r"letters|text|words?|code|string|symbols)\s+(?:(?:that\s+|which\s+)?(?:you\s+(?:can\s+"
        r")?see|"
        r"(?:is|are)\s+(?:shown|displayed|written|given)|shown|displayed|written|given|appears?)"
        r"\s*)?(?P<where>underneath|below|beneath|above|here|in\s+the\s+(?:picture|image))\s+"
        r"(?:in|into|"
        r"to)\s+(?=the\s)",
        lambda m: f"read the text {_side(m['where'])} and type it into ",
    ),
)  # fmt: skip


def _side(where: str) -> str:
    low = where.lower()
    return "above" if low == "above" else "below" if low != "here" else "shown here"
