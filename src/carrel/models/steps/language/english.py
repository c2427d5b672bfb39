"""English sentences: order, conditions, places and purposes around the clauses."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.atoms import ANY, QUOTE
from carrel.models.steps.language.clauses import clauses
from carrel.models.steps.language.conditions import read_condition
from carrel.models.steps.language.numbers import NUMBER, number
from carrel.models.steps.language.talk import EACH, IT, NotUnderstood, Talk, listed, trim
from carrel.models.steps.language.values import computed
from carrel.models.steps.language.verbs import read_clause
from carrel.models.steps.language.words import bare, verb_at
from carrel.models.steps.owners import owner_of
from carrel.models.steps.program import (
    Answer,
    Check,
    Choose,
    Complete,
    Condition,
    Enter,
    Find,
    ForEach,
    If,
    Is,
    Not,
    Perform,
    PickDate,
    PickTime,
    Repeat,
    SetValue,
    Shows,
    Step,
    Unclear,
    Wait,
)

__all__ = ["read_english"]


def read_english(sentence: str, talk: Talk) -> list[Step]:
    """The steps of one masked English sentence; what no rule takes is an `Unclear` step."""
    text = _straight(bare(sentence))
    if not text or _only_manners(text):
        return []
    try:
        return _sentence(text, talk)
    except NotUnderstood as error:
        return [_unclear(text, talk, str(error))]


def _sentence(text: str, talk: Talk) -> list[Step]:
    for rule in (
        _looking_through,
        _to_find,
        _question,
        _if,
        _for_each,
        _repeat,
        _fronted,
        _placed,
        _used,
    ):
        steps = rule(text, talk)
        if steps is not None:
            return steps
    parts = clauses(text)
    if len(parts) > 1:
        return [step for part in parts for step in read_english(part, talk)]
    return _clause(bare(parts[0]) if parts else text, talk)


_FIND_AND = re.compile(
    r"\b(?:find|locate|look for|spot|go and|search for)(?:,? and(?: then)?|, "
    r"then)\s+(?=(?P<act>[a-z].*))",
    re.IGNORECASE | re.DOTALL,
)


def _straight(text: str) -> str:
    """`find and click X` is `click X`; `press and hold` is `hold`."""
    text = re.sub(r"\bpress and hold\b", "hold", text, flags=re.IGNORECASE)
    # "Find and Replace" is the name of something.
    return _FIND_AND.sub(
        lambda m: "" if m["act"][0].islower() and verb_at(m["act"]) else m[0], text
    )


_MANY = (
    r"\s+(?:(?:all(?:\s+of)?|each(?:\s+of)?|every|any\s+of)\s+)?(?:(?:the|your|these|those)\s+)?"
    r"(?:\w+\s+)?(?:tabs?|pages?|sections?|menus?|lists?|folders?|results|trees?|panels?|"
    r"categor(?:y|ies))(?:\s+below)?[\s,]+"
)
_UNTIL = r"(?:until\s+you\s+(?:find|see|reach|come\s+to|get\s+to|spot)|to\s+find|and\s+find)\s+"
_IN = r"(?:\s+(?:through|in|into|between|among|around|over))"
_THROUGH = re.compile(
    rf"(?:(?:look|search|go|browse|flip|page|check){_IN}{_MANY}(?:for\s+|{_UNTIL})|"
    rf"(?:click|switch|open|expand|unfold|navigate|turn|browse|search|go){_IN}?{_MANY}{_UNTIL})"
    r"(?P<what>\S.*)",
    re.IGNORECASE | re.DOTALL,
)


def _looking_through(text: str, talk: Talk) -> list[Step] | None:
    """`Look through the tabs for X`: the hands know how to look."""
    found = _THROUGH.fullmatch(text)
    if found is None or verb_at(bare(found["what"])) is not None:
        return None
    what, then = found["what"], ""
    for joint in re.finditer(r"[\s,]+(?:and then|and|then)\s+", what):
        if verb_at(bare(what[joint.end() :])) is not None:
            what, then = what[: joint.start()], what[joint.end() :]
            break
    steps = read_english(then, talk) if then else []
    return [Find(talk.phrase(what), words=talk.atoms.original(text)), *steps]


def _to_find(text: str, talk: Talk) -> list[Step] | None:
    """`Look through the tabs to find and click X`: the way there is left to the hands."""
    found = re.fullmatch(
        r"(?P<way>(?:switch|look|go|browse|search|navigate|flip|click|expand|open|scroll|"
        r"page)\b.+?)[\s,]+(?:in order )?to\s+(?P<act>.+)",
        text,
        re.IGNORECASE | re.DOTALL,
    )
    if found is None or not re.match(
        r"(?:click|tap|press|select|choose|pick|double|hover)\b", found["act"], re.IGNORECASE
    ):
        return None
    if not re.match(
        r"(?:switch|look|go|browse|search|navigate|flip|page)\s+(?:between|through|among|in|around|the)\b|(?:expand|open|scroll)\s",
        found["way"],
        re.IGNORECASE,
    ):
        return None
    words = talk.atoms.original(text)
    return [replace(step, words=words) for step in read_english(found["act"], talk)]


def _only_manners(text: str) -> bool:
    return re.fullmatch(
        r"(?:please|thanks?|thank you(?: very much)?|hello|hi|hey|ok(?:ay)?|good (?:morning|"
        r"luck|day)|"
        r"that(?:'s| is) (?:all|it)|done|bye|cheers)(?:\s+(?:a lot|so much|in advance|"
        r"there))?[\s.!?,]*",
        text, re.IGNORECASE) is not None  # fmt: skip


def _unclear(text: str, talk: Talk, why: str) -> Unclear:
    words = talk.atoms.original(text)
    return Unclear(why=f"“{words}”: {why}", words=words)


def _clause(text: str, talk: Talk) -> list[Step]:
    """One clause with what may trail it."""
    for rule in (_trailing_condition, _trailing_order, _means, _wanted, _passive):
        steps = rule(text, talk)
        if steps is not None:
            return steps
    text = _without_purpose(text)
    if re.match(r"(?:don['’]?t|do not|never|avoid)\s", text, re.IGNORECASE):
        return [_unclear(text, talk, "what not to do is no step")]
    if re.match(r"\w+ing\b[^,]*,", text) and verb_at(text):
        return [_unclear(text, talk, "it says how, but no rule finds what to do")]
    if stated := _stated(text, talk):
        return [stated]
    try:
        steps = read_clause(text, talk)
    except NotUnderstood as error:
        return [_unclear(text, talk, str(error))]
    words = talk.atoms.original(text)
    return [step if step.words else replace(step, words=words) for step in steps]


def _stated(text: str, talk: Talk) -> Step | None:
    """`The page should show "Welcome"`: what must be so, not what to do."""
    if verb_at(text) is not None or re.match(r"\w+ing\b", text):
        return None
    if not re.search(rf"\b(?:should|must)\b|{QUOTE}", text):
        return None
    text = re.sub(r"^The\b", "the", text)
    seen = re.fullmatch(
        r"(?:should|must|can|do|will)?\s*(?P<no>not|n't|no longer)?\s*(?:be able "
        r"to\s+)?see\s+(?P<what>.+)",
        text,
        re.IGNORECASE,
    )
    if seen:
        shows = Shows(talk.phrase(seen["what"]))
        return Check(Not(shows) if seen["no"] else shows, words=talk.atoms.original(text))
    condition = _condition(text, talk)
    return Check(condition, words=talk.atoms.original(text)) if condition else None


def _condition(text: str, talk: Talk) -> Condition | None:
    return read_condition(text, talk.atoms)


def _question(text: str, talk: Talk) -> list[Step] | None:
    """`How many X are there?` asks for an answer where the page takes one."""
    if not re.match(
        r"how many\b|what is (?:the )?(?:sum|total|number|result|difference|product|average)\b",
        text,
        re.IGNORECASE,
    ):
        return None
    counted = computed(re.sub(r"^what is\s+", "", trim(text), flags=re.IGNORECASE), talk)
    return [counted, Answer(f"{{{IT}}}")] if counted else None


_IF = re.compile(
    r"(?P<word>if|unless|in case|provided(?: that)?|assuming)\s+(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_ELSE = re.compile(r"[\s,.;]*\b(?:otherwise|or else|else|if not)\b[\s,:]*", re.IGNORECASE)


def _if(text: str, talk: Talk) -> list[Step] | None:
    found = _IF.match(text)
    if found is None:
        return None
    rest = found["rest"]
    for joint in re.finditer(r"\s*,?\s+then\s+|\s*[,:]\s+(?:then\s+)?", rest):
        condition = _condition(rest[: joint.start()], talk)
        body = rest[joint.end() :]
        if condition is not None and verb_at(bare(body)) is not None:
            return [_branch(found["word"], condition, body, talk)]
    return [_unclear(text, talk, "no rule understands this condition")]


def _branch(word: str, condition: Condition, body: str, talk: Talk) -> If:
    parts = _ELSE.split(body, maxsplit=1)
    then = tuple(read_english(parts[0], talk))
    otherwise = tuple(read_english(parts[1], talk)) if len(parts) > 1 else ()
    condition = Not(condition) if word.lower() == "unless" else condition
    return If(condition, then, otherwise)


_FOR = re.compile(
    r"for (?:each|every|all)(?: of)?(?: the)?\s+(?P<what>.+?)\s*(?:,|:|\bdo\b)\s*(?P<body>.+)",
    re.IGNORECASE | re.DOTALL,
)


def _list_and_body(what: str, body: str) -> tuple[str, str]:
    """A list of texts to its end, and what is done with each."""
    more = re.match(rf"(?:(?:and\s+)?{QUOTE}\s*,?\s*)+", body)
    if more is None or not re.search(rf"{QUOTE}$", what):
        return what, body
    rest = body[more.end() :]
    return f"{what}, {more[0].strip(' ,')}", re.sub(r"^(?:do\b|:)\s*", "", rest)


def _for_each(text: str, talk: Talk) -> list[Step] | None:
    found = _FOR.match(text)
    if found is None:
        return None
    items: tuple[str, ...] = ()
    what, body = _list_and_body(found["what"], found["body"])
    if re.match(r"(?:of|in)\s", what):
        return None
    name = EACH
    if re.fullmatch(rf"{QUOTE}(?:\s*,?\s*(?:and\s+)?{QUOTE})*", what):
        items = tuple(talk.text(item) for item in re.findall(QUOTE, what))
    named = re.fullmatch(r"(?P<name>[A-Za-z_]\w*) in (?P<items>.+)", what)
    if named and (len(listed(named["items"])) > 1 or re.match(QUOTE, named["items"])):
        name, items = named["name"], tuple(talk.text(i) for i in listed(named["items"]))
    body = re.sub(
        r"\b(?:it|that one|this one)\b(?=\s*(?:,|and\b|then\b|$|\.))", f"{{{name}}}", body
    )
    inner = tuple(read_english(talk.atoms.mask(body), talk))
    return [ForEach(name, inner, items, every=None if items else talk.phrase(what))]


_TIMES = re.compile(
    rf"(?:repeat|do)(?: this| the following)?(?:\s+(?:for\s+)?(?P<n>{NUMBER}) times|"
    rf"\s+(?P<word>twice|thrice)|\s+until\s+(?P<until>.+?))"
    r"\s*[:,]\s*(?P<body>.+)|(?P<n2>" + NUMBER + r") times\s*[:,]\s*(?P<body2>.+)",
    re.IGNORECASE | re.DOTALL,
)


def _repeat(text: str, talk: Talk) -> list[Step] | None:
    found = _TIMES.match(text)
    if found is None:
        return None
    body = tuple(read_english(found["body"] or found["body2"], talk))
    if found["until"]:
        condition = _condition(found["until"], talk)
        if condition is None:
            return [_unclear(text, talk, "no rule understands this condition")]
        return [Repeat(body, until=condition)]
    said = found["n"] or found["n2"]
    count = number(said) if said else {"twice": 2, "thrice": 3}[found["word"].lower()]
    return [Repeat(body, times=max(int(count or 1), 1))]


_FRONT = re.compile(
    r"(?P<word>as soon as|once|when|whenever|after|before|while|until|in order to|so as to|"
    r"to)\s+(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)


def _fronted(text: str, talk: Talk) -> list[Step] | None:
    """`before clicking A, do B`, `once X appears, do B`, `to log in, do B`."""
    found = _FRONT.match(text)
    if found is None:
        return None
    word, rest = found["word"].lower(), found["rest"]
    for joint in re.finditer(r"\s*,\s*(?:then\s+)?", rest):
        body = bare(rest[joint.end() :])
        if _gerund(body) or verb_at(body) is None:
            continue
        first = rest[: joint.start()]
        if word in ("to", "in order to", "so as to"):
            return read_english(body, talk)
        return _timed(word, first, body, talk)
    return None


def _gerund(text: str) -> bool:
    return re.match(r"\w+ing\b", text) is not None


_DONE = re.compile(
    r"(?:you(?:'ve| have)?|i(?:'ve| have)?|having)\s+(?:just |already )?(?P<act>.+)", re.IGNORECASE
)


def _timed(word: str, first: str, body: str, talk: Talk) -> list[Step]:
    main = read_english(body, talk)
    acted = _DONE.match(first)
    inner = bare(acted["act"] if acted else first)
    condition = _condition(first, talk)
    seen = re.match(r"(?:you|i|we) (?:can )?see\b", first, re.IGNORECASE) and condition is not None
    act = not seen and verb_at(inner) is not None and (acted or _gerund(inner) or condition is None)
    if act:
        steps = read_english(_imperative(inner), talk)
        return [*main, *steps] if word in ("before", "until") else [*steps, *main]
    if condition is None:
        condition = Shows(talk.phrase(first)) if word in ("after", "once") else None
    if condition is None or word in ("before", "while", "until"):
        return [_unclear(f"{word} {first}", talk, "no rule understands when this is"), *main]
    wait = Wait(until=condition, words=talk.atoms.original(f"{word} {first}"))
    return [wait, *main]


def _imperative(text: str) -> str:
    """Gerunds as commands: `clicking A and typing B`."""
    return re.sub(r"\b(and|then|,)\s+(?=\w+ing\b)", r"\1 ", text)


_PLACE = re.compile(
    r"(?P<word>in|inside|within|on|under|at|for|from|using|with|via|by using|below|above|"
    r"next to|beside|"
    r"through|over in|among)\s+(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)


def _placed(text: str, talk: Talk) -> list[Step] | None:
    """`In the dialog, click OK`; `From the File menu choose Save`."""
    found = _PLACE.match(text)
    if found is None:
        return None
    place, body = _place_and_body(found["rest"])
    if body is None:
        return None
    steps = read_english(body, talk)
    if found["word"].lower() in ("using", "with", "via", "by using", "through"):
        return _instrument(place, body, steps, talk)
    phrase = talk.phrase(place)
    if found["word"].lower() == "from" and re.match(
        r"(?:choose|select|pick)\b", bare(body), re.IGNORECASE
    ):
        return _from(phrase, steps)
    return [_at(step, phrase) for step in steps]


def _at(step: Step, phrase: str) -> Step:
    """The step in a place; a list or a menu is what options are chosen from."""
    if isinstance(step, Unclear) or step.place:
        return step
    if isinstance(step, Enter | PickDate | PickTime | Complete) and step.into is None:
        fields = re.search(
            r"\b(?:field|box|textbox|input|area|textarea|bar)$", phrase, re.IGNORECASE
        )
        return replace(step, into=phrase) if fields else replace(step, place=phrase)
    lists = re.search(r"\b(?:list|menu|drop-?down|combo box|group|select)$", phrase, re.IGNORECASE)
    if isinstance(step, Choose) and step.source is None and lists:
        return replace(step, source=phrase)
    return replace(step, place=phrase)


def _from(phrase: str, steps: list[Step]) -> list[Step]:
    return [
        replace(step, source=phrase)
        if isinstance(step, Choose) and step.source is None and i == 0
        else step
        for i, step in enumerate(steps)
    ]


def _place_and_body(rest: str) -> tuple[str, str | None]:
    for joint in re.finditer(r"\s*,\s*(?:please\s+)?", rest):
        body = bare(rest[joint.end() :])
        if verb_at(body) is not None and not _gerund(body):
            return rest[: joint.start()], body
    for joint in re.finditer(rf"(?<=[\w{ANY[1:-1]}])\s+(?=[a-z])", rest):
        found = verb_at(bare(rest[joint.end() :]))
        place = rest[: joint.start()]
        if (
            found
            and found[2]
            and len(place.split()) > 1
            and re.search(
                r"\b(?:menu|list|drop-?down|dialog|form|page|section|tab|window|field|box|toolbar|panel|table|row|bar|view|group|"
                r"pane|column|area|sidebar|ribbon|screen|card|post|entry|item|pop-?up|tile)$|"
                r"\b(?:card|row|post|entry|item|line|section|tile|product|listing)\s+"
                r"(?:of|for|by|from|with|named|called|titled|labell?ed|containing)\s+\S.*$",
                place,
                re.IGNORECASE,
            )
        ):
            return place, rest[joint.end() :]
    return rest, None


_USE = re.compile(
    r"(?:use|using|utilize|utilise)\s+(?P<what>.+?)\s+(?:to|for|in order to)\s+(?P<body>.+)",
    re.IGNORECASE | re.DOTALL,
)


def _used(text: str, talk: Talk) -> list[Step] | None:
    """`Use the slider to select 5`."""
    found = _USE.match(text)
    if found is None or verb_at(bare(found["body"])) is None:
        return None
    body = bare(found["body"])
    return _instrument(found["what"], body, read_english(body, talk), talk)


def _instrument(what: str, body: str, steps: list[Step], talk: Talk) -> list[Step]:
    """What something is done with: a slider takes the value, a field the text, or it is a place."""
    phrase = talk.phrase(what)
    first, *others = steps
    if isinstance(first, Enter | PickDate | PickTime | Complete) and first.into is None:
        return [replace(first, into=phrase), *others]
    if (
        isinstance(first, Choose)
        and re.search(r"slider|spinner|picker|wheel|dial|knob", what, re.IGNORECASE)
        and len(first.options) == 1
    ):
        value = re.sub(r"^(?:the )?(?:value|number|colou?r)\s+", "", first.options[0])
        return [SetValue(phrase, value.strip('"'), words=first.words), *others]
    if isinstance(first, Choose) and first.source is None:
        return [replace(first, source=phrase), *others]
    if (
        isinstance(first, Unclear)
        or first.place
        or re.search(r"keyboard|mouse|pointer|shortcut", what, re.IGNORECASE)
    ):
        return steps
    return [replace(first, place=phrase), *others]


def _trailing_condition(text: str, talk: Talk) -> list[Step] | None:
    found = re.fullmatch(
        r"(?P<body>.+?)[\s,]+(?P<word>until|till|if|unless|once|when|whenever|as soon as|"
        r"only if|while)\s+(?P<cond>.+)",
        text,
        re.IGNORECASE | re.DOTALL,
    )
    if found is None or verb_at(found["body"]) is None:
        return None
    word = found["word"].lower()
    meaning = verb_at(found["body"])
    if word in ("until", "till") and meaning and meaning[0] in ("wait", "scroll"):
        return None
    if (meaning and meaning[0] in ("verify", "wait")) or re.match(
        r"check$", found["body"], re.IGNORECASE
    ):
        return None
    condition = _condition(
        re.sub(r"^you (?:see|find|reach)\s+", "you see ", found["cond"], flags=re.IGNORECASE), talk
    )
    if condition is None:
        return None
    body = read_english(found["body"], talk)
    if word in ("until", "till"):
        return [Repeat(tuple(body), until=condition)]
    if word in ("if", "unless", "only if"):
        return [If(Not(condition) if word == "unless" else condition, tuple(body))]
    return [Wait(until=condition, words=talk.atoms.original(f"{word} {found['cond']}")), *body]


def _trailing_order(text: str, talk: Talk) -> list[Step] | None:
    found = re.fullmatch(
        r"(?P<body>.+?)[\s,]+(?P<word>before|after|once|when)\s+(?P<act>(?:you(?:'ve| "
        r"have)?\s+)?\w+.*)",
        text,
        re.IGNORECASE | re.DOTALL,
    )
    if found is None or verb_at(found["body"]) is None:
        return None
    act = re.sub(r"^you(?:'ve| have)?\s+", "", found["act"])
    if verb_at(act) is None or (act == found["act"] and not _gerund(act)):
        return None
    main, other = read_english(found["body"], talk), read_english(_imperative(act), talk)
    return [*main, *other] if found["word"].lower() == "before" else [*other, *main]


def _means(text: str, talk: Talk) -> list[Step] | None:
    """`Close the dialog by clicking the x`: how it is to be done is the instruction."""
    found = re.fullmatch(
        r"(?P<goal>.+?)[\s,]+by\s+(?P<means>(?:first\s+)?\w+ing\b.+)",
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
    means = re.sub(r"^using\s+", "use ", found["means"], flags=re.IGNORECASE)
    if means != found["means"]:
        goal = read_english(found["goal"], talk)
        return _instrument(means[4:], found["goal"], goal, talk)
    return read_english(_imperative(bare(means)), talk)


_WANTED = re.compile(
    r"(?:make sure|ensure|see to it|be sure|(?P<who>[\w'’-]+\s+)?wants?)(?:\s+that)?\s+"
    r"(?P<what>.+?)\s+"
    r"(?:is|are|gets?|to be|to get)\s+(?P<act>\w+)(?P<rest>\b.*)",
    re.IGNORECASE | re.DOTALL,
)


_WANTS = re.compile(
    r"(?P<who>[A-Z][\w-]+(?: [A-Z][\w-]+)?) (?:wants|needs|would like|asked for|is asking for|"
    r"requested|should (?:get|have|receive)|must (?:get|have))(?: to (?:see|get|have))? "
    r"(?P<what>(?:the|an?|that) .+)",
)


def _wanted(text: str, talk: Talk) -> list[Step] | None:
    """`Make sure the mail by Ann is forwarded to Bob`, `Ann wants her mail to be sent to Bob`."""
    given = _WANTS.fullmatch(text)
    if given is not None and owner_of(given["what"]) is not None:
        return [Perform("send", talk.phrase(given["what"]), (("to", given["who"]),))]
    found = _WANTED.fullmatch(text)
    verb = verb_at(f"{found['act']} {found['rest'].strip()}") if found else None
    if found is None or verb is None or not verb[0].startswith("own:"):
        return None
    what = re.sub(r"^The\b", "the", found["what"])
    if found["who"]:
        what = re.sub(r"^(?:his or her|his|her|their)\b", f"{found['who'].strip()}'s", what)
    return read_english(f"{verb[1]} {what} {found['rest'].strip()}", talk)


_PASSIVE = re.compile(
    r"(?P<what>.+?)\s+(?:that\s+)?(?:should|must|needs? to|has to|have to|ought to|is to|"
    r"are to)\s+be\s+(?P<act>\w+)(?P<rest>\b.*)",
    re.IGNORECASE | re.DOTALL,
)


def _passive(text: str, talk: Talk) -> list[Step] | None:
    """`The mail by Ann should be deleted`."""
    found = _PASSIVE.fullmatch(text)
    if found is None or verb_at(text) is not None:
        return None
    verb = verb_at(f"{found['act']} {found['rest'].strip()}")
    condition = _condition(text, talk)
    if isinstance(condition, Not):
        state: Condition = condition.condition
    else:
        state = condition or Shows("")
    if verb is None or isinstance(state, Is):
        if condition is None:
            return None
        return [Check(condition, words=talk.atoms.original(text))]
    what = re.sub(r"^The\b", "the", found["what"])
    rest = f"{what} {found['rest'].strip()}".strip()
    return read_english(f"{verb[1]} {rest}", talk)


def _without_purpose(text: str) -> str:
    """Without `to delete it`, `so that …`: why it is done, when the rest says what to do."""
    found = re.search(
        r"[\s,]+(?:in order to|so as to|so that (?!it\b|its\b|the\b|you\b)|so you can|to be "
        r"able to)\s*.+$",
        text,
        re.IGNORECASE,
    )
    if found and found.start() > 0:
        return text[: found.start()]
    verb = verb_at(text)
    if verb is None or verb[0] not in (
        "click",
        "press",
        "double",
        "right",
        "choose",
        "tick",
        "untick",
        "hover",
        "switch",
        "expand",
        "open",
        "goto",
        "navigate",
    ):
        return text
    found = re.search(r"[\s,]+to\s+(?:(?P<find>find(?: and)?)\s+)?(?=(?P<act>[a-z].*)$)", text)
    if found and verb_at(text[found.end() :]) and len(text[: found.start()].split()) > 1:
        return text[: found.start()]
    return text
