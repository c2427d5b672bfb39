"""English turns of speech about pages, windows, keys and scrolling, each with a plainer one."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import OTHER

__all__ = ["OF_PAGES", "Rule", "rule"]

Rule = tuple[re.Pattern[str], str]
"""Words, and the plainer ones that they are read as."""


def rule(words: str, plain: str) -> Rule:
    """A rule for a whole clause."""
    return re.compile(words, re.IGNORECASE | re.DOTALL), plain


_FOLDER = r"(?:folder|directory|level|the folder tree)"
OF_PAGES: tuple[Rule, ...] = (
    # Pages
    rule(
        rf"(?:go\s+to|open|load|visit|navigate\s+to|browse\s+to|"
        rf"show)\s+(?:the\s+page\s+)?(?P<url>{OTHER})\s+"
        r"in\s+(?:the|a|your|my)\s+(?:web\s+)?browser(?:\s+window)?",
        "go to {url}",
    ),
    rule(
        rf"(?:go\s+to|open|load|visit|navigate\s+to|browse\s+to|"
        rf"show)\s+(?:the\s+page\s+)?(?P<url>{OTHER})\s+"
        r"in\s+(?:a|another)\s+(?:new\s+)?(?:browser\s+)?tab",
        "press ctrl+t and go to {url}",
    ),
    rule(
        r"(?:put|bring|set|switch|turn|place)\s+(?P<what>(?:the|my|your|this)\s.+?)\s+in(?:to)?\s+"
        r"(?P<mode>(?:the\s+)?[\w-]+(?:\s[\w-]+)?\s(?:mode|view))",
        "set {what} to {mode}",
    ),
    rule(r"turn\s+(?:over\s+)?the\s+page", "go to the next page"),
    rule(
        r"(?:give|allow|grant)\s+(?P<what>(?:the|this|it)\b.*?)\s+(?:some\s+|enough\s+)?time\s+to\s+"
        r"(?P<do>\w+)",
        "wait for {what} to {do}",
    ),
    rule(
        r"(?:give|allow)\s+(?:it\s+)?(?P<time>(?:up to\s+|at most\s+)?\w+\s(?:second|minute)s?)\s+"
        r"for\s+(?P<what>.+)",
        "wait {time} for {what}",
    ),
    rule(
        r"stay\s+(?:on|in)\s+(?:this|the|that)\s+\w+\s+for\s+(?P<time>\S+\s\w+)",
        "wait for {time}",
    ),
    # Windows, programs, folders
    rule(
        r"(?:bring|put|get|move)\s+(?:the\s+)?(?P<what>.+?)(?:\s+window)?\s+(?:back\s+)?(?:in)?to\s+(?:the\s+)?"
        r"(?:front|foreground|fore|top of the screen)",
        "switch to the {what} window",
    ),
    rule(
        r"(?:exit|quit|leave|terminate|shut down)\s+(?:the|this)\s+(?:program(?:me)?|app|"
        r"application|editor|window)",
        "close the window",
    ),
    rule(
        rf"go\s+(?:back\s+)?up\s+(?:(?:one|a|to\s+the\s+(?:parent|next\s+higher))\s+)?{_FOLDER}"
        rf"|go\s+(?:up\s+)?to\s+the\s+parent\s+{_FOLDER}",
        "press alt+up",
    ),
    rule(
        r"(?:switch|change)\s+(?:over\s+|back\s+)+to\s+(?P<what>(?:the\s)?.+)",
        "switch to {what}",
    ),
    rule(
        r"(?:activate|focus|raise|select|show)\s+(?P<what>(?:the\s+)?[^,]+?\s+window)",
        "switch to {what}",
    ),
    rule(
        r"use\s+(?P<app>(?:the\s+|an?\s+)?[\w.+-]+(?:\s+[\w.+-]+)?)\s+to\s+open\s+(?P<what>[^,]+)",
        "open {what} with {app}",
    ),
    rule(
        r"save\s+(?P<what>(?:the|this|my)\s+\w+|it)\s+(?:under(?:\s+the\s+name)?|with\s+the\s+"
        r"(?:file\s*)?name|to\s+the\s+file)\s+(?P<text>(?!.*\s).+)",
        "save {what} as {text}",
    ),
    # Keys
    rule(r"tab\s+(?:on\s+|over\s+|on\s+over\s+)?to\s+(?:the\s+)?next\s+\w+", "press tab"),
    rule(r"tab\s+back(?:\s+to\s+(?:the\s+)?(?:previous|last)\s+\w+)?", "press shift+tab"),
    rule(r"(?:type|enter|insert|add)\s+a\s+(?:single\s+)?space", "press space"),
    rule(
        r"hold(?:\s+down)?\s+(?:the\s+)?(?P<mod>shift|ctrl|control|alt)(?:\s+key)?(?:\s+down)?"
        r"(?:\s+and|,|\s+while)\s+(?:then\s+)?(?:you\s+)?press(?:ing)?\s+(?:the\s+)?"
        r"(?P<key>\w+)(?:\s+arrow)?(?:\s+key)?(?P<n>\s+(?:\w+\s+times|twice|once))?",
        "press {mod}+{key}{n}",
    ),
    rule(
        r"(?:put|place|set|move)\s+(?:the|your)\s+(?:text\s+)?(?:cursor|caret)\s+(?:at|to)\s+the\s+"
        r"(?P<end>end|beginning|start)\s+of\s+(?:the|this)\s+line",
        "press {end}",
    ),
    rule(r"go\s+back\s+(?P<n>twice|thrice|\w+\s+times)", "repeat {n}: go back"),
    rule(r"go\s+back\s+(?P<n>\w+)\s+(?:pages|steps)", "repeat {n} times: go back"),
    # Scrolling
    rule(
        r"scroll\s+(?:all\s+the\s+way|fully|completely|right)\s+(?P<way>up|down)"
        r"|scroll\s+(?P<to>up|down)\s+(?:all\s+the\s+way|fully|completely)",
        "scroll to the {way}{to} end",
    ),
    rule(
        r"scroll\s+(?P<way>up|down)\s+(?P<where>(?:the|this)\s+(?!(?:top|bottom|end)\b).+?)"
        r"(?:\s+(?P<until>(?:until|till|to)\s.+))?",
        "scroll {where} {way} {until}",
    ),
    rule(
        r"scroll\s+(?:just\s+)?(?:a\s+(?:little|bit)\s*(?:bit\s*)?)?(?:further|more|"
        r"some\s+more)?\s*"
        r"(?P<way>up|down)(?:wards?)?(?:\s+(?:a\s+(?:little|bit)(?:\s+(?:bit|more|further))?|"
        r"further|more|some(?:\s+more)?|slightly))?",
        "scroll {way}",
    ),
    rule(
        r"(?:scroll|go|page|browse)\s+(?:(?P<way>up|down)\s+)?(?:through|along|"
        r"in)\s+(?P<where>(?:the|this)\s.+?)\s+"
        r"(?P<until>(?:until|till|to)\s.+)",
        "scroll {where} {way} {until}",
    ),
    rule(
        r"scroll\s+(?P<where>the\s+\w+(?:\s\w+)?\s+(?:on|at|in)\s+the\s+(?:left|right|top|bottom)"
        r"(?:[- ]hand)?(?:\s+side)?)\s+(?P<way>up|down)?\s*(?:to|until)\s+(?P<what>.+)",
        "scroll {way} to {what} in {where}",
    ),
    # Telling
    rule(
        r"(?:report|state|output|print out|give me)\s+(?P<what>(?:the|how many|which|what)\s+"
        r"(?!(?:bug|issue|problem|user|post|comment|abuse|spam)\b)(?!.*\s(?:as|to)\s).+)",
        "tell me {what}",
    ),
    rule(
        r"(?P<tell>tell me|tell us|let me know)\s+how many\s+(?P<what>.+?)\s+(?:there\s+)?are\s+"
        r"(?P<where>(?:in|on|under|within)\s.+)",
        "{tell} the number of {what} {where}",
    ),
)
"""Turns about what is done with pages and windows."""
