"""English steps about pages, windows and programs."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import ANY, NAME, OTHER, QUOTE
from carrel.models.steps.language.english.own import perform
from carrel.models.steps.language.english.pointer import PATH, point
from carrel.models.steps.language.numbers import NUMBER, ORDINALS, times
from carrel.models.steps.language.talk import (
    EACH,
    NotUnderstood,
    Talk,
    each_of,
    first_few,
    for_each,
    trim,
)
from carrel.models.steps.phrases.programs import kind_said
from carrel.models.steps.program import (
    Choose,
    CloseWindow,
    Expand,
    Find,
    GoTo,
    Navigate,
    Open,
    Point,
    Press,
    Repeat,
    Scroll,
    Step,
    Submit,
    SwitchTo,
    Tick,
)

__all__ = [
    "back",
    "close",
    "expand",
    "forward",
    "go_to",
    "navigate",
    "open_",
    "reload",
    "submit",
    "web_address",
]

_HOST = (
    r"(?:www\.)?[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|edu|gov|de|uk|cn|fr|ch|at|jp|"
    r"eu|info|app|co)(?:[:/]\S*)?|localhost(?::\d+)?(?:/\S*)?"
)
_PAGE = r"(?:the\s+)?(?:web\s?(?:page|site)|page|site|url|address|link)\s*(?:at|of|:)?\s+"


_PROCESS = (
    r"scan|timer|test|quiz|installation|recording|countdown|stopwatch|slideshow|animation|backup|"
    r"upload|download|import|synchroni[sz]ation"
)
_BEGUN = (
    r"report|call|chat|conversation|meeting|game|project|thread|discussion|poll|survey|session|"
    r"transfer|trial|search|scan|playlist|draft|message|order|recording|timer|quiz|test"
)
_END = re.compile(
    r"(?:the\s+)?(?:very\s+)?(?P<end>end|beginning|start|top|bottom)"
    r"(?:\s+of\s+the\s+(?:page|(?P<of>document|text|file|letter|editor)))?",
    re.IGNORECASE,
)
_NTH = rf"{'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th)"


_SITE_AT = re.compile(
    r"^(?:(?:the|our|my|your)\s+)?(?:[\w-]+\s+){0,4}(?:(?:web ?)?page|(?:web ?)?site|shop|store|"
    r"portal|app|form|dashboard|intranet|wiki)\s+(?:at|on|under)\s+(?=\S+$)",
    re.IGNORECASE,
)


def web_address(text: str, talk: Talk) -> str | None:
    """The address of a page; None when the words are none."""
    said = re.sub(rf"^{_PAGE}", "", trim(text), flags=re.IGNORECASE)
    if site := _SITE_AT.match(said):
        talk.put_aside(site[0])
        said = said[site.end() :]
    shown = talk.atoms.text(said) if re.fullmatch(f"{OTHER}|{QUOTE}|{NAME}", said) else said
    if re.match(r"(?:https?|ftp|file|about|chrome|data):", shown, re.IGNORECASE):
        return shown
    if re.fullmatch(_HOST, shown, re.IGNORECASE):
        return shown
    named = re.fullmatch(rf"{_PAGE}.+", trim(text), re.IGNORECASE)
    return shown if named and re.fullmatch(f"{NAME}|{QUOTE}", said) else None


def go_to(rest: str, talk: Talk) -> list[Step]:
    """A page, a window, or a thing on the screen that leads there."""
    body = trim(rest)
    if url := web_address(body, talk):
        return [GoTo(url)]
    if re.fullmatch(r"(?:the\s+)?previous page|back", body, re.IGNORECASE):
        return [Navigate("back")]
    if re.fullmatch(r"(?:the\s+)?next page in (?:the )?history", body, re.IGNORECASE):
        return [Navigate("forward")]
    if found := re.fullmatch(r"(?:the\s+)?(?P<title>.+?)\s+window", body, re.IGNORECASE):
        return [SwitchTo(talk.text(found["title"]))]
    if re.fullmatch(NAME, body):
        return [GoTo(talk.text(body))]
    if path := re.fullmatch(rf"(?:the\s+)?(?:folder|directory)\s+(?P<path>{OTHER}|{QUOTE})", body):
        return [Open(talk.atoms.text(path["path"]))]
    if len(parts := PATH.split(body)) > 1:
        return [Choose(tuple(talk.phrase(part) for part in parts), path=True)]
    if end := _END.fullmatch(body):
        up = end["end"].lower() in ("top", "beginning", "start")
        talk.put_aside(body)
        if end["of"]:
            return [Press(("ctrl+home" if up else "ctrl+end",))]
        return [Scroll("up" if up else "down", "end")]
    if re.fullmatch(
        rf"(?:the\s+)?(?:last|first|next|{_NTH}) page|page \d+|"
        r"(?:the\s+)?cell\s+(?-i:[A-Z]{1,3}\d+)",
        _of_what(body),
        re.IGNORECASE,
    ):
        talk.put_aside(body[len(_of_what(body)) :])
        return [Point(talk.phrase(_of_what(body)))]
    if re.fullmatch(
        r"[A-Z][\w&-]*(?:\s[\w&-]+){0,2}(?:,\s+(?:then\s+)?[A-Z][\w&-]*(?:\s[\w&-]+){0,2})+", body
    ):
        return [Open(talk.phrase(part)) for part in re.split(r",\s+(?:then\s+)?", body)]
    body, count = times(body)
    step = Open(talk.phrase(body, "where to go"))
    return [Repeat((step,), times=count)] if count > 1 else [step]


def _of_what(body: str) -> str:
    """`page 2 of the table`: what has pages is what shows them."""
    return re.sub(
        r"\s+(?:of|in)\s+the\s+(?:\w+\s+)?(?:table|list|results|grid|pagination|pager|gallery)$",
        "",
        body,
        flags=re.IGNORECASE,
    )


def back(rest: str, talk: Talk) -> list[Step]:
    """Back in the history."""
    body = trim(rest)
    if not body or re.fullmatch(
        r"(?:to\s+)?(?:the\s+)?(?:previous|last) (?:page|screen|step)|(?:one|a) (?:page|step|"
        r"screen)",
        body,
        re.IGNORECASE,
    ):
        return [Navigate("back")]
    if found := re.fullmatch(r"to\s+(?P<where>.+)", body, re.IGNORECASE):
        if re.search(r"\btab$", body, re.IGNORECASE):
            return [Point(talk.phrase(found["where"]))]
        return go_to(found["where"], talk)
    if re.match(r"(?:the|my|this|that)\s(?!\w+\s+key)\w+$", body, re.IGNORECASE):
        return perform("return", body, talk)
    raise NotUnderstood("only “go back” or “go back to X”")


def forward(rest: str, talk: Talk) -> list[Step]:
    """Forward in the history."""
    return [Navigate("forward")]


def reload(rest: str, talk: Talk) -> list[Step]:
    """Load the page again."""
    body = trim(rest)
    if body and not re.search(r"page|tab|site|browser|it|window|screen", body, re.IGNORECASE):
        return point(rest, talk)
    return [Navigate("reload")]


def navigate(rest: str, talk: Talk) -> list[Step]:
    """Looking through something is only a way to find what comes next."""
    return [
        Find(
            talk.phrase(
                re.sub(r"^(?:through|in|around|among)\s+", "", trim(rest), flags=re.IGNORECASE)
            )
        )
    ]


# What is only switched: nothing opens it.
_SWITCH = re.compile(
    rf"(?:the\s+)?(?:.+\s)?(?:toggle|(?:toggle |slide )?switch|check ?box)(?:\s+(?:{QUOTE}|(?:for|"
    r"named|called|labell?ed)\s.+))?",
    re.IGNORECASE,
)


_OF_MENU = re.compile(
    r"(?P<what>\S.*?)\s+(?:from|via|through|using|with)\s+"
    r"(?P<menu>(?:the|its)\s+(?!(?:app|application|program|start|main|system|desktop)s?\s)"
    r"\S+(?:\s\S+)?\s+menu)",
    re.IGNORECASE,
)


def open_(rest: str, talk: Talk) -> list[Step]:
    """A page, a program, a file, or a thing on the screen."""
    body = trim(rest)
    if _SWITCH.fullmatch(body):
        return [Tick((talk.phrase(body),))]
    if (item := _OF_MENU.fullmatch(body)) and not web_address(item["what"], talk):
        what = re.sub(r"^(?:the|an?)\s+", "", item["what"], flags=re.IGNORECASE)
        return [Choose((talk.phrase(what),), talk.phrase(item["menu"]))]
    return _page_or_thing(body, rest, talk)


_AND = r"\s*,\s*(?:and\s+)?|\s+and\s+"
_CALLED = rf"(?:{QUOTE}|{OTHER}|[A-Z][\w.-]*|[\w-]+\.\w+)"
# "the folders Documents and Invoices": one after the other.
_SEVERAL = re.compile(
    rf"(?:the\s+)?(?i:folders|files|documents|directories|branches|nodes)\s*:?\s+"
    rf"(?P<list>{_CALLED}(?:(?:{_AND}){_CALLED})+)"
)


def _page_or_thing(body: str, rest: str, talk: Talk) -> list[Step]:
    if url := web_address(body, talk):
        return [GoTo(url)]
    if (
        found := re.fullmatch(
            r"(?P<url>.+?)\s+in\s+(?:the|a|your)\s+(?:web\s+)?browser", body, re.IGNORECASE
        )
    ) and (url := web_address(found["url"], talk)):
        return [GoTo(url)]
    if steps := _launched(body, talk):
        return steps
    if re.fullmatch(r"(?:the\s+)?(?:application|app|program)", body, re.IGNORECASE):
        return [Open(talk.phrase(body))]
    if tabs := re.fullmatch(r"(?P<what>.+?)\s+in\s+(?:new|separate)\s+tabs", body, re.IGNORECASE):
        few = first_few(tabs["what"]) or (each_of(tabs["what"]), None)
        if few[0] is not None:
            talk.put_aside(body[tabs.end("what") :])
            return [for_each(talk, few[0], Point(f"{{{EACH}}}", how="middle"), limit=few[1])]
    if several := _SEVERAL.fullmatch(body):
        return [Open(talk.phrase(one)) for one in re.split(_AND, several["list"])]
    return _one_or_each(body, rest, talk)


def _one_or_each(body: str, rest: str, talk: Talk) -> list[Step]:
    if every := each_of(body):
        many = re.match(rf"(?:{NUMBER}\s+)?", every)
        talk.put_aside(many[0] if many else "")
        return [for_each(talk, every[many.end() if many else 0 :], Open(f"{{{EACH}}}"))]
    if len(parts := PATH.split(body)) > 1:
        return [Choose(tuple(talk.phrase(part) for part in parts), path=True)]
    if re.search(r"\b(?:section|accordion|panel|tree (?:node|item))s?\b", body, re.IGNORECASE):
        return expand(rest, talk)
    bare = re.sub(
        r"^(?:the\s+)?(?:(?:application|app|program)\s+(?!(?:drawer|store|launcher|menu|list|bar|"
        r"switcher|settings?|window)\b)(?=\S)|(?:file|"
        r"folder)\s+(?=[\ue000-\uf8ff]))",
        "",
        body,
        flags=re.IGNORECASE,
    )
    if found := re.fullmatch(
        r"(?:the\s+)?(?P<name>.+?)\s+(?:application|app|program)", body, re.IGNORECASE
    ):
        bare = found["name"]
    if re.fullmatch(f"{QUOTE}|{OTHER}|{NAME}", bare):
        return [Open(talk.atoms.text(bare))]
    return [Open(talk.phrase(bare, "what to open"))]


_USING = re.compile(
    rf"(?:the\s+)?(?:file|folder|directory|document)?\s*(?P<file>{ANY}|[\w.~/-]*\w\.\w{{1,5}}|"
    rf"it)\s+"
    rf"(?P<how>with|in|using|inside)\s+(?P<app>(?:the\s+app(?:lication)?\s+)?{ANY}|[\w. +-]+)",
    re.IGNORECASE,
)


def _opened_with(found: re.Match[str], talk: Talk) -> list[Step] | None:
    """A file and the program for it; None where it is a thing in a place of the screen."""
    program = re.sub(r"^(?:the|an?)\s+", "", found["app"].strip(), flags=re.IGNORECASE)
    said = re.sub(r"^(?:app|application|program)\s+", "", program, flags=re.IGNORECASE)
    file, app = talk.text(found["file"]), talk.text(said)
    plain = re.fullmatch(r"[A-Za-z][\w.+-]*|[A-Z][\w.+-]*(?: [A-Z][\w.+-]*){1,2}", app)
    if not kind_said(app) and plain is None and said == program:
        return None
    if found["how"].lower() in ("in", "inside") and not re.search(r"/|\.\w{1,5}$|^it$", file):
        return None
    return [Open(file, using=app)]


_IN_PROGRAM = re.compile(
    r"(?P<what>(?:the|this|that)\s(?:[\w-]+\s)*?(?:file|document|picture|image|photo|spreadsheet|"
    r"report|video|song|page|archive|attachment|folder|presentation|pdf|letter|table)"
    r"(?:\s[\w.-]*\.\w{1,5})?)\s+(?:in|with|using)\s+(?:the\s+|an?\s+)?(?P<app>\S.*)",
    re.IGNORECASE,
)
_PROGRAM = re.compile(
    r"(?:GIMP|VLC|Firefox|Chrom(?:e|ium)|LibreOffice(?: \w+)?|Mousepad|gedit|Okular|Evince|"
    r"Inkscape|Kate|Excel|Word|Writer|Calc|Impress|Vim|Emacs|Atom|Preview|Photoshop|Notepad)",
    re.IGNORECASE,
)


_LINE = re.compile(r"an?(?:other)?\s+(?:new\s+)?(?:line|paragraph)\b", re.IGNORECASE)


def _launched(body: str, talk: Talk) -> list[Step] | None:
    """`the file a.txt with mousepad`, `the file manager pcmanfm`, `the download`."""
    if _LINE.match(body):
        raise NotUnderstood("where? click there first; “start a new line” alone presses Enter")
    if (using := _USING.fullmatch(body)) and (steps := _opened_with(using, talk)):
        return steps
    named = _IN_PROGRAM.fullmatch(body)
    program = talk.text(named["app"]) if named else ""
    if named and (kind_said(program) or _PROGRAM.fullmatch(program)):
        return [Open(talk.phrase(named["what"]), using=program)]
    if app := re.fullmatch(
        r"the\s+(?:file manager|(?:text |web )?(?:editor|browser)|calculator|terminal|viewer)\s+"
        r"(?P<app>[a-z][a-z\d.-]+)",
        body,
    ):
        talk.put_aside(body)
        return [Open(app["app"])]
    if re.fullmatch(rf"the\s+(?:\w+\s+)?(?:{_PROCESS})", body):
        return perform("start", body, talk)
    if re.match(rf"(?:an?|another)\s+(?:new\s+)?(?:[\w-]+\s+)?(?:{_BEGUN})\b", body):
        return perform("start", body, talk)
    return None


def expand(rest: str, talk: Talk, *, on: bool = True) -> list[Step]:
    """Unfold or fold sections."""
    if what := each_of(rest):
        return [for_each(talk, what, Expand(f"{{{EACH}}}", on))]
    return [Expand(talk.phrase(rest, "what to expand"), on)]


_WINDOW = re.compile(
    r"(?:(?:the|this)\s+)?(?:(?:current|active|front(?:most)?)\s+)?(?:window|application|app|"
    r"program)|"
    r"(?:the\s+)?(?P<title>.+?)\s+(?:window|application|app|program)|"
    r"(?:the\s+)?window\s+(?:titled\s+|named\s+|called\s+)?(?P<named>.+)",
    re.IGNORECASE,
)


_UNSAVED = (
    r"without saving(?: (?:it|anything|(?:the|any|your) (?:changes|file|document)))?|"
    r"and discard (?:the |all |any |your )?changes|discarding (?:the |all |any )?changes"
)
_SAVED = r"and save(?: it| (?:the|your) (?:changes|file|document))?"


def close(rest: str, talk: Talk) -> list[Step]:
    """Close a window, or what on the screen closes a thing."""
    body = trim(rest)
    saving: bool | None = None
    if found := re.fullmatch(rf"(?P<what>.*?)\s*\b(?:{_UNSAVED}|{_SAVED})", body, re.IGNORECASE):
        saving = re.search(rf"{_UNSAVED}$", body, re.IGNORECASE) is None
        talk.put_aside(body[found.end("what") :])
        body = found["what"]
    if found := _WINDOW.fullmatch(body):
        title = found["title"] or found["named"]
        return [CloseWindow(talk.text(title) if title else None, saving)]
    if not body or (saving is not None and re.fullmatch(r"it|this", body, re.IGNORECASE)):
        return [CloseWindow(None, saving)]
    if saving is not None:
        return [CloseWindow(talk.text(re.sub(r"^the\s+", "", body)), saving)]
    if _SWITCH.fullmatch(body):
        return [Tick((talk.phrase(body),), on=False)]
    return perform("close", body, talk)


def submit(rest: str, talk: Talk) -> list[Step]:
    """Finish a form."""
    body = trim(rest)
    if not body or re.fullmatch(
        r"(?:it|(?:the|this|your|my)(?:\s+\w+)?\s*(?:form|answers?|page|order|request|changes)?)",
        body,
        re.IGNORECASE,
    ):
        talk.put_aside(body)
        return [Submit()]
    if re.fullmatch(r"(?:button|the button)", body, re.IGNORECASE):
        return [Point(talk.phrase(f"the submit {body.split()[-1]}"))]
    if re.fullmatch(r"(?:the|my|your|this)\s(?:.*\s)?(?!or\b|and\b)\w+", body, re.IGNORECASE):
        return perform("submit", rest, talk)
    raise NotUnderstood("only a form is submitted; click a button by its name")
