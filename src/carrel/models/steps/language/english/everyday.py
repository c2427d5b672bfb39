"""English everyday turns that stand for plainer words: `pop "Hi" into X`, `is X shown? If so, …`.

They are put into the plainer words before any rule reads the sentence.
"""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY, OTHER, QUOTE
from carrel.models.steps.language.english.clauses import clauses
from carrel.models.steps.language.english.control_turns import CONTROL_TURNS, END, Turn, turn
from carrel.models.steps.language.english.reader import Reader, unclear
from carrel.models.steps.language.english.roundabout import ROUNDABOUT
from carrel.models.steps.language.numbers import NUMBER
from carrel.models.steps.language.talk import Talk
from carrel.models.steps.language.words import bare, verb_at
from carrel.models.steps.program import Enter, GoTo, Point, Step

__all__ = ["everyday", "first_the_other", "from_menu", "on_address", "on_pad"]

_THING = r"(?:the|my|your|this|that)\s[^,;]+?"
_GO = (
    r"(?:go|navigate|jump|move|flip|page|skip|switch|scroll|turn)\s+(?:forwards?\s+|backwards?\s+|"
    r"back\s+|ahead\s+|on\s+|over\s+)?to"
)
_CALENDAR = r"the\s+(?:[\w-]+\s+)?(?:calendar|date ?picker)"
_MONTH_OF = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\s+\d{4}"
)
_LEVEL = (
    r"(?:volume|brightness|sound|contrast|music|heating|temperature|speed|bass|treble|opacity|"
    r"light|zoom)"
)
_TURNS: tuple[Turn, ...] = (
    *ROUNDABOUT,
    *CONTROL_TURNS,
    # A key is held, a list holds.
    (
        re.compile(r"\b(?P<modal>should|must)\s+(?P<then>then\s+|now\s+)?hold\b", re.IGNORECASE),
        r"\g<modal> \g<then>contain",
    ),
    (
        re.compile(r",?\s+confirming\s+(?P<each>each|every)\b", re.IGNORECASE),
        r" and confirm \g<each>",
    ),
    # By what program words are replaced makes no other text of it.
    (
        re.compile(
            r"(?P<act>\breplace\s[^.;]+?),?\s+(?:using|with|via|through)\s+(?:the\s+)?"
            r"(?-i:(?:Find|Search) (?:and|&) Replace)(?:\s+(?:dialog|function|command|tool))?"
            r"(?:\s+(?:from|in|of|under)\s+the\s+\w+\s+menu)?(?=\s*(?:$|[.,;]|\sand\s))",
            re.IGNORECASE,
        ),
        r"\g<act>",
    ),
    turn(
        r"(?:click|go|step|page|move|navigate|work|flip|browse)\s+(?:(?:your|my|one['’]s)\s+way\s+)?through\s+"
        r"(?:the|this|all)\s[^,;]*?\s+(?:with|using|via|by\s+(?:clicking|pressing))\s+"
        r"(?P<by>[^,;]+?)(?=\s+until\s|\s*$|\s*,)",
        r"press \g<by>",
    ),
    # "for each of the first five": those, and no more.
    (
        re.compile(
            rf"\bfor\s+(?:each|every\s+one)\s+of\s+(?=the\s+first\s+(?:{NUMBER})\s)", re.IGNORECASE
        ),
        "for ",
    ),
    (re.compile(r"\b(?:a|one|some)\s+random\s+(?=[a-z])", re.IGNORECASE), "any "),
    turn(
        rf"(?:pop|stick|bung|chuck|plonk)\s+(?={ANY}|(?:it|them|the|this|that|my|your)\b)",
        "put ",
    ),
    turn(r"head\s+(?:(?:off|on|over|across|back|straight)\s+)?(?:for|to)\s+(?=\S)", "go to "),
    turn(
        r"(?:hang on|hang about|sit tight|hold tight)\s+(?:for\s+)?(?=(?:until|till|an?|half|"
        r"\d+|one|two|three|five|ten|fifteen|twenty|thirty)\b)",
        "wait ",
    ),
    turn(
        r"put\s+(?P<what>(?:the|my|this)\s[^,;]+?)\s+back\s+(?=(?:in|on|into|onto)\s)",
        r"put \g<what> ",
    ),
    turn(r"flip\s+(?:(?:over|back|across)\s+)?to\s+(?=the\s|(?-i:[A-Z]))", "go to "),
    turn(r"alt-?tab\s+(?:(?:back|over|across)\s+)+to\s+(?=\S)", "switch to "),
    turn(
        r"(?:nudge|crank|dial|bump|push)\s+(?P<what>(?:the|my|your)\s[^,;]+?)\s+(?:up|down)\s+to\s+"
        r"(?=\d)",
        r"set \g<what> to ",
    ),
    turn(
        rf"drop\s+(?={QUOTE}\s+(?:in|into)\s+(?:the|my|your)\s[^,;]*\b(?:chat|field|box|comments?|"
        r"message|channel))",
        "put ",
    ),
    turn(
        r"use\s+the\s+(?P<key>up|down|left|right)[- ]arrow(?:\s+key)?\s+to\s+(?:fetch|get|recall|"
        rf"bring back|reach|go to|call up)\s[^,;]+?{END}",
        r"press the \g<key> arrow key",
    ),
    turn(
        r"(?:go\s+to|open|visit)\s+(?:the|my|your|our)\s(?:[\w'’-]+\s)*?(?:site|web\s?site|page|shop|"
        r"portal|home\s?page),\s+(?P<url>(?:[a-z\d-]+\.)+[a-z]{2,}(?:/\S*?)?)(?=\s*,|\s|$)",
        r"go to \g<url>",
    ),
    turn(
        r"(?:open|bring up|show|launch|call up)\s+[^,;()]+?\s+\((?P<keys>(?:(?:ctrl|alt|shift|cmd|"
        r"super|win)\+)+\w+)\)",
        r"press \g<keys>",
    ),
    turn(
        r"(?:repeat|recur)(?:ing)?\s+(?:it\s+)?(?=(?:daily|weekly|monthly|yearly|annually|hourly|"
        rf"every\s(?:other\s)?(?:\w*day|week|month|year|hour)){END})",
        "set repeat to ",
    ),
    turn(
        r"subtract\s+(?P<n>\d+)\s+from\s+(?P<what>the\s[^,;]*?(?:number|quantity|amount|value|"
        rf"counter|count|score|price)(?:\s(?:in|of|for)\s[^,;]+?)?){END}",
        r"decrease \g<what> by \g<n>",
    ),
    turn(
        r"(?P<out>(?:log|sign)\s+out)\s+and\s+(?:(?:log|sign)\s+)?back\s+in\b",
        r"\g<out> and log in",
    ),
    turn(r"fire\s+off\s+(?=\S)", "run "),
    turn(
        rf"find\s+(?P<old>{QUOTE})\s+and\s+replace\s+(?:all(?:\s+of)?(?:\s+(?:its|the|them))?"
        rf"(?:\s+(?:occurrences?|instances?|matches|hits))?|every\s+(?:occurrence|instance|match)|"
        rf"it\s+everywhere|them\s+all)(?:\s+of\s+it)?\s+(?:with|by)\s+(?P<new>{QUOTE}){END}",
        r"replace all \g<old> with \g<new>",
    ),
    turn(
        r"(?P<act>tick|untick|check|uncheck|click|clear)\s+the\s+(?P<what>(?:[\w-]+\s)?(?:"
        r"check ?box|box|button|icon|link|star|switch))(?:es|s)?\s+(?:in|of|on)\s+"
        r"the\s+(?P<a>\w+)\s+and\s+(?:the\s+)?"
        rf"(?P<b>\w+)\s+(?P<noun>row|column|line|entry|item|card)s?{END}",
        r"in the \g<a> \g<noun>, \g<act> the \g<what>, and in the \g<b> \g<noun>, "
        r"\g<act> the \g<what>",
    ),
    # A month and its year are what a calendar shows.
    turn(
        rf"(?:in|on|within)\s+(?P<of>{_CALENDAR}),?\s+(?:{_GO}|show|display)\s+(?={_MONTH_OF}{END})",
        r"set \g<of> to ",
    ),
    turn(
        rf"(?:{_GO}|show|display)\s+(?P<month>{_MONTH_OF})\s+(?:in|on|of)\s+(?P<of>{_CALENDAR}){END}",
        r"set \g<of> to \g<month>",
    ),
    turn(rf"{_GO}\s+(?={_MONTH_OF}{END})", "set the calendar to "),
    turn(
        rf"{_GO}\s+(?:the\s+)?(?P<which>(?:next|previous|following)\s+(?:month|year))\s+"
        rf"(?:in|on|of)\s+(?P<of>{_CALENDAR}){END}",
        r"in \g<of>, click the \g<which>",
    ),
    turn(
        rf"{_GO}\s+(?:the\s+)?(?=(?:next|previous|following)\s+(?:month|year){END})",
        "click the ",
    ),
    turn(
        r"(?:(?:start|begin|go\s+to|move\s+(?:on\s+|down\s+)?to|skip\s+to|jump\s+to)\s+(?:an?other|"
        r"a\s+new)\s+(?:line|paragraph)|(?:insert|add|enter|make)\s+a\s+(?:line|paragraph)\s+break)"
        rf"(?:\s+(?:there|below(?:\s+it)?))?{END}",
        "press Enter",
    ),
    turn(
        r"open\s+the\s+(?:app|program|one|result|entry|hit)\s+that\s+comes\s+(?:up\s+)?first",
        "click the first result",
    ),
    turn(
        r"keep\s+(?P<what>(?:the|its)\s[^,;]+?)\s+(?:handy|in mind|at hand)\s+(?=as\s)",
        r"remember \g<what> ",
    ),
    (
        re.compile(
            r",?\s+(?:we['’]ll|let['’]s|I['’]ll|let\s+us)\s+call\s+(?:it|that)\s+"
            r"(?P<name>(?-i:[A-Z][A-Z\d_]*))$",
            re.IGNORECASE,
        ),
        r" as \g<name>",
    ),
    (re.compile(r"\s+before\s+anything\s+else(?=$|,)", re.IGNORECASE), ""),
    (
        re.compile(
            r"^(?P<act>[a-z][^,]+),\s+from\s+(?:within|inside)\s+(?P<where>[^,]+)$", re.IGNORECASE
        ),
        r"in \g<where>, \g<act>",
    ),
    turn(r"have\s+a\s+go\s+at\s+(?=[a-z]+ing\b)", "try "),
    (
        re.compile(r"^(?:alright|all right|right|well|great|good|fine),\s+", re.IGNORECASE),
        "",
    ),
    (
        re.compile(
            r"^(?P<when>once|when|as soon as)\s+(?P<what>the\s[^,]+?)\s+(?:is|are)\s+up(?=,)",
            re.IGNORECASE,
        ),
        r"\g<when> \g<what> is shown",
    ),
    (
        re.compile(
            r"^of\s+(?:all\s+)?(?P<what>(?:the|these|those)\s[^,]+),\s+(?:choose|take|pick|"
            r"select)\s+(?=\S)",
            re.IGNORECASE,
        ),
        r"from \g<what>, choose ",
    ),
    (
        re.compile(
            r"(?<=\s)bar\s+(?P<but>(?:this|that|the\s+(?:first|last|current|active))(?:\s+one)?)$",
            re.IGNORECASE,
        ),
        r"except \g<but>",
    ),
    (
        re.compile(
            r"^(?P<what>(?:the\s[^,]+?|it))\s+wants\s+to\s+(?P<so>(?:be\s+(?:under|over|above|below|"
            rf"at|on|off|empty|ticked|{QUOTE}|\d)|say|read|show))",
            re.IGNORECASE,
        ),
        r"\g<what> should \g<so>",
    ),
    turn(r"read\s+(?:out\s+to\s+)?me\s+(?=the\s|what\s|which\s|how\s)", "tell me "),
    turn(rf"(?:get|bring|call)\s+(?P<what>{_THING})\s+up{END}", r"open \g<what>"),
    turn(
        rf"hand\s+(?P<what>{_THING}|it|them)\s+over\s+to\s+(?=[^,;:]+$|[^,;:]+\sand\s)",
        r"hand over \g<what> to ",
    ),
    turn(
        rf"turn\s+(?P<what>(?:the|my|your)\s(?:\w+\s)?{_LEVEL})\s+(?P<way>up|down)"
        rf"(?:\s+(?:just\s+)?(?:a\s+(?:little|bit|touch|notch)|slightly))?{END}",
        r"turn \g<way> \g<what>",
    ),
    turn(
        r"wind\s+(?P<what>(?:the|my|your)\s(?:[\w-]+\s)*?(?:date|clock|year|month|calendar|time|"
        r"counter))\s+(?:back|forward|on)\s+to\s+(?=\S)",
        r"set \g<what> to ",
    ),
    (
        re.compile(
            r"^(?:further\s+)?(?:down|up|back|out)\s+(?P<place>(?:in|on|at)\s+(?:the|my|your)\s[^,]+,)",
            re.IGNORECASE,
        ),
        r"\g<place>",
    ),
    (
        re.compile(
            r"^with\s+(?P<what>[^,]+?)\s+(?:in\s+front|in\s+the\s+foreground|on\s+(?:the\s+)?screen),",
            re.IGNORECASE,
        ),
        r"in \g<what>,",
    ),
    (
        re.compile(
            r"^(?:(?:right|just|directly)\s+)?(?:underneath|beneath|below)(?:\s+(?:it|that))?,\s+"
            r"(?P<act>(?:click|tap|press|tick|untick|check|double-click|right-click)\s)",
            re.IGNORECASE,
        ),
        r"below it, \g<act>",
    ),
    (
        re.compile(
            r"(?P<by>\b(?:sort|order|arrange|list|show|display|rank)\b[^;]*?)[\s,]+(?:so\s+that|with)\s+the\s+(?P<end>highest|largest|newest|latest|biggest|"
            r"lowest|smallest|oldest|cheapest|most\s+(?:expensive|recent|popular))(?:\s+[a-z]+)?(?:\s+(?:is|are|comes?|appears?|shows?))?\s+"
            r"(?:on\s+(?:the\s+)?top|at\s+the\s+top|first|uppermost)$",
            re.IGNORECASE,
        ),
        r"\g<by> \g<end> first",
    ),
    (re.compile(r",?\s+if\s+you\s+(?:don['’]t|wouldn['’]t)\s+mind$", re.IGNORECASE), ""),
    (
        re.compile(
            r"^(?P<act>(?:go|switch|turn|move|change)\s+to\s+(?:the\s+)?(?:page\s+\d+|"
            r"(?:next|previous|last|first|second|third)\s+page))\s+(?:using|with|via)\s+the\s+"
            r"(?:buttons|arrows|links|numbers|pager|page\s+numbers)(?:\s+(?:at|on|below|above|"
            r"under)\s[^,]+)?$",
            re.IGNORECASE,
        ),
        r"\g<act>",
    ),
    turn(
        rf"replace\s+(?:(?:what|whatever)(?:['’]s|\s+is)(?:\s+(?:now|currently|written))?|the\s+"
        rf"(?:[a-z]+\s+)?(?:text|contents?|value|address|name|number|entry|word|words))\s+(?:in|inside|of)\s+"
        rf"(?P<what>the\s[^,;]*?(?:field|box|input|cell|bar)(?:\s(?:at|on|under|below|above)\s"
        rf"(?:the\s)?[^,;]+?)?)\s+(?:with|by)\s+(?P<text>{ANY}){END}",
        r"fill \g<what> with \g<text>",
    ),
    turn(
        rf"search\s+for\s+(?P<old>{QUOTE})\s+and\s+replace\s+(?:all\s+of\s+them|them\s+all|them|"
        rf"every\s+one(?:\s+of\s+them)?|each\s+of\s+them|it\s+everywhere)\s+(?:with|by)\s+"
        rf"(?P<new>{QUOTE}){END}",
        r"replace all \g<old> with \g<new>",
    ),
    turn(
        rf"repeat\s+(?:the|your)\s+(?P<what>password|e-?mail(?:\s+address)?){END}",
        r"type it into the repeat \g<what> field",
    ),
    turn(
        rf"add\s+(?:two|three|four|five|six|\d)\s+(?:new\s+)?[a-z-]+s\s*:\s+"
        rf"(?P<all>{QUOTE}(?:(?:,\s+(?:and\s+)?|\s+and\s+){QUOTE})+)$",
        r"add \g<all>",
    ),
    (
        re.compile(
            r"^go\s+back\s+(?:one|a|two|three)\s+(?:step|page|screen)s?\s+(?:with|using|via|by)\s+"
            rf"(?:pressing\s+|clicking\s+)?(?P<what>(?:the\s)?{QUOTE}|(?:the\s+)?(?-i:[A-Z])\w*"
            r"(?:\s+(?:button|link))?)$",
            re.IGNORECASE,
        ),
        r"click \g<what>",
    ),
)


def everyday(text: str, talk: Talk) -> str:
    """The masked sentence in plainer words."""
    for pattern, plain in _TURNS:
        for found in pattern.finditer(text):
            talk.put_aside(_alone(found))
        text = pattern.sub(plain, text)
    return text


def _alone(found: re.Match[str]) -> str:
    """The words of a turn that its plainer form does not repeat."""
    said = found[0]
    for group in found.groupdict().values():
        said = said.replace(group, " ", 1) if group else said
    return said


_ON = re.compile(
    rf"(?:on|at)\s+(?:the\s+(?:page|site|address)\s+)?(?P<url>{OTHER})(?:,|:)?\s+(?P<body>\S.*)",
    re.IGNORECASE | re.DOTALL,
)


def on_address(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`On URL tick A and press B`: there first, and then the steps."""
    found = _ON.fullmatch(text)
    if found is None or verb_at(bare(found["body"])) is None:
        return None
    url = talk.text(found["url"])
    if not re.match(r"(?:https?|file|about|chrome|data)://?|/", url):
        return None
    return [GoTo(url, words=talk.atoms.original(text)), *read(found["body"], talk)]


_MENU = re.compile(
    r"(?:use|using|via|through|from)\s+(?P<menu>the\s+(?:[\w&-]+\s+){1,3}menu)\s+to\s+(?:open|get\s+to|reach|"
    r"bring\s+up|call\s+up|start|launch|show)\s+(?P<what>\S.*)",
    re.IGNORECASE | re.DOTALL,
)


# "Cut and Paste Options" is one name.
_TITLE = r"(?:the\s+)?[A-Z][\w&-]*(?:\s+(?:[A-Z][\w&-]*|and|of|to|as|dialog|window))*"


def from_menu(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Use the Search menu to open Find and Replace`: that is chosen from it."""
    found = _MENU.fullmatch(text)
    if found is None:
        return None
    whole = re.fullmatch(_TITLE, found["what"].rstrip(" .!"))
    what, *others = [found["what"]] if whole else clauses(found["what"])
    talk.put_aside(text[: found.start("what")])
    named = re.sub(r"^the\s+(?=[A-Z])|\s+(?:dialog|window)$", "", bare(what))
    talk.put_aside(bare(what))
    if re.search(r"\sand\s", named):
        named = talk.atoms.mask(f'"{talk.phrase(named)}"')
    steps = read(f"choose {named} from {found['menu']}", talk)
    return [*steps, *(step for part in others for step in read(part, talk))]


_PAD = (
    r"(?:\d{1,2}|(?:the\s+)?(?:plus|minus|times|multiply|divide|equals?|dot|point|comma)"
    r"(?:\s+(?:sign|key|button))?|[+×x*/÷=.()%^√−-])"
)
_SIGN = r"[+×*/÷=().%-]"
"""Signs beside which no space is needed: `(7+5)/4=`."""
_GAP = r"(?:\s*,\s*(?:and\s+|then\s+)?|\s+(?:and|then)\s+(?:then\s+)?|\s+)"
_CALCULATED = re.compile(
    rf"(?P<do>click|tap|press|hit)\s+(?:on\s+)?(?:the\s+(?:keys|buttons)\s+)?"
    rf"(?P<keys>{_PAD}(?:(?:{_GAP}|(?<={_SIGN})|(?={_SIGN})){_PAD})+)"
    r"(?P<on>\s+(?:on|in|of)\s+the\s+(?:calculator|(?:number\s+)?(?:key)?pad))?",
    re.IGNORECASE,
)
_RECKONED = re.compile(
    r"(?:enter|type|key in|punch in)\s+(?P<sum>\d[\d.,]*(?:\s*[-+×x*/÷]\s*\d[\d.,]*)+)\s*(?P<is>=)?"
    r"(?P<on>\s+(?:on|in|into)\s+the\s+calculator)",
    re.IGNORECASE,
)


_DIALLED = re.compile(
    r"(?:enter|type|dial|key in|punch in|input)\s+(?:the\s+)?(?:(?:code|pin|number|digits)\s+)?"
    rf"(?P<n>{ANY}|\d[\d -]*)\s+(?:using|with|on|via)\s+the\s+(?:on-?screen\s+|number\s+|"
    r"numeric\s+|dial\s+|virtual\s+)(?:key\s?pad|pad|keyboard|keys)",
    re.IGNORECASE,
)


def on_pad(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Click 1, 2, plus, 8 and the equals sign`: one button after the other."""
    if sum_ := _RECKONED.fullmatch(text):
        talk.put_aside(text)
        typed = re.sub(r"\s", "", f"{sum_['sum']}{sum_['is'] or ''}")
        return [Enter(typed, words=talk.atoms.original(text))]
    if dialled := _DIALLED.fullmatch(text):
        talk.put_aside(text)
        digits = re.findall(r"\d", talk.atoms.original(dialled["n"]))
        return [Point(digit, words=talk.atoms.original(text)) for digit in digits]
    found = _CALCULATED.fullmatch(text)
    keys = re.findall(_PAD, found["keys"], re.IGNORECASE) if found else []
    if found is None or not any(key.isdigit() for key in keys) or all(map(str.isdigit, keys)):
        return None
    if keys[-1].lower() == "times":
        # "click the plus button 3 times": how often.
        return None
    talk.put_aside(found["on"] or "")
    if re.fullmatch(r"[\d.]+", found["keys"]):
        return None
    if re.search(_SIGN, found["keys"]):
        # One key for each figure.
        talk.put_aside(found["keys"])
        keys = [key for part in keys for key in (part if part.isdigit() else [part])]
    return [Point(key, words=talk.atoms.original(text)) for key in keys]


_FIRST = re.compile(r"(?P<a>.+?),?\s+but\s+(?P<b>[^,;]+?)\s+first", re.IGNORECASE | re.DOTALL)


def first_the_other(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Send the mail, but attach the file first`: the second is done before."""
    found = _FIRST.fullmatch(text)
    if found is None or verb_at(bare(found["b"])) is None or verb_at(bare(found["a"])) is None:
        return None
    if re.search(r"\b(?:it|its|them|their|that|one)\b", found["b"], re.IGNORECASE):
        return [unclear(text, talk, "what is done first speaks of what is only named after it")]
    return [*read(found["b"], talk), *read(found["a"], talk)]
