"""Which window is meant: by its title, by its program, or by the kind of its program."""

from __future__ import annotations

import re
from collections.abc import Sequence

from carrel.frames import Window
from carrel.models.steps.phrases.programs import bare, is_of_kind, is_variant, kind_said
from carrel.models.steps.turns import Missed

__all__ = ["fitting_windows", "told_windows", "window_meant", "window_said"]

_SAID = re.compile(
    r"(?:(?:the|an?|that|this|another)\s+)?(?P<en>\S.*?)\s+window|(?P<zh>\S.*?)\s*(?:的)?窗口",
    re.IGNORECASE,
)
_RELATED = re.compile(r"\s(?:in|of|on|at|beside|next to|behind|that|which|with)\s|[里中上内]的")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”")
_NO_TITLE = re.compile(
    r"(?:new|same|current|active|front|other|second|first|last|main|whole|pop-?up|dialog|modal|"
    r"message|resulting|browser'?s?|新|当前|另一?个?|第.个|主|弹出的?|打开的|新的|对话框?|整个|提示)",
    re.IGNORECASE,
)


def window_said(phrase: str) -> str | None:
    """What the window is called that a phrase names; None where it names no window by a title."""
    found = _SAID.fullmatch(phrase.strip())
    if found is None or _RELATED.search(_QUOTED.sub("", phrase)):
        return None
    title = re.sub(r"^(?:任何|已经?)?打开(?:了|着)?的?", "", (found["en"] or found["zh"]).strip())
    return None if not title or _NO_TITLE.fullmatch(title) else title


def _plain(text: str) -> str:
    """As titles are compared: dashes of every kind are one."""
    dashed = re.sub(r"[‐-―−－]", "-", text.casefold())
    return " ".join(dashed.replace("…", "...").split())


def fitting_windows(listed: Sequence[Window], words: str) -> list[Window]:
    """Those that may be meant, by the best reason there is for any of them."""
    said = _plain(words.strip(" \"'“”"))
    named = _plain(bare(words))
    kind = kind_said(words)
    whole = re.compile(rf"(?<!\w){re.escape(named)}(?!\w)") if named else None
    begun = re.compile(rf"(?<![a-z\d]){re.escape(named)}")
    for fitting in (
        [w for w in listed if _plain(w.title) in (said, named)],
        [w for w in listed if whole is not None and whole.search(_plain(w.title))],
        [w for w in listed if named and w.app.casefold() == named],
        [w for w in listed if kind is not None and is_of_kind(w, kind)],
        # The end of a word is another word: "note" is no part of "Gnote".
        [w for w in listed if named and begun.search(_plain(w.title))],
        [w for w in listed if named and begun.search(w.app.casefold())],
        [w for w in listed if is_variant(w, named)],
    ):
        if fitting:
            return fitting
    return []


def window_meant(listed: Sequence[Window], words: str) -> Window:
    """The one that is meant; `listed` has the topmost last.

    Raises:
        Missed: There is none, or more than one.
    """
    fitting = fitting_windows(listed, words)
    if not fitting:
        raise Missed(f"no window {words!r}; open are: {told_windows(listed)}")
    top = fitting[-1]
    if len(fitting) > 1 and not all(_is_below(window, top) for window in fitting[:-1]):
        raise Missed(f"{words!r} may be any of: {told_windows(fitting)}")
    return top


def _is_below(window: Window, top: Window) -> bool:
    """Whether the other is a dialog over it: of the same program, and not larger."""
    return (
        window.pid is not None
        and window.pid == top.pid
        and window.box.intersect(top.box) is not None
        and window.box.area > top.box.area
        and window.title != top.title
    )


def told_windows(listed: Sequence[Window]) -> str:
    """Windows in words, for an account."""
    return ", ".join(f"{window.title} ({window.app})" for window in listed) or "none"
