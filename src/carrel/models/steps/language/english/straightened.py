"""English instructions as they would be said in fewer words, before any rule reads them."""

from __future__ import annotations

import re

from carrel.models.steps.language.atoms import QUOTE
from carrel.models.steps.language.english.left_out import form_left
from carrel.models.steps.language.words import verb_at

__all__ = ["straightened"]

_FIND_AND = re.compile(
    r"(?<!\bthe )(?<!\ban )(?<!\ba )(?<!\bclick )(?<!\bpress )(?<!\bchoose )(?<!\bselect )"
    r"\b(?:find|locate|look for|spot|go and|search for)(?:,? and(?: then)?|, "
    r"then)\s+(?=(?P<act>[a-z].*))",
    re.IGNORECASE | re.DOTALL,
)


_ITS = re.compile(
    r"\b(store|save|remember|keep|note|read|record|maximi[sz]e|minimi[sz]e|close|resize)"
    r" its (output|window)\b",
    re.IGNORECASE,
)
_NO_MORE = re.compile(
    r"\b(?:until|till)\s+there\s+(?:is|are)\s+no\s+(?:such|more)(?:\s+(?:button|link|one)s?)?"
    r"(?:\s+(?:any ?more|any longer|left))?(?=\s*(?:[.,;]|$))",
    re.IGNORECASE,
)


_GRABBED = re.compile(
    r"\b(?:grab|take hold of|get hold of|seize|catch|pick up)\s+(?P<what>[^,;]+?)\s+and\s+"
    r"(?:drag|pull|move|slide|push|drop|put|place)\s+(?:it|them)\b",
    re.IGNORECASE,
)


_HELD_DOWN = re.compile(
    r"\bhold\s+(?:down\s+)?(?:the\s+)?(?:left\s+)?mouse(?:\s+button)?(?:\s+down)?\s+"
    r"(?:on|over)\s+(?P<what>[^,;]+?),?\s+(?:and|then)\s+(?:then\s+)?(?:drag|pull|move)\s+"
    r"(?:it|them|the\s+(?:mouse|pointer|cursor))\b",
    re.IGNORECASE,
)


_REMARK = re.compile(
    r"\bleave\s+(?:the|an?|my|this)\s+(?P<noun>comment|note|review|message|remark|reply)\s*:?\s+"
    rf"(?={QUOTE})",
    re.IGNORECASE,
)


# "Turn A on and B off": the verb is said once.
_ON_AND_OFF = re.compile(
    r"(?<!\bthe\s)(?<!\ba\s)(?<!\bthis\s)\b(?P<verb>turn|switch)\s+"
    r"(?P<first>(?!on\b|off\b)[^,;]+?(?<!\bis)(?<!\bare)(?<!\bbe)\s(?:on|off))"
    r"(?P<joint>\s*,?\s+and\s+|\s*,\s+)(?=(?!turn\b|switch\b|then\b|on\b|off\b)[^,;]+?\s(?:on|off)"
    r"(?:$|\s*[.,;]))",
    re.IGNORECASE,
)


# "Choose A as the first and then B as the second": each of its own, and no way through a menu.
_THEN_ANOTHER = re.compile(
    r"(?P<one>\s(?P<joint>as|for|in|into|to)\s+(?:the|my|your)\s(?:(?!\s(?:and|then)\s)[^,;])+?)"
    r"\s*,?\s+(?:and\s+)?then\s+(?=(?P<other>[^,;]+?\s(?P=joint)\s+(?:the|my|your)\s))",
    re.IGNORECASE,
)
# A key that does nothing alone is held for what follows.
_KEPT_PRESSED = re.compile(
    r"\b(?:keep\s+(?:the\s+)?(?P<key>ctrl|control|shift|alt)(?:\s+key)?\s+(?:pressed|held)(?:\s+down)?"
    r"\s+(?:and|while)\s+(?:you\s+)?(?=[a-z])|(?:press|hit)\s+(?:the\s+)?"
    r"(?P<alone>ctrl|control|shift|alt)(?:\s+key)?\s+and\s+(?=(?:click|select|drag|tap)\b))",
    re.IGNORECASE,
)
_ABLE = re.compile(
    r"(?P<head>^(?:(?:verify|check|confirm|assert|ensure|make sure)(?:\s+that)?\s+)?)"
    r"(?:(?:you|i|we|one|users?|the\s+user)\s+)?(?:(?P<no>can(?:not|['’]t|\s+not)|(?:should|must)(?:n['’]t|\s+not)\s+"
    r"be\s+able\s+to|(?:is|are|am)(?:n['’]t|\s+not)\s+able\s+to)|(?:should|must)\s+be\s+able\s+to)\s+"
    r"(?=(?:click|edit|select|press|change|choose|use|tick|modify|tap)\b)",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"(?P<what>\s(?:the|my|this)\s[a-z][a-z -]*)\s+again(?=$|,?\s+(?:and|then)\s)")
_BY_FIRST = re.compile(
    r"by\s+(?P<how>[a-z-]+ing\s[^,]+),\s+(?P<act>[a-z]\S*\s[^,]+)", re.IGNORECASE
)
# "the link, which is below the table": where it is, as said without a clause.
_WHERE_IT_IS = re.compile(
    r",?\s+(?:which|that)\s+(?:is|are|stands?|sits?|lies?)\s+(?:located\s+|placed\s+|"
    r"shown\s+|listed\s+|found\s+|to be found\s+|right\s+|directly\s+)?"
    r"(?!\w+\s+the\s+(?:group|heading|category|submenu|folder)\s+[A-Z])"
    r"(?=(?:under|underneath|below|above|beneath|at|in|on|next to|beside|to the (?:left|right) of|"
    r"left of|right of|inside|between|near|behind)\s+"
    rf"(?:the|my|your|its|{QUOTE})(?:\s|$))",
    re.IGNORECASE,
)


def straightened(text: str) -> str:
    """`find and click X` is `click X`; `press and hold` is `hold`."""
    text = re.sub(r"\bpress and hold\b", "hold", text, flags=re.IGNORECASE)
    # "The inbox should then hold three mails": when that is so is no instruction of its own.
    text = re.sub(r"\b(should|must) then (?=[a-z])", r"\1 ", text, flags=re.IGNORECASE)
    text = _NO_MORE.sub("until it disappears", text)
    text = _GRABBED.sub(r"drag \g<what>", _HELD_DOWN.sub(r"drag \g<what>", text))
    text = re.sub(
        r"^(?:(?:start|begin|try|proceed)\s+(?:by\s+|with\s+)?|(?:continue|carry on|go on|move on)"
        r"\s+(?:by|with)\s+)(?=(?P<act>[a-z]+ing\b.*))",
        lambda m: "" if verb_at(m["act"]) else m[0],
        text,
        flags=re.IGNORECASE | re.DOTALL,
    )
    text = _REMARK.sub(r"leave a \g<noun> saying ", _ITS.sub(r"\1 the \2", text))
    text = _KEPT_PRESSED.sub(lambda m: f"hold {m['key'] or m['alone']} and ", form_left(text))
    text = _ABLE.sub(
        lambda m: f"{m['head']}it should {'not ' if m['no'] else ''}be possible to ", text
    )
    if (by := _BY_FIRST.fullmatch(text)) and verb_at(by["how"]) and verb_at(by["act"]):
        text = f"{by['act']} by {by['how']}"
    text = _THEN_ANOTHER.sub(lambda m: m[0] if verb_at(m["other"]) else f"{m['one']} and ", text)
    if verb_at(text):
        text = _AGAIN.sub(r"\g<what>", _WHERE_IT_IS.sub(" ", text))
    text = _ON_AND_OFF.sub(r"\g<verb> \g<first>\g<joint>\g<verb> ", text)
    text = re.sub(r"^into (?=the |\S+ (?:type|enter|write|put) )", "in ", text, flags=re.IGNORECASE)
    # "Find and Replace" is the name of something.
    return _FIND_AND.sub(
        lambda m: "" if m["act"][0].islower() and verb_at(m["act"]) else m[0], text
    )
