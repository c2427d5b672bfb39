"""What is only said by the way, and how far one has come: neither asks for anything of its own."""

from __future__ import annotations

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import QUOTE

__all__ = ["REMARKS"]

_ACT = r"(?:click|press|hit|tap|push|choose|select|pick|tick|mark|take|open|follow|find)"
_OPENED = r"(?:opened|expanded|unfolded|opened\s+up|pulled\s+down)"
_DONE = (
    r"(?:done|set|finished|ready|complete|completed|over|checked|ticked|marked|selected|"
    r"chosen|picked|"
    r"filled(?:\s+in)?|filled\s+out|entered|in\s+place|in|there|so|through)"
)
_ALL = (
    r"(?:you(?:['’]re|\s+are|['’]ve|\s+have)|it(?:['’]s|\s+is|\s+has\s+been)|that(?:['’]s|"
    r"\s+is|\s+has\s+been)|"
    r"this\s+is|they(?:['’]re|\s+are|\s+have\s+been)|everything(?:['’]s|\s+is|\s+has\s+been)|"
    r"(?:all|both|each|every\s+one)(?:\s+of\s+(?:them|these|those))?\s+(?:are|is|have\s+been)|"
    r"all\s+(?:the\s+)?[a-z]+\s+(?:are|have\s+been))"
)
_DOING = r"(?:choos|sett|pick|select|enter|tick|check|mark|fill|do)ing\s+(?:it|that|them|so|this)"
_THEN = (
    rf"(?:(?:when|once|as\s+soon\s+as|after)\s+(?:{_ALL}\s+)?(?:all\s+)?{_DONE}|after\s+{_DOING})"
)
REMARKS: tuple[Turn, ...] = (
    # "select X in the menu; it has to be opened first": what has to be done comes first
    turn(
        rf"(?P<act>\b{_ACT}\s[^.;,]+?)\s+(?P<where>(?:in|from|of|under|inside)\s+"
        r"(?P<place>the\s[^.;,]+?))\s*"
        r"(?:[;,.:]|\(|\s[-–—])\s*(?:but\s+)?(?:it|this|which|that|the\s\w+)\s+(?:first\s+)?"
        r"(?:has\s+to|needs\s+to|must|should|will\s+have\s+to)\s+(?:first\s+)?be\s+"
        rf"(?:first\s+)?{_OPENED}"
        r"(?:\s+(?:first|before\s+that|beforehand))?\)?",
        lambda m: f"Open {m['place']}, then {m['act'][0].lower()}{m['act'][1:]}",
    ),
    # What is done when it is so has to be made so
    turn(
        r"\b(?P<what>the\s[a-z ]*?[a-z])\s+(?:should|must|has\s+to|needs\s+to|is\s+to)\s+"
        r"be\s+(?:set\s+to\s+)?"
        r"(?P<text>[^\s,.;](?:[^,.;]*[^\s,.;])?)(?:[,;.]|,?\s+and)\s+(?:(?:once|when|as\s+"
        r"soon\s+as|after)\s+"
        r"(?:it|that|this)\s+(?:is|has\s+been)\s+(?:set|chosen|entered|selected|picked|"
        r"filled\s+in),\s+|(?:please\s+)?do\s+(?:that|so|it)(?:,|,?\s+and|\.)\s+)",
        r"set \g<what> to \g<text>, then ",
    ),
    turn(
        r"\bin\s+(?P<place>the\s[^.;,]+?),\s+(?:once|when|after)\s+(?:it\s+is\s+|it\s+"
        rf"has\s+been\s+)?{_OPENED},\s+(?=[a-z])",
        r"open \g<place>, then ",
    ),
    turn(
        r"\b(?:get|have|bring)\s+(?P<place>the\s[a-z ]*?(?:menu|section|panel|list|"
        rf"drop-?down|tree))\s+(?:to\s+)?(?:open|{_OPENED})\b",
        r"open \g<place>",
    ),
    turn(
        r"\s+(?:using|with|by\s+means\s+of|through|via)\s+the\s+(?:calendar|date\s?picker|"
        r"pop-?up\s+calendar)"
        r"(?=\s*(?:[.,;]|$|\s(?:and|then)\b))",
        "",
    ),
    # "once they are all ticked, submit", "submit when all of them are marked"
    turn(rf"(?:[,;.]\s*|\s+)(?:and\s+)?(?:then,?\s+)?{_THEN},\s*(?:then\s+)?(?=[a-z])", ", then "),
    turn(
        rf"(?P<act>\b(?:submit|send|save|confirm|{_ACT})\b[^,.;]*?),?\s+{_THEN}(?=\s*(?:[.;]|$))",
        r"\g<act>",
    ),
    turn(
        r"(?:[;,.]\s*|\s+\(|\s[-–—]\s)(?:but\s+|and\s+)?you(?:['’]ll|\s+will|\s+may|\s+might)?\s+"
        r"(?:(?:first\s+)?(?:have|need)\s+to|can|must|should\s+first)\s+(?!click|press|"
        r"choose|type|enter|tick)[^.;)]+\)?",
        "",
    ),
    turn(
        r"\s+\((?:you\s+can|it\s+is|it\s+can|which|this|these|scroll|use\s+the\s+scroll)[^()]*\)",
        "",
    ),
    turn(
        r"(?:[;,.]\s*|\s+\()(?:it|the\s\w+)\s+(?:can|may|might)\s+be\s+(?:scrolled|opened|"
        r"expanded|dragged)\)?"
        r"(?=[.;,)]|$)",
        "",
    ),
    # What something is made to do by another act is that act
    turn(
        r"\b(?:make|get|let|have|cause)\s+(?:the\s[^,.;]+?|it)\s+(?:to\s+)?(?:go\s+away|"
        r"disappear|close|vanish)\s+"
        r"(?:by|with|through)\s+(?P<act>click|press|tapp|hitt|push)ing\s+(?:on\s+)?",
        lambda m: {"tapp": "tap", "hitt": "hit"}.get(m["act"].lower(), m["act"].lower()) + " ",
    ),
    turn(
        r"\bthe\s+(?:little|tiny|small|big|collapsed|closed|folded|hidden)\s+"
        r"(?=(?:[a-z]+\s)?(?:menu|section|panel|accordion)\b)",
        "the ",
    ),
    turn(
        r"\b(?P<what>the\s(?:[a-z]+\s)?(?:menu|section|panel|accordion|list|table|form|"
        r"button|link))\s+"
        r"(?:underneath|beneath|further\s+down)(?=\s*(?:[.,;]|$|\s(?:and|then)\b))",
        r"\g<what> below",
    ),
    turn(
        r"\bthere(?:['’]s|\s+is)\s+an?\s+(?:dialog|pop-?up|window|message|banner|notice|"
        r"overlay)(?:\s+box)?\s+"
        r"(?:in\s+the\s+way|open|in\s+front)[;.,]\s*(?:so\s+|please\s+)?",
        "",
    ),
    turn(
        r"\b(?:get\s+rid\s+of|close|dismiss|remove)\s+(?:it|that|the\s[a-z ]+?)\s+(?:with|by|"
        r"using|via)\s+"
        r"(?:clicking\s+|pressing\s+)?(?:on\s+)?(?:the\s+|its\s+)?"
        rf"(?P<name>{QUOTE})",
        r"click \g<name>",
    ),
    turn(
        r"\b(?:click|press|tap|hit)(?:\s+on)?\s+(?P<what>the\s[a-z ]*?(?:section|panel|accordion|"
        r"group|menu))"
        r"\s+(?:(?:in\s+order\s+)?to\s+(?:open|expand|unfold)\s+it|so\s+that\s+it\s+(?:opens|"
        r"unfolds|expands))",
        r"expand \g<what>",
    ),
    turn(r",?\s+(?:that|this|it)\s+is\s+all(?=[.;]|$)", ""),
)
