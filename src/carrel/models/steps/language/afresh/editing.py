"""How a text or a box shall look, and what scrolling shall reach, in whatever order it is told."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import QUOTE

__all__ = ["EDITING"]

_START = r"(?:^|(?<=[.!?;:]\s)|(?<=\bthen\s)|(?<=\band\s)|(?<=,\s))"
_STYLE = r"(?:bold(?:\s?face)?|italics?|underlined?|strike-?through|regular|normal)"
_COLOUR = (
    r"(?:red|orange|yellow|green|blue|purple|violet|pink|brown|black|white|gr[ae]y|cyan|magenta|"
    r"turquoise|gold)"
)
_LOOK = rf"(?P<look>{_STYLE}|{_COLOUR})"
_ALL = (
    r"(?:the\s+(?:whole|entire|complete|full)\s+(?:text|content|document|passage|thing)|"
    r"all(?:\s+(?:of\s+)?(?:the|its|this))?\s+(?:text|content|words)|everything|all\s+of\s+it|"
    r"the\s+text\s+as\s+a\s+whole)"
)
_WHAT = (
    rf"(?P<what>{_ALL}|(?:the\s+)?(?:(?:text|words?|phrase|passage)\s+)?(?:{QUOTE}|\S+)|the\s+text)"
)
_KIND = r"(?:style|format(?:ting)?|font\s?style|colou?r|font\s?colou?r|text\s?colou?r|look)"
_IN = r"(?P<in>\s+in\s+the\s+(?:text\s+|rich\s+text\s+)?editor)?"


def _made(found: re.Match[str]) -> str:
    what = "everything" if re.fullmatch(_ALL, found["what"], re.IGNORECASE) else found["what"]
    look = {"italics": "italic", "underline": "underlined"}.get(
        found["look"].lower(), found["look"]
    )
    inside = found.groupdict().get("in") or ""
    words = f"make {what} {look}"
    return f"{inside.strip()}, {words}" if inside else words


_SIDES = {
    "bottom": r"(?:bottom|end|foot|last\s+line)",
    "top": r"(?:top|beginning|start|first\s+line)",
}
_AREA = (
    r"(?P<area>the\s+(?:[\w-]+\s+){0,2}?(?:text\s?area|area|text|box|list|panel|pane|document|"
    r"agreement|terms|page|window|frame))"
)


def _scrolls(side: str, end: str) -> tuple[Turn, ...]:
    down = "down" if side == "bottom" else "up"
    plain = rf"scroll to the {side} of \g<area>"
    return (
        # "Go to the bottom of the text by scrolling the text area"
        turn(
            rf"{_START}(?:go|get|move|scroll)\s+(?:all\s+the\s+way\s+)?to\s+the\s+(?:very\s+"
            rf")?{end}\s+"
            rf"(?:of\s+the\s+\w+\s+)?by\s+scrolling\s+(?:in\s+|through\s+|down\s+|up\s+)*{_AREA}",
            plain,
        ),
        turn(
            rf"{_START}in\s+{_AREA},\s+(?:scroll|go|move)\s+(?:(?:down|up)\s+)?(?:until\s+you\s+"
            rf"(?:reach|get\s+to|are\s+at|see|arrive\s+at)|(?:all\s+the\s+way\s+)?to)\s+"
            rf"(?:the|its)\s+(?:very\s+)?{end}",
            plain,
        ),
        turn(
            rf"{_START}scroll\s+(?:through\s+|in\s+)?{_AREA}\s+(?:(?:down|up)\s+)?(?:until\s+"
            rf"(?:you\s+"
            rf"(?:reach|get\s+to|are\s+at|see)|it\s+(?:is\s+at|reaches))|(?:all\s+the\s+way\s+"
            rf")?(?:right\s+)?"
            rf"to)\s+(?:the|its)\s+(?:very\s+)?{end}",
            plain,
        ),
        turn(
            rf"{_START}bring\s+{_AREA}\s+(?:down\s+|up\s+)?to\s+(?:its|the)\s+(?:very\s+"
            rf")?{end}(?:\s+by\s+scrolling)?",
            plain,
        ),
        turn(
            rf"{_START}(?:after|once\s+you(?:\s+have|['’]ve)|when\s+you(?:\s+have|['’]ve)|"
            rf"having)\s+scroll(?:ing|ed)\s+"
            rf"through\s+(?:the\s+whole|the\s+entire|all\s+of\s+the)\s+(?P<area>[\w ]+?),\s+",
            r"scroll to the bottom of the \g<area>, then ",
        ),
        # "Go all the way down in the text"
        turn(
            rf"{_START}(?:go|scroll|move)\s+(?:all\s+the\s+way|completely|entirely|right|fully|"
            rf"as\s+far)\s+{down}(?:\s+as\s+(?:possible|it\s+goes|you\s+can))?\s+(?:in|through|"
            rf"within|"
            rf"inside)\s+{_AREA}",
            plain,
        ),
        turn(
            rf"{_START}scroll\s+{_AREA}\s+(?:all\s+the\s+way|completely|entirely|right|fully|as\s+"
            rf"far)\s+{down}"
            r"(?:\s+as\s+(?:possible|it\s+goes|you\s+can))?",
            plain,
        ),
        # "After scrolling the list to its end, …"
        turn(
            rf"{_START}(?:after|once\s+you\s+have|when\s+you\s+have|having)\s+scroll(?:ing|ed)\s+"
            rf"(?:in\s+)?"
            rf"{_AREA}\s+(?:all\s+the\s+way\s+)?(?:(?:down|up)\s+)?(?:right\s+)?to\s+(?:the|"
            rf"its)\s+(?:very\s+)?"
            rf"{end}(?:\s+of\s+it)?,\s+",
            plain + ", then ",
        ),
        turn(
            rf"{_START}(?:after|once\s+you\s+have|when\s+you\s+have|having)\s+scroll(?:ing|ed)\s+"
            rf"(?:all\s+the\s+way\s+)?(?:(?:down|up)\s+)?to\s+the\s+(?:very\s+)?{end}\s+of\s+"
            rf"{_AREA},\s+",
            plain + ", then ",
        ),
    )


_SIZES = {
    ("height", "larger"): "taller", ("height", "smaller"): "shorter",
    ("width", "larger"): "wider", ("width", "smaller"): "narrower",
}  # fmt: skip
_LARGER = {"larger", "bigger", "greater", "more", "higher", "longer", "increase", "taller", "wider"}
_DIM = r"(?P<dim>height|width)"
_SIZE = (
    r"(?P<size>larger|bigger|greater|higher|longer|taller|wider|smaller|less|lower|shorter|"
    r"narrower)"
)
_BOX = (
    r"(?P<box>the\s+(?:[\w-]+\s+){0,2}?(?:text\s?area|area|box|field|window|panel|image|picture|"
    r"pane|column|frame))"
)
_THAN = (
    r"(?:\s+than\s+(?:it\s+(?:was|is)|(?:its|the|at|before)\s*[\w ]*?(?:size|value|one|first|start|"
    r"beginning|before|now|height|width))(?:\s+(?:at\s+first|at\s+the\s+(?:start|beginning)|"
    r"before|now|"
    r"initially|originally))?)?"
)


def _resized(found: re.Match[str]) -> str:
    size = "larger" if found["size"].lower() in _LARGER else "smaller"
    return f"resize {found['box']} to be {_SIZES[found['dim'].lower(), size]}"


def _grown(found: re.Match[str]) -> str:
    grows = found["verb"].lower() in ("increase", "enlarge", "extend")
    size = "larger" if grows else "smaller"
    return f"resize {found['box']} to be {_SIZES[found['dim'].lower(), size]}"


EDITING: tuple[Turn, ...] = (
    turn(
        rf"\bmake\s+{_WHAT}\s+{_LOOK}\s+(?P<in>in\s+the\s+(?:text\s+|rich\s+text\s+)?editor)\b",
        _made,
    ),
    turn(rf"\bset\s+the\s+{_KIND}\s+of\s+{_WHAT}\s+to\s+{_LOOK}\b{_IN}", _made),
    turn(rf"\bchange\s+the\s+{_KIND}\s+of\s+{_WHAT}\s+(?:in)?to\s+{_LOOK}\b{_IN}", _made),
    turn(
        rf"\b(?:apply|give|add|assign)\s+(?:the\s+)?(?:{_KIND}\s+)?{_LOOK}(?:\s+{_KIND})?\s+to\s+"
        rf"{_WHAT}"
        rf"(?=[\s,.;]|$){_IN}",
        _made,
    ),
    turn(
        rf"\b(?:put|set|show|format|render|display|write|turn|style)\s+{_WHAT}\s+(?:in(?:to)?|"
        rf"as)\s+"
        rf"(?:the\s+)?(?:{_KIND}\s+)?{_LOOK}(?:\s+(?:{_KIND}|type|letters|text))?\b{_IN}",
        _made,
    ),
    turn(rf"\b(?:turn|colou?r|paint)\s+{_WHAT}\s+{_LOOK}\b{_IN}", _made),
    turn(
        rf"{_START}{_WHAT}\s+(?:should|must|has\s+to|needs\s+to|shall)\s+(?:be(?:come)?|appear|"
        rf"look|"
        rf"have\s+the\s+{_KIND})\s+(?:in\s+)?(?:the\s+{_KIND}\s+)?{_LOOK}\b{_IN}",
        _made,
    ),
    *(one for side, end in _SIDES.items() for one in _scrolls(side, end)),
    turn(
        rf"\b(?:make|get)\s+the\s+{_DIM}\s+of\s+{_BOX}\s+{_SIZE}{_THAN}",
        _resized,
    ),
    turn(
        rf"\b(?:change|adjust|alter|modify)\s+the\s+(?:size|dimensions)\s+of\s+{_BOX}\s*(?:[:,;.]|"
        rf"so\s+"
        rf"that|such\s+that)\s*(?:its|the)\s+{_DIM}\s+(?:should\s+|must\s+|has\s+to\s+)?(?:become|"
        rf"becomes|"
        rf"be|is|gets?|grows?)\s+{_SIZE}{_THAN}",
        _resized,
    ),
    turn(
        rf"\b(?P<verb>increase|enlarge|extend|reduce|decrease|shrink)\s+the\s+{_DIM}\s+of\s+{_BOX}"
        rf"(?P<size>(?!))?",
        _grown,
    ),
    turn(
        rf"\bmake\s+{_BOX}\s+(?P<how>taller|wider|shorter|narrower|larger|smaller)\s+than\s+"
        rf"[^,.;]+?"
        r"(?=[,.;]|\s+and\b|\s+then\b|$)",
        r"resize \g<box> to be \g<how>",
    ),
)
