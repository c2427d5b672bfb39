"""English turns of speech that mean a plainer one: each is read as that.

What a rule leaves out of the plainer words is put aside, so that no other word gets lost.
"""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import DATED, OTHER, QUOTE, TIMED
from carrel.models.steps.language.reader import Reader
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.program import Step

__all__ = ["paraphrased"]

_HOLDER = (
    r"(?:field|box|text ?box|input|area|text ?area|editor|cell(?: \w+)?|form|document|window|"
    r"search bar|address bar|bar)"
)
_LETTERS = r"(?:text|contents?|value|words?|entry|input|everything|whatever|characters?)"
_FOLDER = r"(?:folder|directory|level|the folder tree)"
_POINTS = (
    r"(?:(?:double|right|left)[- ])?(?:click|tap|press|hit|select|choose|pick|tick|untick|type|"
    r"enter)"
)
_CAME = (
    r"(?:window|dialog(?: box| window)?|pop-?up|modal|menu|context menu|list|box|drop-?down|panel|"
    r"page|tab)\s+(?:that|which)\s+(?:(?:has|have)\s+)?(?:just\s+)?(?:opens?|opened|appears?|"
    r"appeared|"
    r"(?:comes?|came|pops?|popped|shows?|showed)\s+up|is\s+(?:shown|displayed|opened))"
    r"(?:\s+(?:now|then))?"
)
_Rule = tuple[re.Pattern[str], str]


def _rule(words: str, plain: str) -> _Rule:
    return re.compile(words, re.IGNORECASE | re.DOTALL), plain


_RULES: tuple[_Rule, ...] = (
    # Values
    _rule(
        r"(?:give|assign)\s+(?P<what>(?:the\s+)?.+?)\s+(?:the|a)\s+(?:new\s+)?value\s+(?:of\s+)?"
        r"(?P<text>.+)",
        "set {what} to {text}",
    ),
    _rule(
        r"(?:assign)\s+(?P<text>.+?)\s+to\s+(?P<what>the\s+.+(?:field|box|input))",
        "enter {text} into {what}",
    ),
    _rule(
        r"use\s+(?P<text>.+?)\s+(?:as|for)\s+(?P<what>(?:the|your|my)\s.+)", "set {what} to {text}"
    ),
    _rule(
        rf"(?:change|set|switch|update)\s+(?:it\s+from\s+)?{QUOTE}\s+to\s+(?P<text>{QUOTE})\s+in\s+"
        r"(?P<what>the\s+.+?\s(?:drop-?down|list|field|box|menu|combo ?box|select))",
        "set {what} to {text}",
    ),
    _rule(
        r"(?P<do>set|change|turn|put|bring)\s+(?P<what>(?:the|my|your)\s.+?)\s+(?:back|"
        r"over)\s+to\s+(?P<text>.+)",
        "set {what} to {text}",
    ),
    _rule(
        r"(?P<do>set|turn|drag|move)\s+(?P<what>(?:the|my|your)\s.+?)\s+to\s+(?:its|the)\s+"
        r"(?P<end>maximum|minimum|max|min)(?:\s+value)?",
        "set {what} to {end}",
    ),
    _rule(
        r"(?:put|place|set|make)\s+(?:a\s+)?(?:tick|check|check ?mark|cross)\s+"
        r"(?:in|into|on|next to|at|beside)\s+(?P<what>\S.*)",
        "tick {what}",
    ),
    _rule(
        r"(?:let|allow)\s+(?:the\s+)?(?:page|it|everything|app|site|window|screen)\s+(?:to\s+)?"
        r"(?:finish\s+)?load(?:ing)?(?:\s+(?:completely|fully))?",
        "wait until the page has loaded",
    ),
    _rule(
        r"open\s+(?P<n>two|three|four|five|\d)\s+(?:new\s+)?(?:browser\s+)?tabs",
        "press ctrl+t {n} times",
    ),
    _rule(
        r"turn\s+(?P<what>(?:the|my|your)\s[^,]+?)(?<!\bup)(?<!\bdown)(?<!\bover)\s+to\s+"
        r"(?!the\b|page\b|left\b|right\b)(?P<text>\S+)",
        "set {what} to {text}",
    ),
    # Emptying
    _rule(
        rf"(?:erase|remove|delete|clear|wipe|"
        rf"empty)\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:existing\s+|"
        rf"current\s+|old\s+|whole\s+|entire\s+)?{_LETTERS}(?:\s+that\s+is)?\s+"
        rf"(?:written\s+|typed\s+)?(?:in|inside|from|of|out of)\s+"
        rf"(?P<what>(?:the|my|your)\s.*?\b{_HOLDER}|{QUOTE})",
        "clear {what}",
    ),
    _rule(
        rf"(?:erase|remove|delete|clear|wipe|empty)\s+(?:what|whatever)(?:['’]s|"
        rf"\s+is)\s+(?:written\s+)?"
        rf"(?:in|inside)\s+(?P<what>(?:the|my|your)\s.*?\b{_HOLDER}|{QUOTE})",
        "clear {what}",
    ),
    _rule(
        r"(?P<do>clear|erase|delete|remove|wipe)\s+(?:whatever|what|anything that|"
        r"everything that|all that)"
        r"(?:['’]s|\s+is)\s+(?:already\s+|currently\s+)?(?:there|in\s+it|in\s+there)",
        "clear it",
    ),
    _rule(
        rf"make\s+(?!sure\b|certain\b)(?P<what>{QUOTE}|[A-Z]\S*(?:\s[A-Z]\S*)*)\s+(?P<of>(?:the|your|my)\s(?:default|"
        r"main|primary|preferred|standard|active|current|new)\s.+)",
        "set {of} to {what}",
    ),
    _rule(
        rf"make\s+(?P<what>{QUOTE}|\d[\w.%]*)\s+(?P<of>(?:the|your|my)\s(?!same\b)[a-z][\w -]*)",
        "set {of} to {what}",
    ),
    # Choosing
    _rule(
        r"(?:go\s+with|settle\s+(?:on|for)|decide\s+(?:on|for)|plump\s+for)\s+(?P<what>.+)",
        "choose {what}",
    ),
    _rule(
        r"take\s+(?P<what>(?:the|an?)\s(?!.*\sout\s+of\s).*\b(?:option|entry|item|choice|"
        r"suggestion|plan|one|answer|"
        r"radio button|seat|date|day|slot|size|offer)(?:\s.*)?)",
        "choose {what}",
    ),
    _rule(
        r"take\s+(?P<what>\S.*?)\s+from\s+(?P<of>it|the\s.*\b(?:list|menu|drop-?down|combo ?box|"
        r"suggestions|options|choices))",
        "choose {what} from {of}",
    ),
    _rule(
        r"(?P<do>click|tap|press|hit)\s+(?:just\s+|only\s+)?once\s+(?:on\s+)?(?P<what>.+)",
        "{do} {what}",
    ),
    _rule(
        r"(?P<do>click|tap|press|tick|select|choose|"
        r"pick)\s+(?:on\s+)?either\s+(?:one\s+)?(?:of\s+the\s+)?"
        r"(?P<what>[\w-]+?)s?",
        "{do} any {what}",
    ),
    _rule(
        rf"(?P<do>choose|select|pick|set)\s+(?P<a>{QUOTE}|{DATED}|{TIMED}|\S+(?:\s\S+)?)\s+"
        rf"(?P<for>for|as|from)\s+(?P<b>[^,]+?)(?:,?\s+and|,)\s+"
        rf"(?P<c>{QUOTE}|{DATED}|{TIMED}|\S+(?:\s\S+)?)\s+(?P=for)\s+(?P<d>.+)",
        "{do} {a} {for} {b} and {do} {c} {for} {d}",
    ),
    _rule(
        rf"(?:name|call|title|label)\s+(?P<what>(?:the|this|that|your|"
        rf"my)\s.+?)\s+(?P<text>{QUOTE})",
        "rename {what} to {text}",
    ),
    _rule(
        r"(?-i:(?:[Nn]ame|[Cc]all|[Tt]itle)\s+(?P<what>(?:the|this|that|your|"
        r"my)\s(?:[a-z-]+\s)*?[a-z-]+)\s+"
        r"(?P<text>[A-Z\d]\S*(?:\s[A-Z\d]\S*)*|\S+\.\w{1,5}))",
        "rename {what} to {text}",
    ),
    _rule(
        r"open\s+(?:a|another)\s+(?:new\s+)?(?:browser\s+)?tab(?:\s+in\s+the\s+browser)?",
        "press ctrl+t",
    ),
    _rule(
        rf"(?P<do>tick|untick|check|uncheck|select|choose|click|enable|disable)\s+both\s+"
        rf"(?P<a>{QUOTE}|[A-Z]\S*)\s+and\s+(?P<b>{QUOTE}|[A-Z]\S*)",
        "{do} {a} and {b}",
    ),
    _rule(
        rf"(?P<do>type|enter|write|put)\s+(?P<text>.+?)\s+where\s+it\s+(?:says|"
        rf"reads)\s+(?P<what>{QUOTE})",
        "{do} {text} into {what}",
    ),
    _rule(
        r"answer\s+(?P<what>\S+(?:\s[A-Z]\S*)*)\s+when\s+(?:(?:you\s+are|you['’]re|it\s+is)\s+)?"
        r"(?:asked|prompted)(?:\s.+)?",
        "click {what}",
    ),
    _rule(
        r"(?P<act>[a-z]+\s.+?)\s+when\s+(?:(?:you\s+are|you['’]re|it\s+is)\s+)?"
        rf"(?:asked|prompted)(?:\s+(?:(?:to|whether|for|if|about)\s.+|{QUOTE}))?",
        "{act}",
    ),
    _rule(
        r"(?:answer|respond\s+to)\s+(?:the|this)\s+(?:(?:\w+\s+)?(?:dialog|prompt|pop-?up|alert|"
        r"confirmation)|question|message)\s+with\s+(?P<what>.+)",
        "click {what}",
    ),
    _rule(
        rf"answer\s+(?P<what>{QUOTE})\s+(?:to|in)\s+(?:the|this)\s+(?:\w+\s+)?(?:dialog|prompt|"
        r"pop-?up|alert|confirmation)",
        "click {what}",
    ),
    _rule(
        r"(?P<do>tick|untick|check|uncheck|select|click|clear|enable|disable)\s+all\s+"
        r"(?:two|three|four|five|six|seven|eight|nine|ten|\d+)\s+(?P<what>.+)",
        "{do} all {what}",
    ),
    _rule(
        r"(?P<act>(?:click|press|choose|select|pick|tick|use|tap)\s.+?),?\s+(?:instead\s+of|"
        r"rather\s+than|"
        r"and\s+not)\s+(?:clicking\s+|choosing\s+|on\s+)?(?:the\s.+|\S+)",
        "{act}",
    ),
    _rule(r"press\s+(?:the\s+)?(?:letter|character)\s+(?P<key>\S)", "press the {key} key"),
    _rule(
        rf"(?:open|click(?:\s+on)?|view|show)\s+(?P<what>(?:the|this|that)\s.+?|[A-Z][^{OTHER[1:-1]}]*?|"
        rf"{QUOTE}|it)\s+in\s+(?:a|another)\s+(?:(?:new|separate|second|background|different)\s+)?"
        r"(?:browser\s+)?(?:tab|window)",
        "middle-click {what}",
    ),
    _rule(
        r"open\s+the\s+context\s+menu\s+(?:of|for|on)\s+(?P<what>.+)",
        "right-click {what}",
    ),
    _rule(
        r"(?P<do>log in|sign in|log on|log out|sign out|search|undo|save)\s+again(?P<more>\s.+)?",
        "{do} {more}",
    ),
    _rule(
        rf"search\s+(?:for\s+)?(?P<what>{QUOTE})\s+(?:in|on|within)\s+(?:the|this)\s+(?:web)?"
        r"(?:shop|store|site|page|list|table|catalogue|catalog)",
        "search for {what}",
    ),
    _rule(
        r"paste\s+(?P<what>it|that|them|the\s+(?:text|clipboard))?\s*at\s+the\s+(?:very\s+)?"
        r"(?P<end>end|beginning|start|top|bottom)(?:\s+of\s+(?:the|this)\s+(?:document|text|"
        r"file|page))?",
        "press ctrl+{end} and paste",
    ),
    _rule(
        r"(?:close|dismiss|shut)\s+(?P<what>(?:the|this)\s.+?)\s+by\s+(?:clicking|"
        r"pressing)\s+(?:on\s+)?its\s+"
        r"(?P<x>.+)",
        "click the {x} in {what}",
    ),
    # What has just come up is in front
    _rule(
        rf"(?P<what>{_POINTS}\s.+?)\s+(?:in|on|of|from)\s+(?:the|that)\s+(?:new\s+|next\s+)?"
        rf"(?:{_CAME}|(?:new|newly opened)\s+(?:window|dialog|pop-?up))",
        "{what}",
    ),
    _rule(
        rf"(?P<do>pick|choose|select|enter)\s+(?:a|"
        rf"the)\s+date\s*:?\s+(?P<date>{DATED})(?P<more>\s.+)?",
        "{do} {date} {more}",
    ),
    _rule(
        r"use\s+(?:the\s+)?menu(?:\s+(?:item|entry|command|path))?\s+(?P<path>.+?\s*(?:>|→|"
        r"->)\s*.+)",
        "choose {path}",
    ),
    _rule(
        r"(?P<say>(?:verify|check|make sure|ensure|assert|confirm)\s+(?:that\s+)?.+?)\s+"
        r"(?:is|stands)\s+at\s+(?P<n>\d+(?:[.,]\d+)?\s*%?)",
        "{say} is {n}",
    ),
    _rule(r"(?P<act>\w+\s+(?:it|them))\s+(?:once\s+)?(?:again|more|once more)", "{act}"),
    # Pages
    _rule(
        rf"(?:go\s+to|open|load|visit|navigate\s+to|browse\s+to|"
        rf"show)\s+(?:the\s+page\s+)?(?P<url>{OTHER})\s+"
        r"in\s+(?:the|a|your|my)\s+(?:web\s+)?browser(?:\s+window)?",
        "go to {url}",
    ),
    _rule(
        rf"(?:go\s+to|open|load|visit|navigate\s+to|browse\s+to|"
        rf"show)\s+(?:the\s+page\s+)?(?P<url>{OTHER})\s+"
        r"in\s+(?:a|another)\s+(?:new\s+)?(?:browser\s+)?tab",
        "press ctrl+t and go to {url}",
    ),
    _rule(
        r"(?:put|bring|set|switch|turn|place)\s+(?P<what>(?:the|my|your|this)\s.+?)\s+in(?:to)?\s+"
        r"(?P<mode>(?:the\s+)?[\w-]+(?:\s[\w-]+)?\s(?:mode|view))",
        "set {what} to {mode}",
    ),
    _rule(r"turn\s+(?:over\s+)?the\s+page", "go to the next page"),
    _rule(
        r"(?:give|allow|grant)\s+(?P<what>(?:the|this|it)\b.*?)\s+(?:some\s+|enough\s+)?time\s+to\s+"
        r"(?P<do>\w+)",
        "wait for {what} to {do}",
    ),
    _rule(
        r"(?:give|allow)\s+(?:it\s+)?(?P<time>(?:up to\s+|at most\s+)?\w+\s(?:second|minute)s?)\s+"
        r"for\s+(?P<what>.+)",
        "wait {time} for {what}",
    ),
    _rule(
        r"stay\s+(?:on|in)\s+(?:this|the|that)\s+\w+\s+for\s+(?P<time>\S+\s\w+)",
        "wait for {time}",
    ),
    # Windows, programs, folders
    _rule(
        r"(?:bring|put|get|move)\s+(?:the\s+)?(?P<what>.+?)(?:\s+window)?\s+(?:back\s+)?(?:in)?to\s+(?:the\s+)?"
        r"(?:front|foreground|fore|top of the screen)",
        "switch to the {what} window",
    ),
    _rule(
        r"(?:exit|quit|leave|terminate|shut down)\s+(?:the|this)\s+(?:program(?:me)?|app|"
        r"application|editor|window)",
        "close the window",
    ),
    _rule(
        rf"go\s+(?:back\s+)?up\s+(?:(?:one|a|to\s+the\s+(?:parent|next\s+higher))\s+)?{_FOLDER}"
        rf"|go\s+(?:up\s+)?to\s+the\s+parent\s+{_FOLDER}",
        "press alt+up",
    ),
    _rule(
        r"(?:switch|change)\s+(?:over\s+|back\s+)+to\s+(?P<what>(?:the\s)?.+)",
        "switch to {what}",
    ),
    _rule(
        r"(?:activate|focus|raise|select|show)\s+(?P<what>(?:the\s+)?[^,]+?\s+window)",
        "switch to {what}",
    ),
    _rule(
        r"use\s+(?P<app>(?:the\s+|an?\s+)?[\w.+-]+(?:\s+[\w.+-]+)?)\s+to\s+open\s+(?P<what>[^,]+)",
        "open {what} with {app}",
    ),
    _rule(
        r"save\s+(?P<what>(?:the|this|my)\s+\w+|it)\s+(?:under(?:\s+the\s+name)?|with\s+the\s+"
        r"(?:file\s*)?name|to\s+the\s+file)\s+(?P<text>(?!.*\s).+)",
        "save {what} as {text}",
    ),
    # Keys
    _rule(r"tab\s+(?:on\s+|over\s+|on\s+over\s+)?to\s+(?:the\s+)?next\s+\w+", "press tab"),
    _rule(r"tab\s+back(?:\s+to\s+(?:the\s+)?(?:previous|last)\s+\w+)?", "press shift+tab"),
    _rule(r"(?:type|enter|insert|add)\s+a\s+(?:single\s+)?space", "press space"),
    _rule(
        r"hold(?:\s+down)?\s+(?:the\s+)?(?P<mod>shift|ctrl|control|alt)(?:\s+key)?(?:\s+down)?"
        r"(?:\s+and|,|\s+while)\s+(?:then\s+)?(?:you\s+)?press(?:ing)?\s+(?:the\s+)?"
        r"(?P<key>\w+)(?:\s+arrow)?(?:\s+key)?(?P<n>\s+(?:\w+\s+times|twice|once))?",
        "press {mod}+{key}{n}",
    ),
    _rule(
        r"(?:put|place|set|move)\s+(?:the|your)\s+(?:text\s+)?(?:cursor|caret)\s+(?:at|to)\s+the\s+"
        r"(?P<end>end|beginning|start)\s+of\s+(?:the|this)\s+line",
        "press {end}",
    ),
    _rule(r"go\s+back\s+(?P<n>twice|thrice|\w+\s+times)", "repeat {n}: go back"),
    _rule(r"go\s+back\s+(?P<n>\w+)\s+(?:pages|steps)", "repeat {n} times: go back"),
    # Scrolling
    _rule(
        r"scroll\s+(?:all\s+the\s+way|fully|completely|right)\s+(?P<way>up|down)"
        r"|scroll\s+(?P<to>up|down)\s+(?:all\s+the\s+way|fully|completely)",
        "scroll to the {way}{to} end",
    ),
    _rule(
        r"scroll\s+(?P<way>up|down)\s+(?P<where>(?:the|this)\s+(?!(?:top|bottom|end)\b).+?)"
        r"(?:\s+(?P<until>(?:until|till|to)\s.+))?",
        "scroll {where} {way} {until}",
    ),
    _rule(
        r"scroll\s+(?:just\s+)?(?:a\s+(?:little|bit)\s*(?:bit\s*)?)?(?:further|more|"
        r"some\s+more)?\s*"
        r"(?P<way>up|down)(?:wards?)?(?:\s+(?:a\s+(?:little|bit)(?:\s+(?:bit|more|further))?|"
        r"further|more|some(?:\s+more)?|slightly))?",
        "scroll {way}",
    ),
    _rule(
        r"(?:scroll|go|page|browse)\s+(?:(?P<way>up|down)\s+)?(?:through|along|"
        r"in)\s+(?P<where>(?:the|this)\s.+?)\s+"
        r"(?P<until>(?:until|till|to)\s.+)",
        "scroll {where} {way} {until}",
    ),
    _rule(
        r"scroll\s+(?P<where>the\s+\w+(?:\s\w+)?\s+(?:on|at|in)\s+the\s+(?:left|right|top|bottom)"
        r"(?:[- ]hand)?(?:\s+side)?)\s+(?P<way>up|down)?\s*(?:to|until)\s+(?P<what>.+)",
        "scroll {way} to {what} in {where}",
    ),
    # Telling
    _rule(
        r"(?:report|state|output|print out)\s+(?P<what>(?:the|how many|which|what)\s+"
        r"(?!(?:bug|issue|problem|user|post|comment|abuse|spam)\b)(?!.*\s(?:as|to)\s).+)",
        "tell me {what}",
    ),
    _rule(
        r"(?P<tell>tell me|tell us|let me know)\s+how many\s+(?P<what>.+?)\s+(?:there\s+)?are\s+"
        r"(?P<where>(?:in|on|under|within)\s.+)",
        "{tell} the number of {what} {where}",
    ),
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
