"""Where one English instruction ends and the next begins."""

from __future__ import annotations

import re

from carrel.errors import InvalidInput
from carrel.keys import canonical_key
from carrel.models.steps.language.atoms import ANY, QUOTE
from carrel.models.steps.language.english.several import KINDS_LISTED
from carrel.models.steps.language.english.whereabouts import without_comma
from carrel.models.steps.language.numbers import times
from carrel.models.steps.language.words import KINDS, bare, is_told, verb_at

__all__ = ["clauses", "key_like", "plain_cut", "sentences", "starts_clause"]

_SENTENCE = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bMr)(?<!\bMs)(?<!\bProf)(?<!\bSt)(?<!\bMrs)(?<!\bDr)(?<!\bvs)(?:(?<!\bNo)|"
    r"(?=[.!?]+\s+\D))"
    r"[.!?]+(?=\s|$)(?!\s+[a-z](?!\w*\s))|[;；。！？\n]+|(?<=\s)(?=\d{1,2}[.)]\s+[A-Z])"
)


def sentences(text: str) -> list[str]:
    """The sentences and list items of a masked text; marks of a question stay."""
    parts: list[str] = []
    start = 0
    due = int(first[1]) + 1 if (first := re.match(r"\s*(\d{1,2})[.)]\s", text)) else 1
    for found in _SENTENCE.finditer(text):
        if not found[0]:
            if not _is_item(text, found.start(), due):
                continue
            due += 1
        # "the text report. the style bold": a dot before a small letter may belong to a name.
        after = text[found.end() :].lstrip()
        if not found[0].strip(".") and after[:1].islower() and not starts_clause(after):
            continue
        if _is_bracketed(text[start : found.start()], after):
            continue
        if found[0] == "." and after and _is_key(text[start : found.start()], after):
            continue
        if found[0] == "." and _is_initial(text[start : found.start()], after):
            continue
        mark = "?" if "?" in found[0] or "？" in found[0] else ""
        parts.append(text[start : found.start()].strip() + mark)
        start = found.end()
    parts.append(text[start:].strip())
    numbered = [re.sub(r"^(?:\d{1,2}[.)]|[-*•])\s+", "", part) for part in parts]
    return [
        part for part in numbered if part.strip(" .?!,:;") and not re.fullmatch(r"\d{1,2}", part)
    ]


def _is_item(text: str, at: int, due: int) -> bool:
    """Whether a number is that of the next list item: in `set it to 3. Click Save` it is not."""
    begins = re.search(r"(?:^|[:：.;!?\n])\s*$", text[:at]) is not None
    return re.match(rf"{due}[.)]", text[at:]) is not None and (due > 1 or begins)


def _is_bracketed(before: str, after: str) -> bool:
    """Whether a dot stands in brackets: `Total (incl. VAT)`."""
    open_ = before.rfind("(") > before.rfind(")")
    return open_ and re.match(r"[^()\n]{0,40}\)", after) is not None


_INITIAL = re.compile(r"(?<!\S)[A-Z][\w'’-]*(?:\s[A-Z]\.)*\s[A-Z]$")
_SURNAME = re.compile(
    r"(?!(?:The|An?|It|Its|This|That|These|Those|There|Then|Now|If|When|Once|While|After|Before|In|On|"
    r"At|For|From|With|By|To|As|I|You|We|He|She|They|Both|All|Each|Every|No|Nothing|Not|And|But|Or|"
    r"Also|Next|Finally|Otherwise|Until|Only|So)\b)[A-Z](?:[\w'’-]|\.\s[A-Z])"
)


def _is_initial(before: str, after: str) -> bool:
    """Whether a dot ends the letter between two names: `Mary K. Jones`, not `Plan B. Click OK`."""
    return (
        _INITIAL.search(before) is not None
        and _SURNAME.match(after) is not None
        and not starts_clause(after)
    )


def _is_key(before: str, after: str) -> bool:
    """Whether a dot stands alone among others, as a key does: `1, 2, ., 5`."""
    return re.search(r"[\s,、]$", before) is not None and not after[:1].isupper()


_BOUNDARY = re.compile(
    r"\s*[,，;]\s*(?:(?:and|but|or)\s+)?(?:then\s+|after that,?\s+|next,?\s+|finally,?\s+)?"
    r"|\s+but\s+(?=(?:do not|don['’]?t|never|please|then|also|keep|leave|fill in|enter|type|tick|"
    r"untick|set)\b)"
    r"|\s+(?:and(?: then)?|& |then|followed by|before then|after which(?: you)?)\s+"
    r"|\s*(?:->|→|⇒|=>)\s*",
    re.IGNORECASE,
)
_RUN_ON = re.compile(r"(?<=[\w.\ue000-\uf8ff]) (?=(?:hit|click|press|tap)(?: on)? \S)")
_NO_RUN_ON = re.compile(
    r"(?:^|\s)(?:to|by|and|or|then|right|left|double|middle|triple|single|mouse|the|a|an|before|"
    r"after|until|you|i|not|please|when|if|can|should|must|will|would|could|just|also|that|of|"
    r"ctrl|shift|alt|now|next|first|finally|otherwise|else)$",
    re.IGNORECASE,
)
FRONTED = re.compile(
    r"(?:if|unless|once|when|whenever|after|before|prior to|as soon as|while|until|without|"
    r"in order to|to|so as to|"
    r"for (?:each|every|all)|repeat|using|with|from|in|inside|within|on|under|at|for|via|by)\b",
    re.IGNORECASE,
)
_ALONE = {
    "there",
    "submit",
    "paste",
    "copy",
    "cut",
    "back",
    "forward",
    "reload",
    "wait",
    "own:save",
    "own:search",
    "own:continue",
    "own:log in",
    "own:login",
    "own:log out",
    "own:sign in",
    "own:sign out",
    "own:undo",
    "own:redo",
    "own:finish",
    "own:proceed",
    "own:reply",
    "own:play",
    "own:send",
    "close",
    "scroll",
    "own:cancel",
    "own:delete",
    "own:log on",
    "own:logout",
    "own:sign up",
    "own:post",
    "own:print",
    "own:zoom in",
    "own:zoom out",
    "own:skip",
    "own:stop",
    "own:download",
    "own:check out",
    "own:check in",
    "own:pay",
    "own:publish",
    "own:apply",
}


_CLAIM = re.compile(
    r"(?:the|an?|your|it|there|this|that)\b[^,]*?\s(?:should|must|ought to)\s", re.IGNORECASE
)


def starts_clause(text: str, before: str = "") -> bool:
    """Whether the words can begin an instruction, after what was said before them."""
    lead = bare(text)
    if re.match(r"(?:otherwise|else)\b", lead, re.IGNORECASE):
        return re.search(r"\s(?:if|unless)\s", before) is None
    if re.match(r"my [a-z -]+? (?:is|are) ", lead) and re.match(r"my\b", before, re.IGNORECASE):
        return True
    no = re.match(r"(?:don['’]?t|do not|never)\s+", lead, re.IGNORECASE) if before else None
    if no is not None:
        return verb_at(lead[no.end() :]) is not None
    if before and _CLAIM.match(lead) and verb_at(before) is not None:
        return True
    found = verb_at(lead)
    if found is None:
        return _fronted_clause(lead)
    meaning, surface, rest = found
    if _is_no_act(lead, surface, rest, before) or _is_next_pair(lead, before):
        return False
    if re.match(r"(?:is|are|was|were|isn't|aren't|should|must)\b", rest):
        # "… and Cancel is not": a name, of which something is said.
        return False
    following = re.match(rf"[\w'’-]+|{ANY}", rest)
    next_word = following[0] if following else ""
    ends = not rest or re.match(r"(?:and|or|then|before|after|when|once)\b|[,;!?]|\.(?!\w)", rest)
    if ends and meaning != "tell":
        alone = meaning in _ALONE or surface.lower() == "confirm" or _may_be_alone(found, before)
        return alone and not (surface[0].isupper() and before)
    if re.fullmatch(KINDS, next_word) and meaning != "press":
        # "the copy and paste buttons": a name, unless the thing follows ("click button Start").
        if _UNENDED.search(before) and _PLACED_KIND.match(rest):
            return False
        return bool(re.match(rf"(?:{KINDS})\s+(?:\S)", rest, re.IGNORECASE)) or next_word == "text"
    return not _is_name(surface, next_word, before)


# "the Find and replace entry in the menu": a name whose kind is still to come.
_UNENDED = re.compile(r"\b(?:the|an?) (?:[A-Z][\w'’-]*)(?: [A-Z][\w'’-]*)*$")
_PLACED_KIND = re.compile(
    rf"(?:{KINDS})(?:$|\s*[,;.]|\s+(?:in|of|on|at|from|under|next to|below|above|beside|and|then|"
    r"but|by|with|to|using|is|are|should|has|appears?|opens?|closes?|disappears?)\b)"
)


def _is_no_act(lead: str, surface: str, rest: str, before: str) -> bool:
    """Whether what looks like a verb tells how, what field, or what is so."""
    if surface.split()[0].lower().endswith("ing") and not re.match(r"(?:\w+-)?\w+ing\b", before):
        # "sorted, starting with the lowest": how it is done, not the next instruction.
        return True
    if before and is_told(surface) and not is_told(bare(before).split()[0]):
        # "… is red and says “Error”": said of something, and no instruction.
        return True
    if before and _REPEATED.match(lead) and (verb_at(bare(before)) or ("",))[0] == "enter":
        return True
    # "…, then search": with no text behind it, it is no field.
    alone = not rest and (verb_at(lead) or ("",))[0] in _ALONE
    return (not alone and _is_field_noun(surface, rest, before)) or (
        bool(before) and _PAST.match(surface) is not None
    )


# "password x1, repeat password x1": a field and its text.
_REPEATED = re.compile(r"(?:repeat|confirm) (?:password|e-?mail)(?: address)? \S")
# "…, logged out": how one is then, not the next instruction.
_PAST = re.compile(r"(?!\w*(?:eed|bed|hred)\b)[a-z]+ed\b(?! to\b)")
_NAMES = frozenset(("choose", "click", "press", "tick", "untick", "enter"))


def _may_be_alone(found: tuple[str, str, str], before: str) -> bool:
    """`set the language to Dutch and restart`: where no names are listed, a verb is one."""
    meaning, surface, _ = found
    last = verb_at(bare(before)) if before else None
    if last is None or not meaning.startswith("own:") or not surface.islower():
        return False
    # What is named has quotes, a capital or a number; a small verb behind it is none of them.
    named = re.search(
        rf"{ANY}|\b[A-Z\d]|\b(?:field|box|bar|area|input)$|^(?:the|this|any|an?|my|your|it)\b",
        last[2],
    )
    return last[0] not in _NAMES or named is not None


_FIELD_NOUN = re.compile(
    r"e-?mail|mail|message|note|comment|subject|title|address|phone|search|text|file|order|company|"
    r"call|review|tag|group|query|label|state|date|time|rate|zip|street|city",
    re.IGNORECASE,
)


def _is_field_noun(surface: str, rest: str, before: str) -> bool:
    """`fill in the name Ann, email a@b.c`: a field and its text, not the next instruction."""
    if not _FIELD_NOUN.fullmatch(surface):
        return False
    if surface[0].isupper() and not re.match(rf"\s*(?:{ANY}|[:=]\s)", rest):
        return False
    found = verb_at(bare(before)) if before else None
    if found is None or (found[0] != "enter" and not _is_particular(before, rest)):
        return False
    return (
        re.match(r"(?:the|an?|it|them|him|her|me|to|this|that|all|your|my|for|again)\b", rest)
        is None
    )


_PARTICULAR = re.compile(
    rf"\b(?:with|called|named|having|and|,)\s+(?:the\s+|an?\s+)?(?:[a-z]+\s){{1,2}}"
    rf"(?:{ANY}|[\d+(][\d ()+-]*|"
    r"[A-Z]\w*(?:\s[A-Z]\w*)*)$"
)


def _is_particular(before: str, rest: str) -> bool:
    """`a contact with phone 555-0199 and email a@b.c`: the next particular, and its value."""
    return (
        _PARTICULAR.search(before) is not None and re.match(rf"\s*(?:{ANY}|\d)", rest) is not None
    )


def _fronted_clause(lead: str) -> bool:
    """A place, a time or a condition, and then an instruction."""
    place = re.match(
        r"(?:in|into|inside|within|on|under|below|above|next to|beside|from|at|for)\s+"
        r"(?=(?:the|my|it|that|this|there|cell)\s|[A-Z])|for\s+(?=[a-z])",
        lead,
    )
    if place and without_comma(lead[place.end() :], place[0].strip()) is not None:
        return True
    loops = re.match(r"for (?:each|every|all)\s", lead, re.IGNORECASE)
    small = re.match(r"(?:to|by|with|for|at|on)\b", lead, re.IGNORECASE)
    if not FRONTED.match(lead) or (small and not loops):
        return False
    comma = re.search(r",\s+", lead)
    timed = re.match(r"(?:if|unless|once|when|after|as soon as)\b", lead, re.IGNORECASE)
    if comma is None and timed:
        return plain_cut(lead) is not None
    return comma is not None and verb_at(bare(lead[comma.end() :])) is not None


_HAPPENED = (
    r"(?:(?:dis)?appears?|appeared|shows? up|opens?|loads?|comes? up|pops? up|goes away|closes?|"
    r"(?:is|are|has|have) (?:\w+ )?(?:shown|visible|displayed|loaded|enabled|there|gone|open|"
    r"opened|ready|closed|empty|checked|ticked|available|finished|done|complete|appeared|"
    r"disappeared))"
)


def plain_cut(text: str) -> tuple[str, str] | None:
    """What happens and what is done then, with no comma between: `once X appears click Y`."""
    for found in re.finditer(rf"\b{_HAPPENED}\s+(?=(?P<act>[a-z].*))", text, re.DOTALL):
        if verb_at(bare(found["act"])) and not re.match(r"and\b", found["act"]):
            return text[: found.start("act")].strip(), found["act"]
    return None


# "the buttons Yes, No": the next name may look like a verb.
_LISTING = re.compile(
    rf"\b(?i:{KINDS_LISTED})(?: called| named)?:? (?:[A-Z][\w'’-]*(?: [a-z]+)?|{QUOTE})"
    rf"(?:\s*,\s*(?:[A-Z][\w'’-]*(?: [a-z]+)?|{QUOTE}))*$"
)


def _is_name(surface: str, next_word: str, before: str) -> bool:
    """A capitalised word in a list is a name ("select Open, Close and Save As")."""
    if not before or not surface[0].isupper() or surface.isupper():
        return False
    if _LISTING.search(before):
        return not re.fullmatch(rf"on|the|a|an|it|your|that|this|{ANY}", next_word, re.IGNORECASE)
    found = verb_at(bare(before))
    names = found is not None and found[0] in ("click", "press", "choose", "tick", "untick")
    return names and not re.fullmatch(
        rf"on|the|a|an|in|into|it|to|all|your|that|this|{ANY}", next_word, re.IGNORECASE
    )


_PAIR = re.compile(r"[A-Z][\w'’-]*(?: [\w'’-]+){0,3}? (?P<joint>with|to|as|=)\s")


def _is_next_pair(lead: str, before: str) -> bool:
    """`fill City with Oslo and ZIP with 0150`: the next field of a list, written like a verb."""
    if _is_next_text(lead, before):
        return True
    pair = _PAIR.match(lead) if before else None
    found = verb_at(bare(before)) if pair else None
    if pair is None or found is None or found[0] not in ("enter", "set", "choose"):
        return False
    return re.search(rf"(?<=\s){pair['joint']}\s", found[2]) is not None


# Verbs that are said with "into" and nothing between.
_GOING_IN = re.compile(
    r"(?:click|tap|press|go|look|log|sign|type|write|enter|paste|copy|cut|move|drag|drop|put|zoom|"
    r"scroll|check|switch|step|get|dive|navigate|jump|browse|import|export|merge|split|insert)\b",
    re.IGNORECASE,
)


def _is_next_text(lead: str, before: str) -> bool:
    """`type red into A and color into the B field`: the next text, which is a verb elsewhere."""
    found = verb_at(bare(before)) if before else None
    if found is None or found[0] != "enter" or not re.search(r"\S\sinto\s+\S", found[2]):
        return False
    return re.match(r"[a-z]+\s+into\s+the\s", lead) is not None and not _GOING_IN.match(lead)


def clauses(sentence: str) -> list[str]:
    """The instructions of one masked sentence, each with its own verb."""
    cuts = _cuts(sentence)
    parts: list[str] = []
    start = 0
    for end, resume in cuts:
        parts.append(sentence[start:end])
        start = resume
    parts.append(sentence[start:])
    return [piece for part in parts for piece in _run_ons(part) if piece.strip()]


_CLAIMS = re.compile(
    r"(?:verify|check|make sure|ensure|confirm|assert)\s+(?:that\s+)?\S.*|.*\s(?:should|must)\s.*",
    re.IGNORECASE,
)


def _names_on(lead: str, joint: str, after: str) -> bool:
    """Whether a claim goes on with a name: `are Write tests, Fix login and Update docs`."""
    return (
        joint.strip().lower() == "and"
        and re.match(r"[A-Z][a-z]+\s[a-z]", after) is not None
        and re.search(r"(?:[A-Z\d][\w.-]*(?:\s[a-z][\w.-]*){0,3})$", lead) is not None
        and _CLAIMS.fullmatch(lead) is not None
    )


def _cuts(sentence: str) -> list[tuple[int, int]]:
    cuts: list[tuple[int, int]] = []
    start = 0
    for found in _BOUNDARY.finditer(sentence):
        if found.start() < start:
            continue
        before, after = sentence[start : found.start()], sentence[found.end() :]
        lead = bare(before)
        if re.match(r"(?:if|unless|for (?:each|every)|repeat)\b", lead, re.IGNORECASE):
            break
        if before.count("(") > before.count(")"):
            continue
        if not lead or _waits_for_its_verb(lead) or _joins(before, found[0], after):
            continue
        if _names_on(lead, found[0], after):
            continue
        if starts_clause(after, lead):
            cuts.append((found.start(), found.end()))
            start = found.end()
    return cuts


def _waits_for_its_verb(lead: str) -> bool:
    """Whether the words so far are only a place, a time or a purpose."""
    if verb_at(lead) is not None:
        return False
    if not FRONTED.match(lead):
        return False
    comma = [found.end() for found in re.finditer(r",\s+", lead)]
    return not any(verb_at(bare(lead[at:])) for at in comma)


_HELD = re.compile(r"(?:press and )?hold\b(?!.*\b(?:mouse|pointer)\b)", re.IGNORECASE)
# What is done while a key is held has been said.
_CLICKED = re.compile(r"\b(?:click|select|press|drag|tap)(?:ing)?\s+\S", re.IGNORECASE)


# "Point and click": of "the marked point and press Submit", both are said.
_GOES_ON = re.compile(r"(?:^|[,;]\s|\b(?:then|and|to)\s)(?:drag|point|go|try)$", re.IGNORECASE)


def _joins(before: str, joint: str, after: str) -> bool:
    """Whether both sides are one thing: `find and click`, keys in a row, `before … and …ing`."""
    if _HELD.match(before) and not (_CLICKED.search(before) and starts_clause(after, before)):
        return True
    if joint.strip() == "and" and _GOES_ON.search(before):
        return True
    found = verb_at(bare(before))
    if found and re.search(r"->|→|⇒|=>", joint) and found[0] != "press":
        return after[:1].isupper()
    if found and found[0] == "drag" and re.match(r"drop (?:it|them)\b", after, re.IGNORECASE):
        return True
    if found and found[0] == "press":
        word = re.match(r"[^,]*?(?=\s*(?:,|\band\b|\bthen\b|\bto\s[a-z]|$))", after)
        return bool(word and key_like(times(word[0])[0]))
    # "before clicking A and typing B": the same order for both.
    gerund = re.match(r"\w+ing\b", after)
    return bool(gerund and re.search(r"\b(?:before|after|by|without) \w+ing\b", before))


def key_like(text: str) -> bool:
    """Whether the words can only be a key."""
    bare_text = re.sub(r"^the\s+|\s+key$", "", text.strip(), flags=re.IGNORECASE)
    if bare_text.lower() in ("next", "prior", "back"):
        return False
    try:
        return canonical_key(bare_text) in _KEYS if len(bare_text) > 1 else False
    except InvalidInput:
        return False


_KEYS = {
    "enter",
    "tab",
    "esc",
    "space",
    "backspace",
    "delete",
    "home",
    "end",
    "pageup",
    "pagedown",
    "up",
    "down",
    "left",
    "right",
    "insert",
    *(f"f{n}" for n in range(1, 13)),
}


def _run_ons(part: str) -> list[str]:
    """Instructions that follow one another with nothing between them."""
    for found in _RUN_ON.finditer(part):
        before = part[: found.start()]
        least = 2 if re.search(rf"{QUOTE}$", before) else 3
        short = len(before.split()) < least
        if _NO_RUN_ON.search(before) or short or verb_at(bare(before)) is None:
            continue
        return [before, *_run_ons(part[found.end() :])]
    return [part]
