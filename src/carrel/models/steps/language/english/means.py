"""English words about by what means something is done: that is what the hands do."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import ANY, QUOTE
from carrel.models.steps.language.english.keys import chord
from carrel.models.steps.language.english.reader import Reader, imperative
from carrel.models.steps.language.english.settings import instrument
from carrel.models.steps.language.numbers import NUMBER, number, times
from carrel.models.steps.language.talk import EACH, NotUnderstood, Talk
from carrel.models.steps.language.words import bare, verb_at
from carrel.models.steps.program import Enter, ForEach, Has, Perform, Press, Repeat, Step

__all__ = ["IT", "by_doing", "with_thing"]

IT = re.compile(r"\b(?:both of them|them both|all of them|it|this|that|them)\b", re.IGNORECASE)
"""A word that stands for what was just named."""
_WITH = r"(?:with|using|via|through|by using|by means of|by way of|by)"
_LEVEL = re.compile(
    r"(?:increase|decrease|raise|lower|reduce|change|set|bring|turn up|turn down)\s+"
    r"(?P<what>.+?)\s+(?:from\s+\S+\s+)?to\s+(?P<n>\d+(?:[.,]\d+)?)",
    re.IGNORECASE,
)


_CLICKING = re.compile(
    r"(?P<goal>\S+\s.+?)\s+by\s+(?P<how>(?:double|right|single|left|middle)?[- ]?(?:click|tapp))ing"
    r"(?:\s+(?:on\s+)?it)?",
    re.IGNORECASE,
)


_TABBED = re.compile(
    r"open\s+(?P<what>.+?)(?P<new>\s+in\s+an?\s+(?:new|separate)\s+(?:tab|window))\s+by\s+"
    r"(?P<mod>ctrl|shift)?-?clicking\s+(?:on\s+)?it(?:\s+with\s+(?P<held>ctrl|shift)\s+"
    r"(?:held(?: down)?|pressed))?",
    re.IGNORECASE,
)
_RENAMED = re.compile(
    r"(?:rename|retitle|relabel)\s+(?P<what>.+?)\s+(?:to|as|into)\s+(?P<text>\S.*?)\s+by\s+"
    r"(?P<means>(?:double-|right-)?(?:click|press|tapp)ing\b.+)",
    re.IGNORECASE,
)


_KEYED = re.compile(r"pressing\s+(?:the\s+)?(?:f\d{1,2}|\S+\+\S+)(?:\s+key)?", re.IGNORECASE)


def by_doing(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Close the dialog by clicking the x`: how it is to be done is the instruction."""
    renamed = _RENAMED.fullmatch(text)
    if renamed and _KEYED.fullmatch(renamed["means"]):
        # The hands know the keys of that.
        talk.put_aside(text[renamed.end("text") :])
        return read(text[: renamed.end("text")], talk)
    if renamed and verb_at(bare(renamed["means"])):
        what = talk.atoms.mask(f"[{talk.phrase(renamed['what'])}]")
        talk.put_aside(text[: renamed.start("what")])
        way = _ITS.sub(lambda m: f"the {m['noun']} of {what}", imperative(bare(renamed["means"])))
        named = [Enter(talk.text(renamed["text"])), Press(("enter",))]
        return [*read(IT.sub(what, way, count=1), talk), *named]
    if tabbed := _TABBED.fullmatch(text):
        talk.put_aside(text[: tabbed.start("what")] + text[tabbed.end("what") : tabbed.end("new")])
        return read(f"{tabbed['mod'] or tabbed['held'] or 'ctrl'}-click {tabbed['what']}", talk)
    clicking = _CLICKING.fullmatch(text)
    if clicking and (verb := verb_at(clicking["goal"])) and verb[2]:
        talk.put_aside(verb[1])
        return read(f"{clicking['how'].replace('tapp', 'tap')} {verb[2]}", talk)
    found = re.fullmatch(
        r"(?P<goal>.+?)[\s,]+by\s+(?P<means>(?:first\s+)?(?:\w+-)?\w+ing\b.+)",
        text,
        re.IGNORECASE | re.DOTALL,
    )
    if found is None or verb_at(bare(found["means"])) is None:
        return None
    if re.match(
        r"(?:dragging|moving|using)\s+(?:the|your)\s+(?:mouse|pointer)",
        found["means"],
        re.IGNORECASE,
    ):
        return None
    if level := _LEVEL.fullmatch(found["goal"]):
        return _so_often(level, read(imperative(bare(found["means"])), talk), talk, text)
    if (value := _VALUE.fullmatch(found["goal"])) and _TYPED.match(found["means"]):
        talk.put_aside(found["goal"])
        typed = talk.atoms.mask(f'"{talk.text(value["value"])}"')
        way = _TYPED.sub(lambda m: f"{m['verb']} {typed} into", found["means"], count=1)
        return read(imperative(bare(way)), talk)
    quotes = re.findall(QUOTE, found["goal"])
    if len(quotes) > 1 and _EACH.search(found["means"]):
        talk.put_aside(found["goal"])
        way = _EACH.sub(talk.atoms.mask(f"{{{EACH}}}"), imperative(bare(found["means"])), count=1)
        items = tuple(map(talk.text, quotes))
        return [ForEach(EACH, tuple(read(way, talk)), items)]
    if whole := _of_goal(found["goal"], found["means"], talk):
        return read(whole, talk)
    means = re.sub(r"^using\s+", "use ", found["means"], flags=re.IGNORECASE)
    if means != found["means"]:
        goal = read(found["goal"], talk)
        return instrument(means[4:], found["goal"], goal, talk)
    talk.put_aside(_goal(found["goal"], talk))
    return read(imperative(bare(means)), talk)


_EACH = re.compile(r"\b(?:each(?: one| of them| name| word)?|them one by one)\b", re.IGNORECASE)
_VALUE = re.compile(
    r"(?:set|change|update|switch)\s+.+?\s+to\s+(?P<value>\S+(?:\s[A-Z]\S*)*)", re.IGNORECASE
)
_TYPED = re.compile(
    r"(?P<verb>typing|entering|writing)\s+(?:it|its name|that|the (?:new\s+)?(?:name|value|number)"
    r"(?: of the \w+)?)\s+(?:into|in)",
    re.IGNORECASE,
)
_TOGGLED = re.compile(
    r"(?:clicking|pressing|tapping|using)\s+(?:on\s+)?(?:the|its|a|an)\s+(?:little\s+|small\s+)?"
    r"(?:plus|minus|arrow|triangle|chevron|caret|toggle|expander)(?:\s+(?:sign|icon|button|"
    r"symbol))?"
    r"(?:\s+(?:next to|beside|in front of|before|of|left of)\s.+)?",
    re.IGNORECASE,
)


def _of_goal(goal: str, means: str, talk: Talk) -> str | None:
    """The instruction, where the way is told in words that lean on the goal.

    `Add "Milk" by typing it into X` types that text; `expand the row by clicking its arrow` is
    expanding it; what is done `the same way` later is done with the same words.
    """
    verb = verb_at(bare(goal))
    if verb and verb[0] in ("expand", "collapse") and _TOGGLED.fullmatch(means):
        talk.put_aside(means)
        return goal
    if verb is None or not (IT.search(means) or _ITS.search(means)):
        return None
    named = re.findall(QUOTE, goal)
    if len(named) == 1 and IT.search(means) and not re.search(QUOTE, means.split(" into ")[0]):
        talk.put_aside(goal)
        return IT.sub(named[0], imperative(bare(means)), count=1)
    what = re.sub(r"^(?:in|for|to|from|on)\s+", "", verb[2])
    what = re.sub(r"\s+(?:wider|narrower|taller|shorter|larger|smaller|bigger|again)$", "", what)
    if not re.match(rf"(?:the|this|that|my|your)\s|{QUOTE}|[A-Z]|\S+\.\w{{1,5}}(?:\s|$)", what):
        return None
    talk.put_aside(goal)
    thing = talk.atoms.mask(f"[{talk.phrase(what)}]")
    way = _ITS.sub(lambda m: f"the {m['noun']} of {thing}", imperative(bare(means)))
    return IT.sub(thing, way, count=1)


def _goal(goal: str, talk: Talk) -> str:
    """What something is done for.

    Raises:
        NotUnderstood: It names a text that the means leave out.
    """
    if re.search(r"\b(?:called|named|titled|labell?ed|with the (?:name|text|title))\s", goal):
        said = talk.atoms.original(goal)
        raise NotUnderstood(f"“{said}” tells more than the way to do it; one step for each")
    return goal


_NO_MEANS = frozenset(
    (
        "click",
        "press",
        "enter",
        "keep",
        "double",
        "right",
        "drag",
        "append",
        "verify",
        "wait",
        "read",
    )
)
_BY_KEY = re.compile(
    rf"(?P<goal>.+?)[\s,]+{_WITH}\s+(?:the\s+)?"
    r"(?:keyboard\s+)?(?:shortcut\s+|keys?\s+|key combination\s+)?"
    r"(?P<key>\S+(?:\s?\+\s?\S+)*|(?:ctrl|control|alt|shift|cmd)\s+(?:and|plus)\s+\S+)"
    r"(?:\s+key|\s+shortcut)?",
    re.IGNORECASE | re.DOTALL,
)
_KEY = re.compile(
    r"(?:esc(?:ape)?|enter|return|delete|del|backspace|tab|f\d{1,2}|.+\+.+)", re.IGNORECASE
)
_CONTROL = (
    r"(?:button|icon|link|arrow|x|cross|menu item|menu entry|option|command|control|toggle|logo|"
    r"menu|entry|symbol|sign|pencil|gear|bin|shortcut)"
)
_BY_THING = re.compile(
    rf"(?P<goal>.+?)\s+{_WITH}\s+(?P<thing>(?:the|its)\s+(?:.*\b)?{_CONTROL}\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_BY_NAME = re.compile(
    rf"(?P<goal>.+?)\s+(?:using|via|through|by way of)\s+(?P<thing>{QUOTE}(?:\s.+)?)", re.IGNORECASE
)
_GOING = re.compile(
    r"(?:go|move|step|return|proceed|continue|advance|turn|page|flip|switch|navigate|leave|exit|"
    r"confirm|dismiss|get)\b",
    re.IGNORECASE,
)
# What is in front; of another thing the goal would say which.
_FRONT = re.compile(
    r"(?:it|this|that|them|(?:the|this|that|any)\s+(?:[\w-]+\s+){0,2}(?:dialog|pop-?up|window|menu|"
    r"modal|banner|message|notification|toast|alert|page|form|app|application|program|view|panel|"
    r"editor|prompt|tab))?",
    re.IGNORECASE,
)
_BOX = re.compile(
    rf"(?P<goal>(?:search|look)\s.+?)\s+{_WITH}\s+(?P<thing>the\s+(?:.*\s)?(?:search\s+)?"
    r"(?:box|bar|field|input)\b.*)",
    re.IGNORECASE,
)


_OWNER = re.compile(rf"\s(?:of|for)\s+(?P<of>(?:the\s+)?(?:{QUOTE}|[A-Z]).*)")
_PLACED = re.compile(r"\s(?:of|in|on|at|next to|beside|below|above|under|for)\s", re.IGNORECASE)


def with_thing(text: str, talk: Talk, read: Reader) -> list[Step] | None:
    """`Save it with Ctrl+S`, `log out using the link in the footer`: that is pressed or clicked."""
    if keys := _keys(text, talk):
        return [replace(step, words=talk.atoms.original(text)) for step in read(keys, talk)]
    if box := _BOX.fullmatch(text):
        place = talk.phrase(box["thing"])
        return [replace(step, place=place) for step in read(box["goal"], talk)]
    found = _BY_THING.fullmatch(text) or _BY_NAME.fullmatch(text)
    if found is None:
        return None
    if level := _LEVEL.fullmatch(found["goal"]):
        clicks, owner = read(f"click {found['thing']}", talk), _OWNER.search(level["what"])
        if owner and not _PLACED.search(found["thing"]):
            # Of several alike it is that of the thing whose level it is.
            clicks = [replace(step, place=talk.phrase(owner["of"])) for step in clicks]
        return _so_often(level, clicks, talk, text)
    verb = verb_at(found["goal"])
    own = verb is not None and (
        verb[0].startswith("own:")
        or verb[0] in ("close", "back", "forward", "submit", "expand", "collapse", "goto", "switch")
    )
    going = _GOING.match(found["goal"]) and not (verb and verb[0] == "make")
    if going or (own and verb and _FRONT.fullmatch(verb[2])):
        return None if re.search(ANY, found["goal"]) else _clicked(found, talk, read)
    return _on_thing(found, talk, read) if verb and verb[0] in _BY_CLICK else None


def _on_thing(found: re.Match[str], talk: Talk, read: Reader) -> list[Step]:
    """`Delete the second line using the bin icon`: the one of that line."""
    words, verb, thing = talk.atoms.original(found[0]), verb_at(found["goal"]), found["thing"]
    talk.put_aside(found["goal"])
    whose = talk.atoms.mask(f"[{talk.phrase(verb[2])}]") if verb and verb[2] else ""
    named = re.search(QUOTE, thing) is not None
    if re.search(r"\s(?:that|this|the same)\s[a-z]+$", thing):
        thing = re.sub(r"(?:that|this|the same)\s[a-z]+$", lambda _: whose, thing)
    elif not named and not re.search(r"\s(?:in|on|at|of|next to|beside)\s", thing):
        thing = f"{re.sub(r'^its ', 'the ', thing)} in {whose}"
    thing = _ITS.sub(lambda m: f"the {m['noun']} of {whose}", thing)
    return [replace(step, words=words) for step in read(f"click {thing}", talk)]


def _so_often(level: re.Match[str], body: list[Step], talk: Talk, text: str) -> list[Step]:
    """One click may not do: as often as it takes."""
    there = Has(talk.phrase(level["what"]), talk.text(level["n"]), "equals")
    talk.put_aside(level[0])
    return [Repeat(tuple(body), until=there, words=talk.atoms.original(text))]


_BY_CLICK = frozenset(
    f"own:{verb}"
    for verb in (
        "delete", "remove", "archive", "star", "unstar", "pin", "unpin", "mute", "unmute", "hide",
        "show", "like", "dislike", "follow", "unfollow", "flag", "unflag", "discard", "duplicate",
        "download", "play", "stop", "lock", "unlock", "assign", "approve", "reject", "accept",
        "decline", "request", "bookmark", "favorite", "favourite", "edit", "cancel",
        "get rid of", "block",
    )
)  # fmt: skip
_ITS = re.compile(
    r"\b(?:its|their)\s+(?P<noun>(?:(?:top|bottom|upper|lower)[- ](?:left|right)(?:[- ]hand)?\s"
    r"corner)|[a-z]+(?:\s(?:edge|corner|side|border|end|column|row|button|"
    r"icon|menu|"
    r"field|name|label|title|header|box))?)",
    re.IGNORECASE,
)


def _clicked(found: re.Match[str], talk: Talk, read: Reader) -> list[Step]:
    """What has a name is clicked; `the link in the footer` is where that is done."""
    words = talk.atoms.original(found[0])
    nameless = re.fullmatch(
        r"(?:the|its)\s+(?:link|button|icon|option|entry|control|command)\s+"
        r"(?:in|on|at|inside|within)\s+(?P<place>.+)",
        found["thing"],
        re.IGNORECASE,
    )
    if nameless:
        steps = read(found["goal"], talk)
        if len(steps) == 1 and isinstance(steps[0], Perform):
            talk.put_aside(found["thing"])
            return [replace(steps[0], place=talk.phrase(nameless["place"]), words=words)]
    talk.put_aside(_goal(found["goal"], talk))
    verb, thing = verb_at(found["goal"]), found["thing"]
    if verb and verb[2] and re.match(r"its\s", thing, re.IGNORECASE):
        thing = f"the {thing[4:]} in {verb[2]}"
    elif verb and verb[2]:
        thing = _ITS.sub(lambda m: f"the {m['noun']} of {verb[2]}", thing)
    return [replace(step, words=words) for step in read(f"click {thing}", talk)]


_TO_NUMBER = re.compile(
    r"(?:go|jump|skip|move)\s+to\s+(?:the\s+)?(?:page|line|slide|row|cell)\s+(?P<n>\w+)",
    re.IGNORECASE,
)
_LAST = re.compile(
    rf"(?P<verb>undo|redo)\s+(?:the|my)\s+last\s+(?P<n>{NUMBER})\s+\w+", re.IGNORECASE
)
_TO_FIELD = re.compile(
    r"(?:move|go|get|jump|step|advance)\s+(?:on\s+|forward\s+)?to\s+(?P<what>the\s+(?!next\b).+)",
    re.IGNORECASE,
)


_CARET = re.compile(
    r"(?:put|place|set|move|bring|get|take|return|position|send|jump|set)\s+"
    r"(?:(?:the|your|my)\s+)?(?:text\s+|typing\s+)?(?:cursor|caret|insertion point)\b.*",
    re.IGNORECASE,
)
_FIELD = re.compile(r"\b(?:field|box|input|cell)\b", re.IGNORECASE)
_MOVES = re.compile(
    r".+\+.+|home|end|(?:page|pg)[ -]?(?:up|down|dn)|(?:(?:up|down|left|right)[ -]?)?arrow",
    re.IGNORECASE,
)


def _keys(text: str, talk: Talk) -> str | None:
    """`Save the document with Ctrl+S`: the key is what to press."""
    found = _BY_KEY.fullmatch(text)
    if found is None:
        return None
    key = re.sub(r"\s+(?:and|plus)\s+", "+", found["key"])
    goal, count = times(found["goal"])
    verb = verb_at(goal)
    if verb and verb[0] in ("own:rename", "own:save") and re.search(r"\s(?:to|as)\s", verb[2]):
        # The hands know the keys of that.
        talk.put_aside(found["key"])
        return goal
    if _CARET.fullmatch(goal) and _MOVES.fullmatch(key) and chord(key) and not _FIELD.search(goal):
        # Where the caret comes to is for the key to tell.
        talk.put_aside(goal)
        return f"press {key}" + (f" {count} times" if count > 1 else "")
    inserts = verb is not None and verb[1].lower() == "insert" and "+" in key
    if re.fullmatch(r"tab(?: key)?", key, re.IGNORECASE) and (way := _TO_FIELD.fullmatch(goal)):
        talk.put_aside(goal[: way.start("what")])
        return f"keep pressing tab until {way['what']} is focused"
    if (place := _TO_NUMBER.fullmatch(goal)) and chord(key):
        talk.put_aside(goal)
        return f"press {key}, type {place['n']} and press enter"
    if again := _LAST.fullmatch(goal):
        count = int(number(again["n"]) or 1)
    if verb is None and _GOING.match(goal) and chord(key) and not re.search(ANY, goal):
        # "go up one level with Alt+Up": where that leads is for the key to tell.
        talk.put_aside(goal)
        return f"press {key}" + (f" {count} times" if count > 1 else "")
    if not _KEY.fullmatch(key) or verb is None or chord(key) is None:
        return None
    if verb[0] in _NO_MEANS and not (inserts and not re.search(QUOTE, goal)):
        return None
    talk.put_aside(_goal(goal, talk))
    return f"press {key}" + (f" {count} times" if count > 1 else "")
