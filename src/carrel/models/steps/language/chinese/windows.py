"""Chinese words about a window as a whole: 将窗口最大化, 关闭“记事本”窗口，不保存."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.chinese.point import Rule, thing
from carrel.models.steps.language.talk import NotUnderstood, Talk
from carrel.models.steps.program import CloseWindow, Perform, Step, SwitchTo

__all__ = ["WINDOWS"]

_WAYS = {"最大化": "maximize", "最小化": "minimize"}
_WAY = r"(?P<way>最大化|最小化)"
_WINDOW = r"(?P<what>(?:[^，,把将]*?的?)?(?:窗口|程序|应用|浏览器)|" + QUOTE + ")"


def _resized(found: re.Match[str], talk: Talk) -> list[Step]:
    said = found["way"]
    what = re.sub(r"^(?:当前|这个|该|此|整个)的?(?=窗口)", "", (found["what"] or "").strip())
    return [Perform(_WAYS[said], thing(what or "窗口", talk), said=said)]


def _restored(found: re.Match[str], talk: Talk) -> list[Step]:
    what = re.sub(r"^(?:当前|这个|该)的?|大小$", "", found["what"].strip())
    return [Perform("restore", thing(what, talk), said="还原")]


def _closed(found: re.Match[str], talk: Talk) -> list[Step]:
    title = re.sub(r"^(?:当前|这个|该|此)$", "", (found["title"] or "").strip().removesuffix("的"))
    saving = not re.match(r"不|放弃", found["how"])
    talk.put_aside(found["how"])
    return [CloseWindow(talk.text(title) if title else None, saving=saving)]


def _held(found: re.Match[str], talk: Talk) -> list[Step]:
    raise NotUnderstood("a button is only clicked, never held down; “点击”, “右键点击”")


_SAVING = r"(?P<how>不保存(?:更改|修改)?|放弃(?:更改|修改|保存)|保存(?:更改|修改)?)"

WINDOWS: tuple[tuple[str, Rule], ...] = (
    (rf"(?:把|将|让)\s*{_WINDOW}\s*{_WAY}(?:显示)?", _resized),
    (rf"{_WAY}\s*(?P<what>[^，,]*)", _resized),
    (rf"{_WINDOW}{_WAY}", _resized),
    (r"还原\s*(?P<what>(?:[^，,]*?的?)?窗口(?:大小)?)(?P<way>)", _restored),
    (
        r"(?:把|将)?(?:当前)?窗口切换(?:到|至|为|成)\s*(?P<title>[^，,]+?)(?:窗口)?",
        lambda f, t: [SwitchTo(t.text(f["title"]))],
    ),
    (rf"{_SAVING}(?:并|而|就|直接)?(?:关闭|关掉)\s*(?P<title>[^，,]*?)\s*(?:窗口|程序)", _closed),
    (r"(?:长按|按住不放)\s*[^，,]+", _held),
)
"""Rules, each with the words of a whole clause."""
