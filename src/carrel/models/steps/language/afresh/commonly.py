"""Common deeds in less common words: writing twice, in small letters, drawing round, sliding to."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import ANY, OTHER, QUOTE
from carrel.models.steps.language.english.appearances import COLOURS

__all__ = ["COMMONLY"]

_WRITE = r"(?:type|enter|write|put|fill(?:\s+in)?|use|copy)"
_FIELD = r"(?:the|its|that)\s(?:[a-z-]+\s)*?(?:field|box|textbox|input|text\s?area)"
_END = r"(?=\s*(?:[.;!?]|,|$|\s(?:and|then)\b))"
_NAME = r"(?:(?-i:[A-Z])[\w'’-]*(?:\s(?-i:[A-Z])[\w'’-]*)*)"
_SHALL = r"(?:should|must|needs?\s+to|ha(?:s|ve)\s+to|ought\s+to)"
_DRAW = r"(?:draw|trace|sketch|make|paint|put)"
_LIST = rf"(?P<list>\[[^\]]*\]|{OTHER}|-?\d+(?:\s*,\s*-?\d+)*(?:\s*,)?\s+and\s+-?\d+)"
_IN_ORDER = r"(?:,?\s+in\s+(?:that|this)\s+order|,?\s+respectively)?"
_SLIDES = r"(?P<sort>sliders|spinners|counters|dials|knobs)"
_LEVEL = r"(?:level|flat|horizontal|left-to-right|straight)"
_SIZE = r"(?P<how>taller|wider|shorter|narrower|larger|smaller|bigger)"


def _in_letters(found: re.Match[str]) -> str:
    letters = "small" if found["case"].lower() in ("lower", "small") else "capital"
    return f"type {found['text']} in {letters} letters into {found['a'] or found['b']}"


def _line(found: re.Match[str]) -> str:
    upright = re.search(r"vertical|upright|up-and-down", found[0], re.IGNORECASE)
    return f"draw a {'vertical' if upright else 'horizontal'} line through {found['at']}"


COMMONLY: tuple[Turn, ...] = (
    # Twice, and in which letters
    turn(
        rf"\b{_WRITE}\s+(?P<text>{QUOTE})\s+as\s+(?:the\s+|your\s+|my\s+)?password\s*(?:[:,]\s*|,?\s+and\s+)"
        r"(?:(?:once\s+)?again\s+(?:as|for|in)\s+(?:its|the)\s+(?:confirmation|verification|repetition)"
        r"|(?:fill|type|enter|put)\s+it\s+(?:in\s+)?(?:twice|both\s+times|two\s+times)(?:,\s+once\s+to\s+\w+\s+"
        r"it)?)",
        r"type \g<text> into both password fields",
    ),
    turn(
        rf"\b(?:convert|change|turn|put)\s+(?P<text>{QUOTE})\s+(?:in)?to\s+(?:all\s+)?(?P<case>lower|"
        r"upper|small|capital)[- ]?(?:case)?(?:\s+letters)?,?\s+(?:and\s+)?(?:then\s+)?"
        rf"(?:fill\s+(?P<a>{_FIELD})\s+with\s+"
        rf"(?:the\s+result|it)|{_WRITE}\s+(?:the\s+result|it)\s+in(?:to)?\s+(?P<b>{_FIELD}))",
        _in_letters,
    ),
    turn(
        rf"\bsubmit\s+the\s+form\s+with\s+(?P<text>{QUOTE})\s+(?:(?:written|typed|entered|filled|put)\s+)?"
        rf"(?:in|into|as)\s+(?P<field>{_FIELD})",
        lambda m: f"type {m['text']} into {re.sub('^its ', 'the ', m['field'])}, then submit",
    ),
    turn(
        rf"\b(?:the|my)\s+(?P<noun>time|date|day)\s+(?:that\s+)?(?:I|we)\s+(?:want|need)\s+is\s+(?P<value>{ANY})\s*"
        r"[.;,:]\s*(?:so\s+|please\s+)*(?:fill|enter|put|type|set|choose|pick)\s+(?:that|it)(?:\s+in)?",
        r"set the \g<noun> to \g<value>",
    ),
    turn(
        r"\bset\s+the\s+(?:time|clock)\s+(?:field|box|input)\s+to\s+(?P<value>[\uef00-\uf0ff])",
        r"set the time to \g<value>",
    ),
    turn(
        r"\bthe\s+(?:number|value|amount)\s+(?:shown\s+)?(?:in|of|on)\s+(?=the\s+(?:[a-z]+\s)?(?:spinner|slider|counter|stepper|"
        r"dial|knob)\b)",
        "",
    ),
    # Colours
    turn(
        rf"(?P<act>\b(?:click(?:\s+on)?|tap|press|find|choose|pick)\s+)(?:an?|any|one\s+of\s+the)\s+(?P<what>[a-z]+?)s?\s+(?:(?:(?:that|"
        rf"which)(?:['’]s|\s+(?:is|are))\s+)?(?:shown\s+in|drawn\s+in|written\s+in|printed\s+in|colou?red(?:\s+in)?|in))\s+"
        rf"(?P<how>{COLOURS}){_END}",
        r"\g<act>any \g<how> \g<what>",
    ),
    # Texts
    turn(
        r"\bcount\s+to\s+(?:the\s+)?word\s+(?:number\s+)?(?P<n>\d+)\s+(?:of|in)\s+(?P<of>the\s[a-z]+),?\s+(?:and\s+)?"
        r"(?:copy|write|type|enter|put)\s+it",
        r"find the \g<n>th word in \g<of> and type it",
    ),
    turn(
        r"\b(?:select|mark|highlight)\s+(?:all\s+|the\s+whole\s+)(?:of\s+)?(?:the\s+)?(?P<what>(?:[\w]+\s)?(?:paragraph|"
        r"text\s?area|passage|section))['’]s\s+text(?:\s+(?:with|using)\s+(?:your|the)\s+mouse)?",
        r"highlight the text in the \g<what>",
    ),
    turn(
        r"\b(?:mark|select|highlight)\s+the\s+(?:whole|entire|full|complete)\s+(?P<what>paragraph|passage|text)(?:\s+of\s+text)?"
        r"(?:\s+(?:below|above|here))?" + _END,
        r"highlight the \g<what>",
    ),
    turn(
        rf"\blook\s+up\s+(?P<key>{QUOTE}|{_NAME})\s+in\s+the\s+table,?\s+(?:and\s+)?{_WRITE}\s+(?:what\s+(?:stands|"
        r"is|you\s+(?:find|see))\s+(?:next\s+to|beside|behind)\s+it|its\s+value|the\s+value(?:\s+(?:next\s+to|"
        rf"beside)\s+it)?)\s+(?:in|into|to)\s+(?P<field>{_FIELD}|the\s+input)",
        r"enter the value of \g<key> into \g<field>",
    ),
    turn(
        r"\b(?:scroll|move|go|read)\s+(?:all\s+the\s+way\s+)?(?:down\s+)?to\s+(?:its|the)\s+last\s+line(?:\s+of\s+"
        r"(?:its|the)\s+text)?" + _END,
        "scroll to the bottom",
    ),
    turn(
        rf"\bsign(?:\s+(?:it|(?:the|this)\s\w+))?\s+(?:with|using)\s+the\s+name\s+(?P<text>{QUOTE})",
        r"enter the name \g<text>",
    ),
    turn(
        r"\bsend\s+(?:it|that|everything|the\s+form|your\s+choice)\s+(?:off|away|in)\s+(?:with|using|by\s+pressing|by\s+"
        rf"clicking)\s+(?:the\s+)?(?=(?-i:[A-Z])|{QUOTE})",
        "press ",
    ),
    turn(
        rf"\b(?:(?:run|do|make|perform|start)\s+a\s+search|search)\s+for\s+(?P<text>{QUOTE})\s+by\s+(?:filling|typing|"
        rf"entering)[^,.;]*?\s+and\s+(?:clicking|pressing|hitting)\s+(?:on\s+)?(?:{QUOTE}|[^,.;]+)",
        r"search for \g<text>",
    ),
    turn(
        r"\b(?:run|do|make|perform|start)\s+an?\s+(?P<what>[a-z]+)\s+search\s+(?:for\s+)?(?=with\b|by\b|where\b)",
        r"search for \g<what>s ",
    ),
    turn(
        r"\b(?:fill\s+in|use)\s+the\s+(?:search\s+)?form\s+to\s+(?:find|search\s+for|look\s+up)\s+(?P<what>[^.;]+?)(?:,?\s+"
        r"and\s+(?:start|run|begin)\s+the\s+search)?(?=\s*(?:[.;]|$))",
        r"search for \g<what>",
    ),
    turn(
        r",\s+(?:clicking|pressing|hitting|tapping)\s+(?:on\s+)?(?P<what>[^.;,]+?)\s+(?:afterwards?|at\s+the\s+end|when\s+"
        r"(?:you\s+are\s+)?done|to\s+finish)" + _END,
        r", then press \g<what>",
    ),
    turn(
        rf",?\s+and\s+the\s+(?P<what>{_NAME}|{QUOTE})\s+button\s+(?:finishes|completes|ends|concludes)\s+(?:it|that|this)"
        + _END,
        r", then click \g<what>",
    ),
    # Sums and counts
    turn(
        r"\bwhat\s+is\s+(?P<what>(?-i:[a-z]))\s+in\s+(?:this|the)\s+equation\s*[?.,]\s*(?:write|type|enter|put|fill)\s+(?:the\s+"
        rf"(?:value|answer|result)|it)\s+(?:in|into)\s+(?P<field>{_FIELD})",
        r"solve for \g<what> and type your answer into \g<field>",
    ),
    turn(
        r"\b(?:work\s+out|find|calculate|determine)\s+the\s+value\s+of\s+(?P<what>(?-i:[a-z]))(?:\s+(?:in|"
        r"from)\s+(?:the|this)\s+equation)?,?\s+(?:and\s+)?(?:then\s+)?(?:fill|type|enter|write|put)\s+it\s+in"
        rf"(?:(?:to)?\s+(?P<field>{_FIELD})|(?=\s*(?:[.;,]|\s+and\b|$)))",
        lambda m: (
            f"solve for {m['what']} and type your answer into {m['field'] or 'the text field'}"
        ),
    ),
    turn(
        r"\bwhat\s+is\s+(?P<what>(?-i:[a-z]))\s*\?\s*(?:work\s+it\s+out|calculate\s+it|solve\s+(?:it|the\s+equation)),?\s+"
        r"(?:and\s+)?(?:then\s+)?(?:put|write|type|enter)\s+(?:the\s+(?:answer|value|result)|it)\s+in(?:to)?\s+"
        rf"(?P<field>{_FIELD})",
        r"solve for \g<what> and type your answer into \g<field>",
    ),
    turn(
        r"(?P<reply>\b(?:answer|reply\s+to|respond\s+to)\s+[^.;]*?\b(?:e-?mail|mail|message|letter)\b[^.;]*?)\s*[.;]\s*the\s+(?:text|"
        r"words|content)\s+of\s+(?:the|your)\s+(?:reply|answer|message)\s+(?:must|should|has\s+to|is\s+to)\s+(?:be|read|say)\s+"
        rf"(?P<text>{QUOTE})",
        r"\g<reply> with \g<text>",
    ),
    turn(
        r"\bcount(?:\s+up)?\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?P<what>[a-z]+s),?\s+(?:and\s+)?(?:then\s+)?(?:fill\s+in|enter|type|"
        r"write)\s+(?:the\s+(?:sum|total|number|result|count)|it|how\s+many\s+there\s+are)(?:\s+in)?"
        r"(?=\s*(?:[.;,]|\s+and\b|$))",
        r"count all the \g<what> and enter it",
    ),
    # A copy of a mail is that mail
    turn(
        r"(?P<gets>\b(?:should|must|needs\s+to)\s+(?:get|have|see|receive)\s+)(?:a\s+copy\s+of\s+)?(?P<mail>the\s+(?:e-?mail|mail|message|"
        r"letter)\b[^.;]*?),?\s+so\s+(?:please\s+)?(?:forward|send|pass)\s+it\s+(?:on\s+)?to\s+(?:her|him|them)"
        + _END,
        r"\g<gets>\g<mail>",
    ),
    # Drawing, sizes
    turn(
        r"\bhold\s+(?:down\s+)?the\s+mouse(?:\s+button)?(?:\s+down)?\s+and\s+(?=draw|trace|sketch)",
        "",
    ),
    turn(
        r"(?<=\bcircle\saround\s)(?P<at>the\s[^.;,]+?),\s+with\s+the\s+(?:point|dot|mark|spot)\s+(?:right\s+|exactly\s+)?in\s+"
        r"(?:the|its)\s+(?:middle|cent(?:er|re))",
        r"\g<at>",
    ),
    turn(
        rf"\b(?:shrink|resize|change|reduce|enlarge|stretch|make)\s+(?P<box>the\s[^.;,]+?)\s+so\s+(?:that\s+)?it(?:['’]s|\s+is|\s+gets|"
        rf"\s+becomes)\s+{_SIZE}(?:\s+in\s+(?:height|width|size))?(?:\s+than\s+[^.;,\d]+?)?{_END}",
        r"make \g<box> \g<how>",
    ),
    turn(
        rf"\bwith\s+(?P<at>the\s[^,.;]+?)\s+as\s+(?:its|the)\s+cent(?:er|re),?\s+{_DRAW}\s+a\s+circle(?:\s+by\s+(?:holding|pressing|dragging|moving)[^,.;]*?\s+the\s+mouse(?:\s+button)?)?"
        rf"{_END}",
        r"draw a circle around \g<at>",
    ),
    turn(
        rf"\b{_DRAW}\s+a\s+circle\s+around\s+the\s+(?P<what>point|dot|spot)\s+that\s+is\s+(?P<how>\w+)(?:,\s+keeping\s+"
        r"[^.;]+?\s+in\s+the\s+(?:middle|cent(?:er|re)))?(?:[.;]\s+(?:drag|use)\s+the\s+mouse\s+(?:to\s+do\s+(?:it|"
        r"so|that)|for\s+(?:it|that)))?",
        r"draw a circle around the \g<how> \g<what>",
    ),
    turn(
        rf"\b{_DRAW}\s+an?\s+(?:(?:{_LEVEL}|vertical|upright|up-and-down)(?:,\s+|\s+))+line\s+(?:that\s+)?(?:crossing|crosses|"
        r"passing\s+(?:through|over)|running\s+through|across|over|through)\s+(?P<at>the\s[^,.;]+?)"
        + _END,
        _line,
    ),
    turn(
        rf"\ba\s+(?:{_LEVEL}|vertical)\s+line\s+{_SHALL}\s+(?:pass|go|run)\s+(?:through|across|over)\s+(?P<at>the\s[^,.;]+?)"
        rf"\s*[.;,]\s*(?:so\s+|please\s+)*{_DRAW}\s+(?:it|that|one)",
        _line,
    ),
    turn(
        r"\bdrag\s+(?:the|a|its)\s+(?:[a-z-]+\s)*?(?:corner|handle|edge)\s+of\s+(?P<box>the\s[^,.;]+?)\s+(?:so\s+that\s+"
        rf"it|such\s+that\s+it|to\s+make\s+it|until\s+it)\s+(?:(?:gets|is|becomes)\s+)?{_SIZE}(?:\s+in\s+"
        r"(?:height|width|size))?",
        r"make \g<box> \g<how>",
    ),
    # Sliders
    turn(
        r"\b(?P<what>the\s(?:[a-z-]+\s)?(?:slider|spinner|counter|dial|knob))(?:['’]s)?\s+value\s+"
        rf"{_SHALL}\s+be\s+(?P<n>-?\d+(?:\.\d+)?)\s+(?:when|before)\s+you\s+(?P<next>[a-z][^.;,]*)",
        lambda m: f"set {m['what'][0].lower()}{m['what'][1:]} to {m['n']}, then {m['next']}",
    ),
    turn(
        rf"\b(?:(?:I|we)(?:['’]d|\s+would)?\s+(?:want|need|like)|have|get)\s+(?:all\s+)?(?:the\s+)?(?:\w+\s+)?{_SLIDES}\s+"
        rf"(?:to\s+be\s+)?(?:at|on|set\s+to)\s+{_LIST}{_IN_ORDER}",
        r"set the \g<sort> to \g<list>",
    ),
    turn(
        r"\b(?:adjust|set|move|drag|bring)\s+(?:each|every)\s+(?P<sort>slider|spinner|counter|dial|knob)\s+so\s+that\s+"
        rf"(?:together\s+)?they\s+(?:read|show|are(?:\s+at)?|stand\s+at)\s+{_LIST}{_IN_ORDER}",
        r"set the \g<sort>s to \g<list>",
    ),
    turn(
        rf"\b(?:adjust|set|move|drag|bring|put)\s+(?:all\s+)?(?:the\s+)?(?:\w+\s+)?{_SLIDES},?\s+(?:from\s+(?:top\s+to\s+bottom|left\s+to\s+"
        rf"right),?\s+)?(?:in\s+(?:this|that)\s+order,?\s+)?(?:to|at|on)\s+(?:the\s+(?:values|numbers|levels|positions)\s+)?{_LIST}",
        r"set the \g<sort> to \g<list>",
    ),
    turn(
        rf"\b(?:the\s+)?(?:\w+\s+)?{_SLIDES}\s+(?:should|must|need\s+to|have\s+to)\s+(?:read|show|be(?:\s+(?:at|on|set\s+to))?)\s+{_LIST}"
        rf"{_IN_ORDER}\s*[.;,]\s*(?:so\s+)?(?:please\s+)?(?:move|set|bring|put|drag)\s+them(?:\s+(?:there|so|like\s+that))?",
        r"set the \g<sort> to \g<list>",
    ),
    # Further by so many places
    turn(
        rf"\b(?P<what>{_NAME}|the\s[^.;,]+?)\s+{_SHALL}\s+(?:end\s+up|go|move|be|stand|come)\s+(?P<n>one|two|three|"
        r"\d)\s+(?:place|cell|spot|step|position)s?\s+(?:further\s+|more\s+)?(?:to\s+the\s+)?(?P<way>left|right|up|"
        r"down)(?:\s+than\s+[^.;,]+)?\s*[.;,]\s*(?:so\s+)?(?:drag|move)\s+it(?:\s+there)?",
        r"drag \g<what> \g<way> by \g<n>",
    ),
    # What is done to every post of somebody's
    turn(
        r"\b[a-z]+\s+(?:every|each)\s+(?P<what>post|message|comment|tweet)\s+(?:(?:written|made|posted)\s+)?(?:by|from|of)\s+(?P<who>@?[\w.-]+)\s+"
        rf"(?:using|with|by\s+(?:pressing|clicking))\s+(?:its|the)\s+(?P<sign>{QUOTE})(?:\s+button)?",
        r"click the \g<sign> button on all \g<what>s by \g<who>",
    ),
    turn(
        r"\b(?:please\s+)?go\s+through\s+the\s+(?P<what>posts|messages|comments|tweets),?\s+(?:and\s+)?(?:hit|click|press|tap)\s+(?:on\s+)?"
        rf"(?P<sign>{QUOTE})\s+(?:on|under|at|for)\s+(?:each|every|all)(?:\s+one|\s+ones)?\s+(?:from|by|of)\s+(?P<who>@?[\w.-]+)",
        r"click the \g<sign> button on all \g<what> by \g<who>",
    ),
    turn(
        r"\b[a-z]+\s+(?:each|every\s+one|all)\s+of\s+(?P<who>@?[\w.-]+)['’]s\s+(?P<what>posts|messages|comments|tweets)\s+"
        rf"by\s+(?:pressing|clicking|tapping)\s+(?:on\s+)?(?:its\s+|the\s+)?(?P<sign>{QUOTE})(?:\s+button)?(?:\s+on\s+it)?",
        r"click the \g<sign> button on all \g<what> by \g<who>",
    ),
    turn(
        r"\b(?:every|each)\s+(?P<what>post|message|comment|tweet)\s+(?:(?:written|made|posted)\s+)?by\s+(?P<who>@?[\w.-]+)"
        rf"\s+{_SHALL}\s+be\s+\w+\s+(?:using|with|by\s+(?:pressing|clicking))\s+its\s+(?P<sign>{QUOTE})(?:\s+button)?",
        r"click the \g<sign> button on all \g<what>s by \g<who>",
    ),
)
