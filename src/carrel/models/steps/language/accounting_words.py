"""Words that are only grammar, and words that only a certain kind of step can mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from carrel.models.steps import program as p
from carrel.models.steps.language.english.predicates import CLAIMING

__all__ = ["ENGLISH", "IDIOMS", "MEANINGS", "SAID_BY", "Meant", "word_set"]

Meant = Callable[[object], bool]


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


ENGLISH = word_set("""
    a an the this that these those it its them they their there here he she him her his we us
    our i me my you your yours one ones someone which what who whom whose where when while once
    as soon to of in on at by for from into onto with within inside over under up down off out
    through between among amongst via using about per than so such too very just also now please
    kindly thanks
    thank hello hi hey ok okay and then but after before prior afterwards is are was were be
    been being am do does did done has have had having will would shall should must can could
    may might ought supposed expected need needs needed want wants like let lets know go ahead
    sure able that's i'd i'm
    you're you've it's let's make made given instead again back still yet already finally next
    lastly simply quickly slowly gently order
    carefully immediately exactly following follows below above itself
    same other another some any anywhere screen page website site keyboard mouse pointer cursor
    caret
    task step user find found look looking used use way respectively well ready finished
    complete completely fully right away accordingly remember try help goal job end ending
    starting begin beginning named called labelled labeled titled entitled saying says say reads
    reading containing new current currently straight directly
""")
"""Grammar, manners, and the words that name no thing of their own."""

IDIOMS = re.compile(
    r"(?<=\bit )(?-i:first)\b|(?<=\bthem )(?-i:first)\b|"
    r"(?:^|(?<=[.,;:!?]))\s*(?:and\s+|then\s+)?(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|"
    r"last(?:ly)?|step \d+|\d+[.)])(?=[\s,:.)]+\w)|"
    r"\bfirst(?=\s+(?:you|click|type|enter|select|open|go|wait|press)\b)|"
    r"\ball (?=upper|lower|capital|small|caps|the way)|\bor else\b|\bhis or her\b|\bat all\b|"
    r"\bfirst of all\b|\bin case\b|\bit should (?:not )?be possible to\b|"
    r"\bno (?:longer|more|less|fewer) than\b|\bif (?:you )?(?:can|could|please)\b|"
    r"\bif not\b|\bonly (?:now|then)\b|\bat (?:most|least)\b|\bany ?more\b|\bany longer\b|"
    r"\bby default\b|\bor (?:more|less|later|earlier|higher|lower|above|below|fewer|greater)\b|"
    r"(?:系统|程序)?(?:询问|问|提醒)(?:我们?|用户|你)?(?:是否|要不要)[^，,。]*",
    re.IGNORECASE,
)
"""Turns of phrase whose words do not mean what they mean alone."""


def is_loop(part: object) -> bool:
    """Whether it is about all of something."""
    whole = isinstance(part, p.Highlight | p.Fill | p.Compute | p.Every | p.Count | p.Complete)
    gone = isinstance(part, p.Not) and isinstance(part.condition, p.Shows)
    return isinstance(part, p.ForEach | p.Scroll) or whole or gone or is_everywhere(part)


def is_everywhere(part: object) -> bool:
    """Whether an application does it wherever it can."""
    return isinstance(part, p.Perform) and ("in", "everywhere") in part.details


def _often(part: object) -> bool:
    many = getattr(part, "times", None)
    return isinstance(part, p.Repeat) or (isinstance(many, int) and many > 1)


def is_negative(part: object) -> bool:
    """Whether it is about something that is not so, or shall not be."""
    if isinstance(part, p.Not | p.Clear | p.Count):
        return True
    if isinstance(part, p.Choose) and not part.options:
        return True
    if isinstance(part, p.Is) and part.state == "empty":
        return True
    return (isinstance(part, p.Tick) and not (part.on and part.what)) or (
        isinstance(part, p.Expand) and not part.on
    )


def waits(part: object) -> bool:
    """Whether it goes on until something is so."""
    still = isinstance(part, p.Wait) and part.seconds is None
    return getattr(part, "until", None) is not None or still


def is_either(part: object) -> bool:
    """Whether one of two things will do."""
    both = isinstance(part, p.Wait) and part.seconds is not None and part.until is not None
    if isinstance(part, p.Every):
        # Not one or the other is neither.
        return part.any or all(isinstance(one, p.Not) for one in part.conditions)
    return both


def is_branch(part: object) -> bool:
    """Whether it is done in one case only."""
    return isinstance(part, p.If)


def asks(part: object) -> bool:
    """Whether it depends on something."""
    return isinstance(part, p.If | p.Check | p.Wait)


def leaves_out(part: object) -> bool:
    """Whether something is left out of all, or all but something of none."""
    return isinstance(part, p.Only) or (isinstance(part, p.ForEach) and bool(part.but))


def _never(part: object) -> bool:
    return False


def _of_two(part: object) -> bool:
    return is_loop(part) or isinstance(part, p.Choose | p.Tick | p.Point)


def _is_read_only(part: object) -> bool:
    return isinstance(part, p.Is) and part.state == "editable"


_NO = word_set("""
    not no never none nothing nobody cannot don't doesn't didn't isn't aren't wasn't weren't can't
    won't shouldn't mustn't hasn't haven't n't longer neither nor
""")
MEANINGS: Mapping[str, Meant] = {
    **dict.fromkeys(_NO, is_negative),
    **dict.fromkeys(("nothing", "no"), lambda part: is_negative(part) or isinstance(part, p.Only)),
    **dict.fromkeys(("every", "each", "all", "everything", "everyone", "everybody"), is_loop),
    **dict.fromkeys(("except", "excluding", "excepting", "apart", "aside"), leaves_out),
    **dict.fromkeys(("unless", "otherwise"), is_branch),
    **dict.fromkeys(("if", "whether"), asks),
    **dict.fromkeys(("until", "till"), waits),
    **dict.fromkeys(("twice", "thrice"), lambda part: _often(part) or isinstance(part, p.Count)),
    "repeat": _often,
    **dict.fromkeys(("or", "either"), is_either),
    "times": lambda part: _often(part) or isinstance(part, p.Scroll | p.Count),
    "both": _of_two,
    "without": _never,
    "else": lambda part: is_branch(part) or is_loop(part),
    "only": lambda part: (
        isinstance(part, p.If | p.Count | p.Only) or leaves_out(part) or _is_read_only(part)
    ),
}
"""Words that change what is asked, and whether a part of the steps means them."""

_WHERE = word_set("up down left right top bottom end beginning start very side edge")
_TIME = word_set("""
    second seconds sec secs minute minutes min mins hour hours ms moment bit while s longer most
    least about load loads loaded loading finish finishes finished half
""")
_SEEN = word_set("""
    hidden invisible
    missing absent removed visible shown displayed present appear appears appeared appearing
    disappear disappears
    disappeared vanish vanishes gone goes away show shows view exist exists listed loaded load loads
    opens close closes closed pops comes see sees seen reach contains contain message text words
    asked asks prompted prompts taken redirected sent brought forwarded returned logged signed
    added created uploaded inserted restored posted imported attached pasted appended deleted
    discarded erased dismissed cleared registered published marked outlined highlighted coloured
    colored printed drawn framed get gets receive received offered
""")
_STATE = word_set("""
    selectable editable usable read-only
    highlighted preselected pre checked ticked on off switched turned unchecked unticked selected
    chosen
    active unselected
    deselected enabled clickable available disabled greyed grayed unavailable focused focus expanded
    unfolded collapsed folded empty blank filled hidden invisible visible becomes become gets turns
""")
_HELD = word_set("""
    equal equals contain contains include includes including mentions start starts begin begins
    end ends match matches less lower smaller fewer cheaper below under greater more higher larger
    bigger above over value text set drops rises falls gets goes becomes displays focus change
    changes turns number figure amount words word letters name title label
    line lines entry entries row item items options names values columns files tabs buttons
    most least long wide high tall old dated listed shown displayed placed ranked top bottom start
    beginning very head years full negative positive lives works studies
""")
_TEXT = word_set("""
    first last full user email e mail phone postal zip street search card account old name username
    login password passphrase address number code city country state text texts word words value
    phrase string title subject message query keyword amount quantity age date time comment url term
    line sentence id pin captcha year price answer note description company form capital capitals
    letters letter formula uppercase lowercase upper lower case small caps quotes
""")
_ORDERS = word_set("""
    ascending descending increasing decreasing numerical alphabetical alphabetically order
    lowest highest smallest
    largest greatest biggest newest oldest low high latest cheapest first top bottom number
    everywhere full
    throughout whole entire occurrence occurrences name title comment
""")

SAID_BY: Mapping[type, frozenset[str]] = {
    p.Scroll: _WHERE | _SEEN,
    p.Wait: _TIME | _SEEN,
    p.Drag: _WHERE | word_set("place places position positions pixels px spot drop"),
    p.Resize: word_set("""
        larger smaller bigger wider narrower taller shorter width height size greater less initial
        original
    """),
    p.Shows: _SEEN
    | CLAIMING
    | word_set("""
        sight found running display name file folder background colour color available suggested
        offered proposed suggestion suggestions option options choice choices completion completions
    """),
    p.Sorted: _ORDERS | word_set("sorted ordered arranged listed low high a z to first correctly"),
    p.Only: _SEEN | CLAIMING | word_set("listed left remaining remains remain item entries row"),
    p.Is: _STATE | _SEEN | CLAIMING,
    p.Has: _HELD
    | CLAIMING
    | word_set("belongs belong available offered selectable proposed suggested"),
    p.Compare: _HELD | _STATE | CLAIMING,
    p.Count: _SEEN
    | CLAIMING
    | word_set("""
        least most exactly more fewer less number count many left over remaining total altogether
        overall person people between
    """),
    p.WindowOpen: _SEEN | word_set("open opened"),
    p.Exists: _SEEN | word_set("created saved directory folder file"),
    p.Tick: _STATE | word_set("box check"),
    p.Press: word_set(
        "key keys arrow shortcut combination control ctrl return escape plus minus equals equal "
        "slash dot period comma asterisk star sign del ins esc pgup pgdn"
    ),
    p.Point: word_set("ctrl control shift alt holding held hold keep side moves moving around"),
    p.Enter: _TEXT,
    p.SetValue: word_set("""
        value values number numbers position positions level levels setting settings combination by
    """),
    p.Navigate: word_set("previous history last"),
    p.Complete: _HELD | word_set("item"),
    p.Compute: word_set("""
        how number count many total sum amount quantity difference product average mean greatest
        largest biggest highest maximum smallest lowest least minimum result solution answer shown
        visible displayed listed see left remain often occurs occur appears times mentioned used
    """),
    p.Answer: word_set("""
        correct matching option button choice answer shows tells says indicates states gives
    """),
    p.Draw: word_set("centered centred around running passing going across dragging"),
    p.Fill: word_set("value corresponding matching values data corresponds label labels shown"),
    p.Sort: _ORDERS,
    p.ForEach: _ORDERS | word_set("possible rest others many"),
    p.Perform: _ORDERS,
    p.Clear: word_set("text contents content value existing"),
    p.Copy: word_set("clipboard selection selected text"),
    p.Paste: word_set("clipboard text contents content"),
    p.Change: word_set("style color colour size format font text"),
    p.Highlight: word_set("text"),
    p.Run: word_set("command program script output terminal shell console desk"),
    p.Let: word_set("be variable"),
    p.Read: word_set("value text variable name how much expensive cost costs price what which"),
    p.SwitchTo: word_set("front foreground top window application app"),
    p.CloseWindow: word_set("active front frontmost application app program"),
    p.Open: word_set("app application program file folder up"),
    p.GoTo: word_set("browser web address url website"),
    p.Submit: word_set("form answers answer page order request changes"),
    p.PickDate: word_set("date day"),
    p.PickTime: word_set("time"),
}
"""What the kind of a step or a condition says by itself."""
