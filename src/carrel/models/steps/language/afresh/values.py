"""What a slider, a counter or a field shall come to show, told by its aim or by the way there."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import QUOTE

__all__ = ["EACH_BY_PLACE", "VALUES"]

_START = r"(?:^|(?<=[.!?;:]\s)|(?<=\bthen\s)|(?<=\band\s)|(?<=,\s))"
_N = r"(?P<n>-?\d+(?:\.\d+)?(?:\s?%)?)"
_SHOWS = (
    r"(?:(?:the|its)\s+(?:value|number|reading|amount)\s+(?:is|reads|shows|reaches|equals|becomes)|"
    r"it\s+(?:is\s+at|is|reads|shows|says|reaches|has(?:\s+the\s+value)?|displays|stands\s+at|"
    r"points\s+(?:to|at))|you\s+(?:reach|get\s+to|see|have|are\s+at)|(?:they|the\s+(?:sliders|dials|knobs))\s+"
    r"(?:read|"
    r"show|are\s+at|are|stand\s+at))"
)
_THING = (
    r"(?P<what>the\s+(?:[\w-]+\s+){0,3}?(?:slider|spinner|counter|stepper|dial|knob|handle|"
    r"number\s+(?:field|box)|quantity|volume|control))"
)
_MOVE = r"(?:move|drag|slide|turn|use|adjust|change|push|pull|set|bring|shift|step|click)"
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
_NTH = r"first|second|third|fourth|fifth|sixth|last|left|middle|right|top|bottom|other"
_LIST = r"(?P<list>\[[^\]]*\]|[\uf500-\uf8ff]|-?\d+(?:\s*,\s*-?\d+)*(?:\s*,)?\s+and\s+-?\d+)"
_PART = (
    r"(?:arrows?|buttons?|handle|knob|plus\s+and\s+minus(?:\s+buttons)?|thumb|up\s+and\s+down\s+"
    r"arrows)"
)


def _each_of(found: re.Match[str]) -> str:
    """Each of several by its place, one after the other."""
    told = re.findall(rf"the\s+({_NTH})\b.*?(-?\d+)", found["each"], re.IGNORECASE)
    return ", then ".join(f"set the {nth} {found['sort']} to {n}" for nth, n in told)


def _all_of(found: re.Match[str]) -> str:
    """Every slider by its place, in the order of the numbers."""
    numbers = re.findall(r"-?\d+", found["list"])
    if len(numbers) > len(_ORDINALS):
        return found[0]
    if not numbers:
        # A list in brackets is told apart when it is read.
        return f"set the {found['sort']} to {found['list']}"
    one = found["sort"].lower().removesuffix("s")
    return ", then ".join(
        f"set the {nth} {one} to {number}" for nth, number in zip(_ORDINALS, numbers, strict=False)
    )


def _item(found: re.Match[str]) -> str:
    """An entry told by how it begins, and how it ends."""
    named = found.groupdict()
    first = named.get("a") or named.get("a1") or named.get("a2")
    last = named.get("b") or named.get("b1") or named.get("b2")
    end = f" and ends with {last}" if last else ""
    return f"enter an entry that starts with {first}{end}"


# As in "Put the first slider at 17, the second one at 10 and the last one at 11".
EACH_BY_PLACE = turn(
    rf"{_START}(?:put|set|move|bring|drag|place)\s+(?P<each>the\s+(?:{_NTH})\s+"
    rf"(?P<sort>slider|spinner|counter|"
    rf"dial|knob)\s+(?:at|to|on)\s+-?\d+(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)the\s+"
    rf"(?:{_NTH})(?:\s+(?:one|"
    rf"slider|spinner|counter|dial|knob))?\s+(?:at|to|on)\s+-?\d+)+)",
    _each_of,
)
"""Each of several gauges to a value of its own."""
VALUES: tuple[Turn, ...] = (
    # "Slide until the value is 129"
    turn(
        rf"{_START}slide(?:\s+it)?\s+(?:until|till|so\s+that|such\s+that|up\s+to\s+where)\s+"
        rf"{_SHOWS}\s+{_N}",
        r"set the slider to \g<n>",
    ),
    turn(
        rf"{_START}{_MOVE}\s+{_THING}\s+(?:until|till|so\s+that|such\s+that|so)\s+{_SHOWS}\s+{_N}",
        r"set \g<what> to \g<n>",
    ),
    # "Use the arrows of the spinner to get to 5"
    turn(
        rf"{_START}(?:{_MOVE}|press|with|using)\s+(?:the\s+)?{_PART}\s+(?:of|on|in|at)\s+"
        rf"{_THING},?\s+"
        rf"(?:to\s+|until\s+(?:you\s+|it\s+)?)?(?:get|go|come|count|step|move|set\s+it|bring\s+it|"
        rf"reach|"
        rf"reaches|shows|reads|is|make\s+it|select|choose)\s*(?:to\s+|at\s+|show\s+)?{_N}",
        r"set \g<what> to \g<n>",
    ),
    turn(
        rf"{_START}(?:with|using|use)\s+{_THING},?\s+(?:to\s+)?(?:get|go|come|choose|select|pick|"
        rf"set|reach|"
        rf"dial|enter)\s*(?:to\s+)?{_N}",
        r"set \g<what> to \g<n>",
    ),
    turn(
        rf"{_START}{_THING}\s+(?:should|must|has\s+to|needs\s+to|shall)\s+(?:be\s+(?:at|set\s+to|"
        rf"on)?|"
        rf"show|read|display|have\s+the\s+value|stand\s+at)\s*{_N}",
        r"set \g<what> to \g<n>",
    ),
    # "Step the spinner to 5"
    turn(
        rf"{_START}(?:step|bring|turn|push|take|dial|get|crank|put|move|drag|slide|pull|shift|"
        rf"raise|lower|adjust)"
        rf"\s+{_THING}\s+(?:up\s+|down\s+|over\s+)?(?:to|at|on|until)\s+(?:the\s+(?:value|"
        rf"number)\s+)?{_N}",
        r"set \g<what> to \g<n>",
    ),
    turn(
        rf"{_START}(?:the\s+(?:number|value)\s+(?:in|of|on)\s+)?{_THING}\s+(?:needs|has|ought)\s+"
        rf"to\s+(?:be\s*"
        rf"(?:at|set\s+to|on)?|show|read|display|stand\s+at)\s+{_N}",
        r"set \g<what> to \g<n>",
    ),
    EACH_BY_PLACE,
    # "Move the sliders until they read 17, 10 and 11"
    turn(
        rf"{_START}(?:{_MOVE}|put)\s+(?:all\s+)?(?:the\s+)?(?:\w+\s+)?(?P<sort>sliders|spinners|"
        rf"counters|dials|knobs)\s+"
        rf"(?:until|till|so\s+that|such\s+that|to\s+where)\s+{_SHOWS}\s+{_LIST}",
        _all_of,
    ),
    # "The three sliders should be at 17, 10 and 11, in that order. Put them there …"
    turn(
        rf"{_START}(?:the\s+)?(?:\w+\s+)?(?P<sort>sliders|spinners|counters|dials|knobs)\s+"
        rf"(?:should|must|have\s+"
        rf"to|need\s+to|shall)\s+(?:be(?:\s+(?:at|set\s+to|on))?|show|read|display|stand\s+at)\s+"
        rf"{_LIST}"
        r"(?:,?\s+in\s+(?:that|this)\s+order|,?\s+respectively|,?\s+from\s+(?:left\s+to\s+right|"
        r"top\s+to\s+"
        r"bottom))?(?:[.;,]\s+(?:and\s+)?(?:put|set|move|bring)\s+them(?:\s+(?:there|so|like\s+"
        r"that|"
        r"accordingly))?)?",
        _all_of,
    ),
    turn(
        r"\b(?:set|move|drag|bring|put|adjust|slide|turn)\s+(?:all\s+)?(?:the\s+)?(?:\w+\s+)?"
        r"(?P<sort>sliders|spinners|counters|dials|knobs)\s+to\s+(?:the\s+"
        rf"(?:values|numbers|levels|settings|positions)\s+)?{_LIST}(?:,?\s+in\s+(?:that|this)\s+order|"
        rf",?\s+"
        r"respectively|,?\s+from\s+(?:left\s+to\s+right|top\s+to\s+bottom))?",
        _all_of,
    ),
    # "Choose an item beginning with X and put it in the box"
    turn(
        rf"{_START}(?:choose|select|pick|type|fill\s+in|enter|find|take)\s+(?:an?|some|any|"
        rf"one)\s*(?:thing)?"
        rf"\s*(?:item|entry|option|value|suggestion|word|name|country|one)?(?:\s+(?:from|of|out\s+"
        rf"of|among)"
        rf"\s+the\s+\w+)?,?\s+(?:(?:that|which)\s+(?:begins|starts)\s+with|beginning\s+with|"
        rf"starting\s+with|"
        rf"whose\s+(?:beginning|start|first\s+letters?)\s+(?:is|are)|with\s+(?=(?:{QUOTE})\s+at\s+"
        rf"the\s+"
        rf"(?:start|beginning|front)))\s*(?P<a>{QUOTE})(?:\s+at\s+the\s+(?:start|beginning|front))?"
        rf"(?:\s+and\s+(?:(?:that\s+|which\s+)?(?:ends|finishes)\s+(?:with|in|on)|ending\s+"
        rf"(?:with|in)|whose\s+"
        rf"(?:end|ending|last\s+letters?)\s+(?:is|are)|with)\s+(?P<b>{QUOTE})(?:\s+at\s+(?:the|"
        rf"its)\s+end)?)?"
        rf"(?:,?\s+(?:and\s+|then\s+)?(?:put|type|enter|write|fill|place)\s+it\s+(?:in|into)\s+"
        rf"(?P<place>"
        rf"the\s+[^,.;]*?(?:box|field|input)))?",
        _item,
    ),
    turn(
        rf"{_START}the\s+(?:entry|item|value|word|text)\s+(?:must|should|has\s+to)\s+(?:have\s+"
        rf"(?P<a1>{QUOTE})"
        rf"\s+at\s+the\s+(?:start|beginning|front)|(?:begin|start)\s+with\s+(?P<a2>{QUOTE}))(?:\s+"
        rf"and\s+"
        rf"(?:(?P<b1>{QUOTE})\s+at\s+the\s+end|(?:end|finish)\s+(?:with|in)\s+"
        rf"(?P<b2>{QUOTE})))?[.;,]\s+"
        rf"(?:please\s+)?(?:fill\s+in|enter|type(?:\s+in)?|choose|select|pick|write|find)\s+"
        rf"(?:one|such\s+an?\s+\w+|"
        rf"an?\s+\w+)(?:\s+(?:like\s+that|of\s+that\s+kind|that\s+(?:fits|does)|accordingly))?",
        _item,
    ),
)
