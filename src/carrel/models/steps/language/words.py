"""The English words that begin a step: verbs with their inflections, and what may stand before."""

from __future__ import annotations

import difflib
import re
from functools import cache

from carrel.models.steps.language.english.own_verbs import LIKE_NOUNS, OWN_VERBS

__all__ = [
    "KINDS",
    "OWN",
    "bare",
    "is_told",
    "known_verbs",
    "nearest_verb",
    "verb_at",
    "verb_words",
]

_VERBS: dict[str, str] = {
    "click": "click, click on, tap, tap on, left-click, left click, left-click on, touch, "
    "single-click, single click, click at, mouse click on, select and click, click into, "
    "click inside",
    "press": "press, press on, hit, push, strike, press and release, depress",
    "double": "double-click, double click, doubleclick, double-click on, double click on, "
    "double-tap, double tap, double tap on",
    "right": "right-click, right click, rightclick, right-click on, right click on",
    "middle": "middle-click, middle click, middle-click on, middle click on",
    "triple": "triple-click, triple click, triple-click on, triple click on",
    "hover": "hover, hover over, hover on, hover above, mouse over, hover the mouse over, "
    "hover the pointer over, hover your mouse over, hover the cursor over, point to, point at, "
    "rest the pointer on, move the mouse to, move the mouse over, move the pointer to, "
    "move the pointer over, move the cursor over, move your mouse over, move your mouse to, "
    "hold the mouse over, move the pointer onto, move the mouse onto, move the mouse pointer to, "
    "move the mouse pointer over, move the mouse pointer onto, move the mouse cursor over, "
    "move the mouse cursor to",
    "keep": "keep, hold",
    "focus": "focus, focus on, focus into, focus in, put the cursor in, place the cursor in, "
    "put the cursor into, set the cursor in, move the cursor to, put the focus on, "
    "put the caret in, put the caret into, place the caret in, place the caret into, "
    "place the cursor into, set the focus to, move the focus to, set focus on, "
    "set focus to, set the focus to, give focus to, move focus to, put the caret in, "
    "place your cursor in, put your cursor in, click in",
    "enter": "enter, type, type in, input, write, key in, fill in, fill out, fill, put, insert, "
    "provide, enter in, supply, populate, complete, specify, type out, mention",
    "tabbing": "tab to, tab out, tab out of, tab into, tab on, tab over, tab away, tab back",
    "append": "append",
    "clear": "clear, empty, erase, wipe, clear out, blank, blank out, empty out, rub out",
    "choose": "select, choose, pick, pick out, opt for, go for, "
    "multi-select, go with, settle on, settle for, decide on, decide for, plump for",
    "tick": "check, tick, tick off, check off, enable, switch on, turn on, toggle on, activate, "
    "flip on, put on",
    "untick": "uncheck, untick, deselect, unselect, disable, switch off, turn off, toggle off, "
    "deactivate, unmark, clear the tick from, remove the tick from, remove the check from, "
    "flip off",
    "toggle": "toggle, flip",
    "set": "set, adjust, correct, change, slide, update, modify, bring, alter, switch over, limit, "
    "restrict, "
    "cap, confine",
    "increase": "increase, raise, turn up, bump up, bump, boost, step up, push up",
    "decrease": "decrease, lower, reduce, turn down, cut down, bring down, step down",
    "scroll": "scroll, page, swipe",
    "drag": "drag, drag and drop, drop, pull, drag & drop, drag-and-drop",
    "move": "move, place, relocate",
    "highlight": "highlight, mark up",
    "wait": "wait, pause, hold on, sleep, stay",
    "copy": "copy",
    "cut": "cut",
    "paste": "paste",
    "switch": "switch to, change to, change over to, bring to the front, switch over to, "
    "alt-tab to, "
    "activate the window, switch",
    "close": "close, dismiss, shut, quit, exit, close down, close out of, get out of, click away",
    "goto": "am on, are on, "
    "visit, browse to, go straight to, go directly to, go right to, go on to, go over to, "
    "go straight ahead to, navigate to, go to, head to, go onto, go into, "
    "go inside, head over to, surf to, get to, hop over to, move over to, move on to, move to the",
    "there": "go there, head there, navigate there, switch there, get there",
    "navigate": "navigate, browse, go through, explore, look through, page through",
    "back": "go back, navigate back, return, step back, come back",
    "forward": "go forward, navigate forward",
    "reload": "reload, refresh",
    "open": "open, launch, start, open up, fire up, bring up, start up, call up, pull up, boot up, "
    "pull down, drop down, fold out, bring up the, pop open, reopen",
    "run": "run, execute",
    "read": "read, read off, remember, note, note down, save, store, get, grab, fetch, extract, "
    "memorize, memorise, retrieve, obtain, copy down, take note of, take a note of, "
    "make a note of, write down, jot down, record, "
    "take, keep track of",
    "verify": "verify, assert, make sure, ensure, confirm, expect, check that, check whether, "
    "check if, look whether, look if, validate, "
    "see, see that, see if, see whether, see to it that, verify that, "
    "make certain, double-check, "
    "be sure",
    "find": "find, locate, find out, spot, identify, figure out, determine, track down, hunt down, "
    "make out, pinpoint, look at, take a look at, have a look at, take another look at, "
    "have another look at, go and look at",
    "seek": "look for, look up, search out, hunt for",
    "expand": "expand, unfold, uncollapse",
    "collapse": "collapse, fold, unexpand",
    "submit": "submit, send off, hand in",
    "give": "give",
    "make": "make, turn, style, format, render, colour, color, tint",
    "draw": "draw, sketch, paint",
    "resize": "resize, stretch, shrink, enlarge, widen, narrow",
    "sort": "sort, order, arrange, rearrange, put in order, reorder, rank",
    "compute": "solve, calculate, compute, work out, count, evaluate, add up, sum up",
    "use": "use, using, utilize, utilise, with the help of",
    "repeat": "repeat, do this, do that, redo this",
    "let": "let, define",
    "answer": "answer",
    "perform": "perform",
    "look": "underline, italicize, italicise, bold, embolden, strike through",
    "say": "say",
    "paging": "go one, go two, go three, go four, go five, go six, go forward one, go forward two, "
    "go forward three, go ahead one, go ahead two, go back one, go back two, go back three",
    "again": "try again, try once more, retry, have another go",
    "position": "jump to, skip to, seek to, fast-forward to, fast forward to, rewind to, "
    "wind forward to, scrub to",
    "arrive": "land on, land at, arrive at, arrive on, end up on, end up at",
    "named": "name it, call it, title it, name them",
    "tell": "read out, read aloud, "
    "tell, tell me, tell us, let me know, let us know, report back, inform me of, "
    "inform me",
}
OWN = tuple(re.split(r",\s+", OWN_VERBS.strip()))
"""Verbs of applications, not of hands: the screen must offer them."""

KINDS = (
    "button|buttons|link|links|icon|icons|tab|tabs|menu|menus|item|items|field|fields|box|boxes|"
    "checkbox|checkboxes|option|options|page|pages|list|lists|key|keys|dialog|window|windows|"
    "toolbar|bar|dropdown|section|sections|switch|entry|row|column|table|area|input|widget|slider|"
    "label|image|picture|form|text|word|command|engine|results?|history|mode|settings?|panel|"
    "widgets?|folders?|files?"
)

_IRREGULAR = {
    "chosen": "choose",
    "chose": "choose",
    "written": "write",
    "wrote": "write",
    "found": "find",
    "sent": "send",
    "given": "give",
    "made": "make",
    "bought": "buy",
    "put": "put",
    "putting": "put",
    "hit": "hit",
    "hitting": "hit",
    "setting": "set",
    "dragging": "drag",
    "dragged": "drag",
    "dropping": "drop",
    "dropped": "drop",
    "tapping": "tap",
    "tapped": "tap",
    "scrolling": "scroll",
    "scrolled": "scroll",
    "submitting": "submit",
    "submitted": "submit",
    "cutting": "cut",
    "copied": "copy",
    "replied": "reply",
    "read": "read",
    "ran": "run",
    "running": "run",
    "getting": "get",
    "got": "get",
    "taken": "take",
    "went": "go",
    "going": "go",
    "gone": "go",
    "logging": "log",
    "logged": "log",
    "shutting": "shut",
    "begun": "begin",
    "drawn": "draw",
    "drew": "draw",
    "kept": "keep",
    "typing": "type",
    "typed": "type",
    "emptied": "empty",
    "verified": "verify",
    "unlabelled": "label",
}


def _inflections(base: str) -> set[str]:
    """The forms of one regular word: click, clicks, clicked, clicking; copy, copies."""
    stem = base.removesuffix("e")
    forms = {base, f"{base}s", f"{stem}ing", f"{stem}ed"}
    if base.endswith(("s", "sh", "ch", "x", "ss")):
        forms.add(f"{base}es")
    if re.search(r"[^aeiou]y$", base):
        forms |= {f"{base[:-1]}ies", f"{base[:-1]}ied"}
    return forms | {form for form, root in _IRREGULAR.items() if root == base}


@cache
def _table() -> dict[str, str]:
    table: dict[str, str] = {}
    for surface in OWN:
        _add(table, surface, f"own:{surface}")
    for canonical, surfaces in _VERBS.items():
        for surface in surfaces.split(", "):
            _add(table, surface, canonical)
    # Both hands and applications know these; what is said of them decides (see the verbs).
    table |= {"sort": "sort", "order": "own:order", "using": "use"}
    table |= dict.fromkeys(("go on", "carry on", "move on"), "own:continue")
    table |= dict.fromkeys(("save", "saves", "saved", "saving"), "own:save")
    return table


def _add(table: dict[str, str], surface: str, canonical: str) -> None:
    head, _, tail = surface.partition(" ")
    stem, dash, last = head.rpartition("-")
    for form in _inflections(last):
        table[f"{stem}{dash}{form} {tail}".strip()] = canonical


@cache
def _nouns() -> dict[str, str]:
    table: dict[str, str] = {}
    for surface in re.split(r",\s+", LIKE_NOUNS.strip()):
        _add(table, surface, f"own:{surface}")
    return table


_OBJECT = re.compile(
    r"\s+(?:the|an?|it|them|this|that|these|those|all|every|each|my|your|our|his|her|their|its|"
    r"both|us|me|one|two|three|four|five|six|seven|eight|nine|ten|\d+)\s+\S|\s+(?:it|them)\b",
    re.IGNORECASE,
)
# "Shuffle should be on": a name, of which something is said.
_SAID_OF = re.compile(r"\s+(?:should|must|ought to)\s", re.IGNORECASE)
_WORDS = re.compile(r"[\w&-]+(?: [\w&-]+){0,4}(?![\w'’])")


def verb_at(text: str) -> tuple[str, str, str] | None:
    """The verb a text begins with: what it means, how it is written, and what follows it."""
    words = _WORDS.match(text)
    surface = words[0] if words else ""
    while surface:
        after = text[len(surface) :]
        named = after[:1] in ("'", "’") or _SAID_OF.match(after)
        if (meaning := _table().get(surface.lower())) and not named:
            return meaning, surface, after.strip()
        if (meaning := _nouns().get(surface.lower())) and _OBJECT.match(text, len(surface)):
            return meaning, surface, text[len(surface) :].strip()
        surface = surface.rpartition(" ")[0]
    return None


@cache
def verb_words() -> frozenset[str]:
    """Every word that a verb begins with, in all forms, and its small words: log in, get rid of."""
    small = r"(?:in|on|up|out|off|for|down|over|to|of|at|into|rid|away|back|front|drop|release)"
    words = [word for surface in _table() for word in re.split(r"[\s-]+", surface)]
    firsts = {re.split(r"[\s-]+", surface)[0] for surface in _table()}
    return frozenset(word for word in words if word in firsts or re.fullmatch(small, word))


def known_verbs() -> tuple[str, ...]:
    """Every base form, for messages."""
    return tuple(surface for surfaces in _VERBS.values() for surface in surfaces.split(", "))


def nearest_verb(word: str) -> str | None:
    """The known verb that is spelled most like the word."""
    near = difflib.get_close_matches(word.lower(), [*known_verbs(), *OWN], n=1, cutoff=0.7)
    return near[0] if near else None


_BEFORE = re.compile(
    r"(?:(?:please|kindly|now|next(?! to\b)|first(?:ly)?|second(?:ly)?|third(?:ly)?|then|finally|"
    r"lastly|also|just|simply|and|but|afterwards?|after (?:that|this|which)|"
    r"subsequently|again|so|still(?= (?:in|on)\b)|ok|okay|hi|hello|hey|hey there|thanks|"
    r"thank you|immediately|"
    r"quickly|carefully|"
    r"once (?:done|finished|ready|that is done|you are done|you're done)|when (?:done|"
    r"finished|ready)|"
    r"when (?:you are|you're) (?:done|finished|ready)|from there|at last|(?:given|when)(?= "
    r"(?:i|we|the user|you) )|"
    r"you (?:should|must|need to|have to|will|can|may)(?: now)?"
    r"(?! (?:now )?(?:be|get|receive|have)\b)|"
    r"you(?! (?:should|must|will) (?:now )?(?:be|get|receive|have)\b)|"
    r"(?:could|can|would|will) you(?: please| kindly)?|"
    r"i(?:'d| would) like (?:you )?to|i want (?:you )?to|i need (?:you )?to|"
    r"i am asked to|i (?:should|must|have to|will|can)(?! (?:be|get|receive|have)\b)|"
    r"i(?! (?:should|must|will) (?:be|get|receive|have)\b)|we|(?:your|the) (?:task|job|goal) "
    r"is to|let us|let's|go ahead and|try to|"
    r"be sure to|make sure (?:to|you(?! (?:are|can|see|were|should|do|get|land))(?: have)?)|"
    r"remember to|don't forget to|do not forget to|"
    r"go and|proceed to|(?:the |a )?users?(?: should| must| can)?|he|she|they|"
    r"remind me to|help me(?: to)?|in the end|as a result|as expected|consequently|therefore|"
    r"at this point|this time|by now|meanwhile|in the meantime|to (?:begin|start|finish)(?: with|"
    r" off)?(?=,)|for a start|last of all|as (?:a|the) (?:first|second|third|next|last|final) step|"
    r"once again|once more|as before|after all (?:this|that)|"
    r"step \d+\s*[:.)-]|\d+\s*[.)]|[-*•‣–])(?![\w'’-]))[\s,:]*",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\s,]*(?:\b(?:please|for me|(?<!\b[Nn]o )(?<!\b[Nn]o, )thanks|"
    r"(?<!\b[Nn]o )(?<!\b[Nn]o, )thank you(?: very much)?|(?<!\bas )(?<!\bonly )(?<!\bby )now|"
    r"when (?:you are |you're )?(?:done|finished|ready|complete)|"
    r"once (?:you are |you're )?(?:done|finished)|"
    r"(?<!for it )(?<!for this )(?<!for that )(?<!\btry )(?:in order |so as )?"
    r"to (?:finish|continue|proceed|complete the task)|"
    r"when finished|as well|afterwards?|accordingly|"
    r"(?<!is )(?<!are )(?<!n't )(?<!not )too|(?<=\bit )(?-i:first)|(?<=\bthem )(?-i:first)|"
    r"if you (?:can|could|would|please)|right away|"
    r"(?<=, )(?:would|will|could|can|won['’]t) you|(?<=, )there['’]s a (?:dear|love)|"
    r""
    r"(?<!paste it )(?<!paste )(?<!paste that )(?<!paste them )at the end|in the end|instead)|"
    r"[.!?;:,])\s*$",
    re.IGNORECASE,
)

# "wait for the upload to finish": what is waited for.
_WAITS = re.compile(r"(?:wait|for)\s", re.IGNORECASE)
# "click Buy now": what a button is called that says what it does.
_NAMED_NOW = re.compile(
    r"(?:.*\b(?:and|then|,)\s+)?(?i:click|press|tap|hit|choose|select|pick|push)(?: on)?"
    r"(?: the)?(?: link| button)? (?:[A-Z][\w-]*)(?: [\w-]+){0,2}",
    re.DOTALL,
)


# "reply with Thanks": what is said, and no manner.
_SAYS = re.compile(
    r"(?:\b(?:with|saying|says?|type|write|enter|input|insert|reads?|post|send|text|message)|:)$",
    re.IGNORECASE,
)


def _is_meant(text: str, tail: re.Match[str]) -> bool:
    """Whether a word at the end that looks like a manner belongs to what is said."""
    waits = _WAITS.match(text) or re.search(r"\bwait(?:ing)? (?:for|until)\s[^,;]*$", text)
    if waits and "to " in tail[0]:
        return True
    said = text[: tail.start()]
    if "thank" in tail[0].lower() and _SAYS.search(said):
        return True
    named = _NAMED_NOW.fullmatch(said) and not re.search(rf"\b(?:{KINDS})$", said)
    # "Book Now", "Sign Up Instead": written large, it is a part of the name.
    last = tail[0].strip()
    return (last == "now" or last[:1].isupper()) and bool(named)


def bare(text: str) -> str:
    """The text without greetings, manners and connecting adverbs at its ends."""
    text = text.strip()
    while True:
        shorter = text
        found = _BEFORE.match(shorter)
        # A verb may be written like an adverb (`Make sure to`); only drop it before something.
        if found and found.end() < len(shorter) and not _is_verb_here(shorter, found):
            shorter = shorter[found.end() :]
        tail = _AFTER.search(shorter)
        if tail and tail.start() > 0 and not _is_meant(shorter, tail):
            shorter = shorter[: tail.start()].rstrip()
        if shorter == text:
            return text
        text = shorter


def _is_verb_here(text: str, found: re.Match[str]) -> bool:
    said = found[0].lower()
    return said.startswith(("remember to", "proceed to")) and verb_at(text[found.end() :]) is None


def is_told(surface: str) -> bool:
    """Whether a verb is told of someone: `clicks`, `says`."""
    word = surface.split()[0].lower()
    ends = (word[: -len(end)] for end in ("s", "es") if word.endswith(end))
    return any(len(base) > 1 and verb_at(base) is not None for base in ends)
