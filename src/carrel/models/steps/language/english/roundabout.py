"""English turns that go about it: with what part of the hand, how far, to what end.

`Make the area less tall`, `go all the way down to the end of the text in the box`, `give the mail
a star`: each says no more than a plainer one, which the rules know.
"""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY, DATED, OTHER, QUOTE
from carrel.models.steps.language.english.control_turns import END, Turn, turn

__all__ = ["ROUNDABOUT"]

_NAME = rf"(?:{QUOTE}|(?-i:[A-Z\d])[\w&/'’-]*(?:\s(?-i:[A-Z\d&])[\w&/'’-]*)*)"
_VALUE = rf"(?:{QUOTE}|{ANY}|[^\s,;]+)"
_BY = r"(?:with|using|via|by\s+means\s+of|by\s+(?:using|clicking(?:\s+on)?|pressing|tapping))"
_ONE_TEXT = rf"(?:{QUOTE}|{ANY}|\d\S*|(?-i:[A-Z])\S*)"
_PUSH = r"(?:click|press|push|hit|tap)(?:\s+on)?"
_ROW = (
    r"(?:one\s+after\s+(?:the\s+other|another)|one\s+by\s+one|in\s+(?:turn|order|sequence|a\s+row))"
)
_BOX = r"(?:check\s?|tick\s?)?box"
_BOXES = rf"{_BOX}es"
_AREA = (
    r"the\s(?:[a-z-]+\s)?(?:text\s?area|text\s?box|text\s?field|agreement|terms(?:\s+and\s+conditions)?|"
    r"licen[cs]e|contract)"
)
_DOWN = r"(?:\s+(?:all\s+the\s+way|right|straight|on))?(?:\s+(?:down|through|on))?"
_EDGE = r"(?:(?:[\w-]+\s)*?(?:corner|handle|edge|grip|border))"

ROUNDABOUT: tuple[Turn, ...] = (
    # Several buttons in their order
    turn(
        rf"{_PUSH}\s+(?:both(?:\s+of)?(?:\s+the)?|the\s+two)\s+buttons,?\s+(?:{_ROW},?\s+)?(?:beginning|"
        rf"starting)\s+with\s+(?P<a>(?:the\s+)?{_NAME}),?\s+(?:and\s+)?(?:ending|finishing|followed|"
        rf"continuing|then)(?:\s+(?:with|by))?\s+(?P<b>(?:the\s+)?{_NAME})(?:,?\s+{_ROW})?{END}",
        r"click \g<a>, then click \g<b>",
    ),
    # Boxes that shall not be ticked
    turn(
        rf"(?:leave|keep)\s+(?:(?:all(?:\s+of)?(?:\s+the)?|every\s+one\s+of\s+the|the)\s+{_BOXES}|(?:every|each)\s+{_BOX})\s+"
        rf"(?:empty|blank|clear|unticked|unchecked|unselected|as\s+they\s+are){END}",
        "select nothing",
    ),
    turn(
        r"(?:don['’]?t|do\s+not|never)\s+(?:tick|check|select|mark|choose)\s+any(?:\s+of\s+the)?\s+"
        rf"(?:{_BOXES}|options|items|entries)(?=\s*$|\s*[,;])",
        "select nothing",
    ),
    # What it is done for is seen by itself
    turn(
        r"(?P<act>(?:hover|point|move|click|press|tap)\s[^,;]+?)\s+so\s+(?:that\s+)?it(?:\s+|['’]s\s+)(?:(?:is\s+)?ready\s+for\s+typing|expands|"
        rf"opens(?:\s+up)?|unfolds|pops\s+up){END}",
        r"\g<act>",
    ),
    # Signs of a mail
    turn(
        r"mark\s+(?P<what>[^,;]+?)\s+as\s+(?:important|starred|(?:an?\s+)?favou?rite)\s+"
        rf"{_BY}\s+(?:the|its|an?)\s+star(?:\s+(?:icon|button|sign|symbol))?{END}",
        r"in \g<what>, click the star icon",
    ),
    turn(
        rf"give\s+(?P<what>(?:the|my|this|that|{_NAME})[^,;]*?)\s+a\s+star(?:\s+rating)?{END}",
        r"star \g<what>",
    ),
    turn(
        r"(?:put|add|set)\s+a\s+star\s+(?:to|on|at|next\s+to|beside|against)\s+(?P<what>(?!(?:it|them|that|this)\b)[^,;]+?)"
        + END,
        r"star \g<what>",
    ),
    turn(
        r"(?:delete|remove|discard|trash|get\s+rid\s+of|throw\s+away)\s+(?P<what>[^,;]+?)\s+"
        rf"{_BY}\s+its\s+(?P<bin>(?:trash|bin|garbage|waste)(?:\s?can)?)(?:\s+(?:icon|button|symbol))?"
        rf"{END}",
        r"in \g<what>, click the \g<bin> icon",
    ),
    (
        re.compile(
            r"(?P<mail>\b(?:e-?mail|mail|message|letter)\b[^.;]*?,?\s+and\s+)(?:then\s+)?(?:answer|"
            rf"respond)(?=\s+with\s+{QUOTE})",
            re.IGNORECASE,
        ),
        r"\g<mail>reply",
    ),
    (
        re.compile(
            rf"\bthe\s+(?P<mail>e-?mail|mail|message|letter|note)\s+(?:(?:that|which)\s+)?(?P<who>{_NAME})\s+(?:has\s+)?"
            r"(?:sent|wrote|written)(?:\s+(?:to\s+)?(?:me|you|us))?(?=\s*(?:$|[.,;])|\s+(?:and|then|should|must|with|using|to)\b)",
            re.IGNORECASE,
        ),
        r"the \g<mail> from \g<who>",
    ),
    turn(
        r"(?:reply\s+to|answer|respond\s+to)\s+(?P<what>[^,;]*?\b(?:e-?mail|mail|message|letter|comment|post)\b[^,;]*?)\s+"
        rf"by\s+(?:writing|typing|saying|sending|entering)\s+(?:back\s+)?(?P<text>{QUOTE})",
        r"reply to \g<what> with \g<text>",
    ),
    (
        re.compile(
            r"(?P<at>\b(?:next\s+to|beside)\s+)(?:each|all|every\s+one)\s+of\s+(?!the\b|these\b|those\b|them\b|"
            r"my\b|your\b|its\b)(?=[^.;:]+,)",
            re.IGNORECASE,
        ),
        r"\g<at>",
    ),
    # What is answered for something is chosen there
    turn(
        rf"answer\s+(?P<a>{QUOTE})\s+(?:for|under)\s+(?P<b>the\s[^,;]+?),?\s+and\s+(?:(?:with|answer)\s+)?(?P<c>{QUOTE})\s+"
        rf"(?:for|under)\s+(?P<d>the\s[^,;]+?){END}",
        r"choose \g<a> for \g<b> and choose \g<c> for \g<d>",
    ),
    turn(
        rf"answer\s+(?P<a>{QUOTE})\s+(?:for|under)\s+(?P<b>the\s[^,;]+?){END}",
        r"choose \g<a> for \g<b>",
    ),
    # Both of two
    (
        re.compile(
            r",?\s+as\s+well\s+as\s+(?:(?:in|into|on|for|from|under)\s+)?"
            rf"(?=(?:the|my|your)\s|{QUOTE}|(?-i:[A-Z]))",
            re.IGNORECASE,
        ),
        " and ",
    ),
    turn(
        rf"(?P<do>type|enter|write|put|fill(?:\s+in)?|key\s+in)\s+(?P<text>{_ONE_TEXT})\s+(?P<in>in(?:to)?)\s+"
        r"(?:both\s+)?(?P<a>the\s[^,;]+?\s(?:field|box|input)),?\s+and\s+(?:(?:also\s+)?in(?:to)?\s+)?"
        rf"(?P<b>the\s[^,;]+?\s(?:field|box|input))(?:\s+(?:too|alike))?{END}",
        r"\g<do> \g<text> into \g<a>, then \g<do> \g<text> into \g<b>",
    ),
    turn(
        rf"(?P<do>use|take)\s+(?P<text>{QUOTE})\s+(?:as|for)\s+(?P<what>[a-z][a-z-]*(?:\s[a-z-]+)?){END}",
        r"\g<do> \g<text> as the \g<what>",
    ),
    # A size
    turn(
        r"make\s+(?P<what>(?:the|this|its)\s[^,;]+?)\s+less\s+(?:tall|high)(?:\s+than\s+[^,;\d]+?)?"
        + END,
        r"make \g<what> shorter",
    ),
    turn(
        r"make\s+(?P<what>(?:the|this|its)\s[^,;]+?)\s+less\s+wide(?:\s+than\s+[^,;\d]+?)?" + END,
        r"make \g<what> narrower",
    ),
    turn(
        r"(?P<act>(?:make|shrink|reduce|decrease|increase|enlarge|stretch|resize)\s[^,;]*?\b(?:height|"
        r"width|size|smaller|larger|bigger|taller|wider|shorter|narrower)\b[^,;]*?)\s+by\s+(?:dragging|"
        rf"pulling|moving)\s+(?:its|the)\s+{_EDGE}(?:\s+(?:in|on|at|of)\s[^,;]+?)?{END}",
        r"\g<act>",
    ),
    # To the end of a text
    turn(
        rf"(?:scroll|go|move|read|get|page){_DOWN}\s+to\s+(?:the|its)\s+(?:very\s+)?(?:end|bottom)\s+of\s+"
        rf"(?:(?:the\s+)?(?:text|contents?|words)\s+(?:in|of|inside)\s+)?(?P<area>{_AREA})(?:\s+by\s+"
        rf"scrolling(?:\s+down)?)?{END}",
        r"scroll \g<area> to the bottom",
    ),
    turn(
        rf"scroll\s+(?:all\s+the\s+way|right|fully|completely)\s+down\s+in\s+(?P<area>the\s[^,;]+?){END}",
        r"scroll \g<area> to the bottom",
    ),
    turn(
        rf"scroll\s+(?P<area>the\s[^,;]+?)\s+(?:all\s+the\s+way|right|fully|completely)\s+down{END}",
        r"scroll \g<area> to the bottom",
    ),
    turn(
        rf"read\s+(?P<area>{_AREA})\s+(?:through\s+|down\s+|on\s+)?to\s+(?:the|its)\s+(?:very\s+)?(?:end|bottom)"
        rf"(?:\s+by\s+scrolling(?:\s+down)?)?{END}",
        r"scroll \g<area> to the bottom",
    ),
    turn(
        rf"scroll\s+(?P<area>the\s[^,;]+?){_DOWN}\s+to\s+its\s+(?:very\s+)?(?P<end>end|bottom|top|beginning){END}",
        r"scroll \g<area> to the \g<end>",
    ),
    turn(
        r"scroll\s+the\s+(?:text|contents?)\s+(?:in|of|inside)\s+"
        rf"(?P<area>{_AREA}){_DOWN}\s+to\s+(?:the|its)\s+(?:very\s+)?(?:end|bottom){END}",
        r"scroll \g<area> to the bottom",
    ),
    (
        re.compile(
            r"\b(?P<part>(?:word|letter|character|line|sentence)\s+(?:of|in|from)\s+)the\s+(?:text|contents?|"
            r"words)\s+(?:in|of|inside)\s+(?=the\s+(?:text\s?area|text\s?box|text\s?field|box|area)\b)",
            re.IGNORECASE,
        ),
        r"\g<part>",
    ),
    # What a control comes to show
    turn(
        r"(?:use|click|press)\s+the\s+(?:(?:up|down|little|small)\s+)*(?:arrows?|arrow\s+buttons?|buttons?)\s+(?:of|on|in|"
        r"at)\s+(?P<what>the\s[^,;]+?),?\s+(?:until|till|so\s+that)\s+(?:it|the\s+(?:value|number))\s+"
        rf"(?:says|shows|reads|is|reaches|displays)\s+(?P<n>-?\d+(?:\.\d+)?){END}",
        r"set \g<what> to \g<n>",
    ),
    turn(
        r"(?:add\s+up|tally(?:\s+up)?|count\s+up)\s+(?:all\s+)?(?:of\s+)?the\s+(?P<what>[a-z]+s),?\s+and\s+"
        r"(?P<do>enter|type|write|put)\s+(?:in\s+)?how\s+many\s+(?:there\s+are|you\s+(?:get|see|count)|they"
        r"\s+are)",
        r"count all the \g<what> and \g<do> it",
    ),
    turn(
        r"open\s+(?:up\s+)?(?:the|its)\s+(?:date\s?picker|calendar)(?:,|,?\s+and)\s+(?:then\s+)?(?:go\s+to|navigate\s+"
        rf"to|choose|pick|select|find|click(?:\s+on)?)\s+(?P<day>{DATED})(?:\s+(?:in|from)\s+it)?",
        r"choose the date \g<day>",
    ),
    turn(
        r"(?:(?:on|in)\s+the\s+(?:grid|plane|graph|coordinate\s+(?:grid|system)),?\s+)?(?:pick|choose|select|"
        rf"{_PUSH}|mark)\s+the\s+(?:point|dot|spot|place|position|coordinate)\s+(?:(?:located|lying|that\s+is|"
        rf"which\s+is|placed)\s+)?(?:at|on|with\s+the\s+coordinates?)\s+(?P<at>{OTHER})"
        rf"(?:\s+(?:on|in|of)\s+the\s+(?:grid|plane|graph))?{END}",
        r"click on the grid coordinate \g<at>",
    ),
    turn(rf"(?:run|start|launch|execute|perform|trigger)\s+(?:the|your)\s+search{END}", "search"),
    # Whose entry it is, and what is told there
    turn(
        r"(?:look\s+up|look\s+for|find|locate)\s+(?P<who>(?-i:[A-Z])[\w-]*(?:\s(?-i:[A-Z])[\w-]*)?)['’]s\s+"
        r"(?:entry|record|card|contact|details|listing)\s+(?=in\s)",
        r"find \g<who> ",
    ),
    (
        re.compile(
            r"(?<=\sand\s)(?P<act>click(?:\s+on)?|press|tap|open)\s+the\s+(?P<what>[a-z]+(?:\s[a-z]+)?)\s+"
            r"(?:(?:that\s+is\s+)?(?:given|shown|listed|told|written|displayed)\s+)there\b",
            re.IGNORECASE,
        ),
        r"\g<act> their \g<what>",
    ),
    turn(
        rf"(?:copy|transfer)\s+the\s+(?:value|text|content|entry)\s+(?:in|of|from|for)\s+(?:the\s+(?P<row>{_NAME}|[a-z]+)"
        rf"\s+row|(?P<key>{_NAME}))\s+(?:in)?to\s+(?P<field>the\s[^,;]*?(?:box|field|input|area)){END}",
        r"enter the value of \g<row>\g<key> into \g<field>",
    ),
)
