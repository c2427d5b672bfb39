"""Fields and what goes into them: where, how it is written, and how often."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import DATED, QUOTE, TIMED

__all__ = ["FILLING"]

_WRITE = (
    r"(?:type|enter|write|put|fill(?:\s+in)?|key\s+in|input|insert|give|provide|supply|use|set|add)"
)
_FIELD = r"(?:(?:text|input|entry|text\s+entry)\s*-?)?(?:fields?|box(?:es)?|inputs?|areas?|lines?)"
_INTO = r"(?:in|into|inside|to|for)"
_TEXT = r"(?:(?:the|this)\s+(?:text|word|words|name|phrase|value|number|string|code|letters)\s+)?"
_CASE = (
    r"(?:(?:all|only|just|every\s+letter|each\s+letter|all\s+(?:the\s+|of\s+its\s+)?letters|"
    r"everything)\s+)?"
    r"(?:(?:being|written|typed|put|set)\s+)?(?:in|using|with|as|to)\s+(?:all\s+|only\s+|just\s+|"
    r"purely\s+)*"
    r"(?P<case>upper|lower|capital|small)(?:[- ]?case)?(?:d)?(?:\s+(?:letters?|characters?|only|"
    r"form))*"
    r"|(?:in|with|as|using)\s+(?:all\s+|only\s+)*(?P<caps>caps|capitals|block\s+letters)"
)
_END = r"(?=\s*(?:[.;!]|,|$|\s(?:and|then)\s+(?:then\s+)?[a-z]))"
_NUMBERED = r"(?P<nth>first|second|third|fourth|fifth|last|\d+(?:st|nd|rd|th))"


def _cased(m: re.Match[str]) -> str:
    said = (m["case"] or "upper").casefold()
    letters = "small" if said in ("lower", "small") else "capital"
    into = re.sub(r"^(?:in|into|inside|to)\s+", "", (m["into"] or m["before"] or "").strip(" ,"))
    return f"type {m['text']} in {letters} letters into {into or 'the text field'}"


_UPPER = r"(?P<case>upper|lower|capital|small)[- ]?(?:case)?(?:d)?(?P<caps>)"
_CASES: tuple[Turn, ...] = (
    # "In upper case, type "ann" into the field", "type "ann", but make it all uppercase"
    turn(
        rf"\b(?:in|using|with)\s+(?:all\s+|only\s+)?{_UPPER}(?:\s+letters?|\s+characters?)"
        rf"*\s*,?\s+{_WRITE}\s+"
        rf"{_TEXT}(?P<text>{QUOTE})(?P<before>)(?P<into>\s+(?:in|into|inside)\s+(?:the|an?)"
        rf"\s[^.;,]+?)?{_END}",
        _cased,
    ),
    turn(
        rf"\b{_WRITE}\s+{_TEXT}(?P<text>{QUOTE})(?P<before>\s+(?:in|into|inside)\s+(?:the|an?)"
        rf"\s[^.;,]+?)?\s*,?\s+"
        r"(?:but\s+|and\s+)?(?:make|making|write|writing|turn|turning|convert|converting|with)\s+"
        r"(?:it|every\s+letter|"
        r"all\s+(?:the\s+)?letters|the\s+letters|each\s+letter)\s+(?:into\s+|to\s+|in\s+|as\s+|"
        r"all\s+|entirely\s+)*"
        rf"{_UPPER}(?:\s+letters?)?(?P<into>){_END}",
        _cased,
    ),
    turn(
        rf"\b{_WRITE}\s+the\s+(?:all[- ])?{_UPPER}\s+(?:version|form|spelling|variant)\s+of\s+"
        rf"{_TEXT}(?P<text>{QUOTE})"
        rf"(?P<before>)(?P<into>\s+(?:in|into|inside)\s+(?:the|an?)\s[^.;,]+?)?{_END}",
        _cased,
    ),
    turn(
        rf"\b{_WRITE}\s+{_TEXT}(?P<text>{QUOTE})\s*,?(?P<before>\s+(?:in|into|inside|to)\s+(?:the|"
        rf"an?|this)\s"
        rf"(?:(?!\b(?:using|with|as|in|all|every|each|only)\b)[^.;,])+?)?\s*,?\s+(?:but\s+|and\s+)"
        rf"?(?:{_CASE})"
        rf"(?P<into>\s+(?:in|into|inside)\s+(?:the|an?|this)\s[^.;,]+?)?{_END}",
        _cased,
    ),
    # "Convert "ann" to upper case and type it into the box."
    turn(
        rf"\b(?:convert|change|turn|translate)\s+{_TEXT}(?P<text>{QUOTE})\s+(?:in)?to\s+(?:all\s+)?"
        r"(?P<case>upper|lower|capital|small)(?P<caps>)(?P<before>)[- ]?(?:case)?(?:\s+letters)"
        r"?\s*,?\s+(?:and|then)\s+"
        rf"(?:then\s+)?{_WRITE}\s+(?:it|the\s+result|that)\s+(?P<into>(?:in|into)\s+(?:the|an?)"
        rf"\s[^.;,]+?){_END}",
        _cased,
    ),
)
_DATES: tuple[Turn, ...] = (
    turn(
        rf"\b(?:the\s+)?(?P<what>date|time)\s+(?:to\s+(?:enter|fill\s+in|type|use|pick|choose|"
        rf"select|set)|you\s+(?:should|"
        rf"have\s+to|need\s+to)\s+\w+(?:\s+in)?)\s+is\s+(?P<value>{DATED}|{TIMED})",
        r"choose the \g<what> \g<value>",
    ),
    turn(
        rf"\b(?:fill|complete)\s+(?:in\s+)?the\s+(?P<what>date|time)(?:\s+(?:field|box|input|"
        rf"entry))?\s+(?:in\s+)?"
        rf"(?:with|using|as)\s+(?P<value>{DATED}|{TIMED}){_END}",
        r"choose the \g<what> \g<value>",
    ),
    turn(
        rf"\b(?:set|put|enter|give|provide|supply|state|choose|pick|take|use)\s+(?P<value>{DATED}|"
        rf"{TIMED})\s+"
        rf"(?:as|for|to\s+be)\s+the\s+"
        rf"(?P<what>date|time){_END}",
        r"choose the \g<what> \g<value>",
    ),
    turn(
        rf"\b{_WRITE}\s+(?:the\s+)?(?P<what>date|time|day)\s+(?:of\s+)?(?P<value>{DATED}|{TIMED})"
        rf"(?:\s+{_INTO}\s+(?:the|its|that)\s+(?:(?:date|time|input|entry)\s+)?(?:field|box|input|"
        rf"picker|selector|"
        rf"control|fields|boxes))?{_END}",
        r"choose the \g<what> \g<value>",
    ),
    turn(
        rf"\b(?:the\s+)?(?P<what>date|time)\s+(?:should|must|has\s+to|needs\s+to|is\s+to)\s+(?:be|"
        rf"read|say|show)\s+"
        rf"(?P<value>{DATED}|{TIMED})\s*[;.,:]?\s*(?:so\s+|please\s+|and\s+)*(?:{_WRITE}|pick|"
        rf"choose|select)\s+(?:it|that)"
        rf"(?:\s+in)?{_END}",
        r"choose the \g<what> \g<value>",
    ),
    turn(
        rf"\b(?:pick|choose|select|use|take)\s+(?P<value>{DATED}|{TIMED})\s+(?:as|for)\s+(?:the|a)"
        rf"\s+(?P<what>date|time)"
        rf"{_END}",
        r"choose the \g<what> \g<value>",
    ),
)
_BOTH = (
    r"(?:both(?:\s+of)?(?:\s+the)?|(?:each|all|every\s+one)\s+of\s+the(?:\s+two)?|the\s+two|the\s+"
    r"2|each|either\s+of\s+"
    r"the|every)"
)


def _into_all(m: re.Match[str]) -> str:
    secret = re.search(rf"\bpasswords?\s+(?:{_FIELD})", m[0], re.IGNORECASE)
    sort = "password" if secret else "text"
    return f"type {m['text']} into all the {sort} fields"


_TWICE: tuple[Turn, ...] = (
    # "Type "X" as the password in the two fields"
    turn(
        rf"\b{_WRITE}\s+(?:the\s+\w+\s+)?(?P<text>{QUOTE})\s+(?:as\s+(?:the|your|a)\s+\w+\s+)"
        rf"?{_INTO}\s+{_BOTH}"
        rf"(?:\s+(?:password|text|input|empty|given))*\s+{_FIELD}{_END}",
        _into_all,
    ),
    # "The password is "X". Fill it in twice, once in each field."
    turn(
        rf"\b(?:the|your|my)\s+[\w ]+?\s+(?:is|should\s+be|shall\s+be|will\s+be)\s+"
        rf"(?P<text>{QUOTE})\s*[.;,:]\s*"
        rf"(?:please\s+|so\s+|and\s+)*{_WRITE}\s+(?:it|this|that)(?:\s+in)?(?:\s+(?:twice|two\s+"
        rf"times|2\s+times))?"
        rf"(?:,?\s+(?:once\s+)?{_INTO}\s+{_BOTH}(?:\s+(?:password|text|input))*(?:\s+{_FIELD})?)"
        rf"?{_END}",
        lambda m: (
            _into_all(m)
            if re.search(r"\btwice\b|\btimes\b|\bboth\b|\beach\b|\btwo\b", m[0])
            else m[0]
        ),
    ),
    turn(
        rf"\b{_WRITE}\s+(?:the\s+\w+\s+)?(?P<text>{QUOTE})(?:\s+in)?\s+(?:twice|two\s+times)"
        rf"\s*,?\s+(?:once\s+)?{_INTO}\s+"
        rf"{_BOTH}(?:\s+(?:password|text|input))*(?:\s+{_FIELD})?{_END}",
        _into_all,
    ),
    turn(
        rf"\b(?:both|the\s+two)(?:\s+\w+)?\s+{_FIELD}\s+(?:take|need|get|should\s+(?:get|contain|"
        rf"have|hold)|must\s+(?:get|"
        rf"contain|have|hold)|require|want)\s+(?:the\s+(?:same\s+)?\w+\s+)?(?P<text>{QUOTE})"
        rf"\s*[.;,:]\s*(?:so\s+|please\s+"
        rf"|and\s+)*(?:{_WRITE})\s+(?:it|that)(?:\s+(?:in|there|twice|into\s+both))*{_END}",
        _into_all,
    ),
    turn(
        rf"\b{_WRITE}\s+(?P<text>{QUOTE})\s+(?:for|as|in|into)\s+(?:both\s+)?the\s+password\s+"
        rf"(?:field\s+)?and\s+(?:for\s+|as\s+|"
        rf"in\s+|into\s+)?(?:its|the)\s+(?:confirmation|repetition|repeat|verification)(?:\s+"
        rf"(?:field|of\s+it))?{_END}",
        r"type \g<text> into all the password fields",
    ),
    # "Fill both fields with "X"", "Both fields need "X""
    turn(
        rf"\b(?:fill|complete)\s+(?:in\s+)?{_BOTH}(?:\s+(?:password|text|input))*\s+{_FIELD}\s+"
        rf"(?:in\s+)?(?:with|using)\s+"
        rf"(?:the\s+(?:same\s+)?\w+\s+)?(?P<text>{QUOTE}){_END}",
        _into_all,
    ),
)


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"


_PLACES: tuple[Turn, ...] = (
    # "Write "X" where the text goes"
    turn(
        rf"\b(?P<write>{_WRITE})\s+(?P<text>{QUOTE}|{DATED}|{TIMED}|\S+)\s+where\s+(?:the|your|a)"
        rf"\s+(?P<what>[\w ]+?)\s+"
        r"(?:goes|belongs|should\s+(?:go|be)|is\s+(?:entered|typed|asked(?:\s+for)?|written|"
        r"wanted|expected)|must\s+go|"
        rf"has\s+to\s+go|can\s+be\s+(?:entered|typed|written)){_END}",
        r"type \g<text> into the \g<what> field",
    ),
    turn(
        rf"\b(?P<write>{_WRITE})\s+(?P<text>{QUOTE})\s+(?:in|into)\s+the\s+(?:space|place|blank|"
        rf"gap|slot)\s+"
        rf"(?:provided|given|there|below|for\s+it|for\s+(?:the\s+)?text){_END}",
        r"type \g<text> into the text field",
    ),
    # "into the text field that is 2nd in order", "field number 2"
    turn(
        rf"\b(?P<a>the|a)\s+(?P<what>(?:text\s*)?(?:field|box|input|textbox|checkbox|button|link|"
        rf"tab|radio\s+button|"
        rf"paragraph))\s+(?:that|which)\s+(?:is|comes|stands)\s+(?:the\s+)?{_NUMBERED}(?:\s+"
        rf"(?:in\s+(?:order|line|the\s+"
        rf"row|sequence|the\s+list)|one|from\s+the\s+top))?{_END}",
        r"the \g<nth> \g<what>",
    ),
    # "Make the text field active by clicking in it", "give the field focus"
    turn(
        r"\b(?:make|get|bring|put|set)\s+(?P<what>the\s[^.;,]+?)\s+(?:to\s+be\s+)?(?:active|"
        r"focused|into\s+focus|in\s+focus|"
        rf"ready\s+(?:for\s+typing|to\s+type\s+in))(?:\s+by\s+(?:clicking|tapping|pressing)(?:\s+"
        rf"(?:in|on|into|inside))?"
        rf"\s+it)?{_END}",
        r"click into \g<what>",
    ),
    turn(
        r"\b(?:give|move|bring|set|shift)\s+(?:the\s+)?(?:keyboard\s+)?focus\s+(?:to|into|on|onto|"
        r"in)\s+(?P<what>the\s[^.;,]+?)"
        rf"{_END}",
        r"click into \g<what>",
    ),
    turn(rf"\bgive\s+(?P<what>the\s[^.;,]+?)\s+(?:the\s+)?focus{_END}", r"click into \g<what>"),
    turn(
        r"\b(?:put|place|set|get|have)\s+(?:the\s+)?(?:keyboard\s+)?focus\s+(?:on|in|into|inside|"
        r"onto)\s+"
        rf"(?P<what>the\s[^.;,]+?){_END}",
        r"click into \g<what>",
    ),
    turn(
        r"\s*,?\s+so\s+(?:that\s+)?(?:you|i|we|one)\s+(?:can|could|may|might|are\s+able\s+to)\s+"
        r"(?:type|write|enter|start\s+typing|edit)(?:\s+(?:there|in\s+it|something|text|into\s+it)"
        r")*(?=\s*[.;,]|$)",
        "",
    ),
    # "checkbox number 2"
    turn(
        r"\b(?:the\s+)?(?P<what>checkbox|(?<=the\s)check\s+box|(?<!check\s)box|(?:text|input)"
        r"\s?(?:field|box)|textbox|field|"
        r"paragraph|radio\s+button|"
        r"button|tab|link|item|row|line|entry|input|option)\s+(?:number|no\.?|nr\.?|#)"
        r"\s*(?P<n>\d+)\b",
        lambda m: f"the {_ordinal(int(m['n']))} {m['what']}",
    ),
    turn(
        r"\b(?P<do>check|tick)\s+the\s+(?P<nth>\d+(?:st|nd|rd|th))\s+box\b",
        r"tick the \g<nth> "
        r"checkbox",
    ),
    turn(r"\bslide\s+to\s+(?P<value>-?\d+)\b", r"set the slider to \g<value>"),
    turn(
        r"\b(?:move|put|place|set|position|get|bring)\s+(?:the|your)\s+(?:text\s+)?(?:cursor|"
        r"caret)\s+"
        rf"(?:in|into|inside|to|within|onto|on)\s+(?P<what>the\s[^.;,]+?){_END}",
        r"click into \g<what>",
    ),
    turn(
        rf"\b(?:activate|focus(?:\s+on)?)\s+(?P<what>the\s[^.;,]*?(?:field|box|input|textbox|area)"
        rf"s?){_END}",
        r"click into \g<what>",
    ),
)
_VALUE = rf"(?P<value>{QUOTE}|-?\d+(?:[.,]\d+)?\s?(?:%|°)?|[\w-]+)"
_READS = (
    r"(?:reads?|shows?|says?|displays?|is(?:\s+(?:at|on|set\s+to))?|stands?\s+(?:at|on)|points?\s+"
    r"to|has|equals?|"
    r"gets?\s+to|reaches|indicates?|becomes)"
)
_SETTINGS: tuple[Turn, ...] = (
    # "Set the slider so that it reads 7"
    turn(
        r"\b(?:set|move|drag|slide|adjust|change|turn|put|use|bring|push|pull|operate)\s+"
        r"(?P<what>(?:the|its|this)\s[^.;,]+?)"
        rf"\s*,?\s+(?:so|until|till|such)(?:\s+that)?\s+(?:it|its\s+value|the\s+value|the\s+"
        rf"number(?:\s+shown)?)\s+{_READS}"
        rf"\s+(?:the\s+(?:value|number)\s+)?{_VALUE}{_END}",
        r"set \g<what> to \g<value>",
    ),
    turn(
        r"\b(?:put|place|make|set|add|leave)\s+an?\s+(?:check(?:\s*-?mark)?|tick(?:\s*-?mark)?|"
        r"cross|mark)\s+"
        r"(?:in|into|on|at|next\s+to|beside|by|for|to)\s+(?P<what>the\s[^.;,]+?)"
        rf"(?P<box>\s+(?:check\s?|tick\s?)?box)?{_END}",
        lambda m: f"tick {m['what']}{' checkbox' if m['box'] else ''}",
    ),
    # "In the dropdown pick X", "Set the dropdown to X"
    turn(
        r"\b(?:in|from|using|with|out\s+of)\s+(?P<list>the\s(?:[\w-]+\s)"
        r"{0,3}?(?:drop-?\s?down(?:\s+(?:list|menu|box))?|"
        r"select(?:ion)?\s+(?:box|list|menu)|combo\s?-?box|pull-?down(?:\s+menu)?))\s*,?\s+"
        r"(?:please\s+)?"
        rf"(?:pick|choose|select|take|set|go\s+for)\s+(?P<what>[^.;,]+?){_END}",
        r"choose \g<what> from \g<list>",
    ),
    turn(
        r"\b(?:set|change|switch|turn|move|put|adjust)\s+(?P<list>the\s(?:[\w-]+\s)"
        r"{0,3}?(?:drop-?\s?down(?:\s+(?:list|menu|"
        r"box))?|select(?:ion)?\s+(?:box|list|menu)|combo\s?-?box|pull-?down(?:\s+menu)?))\s+"
        r"(?:to|on|so\s+that\s+it\s+(?:says|"
        rf"shows|reads|is))\s+(?P<what>[^.;,]+?){_END}",
        r"choose \g<what> from \g<list>",
    ),
    turn(
        r"\b(?P<what>(?:[\w'-]+\s?){1,4}?)\s+(?:should|must|has\s+to|is\s+to)\s+be\s+(?:chosen|"
        r"selected|picked)\s+(?:in|from)\s+"
        rf"(?P<list>the\s[^.;,]*?drop-?\s?down(?:\s+(?:list|menu|box))?){_END}",
        r"choose \g<what> from \g<list>",
    ),
)
_SUBMITS: tuple[Turn, ...] = (
    # "The volume slider must end up at 30. Move it there."
    turn(
        r"\b(?P<what>the\s(?:[\w-]+\s){0,3}?(?:slider|spinner|dial|knob|counter|level|control|"
        r"stepper))\s+(?:must|should|has\s+to|"
        r"needs\s+to|is\s+to)\s+(?:end\s+up\s+at|be\s+(?:at|on|set\s+to)|be|read|show|get\s+to|"
        r"reach|stand\s+at)\s+"
        rf"{_VALUE}\s*[.;,:]\s*(?:so\s+|please\s+|and\s+)*(?:move|set|drag|slide|bring|put|turn|"
        rf"adjust)\s+it"
        r"(?:\s+(?:there|accordingly|to\s+that))?",
        lambda m: f"set {m['what'][0].lower()}{m['what'][1:]} to {m['value']}",
    ),
    # ""tree" goes into the box, in capital letters"
    turn(
        rf"(?P<text>{QUOTE})\s+(?:goes|belongs|has\s+to\s+go|should\s+go|must\s+go|is\s+to\s+go)"
        rf"\s+(?P<into>(?:in|into)\s+the\s"
        rf"[^.;,]+?){_END}",
        r"type \g<text> \g<into>",
    ),
    turn(
        rf"\b(?:key|punch|jot|note|pop|stick|supply|place|drop)\s+(?:in\s+|down\s+)?(?={QUOTE}\s+"
        rf"(?:in|into|inside)\s)",
        "type ",
    ),
    turn(
        r"\b(?P<do>check|tick)\s+box\s+(?:number\s+|no\.?\s+|#)(?P<n>\d+)\b",
        lambda m: f"tick the {_ordinal(int(m['n']))} checkbox",
    ),
    turn(r"(?<![,.;])\s+and\s+submit(?:\s+(?:it|the\s+form))?(?=\s*[.;]|$)", ", then submit"),
)
FILLING: tuple[Turn, ...] = (*_CASES, *_DATES, *_TWICE, *_PLACES, *_SETTINGS, *_SUBMITS)
