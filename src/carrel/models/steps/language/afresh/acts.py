"""Verbs that people use for the plain ones, and roundabout ways to ask for a thing to be done."""

from __future__ import annotations

from carrel.models.steps.language.afresh.turns import Turn, turn

__all__ = ["ACTS"]

_END = r"(?=\s*(?:[,.;!?]|$|\s(?:and|then)\s))"
_BEGINS = r"(?:(?<=^)|(?<=[,.;:]\s)|(?<=\band\s)|(?<=\bthen\s)|(?<=\bto\s))"
_CLICK = r"(?:mouse\s+)?(?:click|tap|press|push)"
_BRIEF = r"(?:quick|single|short|simple|light|brief)\s+"
_HOW = r"(?P<how>(?:double|right|left|middle)[- ])?"

ACTS: tuple[Turn, ...] = (
    # Roundabout ways to ask
    turn(
        r"\b(?:would|do)\s+you\s+mind\s+(?=\w+ing\b)|\b(?:do\s+not|don['’]t|never)\s+forget\s+to\s+|"
        r"\b(?:what|all)\s+(?:you|we)\s+(?:have|need)\s+to\s+do\s+(?:here\s+)?is(?:\s+to)?\s+|"
        r"\byour\s+job\s+is\s+to\s+|\bwe\s+(?:want|need)\s+to\s+|\bi\s+(?:want|need)\s+to\s+",
        "",
    ),
    turn(r"\bmake\s+(?:your|my|our)\s+way\s+(?:over\s+)?to\b", "go to"),
    # Clicks that are given, made or done with
    turn(
        rf"\bgive\s+(?P<what>[^,.;]+?)\s+an?\s+(?:{_BRIEF})?{_HOW}{_CLICK}{_END}",
        r"\g<how>click \g<what>",
    ),
    turn(
        rf"\b(?:perform|do|make|execute|use)\s+an?\s+(?:{_BRIEF})?{_HOW}{_CLICK}\s+(?:on|over|at)\s+",
        r"\g<how>click ",
    ),
    turn(
        rf"\b(?:round|finish|wrap|top)\s+(?:it|things|this|that)?\s*(?:off|up)\s+with\s+an?\s+"
        rf"{_CLICK}\s+on\s+",
        "click ",
    ),
    turn(
        rf"\b(?:mark|choose|select|pick|take|open|hit)\s+(?P<what>[^,.;]+?),?\s+(?:with|by)\s+"
        rf"(?:means\s+of\s+)?an?\s+(?:{_BRIEF})?{_HOW}{_CLICK}{_END}",
        r"\g<how>click \g<what>",
    ),
    turn(
        rf"{_BEGINS}(?:trigger|fire|invoke|activate|operate|use)\s+"
        r"(?P<what>(?:the\s|an?\s)?[^,.;]*?\b(?:button|link|icon))\b",
        r"click \g<what>",
    ),
    turn(
        r"\bconfirm\s+(?:it|this|that|(?:your|the|my)\s[a-z][\w ]*?)\s+(?:with|via|using)\s+"
        r"(?=(?:the\s+)?(?-i:[A-Z]|[\ue000-\ue7ff]))",
        "click ",
    ),
    turn(
        r"\b(?P<do>check|tick|select|choose|mark|pick|click)\s+(?:all\s+)?(?:of\s+)?"
        r"(?:these|the\s+following)(?:\s+(?!:)[a-z]+)?\s*:\s*",
        r"\g<do> ",
    ),
    turn(r",?\s+so\s+that\s+it\s+(?:has|gets|receives)\s+(?:the\s+)?focus\b", ""),
    # Other words for the same
    turn(
        rf"{_BEGINS}(?:designate|nominate|name)\s+(?P<what>[^,.;]+?)\s+as\s+",
        r"choose \g<what> as ",
    ),
    turn(
        rf"{_BEGINS}(?:punch|put|pop|tap|scribble)\s+in\s+(?=\S+\s+(?:for|as|into|in)\b)", "enter "
    ),
    turn(rf"{_BEGINS}respond(?=\s)", "reply"),
    turn(
        rf"{_BEGINS}(?:get|write)\s+back\s+to\s+(?P<who>[^,.;]+?)\s+with\s+",
        r"reply to \g<who> with ",
    ),
    turn(
        rf"{_BEGINS}answer\s+(?P<what>[^,.;]*?\b(?:e-?mail|message|mail|letter|comment|post|tweet))\b"
        r"(?P<rest>\s[^,.;]*)?\s+with\s+",
        r"reply to \g<what>\g<rest> with ",
    ),
    turn(
        rf"{_BEGINS}(?:pass|send|hand|relay)\s+(?:along|on)\s+(?P<what>[^,.;]+?)\s+to\s+",
        r"forward \g<what> to ",
    ),
    turn(
        rf"{_BEGINS}(?:pass|send|hand|relay)\s+(?P<what>[^,.;]+?)\s+(?:along|on)\s+to\s+",
        r"forward \g<what> to ",
    ),
    turn(rf"{_BEGINS}(?:bin|ditch|scrap|dump)\s+(?=\S)", "delete "),
    turn(rf"{_BEGINS}fold\s+up\s+", "collapse "),
    turn(rf"{_BEGINS}fold\s+out\s+", "expand "),
    turn(rf"{_BEGINS}(?:produce|whip\s+up|come\s+up\s+with)\s+(?=an?\s)", "create "),
    turn(
        rf"{_BEGINS}(?:shift|carry|haul|relocate|transport)\s+(?P<what>[^,.;]+?)\s+(?:over\s+)?"
        r"(?P<to>to|into|onto|in)\s+",
        r"drag \g<what> \g<to> ",
    ),
    turn(
        r"\bput\s+an?\s+(?:tick|check|check\s?mark|cross|x)\s+(?:against|by|for|at|beside|before)\s+",
        "tick ",
    ),
    turn(
        r"\b(?:take|remove|clear|erase|drop)\s+the\s+(?:tick|check|check\s?mark|cross)\s+"
        r"(?:mark\s+)?(?:off|out\s+of|from|in|at|on|of|next\s+to|beside)\s+",
        "untick ",
    ),
    turn(r"\bclear\s+(?P<what>the\s[^,.;]*?\bcheck\s?box)\b", r"untick \g<what>"),
    turn(
        r"\bbring\s+(?P<what>(?:the|my)\s[^,.;]+?)\s+(?:up|down)\s+to\s+(?=\d)", r"set \g<what> to "
    ),
    turn(
        r"\b(?:overwrite|swap|exchange)\s+(?P<what>(?:the|my|your)\s[^,.;]+?)\s+(?:with|for|by)\s+",
        r"set \g<what> to ",
    ),
    # What an application does with entries, where no field and no box to tick is meant
    turn(
        rf"{_BEGINS}clear\s+(?P<what>(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:completed|finished|done|"
        r"selected|checked|ticked|read|old|expired)\b[^,.;]*)",
        r'perform "clear" on \g<what>',
    ),
    turn(
        rf"{_BEGINS}(?P<do>deactivate|activate|enable|disable|suspend|mute|unmute|block|unblock)\s+"
        r"(?P<who>(?-i:[A-Z])[\w'’-]*(?:\s(?-i:[A-Z])[\w'’-]*)*)(?=\s*(?:[,.;]|$|and\s))",
        lambda m: f'perform "{m["do"].lower()}" on {m["who"]}',
    ),
    turn(
        r"\bopen\s+the\s+(?:[a-z]+\s+)?(?:file|document)\s+(?=[\ue000-\uf8ff]\s+(?:with|in)\s)",
        "open ",
    ),
    # "make it valid for 12 months"
    turn(r"\bmake\s+(?:it|them)\s+[a-z]+\s+for\s+(?=\d+\s+[a-z]+)", "choose "),
    turn(r"\bsend\s+the\s+form\s+(?:off|away|in)\b", "submit the form"),
)
