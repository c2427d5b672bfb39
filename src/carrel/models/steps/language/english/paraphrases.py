"""English turns of speech that mean a plainer one: each is read as that.

What a rule leaves out of the plainer words is put aside, so that no other word gets lost.
"""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import DATED, OTHER, QUOTE, TIMED
from carrel.models.steps.language.english.plainer_pages import OF_PAGES, Rule, rule
from carrel.models.steps.language.english.plainer_tasks import OF_TASKS
from carrel.models.steps.language.english.plainer_work import OF_WORK
from carrel.models.steps.language.english.reader import Reader
from carrel.models.steps.language.talk import CAME_UP, Talk
from carrel.models.steps.program import Step

__all__ = ["paraphrased"]

_HOLDER = (
    r"(?:field|box|text ?box|input|area|text ?area|editor|cell(?: \w+)?|form|document|window|"
    r"search bar|address bar|bar)"
)
_LETTERS = r"(?:text|contents?|value|words?|entry|input|everything|whatever|characters?)"
_POINTS = (
    r"(?:(?:double|right|left)[- ])?(?:click|tap|press|hit|select|choose|pick|tick|untick|type|"
    r"enter)"
)
_CAME = (
    r"(?:window|dialog(?: box| window)?|pop-?up(?: window| menu)?|modal|menu|context menu|"
    r"(?:drop-?down )?list|box|drop-?down(?: list| menu)?|panel|page|tab)\s+"
    r"(?:that|which)\s+(?:(?:has|have)\s+)?(?:just\s+)?"
    rf"(?:{CAME_UP}|is\s+(?:shown|displayed|opened))"
    r"(?:\s+(?:now|then))?"
)
_RULES: tuple[Rule, ...] = (
    *OF_TASKS,
    *OF_WORK,
    # Values
    rule(
        r"(?:give|assign)\s+(?P<what>(?:the\s+)?.+?)\s+(?:the|a)\s+(?:new\s+)?value\s+(?:of\s+)?"
        r"(?P<text>.+)",
        "set {what} to {text}",
    ),
    rule(
        r"(?:assign)\s+(?P<text>.+?)\s+to\s+(?P<what>the\s+.+(?:field|box|input))",
        "enter {text} into {what}",
    ),
    rule(
        r"use\s+(?P<text>.+?)\s+(?:as|for)\s+(?P<what>(?:the|your|my)\s.+)", "set {what} to {text}"
    ),
    rule(
        rf"(?:change|set|switch|update)\s+(?:it\s+from\s+)?{QUOTE}\s+to\s+(?P<text>{QUOTE})\s+in\s+"
        r"(?P<what>the\s+.+?\s(?:drop-?down|list|field|box|menu|combo ?box|select))",
        "set {what} to {text}",
    ),
    rule(
        r"(?P<do>set|change|turn|put|bring)\s+(?P<what>(?:the|my|your)\s.+?)\s+(?:back|"
        r"over)\s+to\s+(?P<text>.+)",
        "set {what} to {text}",
    ),
    rule(
        r"(?P<do>set|turn|drag|move)\s+(?P<what>(?:the|my|your)\s.+?)\s+to\s+(?:its|the)\s+"
        r"(?P<end>maximum|minimum|max|min)(?:\s+value)?",
        "set {what} to {end}",
    ),
    rule(
        r"(?:put|place|set|make)\s+(?:a\s+)?(?:tick|check|check ?mark|cross)\s+"
        r"(?:in|into|on|next to|at|beside)\s+(?P<what>\S.*)",
        "tick {what}",
    ),
    rule(
        r"(?:let|allow)\s+(?:the\s+)?(?:page|it|everything|app|site|window|screen)\s+(?:to\s+)?"
        r"(?:finish\s+)?load(?:ing)?(?:\s+(?:completely|fully))?",
        "wait until the page has loaded",
    ),
    rule(
        r"open\s+(?P<n>two|three|four|five|\d)\s+(?:new\s+)?(?:browser\s+)?tabs",
        "press ctrl+t {n} times",
    ),
    rule(
        r"turn\s+(?P<what>(?:the|my|your)\s[^,]+?)(?<!\bup)(?<!\bdown)(?<!\bover)\s+to\s+"
        r"(?!the\b|page\b|left\b|right\b)(?P<text>\S+)",
        "set {what} to {text}",
    ),
    rule(
        r"(?:change|switch|update|set)\s+(?:(?:every|each)\s+(?P<one>[a-z]+)|all(?:\s+the)?\s+(?P<what>[a-z]+?(?:[^s\W]|ss|us))(?:es|s))"
        rf"\s+from\s+(?P<old>{QUOTE}|[A-Z]\S*)\s+to\s+(?P<text>{QUOTE}|[A-Z]\S*)",
        "for every row whose {one}{what} is {old}, set the {one}{what} to {text}",
    ),
    # Emptying
    rule(
        rf"(?:erase|remove|delete|clear|wipe|"
        rf"empty)\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:existing\s+|"
        rf"current\s+|old\s+|whole\s+|entire\s+)?{_LETTERS}(?:\s+that\s+is)?\s+"
        rf"(?:written\s+|typed\s+)?(?:in|inside|from|of|out of)\s+"
        rf"(?P<what>(?:the|my|your)\s.*?\b{_HOLDER}|{QUOTE})",
        "clear {what}",
    ),
    rule(
        rf"(?:erase|remove|delete|clear|wipe|empty)\s+(?:what|whatever)(?:['’]s|"
        rf"\s+is)\s+(?:written\s+)?"
        rf"(?:in|inside)\s+(?P<what>(?:the|my|your)\s.*?\b{_HOLDER}|{QUOTE})",
        "clear {what}",
    ),
    rule(
        r"(?P<do>clear|erase|delete|remove|wipe)\s+(?:whatever|what|anything that|"
        r"everything that|all that)"
        r"(?:['’]s|\s+is)\s+(?:already\s+|currently\s+)?(?:there|in\s+it|in\s+there)",
        "clear it",
    ),
    rule(
        rf"make\s+(?!sure\b|certain\b)(?P<what>{QUOTE}|[A-Z]\S*(?:\s[A-Z]\S*)*)\s+(?P<of>(?:the|your|my)\s(?:default|"
        r"main|primary|preferred|standard|active|current|new)\s.+)",
        "set {of} to {what}",
    ),
    rule(
        rf"make\s+(?P<what>{QUOTE}|\d[\w.%]*)\s+(?P<of>(?:the|your|my)\s(?!same\b)[a-z][\w -]*)",
        "set {of} to {what}",
    ),
    # Choosing
    rule(
        r"(?:go\s+with|settle\s+(?:on|for)|decide\s+(?:on|for)|plump\s+for)\s+(?P<what>.+)",
        "choose {what}",
    ),
    rule(
        r"take\s+(?P<what>(?:the|an?)\s(?!.*\sout\s+of\s).*\b(?:option|entry|item|choice|"
        r"suggestion|plan|one|answer|"
        r"radio button|seat|date|day|slot|size|offer)(?:\s.*)?)",
        "choose {what}",
    ),
    rule(
        r"take\s+(?P<what>\S.*?)\s+from\s+(?P<of>it|the\s.*\b(?:list|menu|drop-?down|combo ?box|"
        r"suggestions|options|choices))",
        "choose {what} from {of}",
    ),
    rule(
        r"(?P<do>click|tap|press|hit)\s+(?:just\s+|only\s+)?once\s+(?:on\s+)?(?P<what>.+)",
        "{do} {what}",
    ),
    rule(
        r"(?P<do>click|tap|press|tick|select|choose|"
        r"pick)\s+(?:on\s+)?either\s+(?:one\s+)?(?:of\s+the\s+)?"
        r"(?P<what>[\w-]+?)s?",
        "{do} any {what}",
    ),
    rule(
        rf"(?P<do>choose|select|pick|set)\s+(?P<a>{QUOTE}|{DATED}|{TIMED}|\S+(?:\s\S+)?)\s+"
        rf"(?P<for>for|as|from)\s+(?P<b>[^,]+?)(?:,?\s+and|,)\s+"
        rf"(?P<c>{QUOTE}|{DATED}|{TIMED}|\S+(?:\s\S+)?)\s+(?P=for)\s+(?P<d>.+)",
        "{do} {a} {for} {b} and {do} {c} {for} {d}",
    ),
    rule(
        rf"(?:name|call|title|label)\s+(?P<what>(?:the|this|that|your|"
        rf"my)\s.+?)\s+(?P<text>{QUOTE})",
        "rename {what} to {text}",
    ),
    rule(
        r"(?-i:(?:[Nn]ame|[Cc]all|[Tt]itle)\s+(?P<what>(?:the|this|that|your|"
        r"my)\s(?:[a-z-]+\s)*?[a-z-]+)\s+"
        r"(?P<text>[A-Z\d]\S*(?:\s[A-Z\d]\S*)*|\S+\.\w{1,5}))",
        "rename {what} to {text}",
    ),
    rule(
        r"open\s+(?:a|another)\s+(?:new\s+)?(?:browser\s+)?tab(?:\s+in\s+the\s+browser)?",
        "press ctrl+t",
    ),
    rule(
        rf"(?P<do>tick|untick|check|uncheck|select|choose|click|enable|disable)\s+both\s+"
        rf"(?P<a>{QUOTE}|[A-Z]\S*)\s+and\s+(?P<b>{QUOTE}|[A-Z]\S*)",
        "{do} {a} and {b}",
    ),
    rule(
        rf"(?P<do>type|enter|write|put)\s+(?P<text>.+?)\s+where\s+it\s+(?:says|"
        rf"reads)\s+(?P<what>{QUOTE})",
        "{do} {text} into {what}",
    ),
    rule(
        r"answer\s+(?P<what>\S+(?:\s[A-Z]\S*)*)\s+when\s+(?:(?:you\s+are|you['’]re|it\s+is)\s+)?"
        r"(?:asked|prompted)(?:\s.+)?",
        "click {what}",
    ),
    rule(
        r"(?P<act>[a-z]+\s.+?)\s+when\s+(?:(?:you\s+are|you['’]re|it\s+is)\s+)?"
        rf"(?:asked|prompted)(?:\s+(?:(?:to|whether|for|if|about)\s.+|{QUOTE}))?",
        "{act}",
    ),
    rule(
        r"(?:answer|respond\s+to)\s+(?:the|this)\s+(?:(?:\w+\s+)?(?:dialog|prompt|pop-?up|alert|"
        r"confirmation)|question|message)\s+with\s+(?P<what>.+)",
        "click {what}",
    ),
    rule(
        rf"answer\s+(?P<what>{QUOTE})\s+(?:to|in)\s+(?:the|this)\s+(?:\w+\s+)?(?:dialog|prompt|"
        r"pop-?up|alert|confirmation)",
        "click {what}",
    ),
    rule(
        r"(?P<do>tick|untick|check|uncheck|select|click|clear|enable|disable)\s+all\s+"
        r"(?:two|three|four|five|six|seven|eight|nine|ten|\d+)\s+(?P<what>.+)",
        "{do} all {what}",
    ),
    rule(
        r"(?P<act>(?:click|press|choose|select|pick|tick|use|tap)\s.+?),?\s+(?:instead\s+of|"
        r"rather\s+than|"
        r"and\s+not)\s+(?:clicking\s+|choosing\s+|on\s+)?(?:the\s.+|\S+)",
        "{act}",
    ),
    rule(r"press\s+(?:the\s+)?(?:letter|character)\s+(?P<key>\S)", "press the {key} key"),
    rule(
        rf"(?:open|click(?:\s+on)?|view|show)\s+(?P<what>(?:the|this|that)\s.+?|[A-Z][^{OTHER[1:-1]}]*?|"
        rf"{QUOTE}|it)\s+in\s+(?:a|another)\s+(?:(?:new|separate|second|background|different)\s+)?"
        r"(?:browser\s+)?(?:tab|window)",
        "middle-click {what}",
    ),
    rule(
        r"open\s+the\s+context\s+menu\s+(?:of|for|on)\s+(?P<what>.+)",
        "right-click {what}",
    ),
    rule(
        r"(?P<do>log in|sign in|log on|log out|sign out|search|undo|save)\s+again(?P<more>\s.+)?",
        "{do} {more}",
    ),
    rule(
        rf"search\s+(?:for\s+)?(?P<what>{QUOTE})\s+(?:in|on|within)\s+(?:the|this)\s+(?:web)?"
        r"(?:shop|store|site|page|list|table|catalogue|catalog)",
        "search for {what}",
    ),
    rule(
        r"paste\s+(?P<what>it|that|them|the\s+(?:text|clipboard))?\s*at\s+the\s+(?:very\s+)?"
        r"(?P<end>end|beginning|start|top|bottom)(?:\s+of\s+(?:the|this)\s+(?:document|text|"
        r"file|page))?",
        "press ctrl+{end} and paste",
    ),
    rule(
        r"(?:close|dismiss|shut)\s+(?P<what>(?:the|this)\s.+?)\s+by\s+(?:clicking|"
        r"pressing)\s+(?:on\s+)?its\s+"
        r"(?P<x>.+)",
        "click the {x} in {what}",
    ),
    # What has just come up is in front
    rule(
        rf"(?P<what>{_POINTS}\s.+?)\s+(?:in|on|of|from)\s+(?:the|that)\s+(?:new\s+|next\s+)?"
        rf"(?:{_CAME}|(?:new|newly opened)\s+(?:window|dialog|pop-?up))",
        "{what}",
    ),
    rule(
        rf"(?P<do>pick|choose|select|enter)\s+(?:a|"
        rf"the)\s+date\s*:?\s+(?P<date>{DATED})(?P<more>\s.+)?",
        "{do} {date} {more}",
    ),
    rule(
        r"use\s+(?:the\s+)?menu(?:\s+(?:item|entry|command|path))?\s+(?P<path>.+?\s*(?:>|→|"
        r"->)\s*.+)",
        "choose {path}",
    ),
    rule(
        r"(?P<say>(?:verify|check|make sure|ensure|assert|confirm)\s+(?:that\s+)?.+?)\s+"
        r"(?:is|stands)\s+at\s+(?P<n>\d+(?:[.,]\d+)?\s*%?)",
        "{say} is {n}",
    ),
    rule(r"(?P<act>\w+\s+(?:it|them))\s+(?:once\s+)?(?:again|more|once more)", "{act}"),
    *OF_PAGES,
)
_ENDS = {
    "scroll to the up end": "scroll to the top",
    "scroll to the down end": "scroll to the bottom",
    "press beginning": "press home",
    "press start": "press home",
    "press ctrl+beginning and paste": "press ctrl+home and paste",
    "press ctrl+start and paste": "press ctrl+home and paste",
    "press ctrl+top and paste": "press ctrl+home and paste",
    "press ctrl+bottom and paste": "press ctrl+end and paste",
}


def paraphrased(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """The steps of a clause that means a plainer one; None where it is plain."""
    plain = _plainer(text, talk)
    if plain is None or plain == text:
        return None
    words = talk.atoms.original(text)
    return [replace(step, words=words) for step in read(plain, talk)]


def _plainer(text: str, talk: Talk) -> str | None:
    for pattern, plain in _RULES:
        found = pattern.fullmatch(text)
        if found is not None:
            talk.put_aside(_without_groups(found))
            groups = {key: said or "" for key, said in found.groupdict().items()}
            groups["do"] = groups.get("do", "").lower()
            said = re.sub(r"\s{2,}", " ", plain.format(**groups)).strip()
            return _ENDS.get(said.lower(), said)
    return None


def _without_groups(found: re.Match[str]) -> str:
    """The words of a clause that its plainer form does not repeat."""
    spans = sorted(found.span(name) for name in found.groupdict() if found[name] is not None)
    kept, at = [], 0
    for start, end in spans:
        kept.append(found[0][at:start])
        at = end
    return " ".join((*kept, found[0][at:]))
