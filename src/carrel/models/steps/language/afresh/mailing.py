"""Mails and messages: answered, passed on, thrown away or marked, in whatever order it is told.

There are few things that people do to a message, and no end of ways to say so. So the words are
taken for what each can only be: whose message it is, who shall get it, what is written, and what
becomes of it. Where every word of a span is accounted for, it is one plain instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import OTHER, QUOTE

__all__ = ["MAILING"]

_WHO = rf"(?-i:[A-Z][\w-]*(?:\s(?!I\b)[A-Z][\w-]*){{0,2}}|@\w[\w.-]*|{OTHER})"
_VERBS = (
    r"send|forward|give|get|let|pass|hand|relay|share|redirect|reply|respond|answer|write|type|use|"
    r"make|mark|label|treat|set|add|put|press|click|hit|tap|flag|star|delete|remove|erase|discard|"
    r"throw|toss|dispose|trash|bin|move|take|find|look|locate|search|open|go|compose|draft|have|"
    r"select|"
    r"choose|pick|as|in|message|transfer|show|tell|read|please|bring"
)
# A sentence begins with what is to be done, and a capital letter.
_FIRST = rf"(?!(?:(?<=\A)|(?<=[.;!?]\s))(?:{_VERBS})\s)"
_NOUN = r"(?:e-?mails?|mails?|messages?|letters?|notes?)"
_WHICH = (
    r"(?<!\w)(?:all\s+of\s+)?(?:(?:the|an?|this|my|all|every|each|any|only|most|very)\s+)*"
    r"(?:(?:latest|last|newest|recent|new|unread)\s+)?"
)
_ME = r"(?:\s+(?:to\s+)?(?:me|you|us))?"
_CAME = (
    r"(?:(?:that|which|i|we|you|have|has|had|['’]ve|just|was|were|is|are|been|came|comes|come|got|"
    r"received|arrived|sent|written|addressed)\s+)*(?:to\s+(?:me|you|us)\s+)?(?:in\s+)?"
)
_MESSAGES = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        (
            rf"(?P<which>{_WHICH})(?P<noun>{_NOUN})\s+{_CAME}(?:from|by|of)\s+(?:the\s+sender\s+)"
            rf"?(?P<who>{_WHO})"
        ),
        (
            rf"(?P<which>{_WHICH})(?P<noun>{_NOUN})\s+(?:(?:that|which)\s+)?(?P<who>{_WHO})\s+"
            rf"(?:(?:has|had|have|just|recently)\s+)*(?:sent|wrote|written|mailed|left){_ME}"
        ),
        (
            rf"(?P<which>{_WHICH})(?P<noun>{_NOUN})\s+(?:whose|with\s+the)\s+(?:sender|author)\s+"
            rf"(?:is\s+)?"
            rf"(?P<who>{_WHO})"
        ),
        (
            rf"(?P<which>{_WHICH})(?P<noun>{_NOUN})\s+with\s+(?P<who>{_WHO})\s+as\s+(?:the|its)\s+"
            r"(?:sender|author)"
        ),
        (
            rf"(?P<which>){_FIRST}(?P<who>{_WHO})['’]s?\s+(?P<when>(?:latest|last|newest|new)\s+)?"
            rf"(?P<noun>{_NOUN})"
        ),
        (
            rf"(?P<which>)\bwhat(?:ever)?\s+(?P<who>{_WHO})\s+(?:(?:has|had|just)\s+)*(?:sent|"
            rf"wrote|"
            rf"written)"
            rf"{_ME}(?P<noun>)"
        ),
        (
            rf"(?P<which>){_FIRST}(?P<who>{_WHO})\s+(?:(?:has|have|had|just)\s+)*(?:sent|wrote|"
            rf"written|mailed)"
            rf"{_ME}\s+(?:an?|this|the)\s+(?P<noun>{_NOUN})"
        ),
    )
)
_MAIL = "\x01"
"""Stands for the message where whose it is has been read."""
_GETS = (
    r"(?:(?:should|must|has\s+to|needs\s+to|need\s+to|wants\s+to|would\s+like\s+to|ought\s+to|"
    r"is\s+to|can)\s+"
    r"(?:get|receive|have|see|read|be\s+(?:sent|given|forwarded|shown))|gets|receives|needs|wants|"
    r"is\s+waiting\s+for|asked\s+for|is\s+asking\s+for|has\s+asked\s+for|requested|requires)"
)
_PART = r"(?:recipient|receiver|addressee)"
_RECEIVERS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?P<to>{_WHO})\s+{_GETS}\b",
        rf"\b(?:with|to)\s+(?P<to>{_WHO})\s+as\s+(?:the\s+|its\s+)?{_PART}",
        rf"\b(?P<to>{_WHO})\s+as\s+(?:the\s+|its\s+)?{_PART}",
        (
            rf"\b(?:make|making|set|setting|choose|choosing|enter|entering)\s+(?P<to>{_WHO})\s+"
            rf"(?:the|"
            rf"its|as)\s+{_PART}"
        ),
        (
            rf"\b(?:the\s+|its\s+)?{_PART}\s*(?:is|being|should\s+be|shall\s+be|to|:)?\s+"
            rf"(?P<to>{_WHO})"
        ),
        (
            rf"\b(?:let|have|make|tell|want|like)\s+(?P<to>{_WHO})\s+(?:to\s+)?(?:have|see|get|"
            rf"read|"
            rf"receive|know)\b"
        ),
        rf"\btell\s+(?P<to>{_WHO})(?!\w)",
        (
            rf"\bso\s+(?:that\s+)?(?P<to>{_WHO})\s+(?:gets|receives|has|can\s+(?:see|read|have)|"
            r"will\s+(?:get|have|see))\b"
        ),
        rf"\b(?:to|with|for|towards)\s+(?P<to>{_WHO})",
        (
            rf"\b(?:send|sending|forward|forwarding|give|giving|get|show|showing|pass|hand|mail|"
            rf"email)"
            rf"\s+"
            rf"(?:on\s+)?(?P<to>{_WHO})(?=\s+(?:{_MAIL}|it\b|them\b|the\b|a\b|this\b|that\b|"
            rf"{QUOTE}))"
        ),
    )
)
_TRASH = (
    r"(?:(?:the|its|your|my)\s+)?(?:recycling\s+|recycle\s+|trash\s+|rubbish\s+)?(?:trash|"
    r"bin|garbage|can|basket)"
)
_ACTS = {
    "reply": r"repl(?:y|ies|ied|ying)|respond(?:ing)?|response|answer(?:ing|ed)?|"
    r"(?:writ(?:e|ing)|send(?:ing)?|messag(?:e|ing)|get(?:ting)?)(?=[^.;]*\bback\b)",
    "forward": r"forward(?:ed|ing|s)?|relay(?:ed|ing)?|pass(?:ed|ing)?\s+(?:it|them|\x01)"
    r"?\s*(?:on|along)|"
    r"(?:pass(?:ed|ing)?|hand(?:ed|ing)?|bring)(?=[^.;]*\b(?:on|along|over)\b)|shar(?:e|ed|ing)|"
    r"redirect(?:ed|ing)?",
    "delete": r"delet(?:e|ed|ing)|remov(?:e|ed|ing)|trash(?:ed|ing)|trash(?=\s+(?:\x01|it\b|"
    r"them\b))|"
    r"eras(?:e|ed|ing)|discard(?:ed|ing)?|(?:get|getting|be|got)\s+rid\s+of|"
    r"(?:throw|throwing|thrown|toss|tossed)(?:\s+(?:it|them|\x01))?\s+(?:away|out)|dispos(?:e|ed|"
    r"ing)\s+of|"
    rf"bin(?=\s+(?:\x01|it\b))|(?:in|into|to)\s+{_TRASH}|{_TRASH}\s+(?:icon|symbol|button|sign)",
    "star": r"starr?(?:ed|ing)?|flag(?:ged|ging)?|important|favou?rite",
}
_FAMILIES = {act: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for act, words in _ACTS.items()}
_SENDS = re.compile(
    r"\b(?:send|sent|give|get|pass|let|make|show|hand|go|goes|see)\b", re.IGNORECASE
)
_ASKED = re.compile(
    r"(?:^|[,;.:!?]\s*|\b(?:and|so|then|please|kindly|to|you|by)\s+)(?:then\s+|please\s+)?"
    rf"(?:{_VERBS})\b"
    r"|\b(?:please|kindly|would\s+you|could\s+you|can\s+you|mind|i\s+(?:want|need|would|have)|"
    r"i['’]d|"
    r"wants|needs|deserves|(?:is|has|needs|have)\s+to|must|can\s+(?:go|be)|"
    r"should\s+(?:get|have|see|read|receive|go)|"
    r"should\s+be\s+(?:my|the|your)\s+(?:reply|answer|response)|"
    r"waiting\s+for|asked\s+for|asking\s+for|requested)\b",
    re.IGNORECASE,
)
"""What tells that something is to be done, and not that it is so."""
_REMARK = re.compile(
    r"\b(?:is|are)(?:n['’]t|\s+not)\s+(?:needed|important|wanted|of\s+interest)(?:\s+any\s?more)"
    r"?\b",
    re.IGNORECASE,
)
_ICON = re.compile(
    r"\b(?P<what>star|trash|bin|flag)(?:\s+can)?\s+(?P<kind>icon|symbol|sign|button)\b",
    re.IGNORECASE,
)


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PLAIN = _listed(
    "please kindly would could can will you mind i we want wants like need needs to have has had "
    "must "
    "should shall be being been is are was am by with using use via through the a an it its them "
    "they this that these those in on into onto as of for from and then so now just also my me "
    "your "
    "our there out up over off along back on away at who which one ones time after afterwards "
    "important open opening find finding look looking up locate search searching go going take "
    "taking "
    "get getting put putting press pressing click clicking hit tap select choose pick send sending "
    "sent make making mark marked marking label labeled labelled treat treated set add give giving "
    "write writing written type typing say says saying read reads reading text word words content "
    "compose composing draft move moving transfer mail mails email emails e message messages "
    "letter reply replies response answer icon symbol sign "
    "button inbox mailbox folder list let lets show see seen know thing action function option "
    "feature flag star trash bin pass passed throw thrown no longer recipient receiver person "
    "following among there's don't do not it's any copy came got received i'd i'll id sender "
    "deserves her him his their needed any more tell "
    "arrow link his anymore"
)
_WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?|\S")


@dataclass(slots=True)
class _Frame:
    """What a span says of a message.

    Attributes:
        rest: What is left of the span.
        mail: The message, in plain words.
        who: Whose it is.
        to: Who shall get it.
        text: What is written.
    """

    rest: str
    mail: str = ""
    who: str = ""
    to: str = ""
    text: str = ""


def _plainly(told: re.Match[str]) -> str:
    """The longest runs of sentences that are about one message, each as a plain instruction."""
    parts = re.split(r"(?<=[.;!?])\s+", told[0])
    for size in range(len(parts), 0, -1):
        for at in range(len(parts) - size + 1):
            span = " ".join(parts[at : at + size])
            plain = _read(span) or _in_turn(span)
            if plain is not None:
                rest = parts[:at], parts[at + size :]
                worded = plain if _same(plain, span) else plain + "."
                return " ".join([*rest[0], worded, *rest[1]]).strip()
    return told[0]


def _same(plain: str, span: str) -> bool:
    return plain.casefold().strip(" .") == span.casefold().strip(" .")


def _read(span: str) -> str | None:
    """One instruction about one message; None where a word is left over or something is missing."""
    frame = _Frame(_REMARK.sub(" ", span))
    if not _take_message(frame) and not _FAMILIES["reply"].search(span):
        return None
    _take_text(frame)
    _take_receiver(frame)
    acts = _acts(frame)
    if len(acts) != 1 or not _is_asked(span) or any(True for _ in _left(frame)):
        return None
    return _worded(acts[0], frame, span)


def _in_turn(span: str) -> str | None:
    """Two instructions about the same message, one after the other."""
    for joint in re.finditer(r",?\s+(?:and\s+then|and|then)\s+", span):
        frame = _Frame(span[: joint.start()])
        first = _read(frame.rest)
        if first is None or not _take_message(frame):
            continue
        later = re.sub(r"\b(?:it|them)\b", frame.mail, span[joint.end() :], count=1)
        second = _read(later)
        if second is not None:
            return f"{first}. {second}"
    return None


def _take_message(frame: _Frame) -> bool:
    for form in _MESSAGES:
        found = form.search(frame.rest)
        if found is None:
            continue
        frame.who = found["who"]
        which = " ".join(found["which"].split()) or "the"
        which = "the" if which.lower() in ("a", "an", "this", "my") else which.lower()
        which = " ".join(filter(None, (which, (found.groupdict().get("when") or "").strip())))
        frame.mail = f"{which} {found['noun'] or 'email'} from {frame.who}"
        frame.rest = f"{frame.rest[: found.start()]} {_MAIL} {frame.rest[found.end() :]}"
        return True
    return False


def _take_text(frame: _Frame) -> None:
    quotes = re.findall(QUOTE, frame.rest)
    if len(quotes) == 1:
        frame.text = quotes[0]
        frame.rest = frame.rest.replace(quotes[0], " ")


def _take_receiver(frame: _Frame) -> None:
    for form in _RECEIVERS:
        found = form.search(frame.rest)
        if found is not None:
            frame.to = found["to"]
            # The verb that was said with the name says what becomes of it.
            kept = re.sub(re.escape(found["to"]), " ", found[0], count=1)
            frame.rest = f"{frame.rest[: found.start()]} {kept} {frame.rest[found.end() :]}"
            return


def _acts(frame: _Frame) -> list[str]:
    found = [act for act, words in _FAMILIES.items() if words.search(frame.rest)]
    if "forward" in found and "reply" not in found and frame.to:
        return ["forward"] if found == ["forward"] else found
    if not found and frame.mail and frame.to and not frame.text:
        # "The mail by Ann has to go to Bob": what is sent to another one is passed on.
        sent = _SENDS.search(frame.rest) or re.search(_GETS, frame.rest, re.IGNORECASE)
        return ["forward"] if sent else []
    return found


def _is_asked(span: str) -> bool:
    return _ASKED.search(span) is not None


def _left(frame: _Frame) -> Iterator[str]:
    """The words that nothing accounts for."""
    rest = frame.rest
    for words in (*_FAMILIES.values(), re.compile(_GETS, re.IGNORECASE), re.compile(_TRASH)):
        rest = words.sub(" ", rest)
    for word in _WORD.findall(rest):
        plain = word.casefold().replace("’", "'")
        if plain not in _PLAIN and plain not in "\x01.,;:!?-":
            yield word


def _worded(act: str, frame: _Frame, span: str) -> str | None:
    if act == "reply":
        mail = frame.mail or (f"the email from {frame.to}" if frame.to else "")
        told = (
            bool(mail)
            and bool(frame.text)
            and (not frame.to or not frame.mail or frame.to == frame.who)
        )
        return f"Reply {mail} (text: {frame.text})" if told else None
    if not frame.mail or frame.text:
        return None
    if act == "forward":
        return f'Forward {frame.mail} (to: "{frame.to}")' if frame.to else None
    if frame.to:
        return None
    icon = _ICON.search(span)
    if icon is not None:
        return f"In {frame.mail}, click the {icon[0].lower()}"
    if act == "delete":
        return f"Delete {frame.mail}"
    if re.search(r"\bimportant\b", span, re.IGNORECASE):
        return f'Mark {frame.mail} (as: "important")'
    sign = "Flag" if re.search(r"\bflag", span, re.IGNORECASE) else "Star"
    return f"{sign} {frame.mail}"


MAILING: tuple[Turn, ...] = (turn(r"\A.+\Z", _plainly),)
