"""Bringing into order, and drawing: told by what comes first, or by what a figure goes around."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn

__all__ = ["DRAWING"]

_SO = r",?\s+(?:so|such|until|till|in\s+such\s+a\s+way|in\s+a\s+way)(?:\s+that)?\s+"
_END = r"(?=\s*(?:[.;!]|,|$|\s(?:and|then)\s+(?:then\s+)?[a-z]))"
_SMALL = r"(?:smallest|lowest|least|low|small|smaller)"
_LARGE = r"(?:largest|highest|greatest|biggest|high|large|big|greater|larger)"
_NUM = r"(?:\s+(?:number|value|one|item|entry))?"
_ORDER_AT = (
    r"(?:(?:is|are|comes|stands|goes|being|coming|should\s+be)\s+)?(?:first|(?:at|on)\s+(?:the\s+)"
    r"?(?:very\s+)?top|"
    r"in\s+first\s+place|leading)"
)
_ARRANGE = r"(?:rank|line\s+up|organi[sz]e|arrange|sort|order|put|bring|rearrange|reorder|place)"
_ORDERING: tuple[Turn, ...] = (
    turn(
        rf"\b{_ARRANGE}\s+(?P<what>(?:the|all|these)\s[^.;,]+?){_SO}the\s+{_SMALL}{_NUM}\s+"
        rf"{_ORDER_AT}"
        rf"(?:\s+and\s+the\s+{_LARGE}{_NUM}\s+[^.;,]+)?{_END}",
        r"sort \g<what> in ascending order",
    ),
    turn(
        rf"\b{_ARRANGE}\s+(?P<what>(?:the|all|these)\s[^.;,]+?){_SO}the\s+{_LARGE}{_NUM}\s+"
        rf"{_ORDER_AT}"
        rf"(?:\s+and\s+the\s+{_SMALL}{_NUM}\s+[^.;,]+)?{_END}",
        r"sort \g<what> in descending order",
    ),
    turn(
        rf"\b{_ARRANGE}\s+(?P<what>(?:the|all|these)\s[^.;,]+?)(?:\s+(?:in|into)\s+(?:the\s+)"
        rf"?order)?,?\s+(?:going\s+)?"
        rf"from\s+(?:the\s+)?{_SMALL}{_NUM}\s+(?:up\s+|down\s+)?to\s+(?:the\s+)?{_LARGE}{_NUM}"
        rf"(?:,?\s+(?:with\s+)?the\s+{_SMALL}{_NUM}\s+{_ORDER_AT}(?:\s+of\s+the\s+list)?)?{_END}",
        r"sort \g<what> in ascending order",
    ),
    turn(
        rf"\b{_ARRANGE}\s+(?P<what>(?:the|all|these)\s[^.;,]+?)(?:\s+(?:in|into)\s+(?:the\s+)"
        rf"?order)?,?\s+(?:going\s+)?"
        rf"from\s+(?:the\s+)?{_LARGE}{_NUM}\s+(?:up\s+|down\s+)?to\s+(?:the\s+)?{_SMALL}{_NUM}"
        rf"(?:,?\s+(?:with\s+)?the\s+{_LARGE}{_NUM}\s+{_ORDER_AT}(?:\s+of\s+the\s+list)?)?{_END}",
        r"sort \g<what> in descending order",
    ),
    turn(
        rf"\b{_ARRANGE}\s+(?P<what>(?:the|all|these)\s[^.;,]+?)(?:\s+(?:in|into)\s+(?:the\s+)"
        rf"?order)?,?\s+"
        rf"(?:with\s+|putting\s+|starting\s+with\s+)?(?:the\s+)?{_SMALL}{_NUM}\s+{_ORDER_AT}{_END}",
        r"sort \g<what> in ascending order",
    ),
)
_RISES = (
    r"(?:(?:increase|rise|ascend|grow|go\s+up|get\s+(?:larger|bigger|higher)|are\s+(?:ascending|"
    r"increasing|in\s+(?:ascending|increasing|rising)\s+order))(?P<up>)|"
    r"(?:decrease|fall|descend|shrink|go\s+down|get\s+(?:smaller|lower)|are\s+(?:descending|"
    r"decreasing|in\s+(?:descending|decreasing|falling)\s+order))(?P<down>))"
)


def _rising(m: re.Match[str]) -> str:
    return f"sort {m['what']} in {'descending' if m['down'] is not None else 'ascending'} order"


_ORDERING += (
    turn(
        rf"(?P<what>\bthe\s+\w+)\s+(?:has|have|is|are|needs?)\s+to\s+(?:run|go|be(?:\s+(?:sorted|"
        rf"ordered|arranged))?)\s+"
        rf"from\s+(?:the\s+)?(?:(?:{_SMALL})(?P<up>)|(?:{_LARGE})(?P<down>)){_NUM}\s+to\s+"
        rf"(?:the\s+)?(?:{_LARGE}|{_SMALL})"
        rf"{_NUM}\s*[.;,:]\s*(?:so\s+|please\s+)*{_ARRANGE}\s+(?:it|them)(?:\s+(?:accordingly|so|"
        rf"like\s+that))?",
        lambda m: _rising(m).replace("sort The", "sort the"),
    ),
    turn(
        rf"\b(?:get|have|{_ARRANGE})\s+(?P<what>(?:the|all|these)\s[^.;,]+?)(?:\s+(?:sorted|"
        rf"ordered|"
        r"arranged|in\s+order))?(?:\s+by\s+dragging(?:\s+(?:it|them))?)?\s*,?\s+so\s+(?:that\s+)?"
        rf"(?:they|the\s+\w+|its\s+\w+|it)\s+{_RISES}(?:\s+from\s+(?:the\s+)?top\s+to\s+(?:the\s+)?"
        rf"bottom|\s+(?:going\s+)?down\s+the\s+list)?{_END}",
        _rising,
    ),
)
_MAKE = (
    r"(?:put|make|draw|create|put\s+in|add|sketch|trace|paint|produce|insert|place|set|form|"
    r"drag)"
)
_WITH_MOUSE = r"(?:with|using)\s+(?:the|your)\s+(?:mouse|pointer|cursor)"
_POINT = r"(?P<at>(?:the|a)\s[^.;,]+?)"
_CROSSES = (
    r"(?:that\s+|which\s+|and\s+)*(?:(?:is|are|runs?|running|goes|going|passes|passing|cuts?|"
    r"cutting|leads?|"
    r"drawn|laid)\s+)?(?:right\s+|straight\s+)?(?:through|across|over|crosses|crossing|touches|"
    r"touching|hits|"
    r"intersects|meets)"
)
_MIDDLE = (
    r"(?:that\s+has|which\s+has|having|with)\s+(?P<at>(?:the|a)\s[^.;,]+?)\s+(?:as|for|at|in)\s+"
    r"(?:its|the|a)\s+"
    r"(?:cent(?:er|re)|middle|cent(?:er|re)\s+point|mid-?point)|"
    r"(?:that\s+is\s+|which\s+is\s+)?(?:cent(?:er|re)d\s+)?(?:around|about|on|at|round)\s+"
    r"(?P<around>(?:the|a)\s[^.;,]+?)(?:,?\s+(?:keeping|with|having)\s+(?:the\s+(?:\w+\s+)"
    r"?(?:point|dot|mark)|it)\s+"
    r"(?:in|at|as)\s+(?:the|its)\s+(?:\w+\s+)?(?:middle|cent(?:er|re)))?|"
    r"(?:whose|its)\s+(?:cent(?:er|re)|middle)\s+(?:is|lies\s+(?:on|in|at))\s+(?P<is>(?:the|a)"
    r"\s[^.;,]+?)"
)


def _circle(m: re.Match[str]) -> str:
    return f"draw a {m['shape']} around {m['at'] or m['around'] or m['is']}"


_DRAWING: tuple[Turn, ...] = (
    turn(rf"^{_WITH_MOUSE},?\s+(?=\w)", ""),
    turn(
        r"\b(?:drag|move|use)\s+(?:the|your)\s+(?:mouse|pointer|cursor)\s+(?:to|and|in\s+order\s+"
        r"to)\s+"
        rf"(?={_MAKE}\b)",
        "",
    ),
    turn(
        rf"\b{_MAKE}\s+an?\s+(?P<shape>circle|ring|loop|square|ellipse)\s*,?\s+(?:{_MIDDLE})(?:\s+"
        rf"{_WITH_MOUSE})?{_END}",
        _circle,
    ),
    turn(
        rf"\b{_MAKE}\s+an?\s+(?P<how>vertical|horizontal|diagonal|straight|upright|level)"
        rf"?\s*(?:line|stroke)\s+{_CROSSES}\s+"
        rf"{_POINT}(?:\s+{_WITH_MOUSE})?{_END}",
        lambda m: f"draw a {_way(m['how'])}line through {m['at']}",
    ),
    turn(
        rf"\b{_MAKE}\s+an?\s+line\s+(?:that\s+is|which\s+is|being)\s+(?P<how>vertical|horizontal|"
        rf"upright|level)\s*,?\s+"
        rf"(?:and\s+)?{_CROSSES}\s+{_POINT}(?:\s+{_WITH_MOUSE})?{_END}",
        lambda m: f"draw a {_way(m['how'])}line through {m['at']}",
    ),
    turn(
        r"(?:(?<=\A)|(?<=[.;]\s)|(?<=then\s)|(?<=and\s))(?:circle|encircle)\s+"
        r"(?P<at>(?:the|a)\s[^.;,]+?)(?:,?\s+(?:keeping|with|having)\s+(?:the\s+(?:\w+\s+)"
        r"?(?:point|dot|"
        rf"mark)|it)\s+(?:in|at|as)\s+(?:the|its)\s+(?:\w+\s+)?(?:middle|cent(?:er|re)))?{_END}",
        r"draw a circle around \g<at>",
    ),
    turn(
        r"(?P<at>\bthe\s+\w+)\s+(?:needs|should\s+have|must\s+have|should\s+get|gets)\s+an?\s+"
        r"(?P<how>vertical|horizontal|diagonal)?\s*line\s+(?:running\s+|going\s+|passing\s+|"
        r"that\s+\w+\s+)?"
        r"through\s+it\s*[.;,:]\s*(?:so\s+|please\s+)*(?:draw|make|add|create)\s+(?:one|it|"
        r"that(?:\s+line)?)",
        lambda m: f"draw a {_way(m['how'])}line through {m['at'][0].lower()}{m['at'][1:]}",
    ),
    turn(
        rf"\b(?:{_MAKE}\s+)(?P<at>(?:the|a)\s[^.;,]+?)\s+(?:be\s+)?crossed\s+by\s+an?\s+"
        rf"(?P<how>vertical|horizontal)\s+line",
        lambda m: f"draw a {_way(m['how'])}line through {m['at']}",
    ),
)


def _way(how: str | None) -> str:
    way = {"upright": "vertical", "level": "horizontal"}.get((how or "").casefold(), how or "")
    return f"{way} " if way else ""


DRAWING: tuple[Turn, ...] = (*_ORDERING, *_DRAWING)
