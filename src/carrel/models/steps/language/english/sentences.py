"""English sentences: what surrounds the clauses is taken off, rule by rule, until each is one."""

from __future__ import annotations

import re
from dataclasses import replace

from carrel.models.steps.language.answers import decided
from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.english.after_each import after_each
from carrel.models.steps.language.english.asking import asked
from carrel.models.steps.language.english.branches import if_then, trailing_condition, typed_if
from carrel.models.steps.language.english.circumstances import (
    as_what,
    in_case,
    in_manner,
    meanwhile,
)
from carrel.models.steps.language.english.clauses import clauses
from carrel.models.steps.language.english.everyday import (
    everyday,
    first_the_other,
    from_menu,
    on_address,
    on_pad,
)
from carrel.models.steps.language.english.instruments import by_control, by_instrument, clicked_for
from carrel.models.steps.language.english.left_out import left_empty, without
from carrel.models.steps.language.english.loops import for_every, repeated
from carrel.models.steps.language.english.means import by_doing, with_thing
from carrel.models.steps.language.english.outcomes import put_in_order, so_that
from carrel.models.steps.language.english.paraphrases import paraphrased
from carrel.models.steps.language.english.reader import ENDS, NO_END, unclear
from carrel.models.steps.language.english.reckoning import keyed_in
from carrel.models.steps.language.english.settings import placed, used
from carrel.models.steps.language.english.straightened import straightened
from carrel.models.steps.language.english.stretches import stretched
from carrel.models.steps.language.english.timing import fronted, trailing_order
from carrel.models.steps.language.english.verbs import read_clause
from carrel.models.steps.language.english.ways import (
    chained,
    elsewhere,
    looking_through,
    same_way,
    to_find,
    without_purpose,
)
from carrel.models.steps.language.english.wholes import as_wholes
from carrel.models.steps.language.english.wishes import (
    STATED,
    leads_to,
    passive,
    slid_until,
    stated,
    wanted,
)
from carrel.models.steps.language.talk import IT, NotUnderstood, Talk, trim
from carrel.models.steps.language.values import computed, field_of, value_steps
from carrel.models.steps.language.words import bare, verb_at
from carrel.models.steps.program import Answer, Step

__all__ = ["read_english"]

_AROUND = (
    same_way,
    keyed_in,
    on_pad,
    on_address,
    from_menu,
    first_the_other,
    looking_through,
    to_find,
    in_case,
    as_what,
    meanwhile,
    typed_if,
    if_then,
    after_each,
    for_every,
    repeated,
    fronted,
    placed,
    used,
)
_BEHIND = (
    leads_to,
    slid_until,
    put_in_order,
    so_that,
    left_empty,
    in_manner,
    by_instrument,
    with_thing,
    by_control,
    stretched,
    paraphrased,
    trailing_condition,
    trailing_order,
    by_doing,
    wanted,
    passive,
    elsewhere,
    chained,
)


_NOTHING = re.compile(
    r"(?:do\s+)?nothing(?:\s+(?:else|at all))?|change\s+nothing|make\s+no\s+changes", re.IGNORECASE
)


def read_english(sentence: str, talk: Talk) -> list[Step]:
    """The steps of one masked English sentence; what no rule takes is an `Unclear` step."""
    text = decided(as_wholes(straightened(clicked_for(everyday(bare(sentence), talk), talk)), talk))
    if _NOTHING.fullmatch(text):
        talk.put_aside(text)
        return []
    if not text or _only_manners(text):
        return []
    try:
        return _sentence(text, talk)
    except NotUnderstood as error:
        return [unclear(text, talk, str(error))]


def _sentence(text: str, talk: Talk) -> list[Step]:
    if told := _question(text, talk) or asked(text, talk):
        return told
    if re.match(r"(?:starting|beginning)\s+(?:with|from|at)\s+(?!\w+ing\b)", text, re.IGNORECASE):
        raise NotUnderstood("where it begins no loop is told; name them: “rows 3 to 8”")
    if (headed := _headed(text, talk)) is not None:
        return headed
    for rule in _AROUND:
        steps = rule(text, talk, read_english)
        if steps is not None:
            return steps
    parts = clauses(text)
    if len(parts) > 1:
        return [step for part in parts for step in read_english(part, talk)]
    return _clause(bare(parts[0]) if parts else text, talk)


_HEAD = re.compile(r"(?P<head>[^:,;]+):\s+(?P<rest>\S.*)", re.DOTALL)
_LOOK = re.compile(
    r"(?:look at|have a look at|take a look at|check|watch|see)\s+"
    r"(?P<what>(?:the|your|my|this)\s.+)",
    re.IGNORECASE,
)


_SURVEY = re.compile(
    r"(?:take|do|complete|finish|answer)\s+(?:the|this)\s+(?:[\w-]+\s)?(?:survey|quiz|test|poll|"
    r"questionnaire|form|exercise)",
    re.IGNORECASE,
)


def _headed(text: str, talk: Talk) -> list[Step] | None:
    """`Edit the post: click it and …` says how; `look at the bar: it must read …` what of it."""
    found = _HEAD.fullmatch(text)
    verb = verb_at(found["head"]) if found else None
    if found is not None and (there := _there(found["head"], bare(found["rest"]), talk)):
        return read_english(there, talk)
    if found is None or verb is None:
        return None
    rest = bare(found["rest"])
    look = _LOOK.fullmatch(found["head"])
    if look and re.search(r"\b(?:should|must)\b", rest) and verb_at(rest) is None:
        whose = talk.atoms.mask(f"[{talk.phrase(look['what'])}]")
        if re.match(r"(?:it|they|this)\s", rest):
            return read_english(re.sub(r"^\w+", lambda _: whose, rest), talk)
        return read_english(f"in {whose}, {rest}", talk)
    act = verb_at(rest)
    if _SURVEY.fullmatch(found["head"]) and act is not None:
        talk.put_aside(found["head"])
        return read_english(found["rest"], talk)
    if not verb[0].startswith("own:") or verb[0] in _SPEAKS or act is None or not rest[0].islower():
        return None
    if verb[0] == "own:edit" and re.search(r"\bits?\b", rest) and act[0] not in _POINTS:
        # What is changed of it is in the form that its own control opens.
        return [*read_english(found["head"], talk), *read_english(found["rest"], talk)]
    talk.put_aside(found["head"])
    return read_english(found["rest"], talk)


_PLACE = re.compile(
    r"(?:(?:in|on|under)\s+)?(?P<the>the\s+)?(?P<name>(?:[A-Z][\w&-]*\s+|\"[^\"]+\"\s+){1,3}"
    r"(?:menu|dialog|tab|page|toolbar|panel|section|form|window))"
)
_WAY = re.compile(r"[A-Z][\w& -]*(?:\s*(?:>|→|›|»)\s*[A-Z][\w& .-]*)+")


def _there(head: str, rest: str, talk: Talk) -> str | None:
    """`View menu: choose Zoom`, `Tools > Options: tick Ruler`: the place, or the way there."""
    if verb_at(rest) is None or not rest[0].islower():
        return None
    if _WAY.fullmatch(head):
        return f"choose {head}, then {rest}"
    place = _PLACE.fullmatch(talk.atoms.original(head))
    if place is None:
        return None
    bare_head = re.sub(r"^(?:(?:in|on|under)\s+)?(?:the\s+)?", "", head)
    return f"{'on' if head.endswith(('page', 'tab')) else 'in'} the {bare_head}, {rest}"


_POINTS = ("click", "open", "double-click", "right-click")
_SPEAKS = frozenset(
    f"own:{verb}"
    for verb in ("reply", "reply to", "comment on", "post", "tweet", "message", "search", "ask")
)


def _only_manners(text: str) -> bool:
    return re.fullmatch(
        r"(?:please|thanks?|thank you(?: very much)?|hello|hi|hey|ok(?:ay)?|good (?:morning|"
        r"luck|day)|"
        r"that(?:'s| is) (?:all|it)|done|bye|cheers)(?:\s+(?:a lot|so much|in advance|"
        r"there))?[\s.!?,]*",
        text, re.IGNORECASE) is not None  # fmt: skip


_MINE = re.compile(r"my (?P<label>[a-z][a-z -]*?) (?:is|are) (?P<text>\S.*)", re.IGNORECASE)
_LABELLED = re.compile(
    rf"(?P<label>(?-i:[A-Z])[\w'’-]*(?: [\w'’-]+){{0,3}}|{QUOTE})\s*[:=]\s*(?P<text>\S.*)",
    re.IGNORECASE,
)
# "Tasks: there should be none left" says something, and is no text for a field.
_SAYS = re.compile(r"(?:there|it|they)\s+(?:should|must|may|ought)", re.IGNORECASE)
_EXAMPLE = re.compile(r",?\s(?:for example|for instance|e\.g\.)[,\s]", re.IGNORECASE)
_REST = (
    r"(?:leave|keep)\s+(?:(?:all\s+)?the\s+(?:rest|others?)(?:\s+of\s+.+?)?|"
    r"(?:everything|all) else|all (?:the )?others?|the (?:other|remaining) \w+)\s+"
    r"(?:(?:just )?(?:as|how|the way) (?:it|they) (?:is|are|was|were)|unchanged|alone|untouched|"
    r"as is)"
)


def _no_step(text: str) -> str:
    """Why the words are no instruction; empty when they may be one."""
    if _EXAMPLE.search(text):
        return "an example leaves open which; say the one that is meant"
    if re.match(r"(?:every|each) time\s", text, re.IGNORECASE):
        return "how long to go on with that it does not say"
    if re.match(r"\w+ing\b[^,]*,", text) and verb_at(text):
        return "it says how, but no rule finds what to do"
    return NO_END if ENDS.fullmatch(text) else ""


def _clause(text: str, talk: Talk) -> list[Step]:
    """One clause with what may trail it."""
    for rule in _BEHIND:
        steps = rule(text, talk, read_english)
        if steps is not None:
            return steps
    text = without_purpose(text, talk)
    if found := re.match(r"(?:don['’]?t|do not|never|avoid)\s+", text, re.IGNORECASE):
        refused = unclear(text, talk, "what not to do is no step")
        talk.forbidden.append((refused, tuple(read_english(text[found.end() :], talk))))
        return [refused]
    if (left := without(text, talk, read_english)) is not None:
        return left
    if re.fullmatch(_REST, text, re.IGNORECASE):
        talk.put_aside(text)
        return []
    if why := _no_step(text):
        return [unclear(text, talk, why)]
    if checks := stated(text, talk):
        return checks
    mine = _MINE.fullmatch(text)
    if mine and not re.search(r",\s|\sand\s+(?:i|my)\b", mine["text"], re.IGNORECASE):
        return value_steps(mine["text"], field_of(mine["label"]), talk)
    labelled = _LABELLED.fullmatch(text) if verb_at(text) is None else None
    if labelled and not _SAYS.match(labelled["text"]) and verb_at(bare(labelled["text"])) is None:
        return value_steps(labelled["text"], talk.phrase(labelled["label"]), talk)
    try:
        steps = read_clause(text, talk)
    except NotUnderstood as error:
        claims = re.match(STATED, text) and verb_at(text) is None
        why = "what that would look like is not clear" if claims else str(error)
        return [unclear(text, talk, why)]
    words = talk.atoms.original(text)
    return [step if step.words else replace(step, words=words) for step in steps]


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
