"""What joins the deeds of a task, and sentences that only tell of the thing for the next one."""

from __future__ import annotations

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import ANY, QUOTE

__all__ = ["CONNECTING"]

_DONE = (
    r"(?:done|set|finished|ready|complete|completed|checked|ticked|marked|selected|chosen|picked|"
    r"filled(?:\s+in)?|filled\s+out|entered|typed|written|in\s+place|in\s+there|so|through|clicked|"
    r"pressed|opened|shared|liked|highlighted|drawn|moved|dragged)"
)
_IT = r"(?:that|it|this|they|these|those|everything|all\s+of\s+(?:them|it|that)|both)"
_BE = r"(?:['’](?:s|re)|\s+(?:is|are|has\s+been|have\s+been))"
_WHEN = r"(?:once|when|as\s+soon\s+as|after)"
_SO_FAR = (
    rf"{_WHEN}\s+(?:{_IT}{_BE}(?:\s+all)?\s+{_DONE}|you(?:['’](?:ve|re)|\s+(?:have|are))\s+{_DONE}"
    r"(?:\s+(?:with\s+)?(?:that|it|this|them|so|all(?:\s+of\s+(?:them|it|that))?|everything|everyone))?)"
)
_SEEN = (
    rf"{_WHEN}\s+you\s+(?:see|find|spot|reach|get\s+to|have\s+found|(?:come|have\s+come)\s+across)\s+"
    r"(?:it|that|them|this)"
)
_AT_END = (
    rf"{_WHEN}\s+you(?:['’](?:ve|re)|\s+(?:have|are))\s+(?:scrolled\s+(?:all\s+the\s+way\s+)?(?:down\s+)?|at\s+|"
    r"reached\s+|(?:got|gone)\s+(?:down\s+)?)(?:to\s+)?the\s+(?:very\s+)?(?:end|bottom)"
)
_NAME = rf"(?:{ANY}|(?-i:[A-Z\d@])[\w@'’-]*)"
_NAMES = rf"(?:{_NAME}|[\w-]+)(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)(?:{_NAME}|[\w-]+))*"
_CLICK = r"(?P<act>push|press|click|hit|tap|choose|select|pick|open|tick|follow)"

CONNECTING: tuple[Turn, ...] = (
    # "Once you've scrolled to the end of the text, sign": that is done first
    turn(
        rf"\A{_AT_END}\s+of\s+(?P<what>the\s[^.;,]+?),\s+(?:please\s+)?(?=[a-z])",
        r"Scroll \g<what> to the bottom, then ",
    ),
    turn(
        rf"(?:[,;.]\s*|\s+)(?:and\s+)?(?:then\s+)?{_AT_END}(?:\s+of\s+(?:the\s[a-z]+|it|its\s[a-z]+))?,?\s+(?=[a-z])",
        ", then ",
    ),
    # "…, and when that's done, submit", "… and open it when you see it"
    turn(
        rf"(?:\s*[,;.]\s+(?:and\s+)?|\s+and\s+)(?:then\s+)?{_SO_FAR}(?:,\s+(?:then\s+|please\s+)*|\s+(?=hit|press|click|"
        r"submit))(?=[a-z])",
        ", then ",
    ),
    turn(
        rf"\s*,?\s+{_WHEN}\s+(?:they{_BE}(?:\s+all)?\s+(?:checked|ticked|marked|selected|chosen)|you(?:['’](?:ve|re)|\s+(?:have|"
        r"are))\s+(?:done|finished|through))(?=\s*(?:[.;]|$))",
        "",
    ),
    turn(
        rf"(?P<look>\b(?:look|search|go|browse|click)\s+(?:through|around|for)\s[^.;]*?)\s*,?\s+{_SEEN}(?=\s*(?:[.;,]|$|\s+and\b))",
        r"\g<look>",
    ),
    # "A is the one we want, so mark that"
    turn(
        rf"(?P<what>{_NAME}(?:\s{_NAME})*)\s+is\s+the\s+one\s+(?:that\s+)?(?:I|we|you)\s+(?:want|need|(?:are|am)\s+after)"
        rf"\s*[,;.]\s*(?:so\s+)?(?:please\s+)?(?P<act>mark|tick|check|select|choose|pick|click|press|open|take)\s+"
        r"(?:on\s+)?(?:that|it)(?:\s+one)?",
        lambda m: (
            f"{'select' if m['act'].lower() in ('mark', 'take') else m['act'].lower()} {m['what']}"
        ),
    ),
    # "The button to push here is A", "the boxes that need a tick are A and B"
    turn(
        rf"(?:^|(?<=[.;]\s))the\s+(?P<noun>(?:[a-z]+\s)?(?:button|link|option|item|entry|tab|box))\s+(?:to|(?:that\s+)?you\s+(?:have\s+to|"
        rf"should|must|need\s+to))\s+{_CLICK}(?:\s+here)?\s+is\s+(?P<what>{_NAME}(?:\s{_NAME})*)(?=\s*(?:[.;,]|$|\sand\b))",
        r"\g<act> the \g<noun> \g<what>",
    ),
    turn(
        r"(?:^|(?<=[.;]\s))the\s+(?:check\s?)?(?:boxes|options|items|entries|ones)\s+(?:that|which)\s+(?:need|have|want|are\s+to\s+be)\s+(?:to\s+be\s+)?"
        r"(?:an?\s+(?:check\s?mark|check|tick|mark)|ticked|checked|ticking|checking|selected|marked)\s+are:?\s+"
        rf"(?P<what>{_NAMES})(?=\s*(?:[.;]|$))",
        r"tick \g<what>",
    ),
    turn(
        r"\b(?P<act>mark|tick|check|select|choose|pick)\s+(?:all\s+(?:of\s+)?)?the\s+following(?:\s+[a-z]+)?(?P<then>,?\s+(?:and|then)"
        r"\s+[^:.;]+?)?(?:\s+(?:afterwards|after\s+that))?\s*:\s*(?P<what>[^.;:]+)",
        lambda m: (
            f"{'tick' if m['act'].lower() == 'mark' else m['act']} {m['what']}{m['then'] or ''}"
        ),
    ),
    turn(
        r"(?:^|(?<=[.;]\s))(?:in|from|on)\s+(?P<of>the\s[^.;,]*?(?:drop-?down|list|menu|box|select|combo\s?box)(?:\s+[a-z]+)?),?\s+"
        rf"(?:I|we)(?:['’]d|\s+would)?\s+(?:need|want|like)\s+(?P<what>{_NAME}[^.;,]*?)(?=\s*(?:[.;,]|$|\sand\b))",
        r"choose \g<what> from \g<of>",
    ),
    # What follows the colon is how one does so.
    turn(
        rf"(?P<login>\b(?:log|sign)\s+in\b[^.;:]*?)\s*[:;]\s*(?:please\s+)?fill\s+in\s+(?:the\s+two|both|the)\s+(?:text\s+)?fields\s+and\s+(?=(?:click|press|hit)\s+(?:the\s+login|{QUOTE}|(?-i:[A-Z])))",
        r"\g<login>, then ",
    ),
)
