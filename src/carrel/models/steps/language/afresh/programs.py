"""What people say of desktop programs: dialogs, editors, files, sheets and terminals."""

from __future__ import annotations

import re

from carrel.models.steps.language.afresh.turns import Turn, turn
from carrel.models.steps.language.atoms import ANY, QUOTE

__all__ = ["PROGRAMS"]

_END = r"(?=\s*(?:[.,;]|$|\s(?:and|then)\b))"
_ASKING = (
    r"(?:(?:the|that|this|a|any)\s+)?(?:[\w-]+\s+){0,3}?(?:dialog(?:ue)?(?:\s+box)?|question|"
    r"prompt|pop-?up|message(?:\s+box)?|confirmation|warning|query)(?:\s+box)?"
    r"(?:\s+(?:that|which)\s+[^.,;]+)?"
)
_BUTTON = (
    rf"(?P<button>{QUOTE}|yes|no|ok(?:ay)?|cancel|(?-i:[A-Z][\w'’]*(?:\s[A-Z][\w'’]*){{0,2}}))"
)
_FILE = rf"(?:{ANY}|[\w-][\w.-]*\.[a-z]\w{{0,6}})"
_HOME = r"(?:my|the|your)\s+(?:user(?:'s)?\s+)?home(?:\s+(?:folder|directory))?"
_KNOWN = r"(?P<known>documents|downloads|desktop|pictures|music|videos)"
_FOLDER = rf"(?:{_HOME}|(?:(?:my|the|your)\s+)?{_KNOWN}(?:\s+(?:folder|directory))?)"
_TEXT = r"(?:text|document|file|note|letter|page|contents?|editor|buffer)"
_UNSAVED = (
    r"(?:(?:choose|decide|opt|select|elect|pick)\s+(?:to\s+)?not\s+to\s+(?:save|keep)|"
    r"(?:do\s+not|don['’]t)\s+(?:save|keep)|decline\s+to\s+save)"
)
_NOT_SAVED = (
    rf"(?:{_UNSAVED}|say\s+(?:you\s+do\s+not|no)|answer\s+no|decline|"
    r"(?:throw|chuck)\s+away|lose|drop|abandon|reject)"
)
_CHANGES = (
    r"(?:\s+(?:it|them|(?:the|your|any|my|all)\s+(?:unsaved\s+)?(?:changes|edits|work|text)))?"
)
_ASKED = (
    r"(?:when|if|once|should)\s+(?:it|you(?:\s+are|['’]re)?|the\s+\w+|mousepad|a\s+dialog)?\s*"
    r"(?:asks?(?:ed)?|prompts?(?:ed)?|wants?)(?:\s+(?:you|me))?\s+(?:to\s+save|about\s+(?:saving|"
    r"(?:the\s+)?(?:unsaved\s+)?changes)|whether\s+[^,;.]*?\bsave\b|(?:if|for)\s+[^,;.]*?\bsave\b)"
    r"[^,;.]*"
)


def _known(found: re.Match[str], name: str) -> str:
    """A file in a folder of the home folder, by its path."""
    known = found["known"]
    return f"~/{known.capitalize()}/{name}" if known else f"~/{name}"


def _maybe(found: re.Match[str]) -> str:
    """What is asked perhaps is answered only then."""
    return "if a dialog is visible, " if re.match(r"if|should", found[0], re.IGNORECASE) else ""


_DIALOGS = (
    # "answer it with Yes", "respond to the question with No"
    turn(
        rf"\b(?:answer|respond(?:\s+to)?|reply(?:\s+to)?|react(?:\s+to)?)\s+(?:it|this|that|"
        rf"{_ASKING})\s+(?:with|by\s+(?:clicking|pressing|choosing|selecting|picking|saying))\s+"
        rf"(?:the\s+)?{_BUTTON}(?:\s+button)?{_END}",
        lambda m: f"click {_said(m['button'])}",
    ),
    # "answer Yes to the question", "say no to the prompt"
    turn(
        rf"\b(?:answer|say|reply|respond(?:\s+with)?)\s+{_BUTTON}\s+(?:to|in)\s+(?:it|this|that|"
        rf"{_ASKING}){_END}",
        lambda m: f"click {_said(m['button'])}",
    ),
    # "confirm the form with OK", "leave the dialog by pressing Cancel"
    turn(
        r"\b(?:confirm|submit|finish|accept|leave|dismiss|close|acknowledge|answer|end)\s+(?:it|this|that|"
        rf"(?:the|this|that)\s+(?:[\w-]+\s+)?(?:form|entry|choice|selection|settings)|{_ASKING})\s+"
        r"(?:with|by\s+(?:clicking|pressing|choosing|hitting))\s+(?:the\s+)?"
        rf"{_BUTTON}(?:\s+button)?{_END}",
        lambda m: f"click {_said(m['button'])}",
    ),
    turn(
        rf"{_ASKED},?\s+(?:then\s+)?(?:{_NOT_SAVED}{_CHANGES}|discard{_CHANGES}){_END}",
        lambda m: f"{_maybe(m)}discard the changes",
    ),
    turn(
        rf"{_ASKED},?\s+(?:then\s+)?(?:answer|say|reply)\s+{_BUTTON}{_END}",
        lambda m: f"{_maybe(m)}click {_said(m['button'])}",
    ),
    turn(
        rf"\b(?:say|answer|reply)\s+{_BUTTON},?\s+{_ASKED}{_END}",
        lambda m: f"click {_said(m['button'])}",
    ),
    turn(rf"(?<!but )\b{_UNSAVED}{_CHANGES}(?:,?\s+{_ASKED})?{_END}", "discard the changes"),
    # "close the editor and throw away the changes", "leave the program without saving"
    turn(
        r"\b(?:close|quit|exit|leave)\s+(?P<what>(?:the\s+)?[\w-]+(?:\s(?!(?:and|then|but|without)\b)[\w-]+)?)(?:,|\s+and|;)?\s+"
        r"(?:then\s+)?(?:discard|throw\s+away|lose|abandon|drop|throwing\s+away|discarding|"
        r"losing|abandoning|dropping|(?:but\s+)?(?:do\s+not|don['’]t)\s+save|not\s+saving|"
        r"without\s+(?:saving|keeping))"
        rf"(?:\s+(?:anything|what\s+(?:you|was)\s+[^.;,]+))?{_CHANGES}{_END}",
        r"close \g<what> without saving",
    ),
)


def _said(button: str) -> str:
    """A word for an answer as buttons have it."""
    return {"yes": "Yes", "no": "No", "ok": "OK", "okay": "OK", "cancel": "Cancel"}.get(
        button.lower(), button
    )


_ALL_OF = (
    r"(?:every(?:\s+(?:single\s+)?(?:occurrence|instance|appearance|mention)\s+of)?|each|all(?:\s+of)?|"
    r"all\s+(?:the\s+)?(?:occurrences|instances|appearances|mentions)\s+of|"
    r"(?:the\s+)?(?:words?|phrase|text)|any)(?:\s+(?:the\s+)?(?:words?|phrase|text|name))?"
)
_WITHIN = rf"(?:\s+(?:in|throughout|within|of)\s+(?:the|this)\s+(?:whole\s+|entire\s+)?{_TEXT})?"
_REPLACED = (
    turn(
        r"\b(?:use|open|go\s+to|with|using|via|through)\s+(?:the\s+)?(?:[\w>→ ]+?[>→]\s*)?"
        r"(?:find\s*(?:and|&|/)\s*replace|search\s+and\s+replace|replace)(?:\s+(?:dialog|function|"
        r"feature|command|tool))?(?:\s+(?:from|in)\s+the\s+(?:\w+\s+)?menu)?,?\s+(?:to|and)\s+"
        r"(?=(?:change|turn|replace|swap|substitute|exchange|convert)\b)",
        "",
    ),
    turn(
        rf"\b(?:change|turn|convert|swap|exchange|rename|correct|alter)\s+{_ALL_OF}\s+(?P<a>{QUOTE})"
        rf"(?:s)?{_WITHIN}\s+(?:to|into|for|with|by)\s+(?:the\s+word\s+)?(?P<b>{QUOTE}){_WITHIN}",
        r"replace every \g<a> with \g<b>",
    ),
    turn(
        rf"\b(?:everywhere|throughout(?:\s+the\s+\w+)?),?\s+(?:replace|change|swap)\s+(?P<a>{QUOTE})\s+"
        rf"(?:by|with|to|into|for)\s+(?P<b>{QUOTE})",
        r"replace every \g<a> with \g<b>",
    ),
    turn(
        rf"\bsubstitute\s+(?P<b>{QUOTE})\s+for\s+{_ALL_OF}\s+(?P<a>{QUOTE}){_WITHIN}",
        r"replace every \g<a> with \g<b>",
    ),
    turn(
        rf"\bput\s+(?P<b>{QUOTE})\s+(?:in\s+place|instead)\s+of\s+{_ALL_OF}\s+(?P<a>{QUOTE}){_WITHIN}",
        r"replace every \g<a> with \g<b>",
    ),
    turn(
        rf"\b(?:everywhere|wherever)\s+(?:it\s+says\s+)?(?P<a>{QUOTE})(?:\s+(?:appears|occurs|"
        rf"stands)(?:[^,;.]*))?,?\s+(?:write|put|use|make\s+it|it\s+should\s+(?:say|read))\s+"
        rf"(?P<b>{QUOTE})(?:\s+instead)?",
        r"replace every \g<a> with \g<b>",
    ),
)

_LINE = r"(?P<line>(?:line\s+(?:number\s+)?\d+)|(?:that|this|the\s+(?:current|same))\s+line)"
_TYPED = r"(?:type|write|enter|insert|add|put)"
_CARET = (
    # "go to the end of the text", "move the cursor to the top of the file"
    turn(
        r"\b(?:go|jump|move|scroll|navigate|get)\s+(?:(?:the\s+)?(?:cursor|caret)\s+)?(?:down\s+|up\s+)?to\s+"
        rf"the\s+(?:very\s+)?(?P<end>end|bottom|start|beginning|top)\s+of\s+the\s+{_TEXT}",
        lambda m: f"put the cursor at the {_edge(m['end'])} of the document",
    ),
    # 'type "x" at the end of the document on a new line'
    turn(
        rf"\b(?:{_TYPED}|append)\s+(?:(?:a|another|one\s+more|the)\s+(?:new\s+|final\s+|last\s+)?"
        rf"(?P<new>line)\s+(?:reading|saying|with(?:\s+the\s+text)?|that\s+(?:says|reads))?\s*)?"
        rf"(?:the\s+text\s+)?(?P<text>{QUOTE})(?P<own>\s+(?:on|as|in)\s+a\s+(?:new|separate)\s+line|"
        rf"\s+as\s+(?:a|the)\s+(?:new|last|final)\s+line)?\s+"
        rf"(?:at|to)\s+the\s+(?:very\s+)?(?:end|bottom)(?:\s+of\s+(?:the|this)\s+{_TEXT})?"
        rf"(?P<late>\s+(?:on|as|in)\s+a\s+(?:new|separate)\s+line)?{_END}",
        lambda m: _at_end(m["text"], new=bool(m["new"] or m["own"] or m["late"])),
    ),
    turn(
        rf"\b(?:{_TYPED})\s+(?:(?:a|another|the)\s+(?:new\s+|first\s+)?(?P<new>line)\s+(?:reading|saying|with"
        rf"(?:\s+the\s+text)?|that\s+(?:says|reads))?\s*)?(?:the\s+text\s+)?(?P<text>{QUOTE})"
        rf"(?P<own>\s+(?:as|on)\s+(?:a|the)\s+(?:new|first|separate)\s+line)?\s+at\s+the\s+(?:very\s+)?"
        rf"(?:start|beginning|top)(?:\s+of\s+(?:the|this)\s+{_TEXT})?{_END}",
        lambda m: (
            "put the cursor at the start of the document, "
            f"type {m['text']}{' and press Enter' if m['new'] or m['own'] else ''}"
        ),
    ),
    turn(
        rf"\b(?:append)\s+(?:the\s+)?(?P<new>line\s+)?(?P<text>{QUOTE})\s+to\s+(?:the|this)\s+{_TEXT}{_END}",
        lambda m: _at_end(m["text"], new=bool(m["new"])),
    ),
    # 'add "eggs" on a new line' where the cursor is
    turn(
        rf"\b(?:{_TYPED})\s+(?P<text>{QUOTE})\s+(?:on|as|in)\s+a\s+(?:new|separate|line\s+of\s+its\s+own)"
        rf"(?:\s+line)?{_END}",
        r"add the line \g<text>",
    ),
    # 'type "x" at the beginning of line 4'
    turn(
        rf"\b(?:{_TYPED})\s+(?P<text>{QUOTE})\s+at\s+the\s+(?P<end>start|beginning|front|end)\s+of\s+"
        rf"{_LINE}{_END}",
        lambda m: (
            f"{_to_line(m['line'])}press {'End' if m['end'] == 'end' else 'Home'} "
            f"and type {m['text']}"
        ),
    ),
    turn(
        r"\b(?:go|jump|move|get)\s+to\s+(?P<line>line\s+\d+)\s+and\s+(?:delete|remove)\s+(?:it|that\s+"
        r"line|this\s+line)",
        r"delete \g<line>",
    ),
    turn(
        r"\b(?:go|jump|move|get)\s+to\s+(?P<line>the\s+(?:first|last|second|third)\s+line)\s+and\s+"
        r"(?:delete|remove)\s+(?:it|that\s+line|this\s+line)",
        r"delete \g<line>",
    ),
)


def _edge(word: str) -> str:
    return "end" if word.lower() in ("end", "bottom") else "start"


def _at_end(text: str, *, new: bool) -> str:
    if new:
        return f"add the line {text} at the end of the document"
    return f"put the cursor at the end of the document, type {text}"


def _to_line(line: str) -> str:
    return f"open {line}, then " if line.lower().startswith("line") else ""


_LISTED = rf"(?P<all>{_FILE}(?:\s*,\s*{_FILE})*(?:,)?\s+and\s+{_FILE})"


def _each(found: re.Match[str]) -> str:
    """Files that are put into a folder together, one after the other."""
    names = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", found["all"])
    verb, folder = found["verb"], found["folder"]
    return ", then ".join(f"{verb} {name} into {folder}" for name in names)


_FILES = (
    # "copy a.txt and b.txt into the folder Backup"
    turn(
        rf"\b(?P<verb>copy|move)\s+(?:both\s+|the\s+files\s+)?{_LISTED}\s+(?:in)?to\s+"
        rf"(?P<folder>(?:the\s+)?(?:folder\s+)?(?:{QUOTE}|[\w-]+(?:\.\w+)*)(?:\s+folder)?)",
        _each,
    ),
    turn(
        r"\b(?:throw|put|move|send)\s+(?:the\s+)?(?P<a>(?:file|folder|directory)\s+(?:\S+)|\S+\s+folder)"
        r"\s+(?:away|(?:in|to)(?:to)?\s+the\s+(?:(?:rubbish\s+)?bin|trash(?:\s+can)?|wastebasket))",
        r"delete the \g<a>",
    ),
    # "launch featherpad with the file a.txt"
    turn(
        rf"\b(?:open|launch|start|run)\s+(?P<app>[\w-]+)\s+(?:with|on|and\s+load)\s+(?:the\s+)?"
        rf"(?:file|document)\s+(?P<file>{_FILE})",
        r"open \g<file> with \g<app>",
    ),
    turn(
        rf"\b(?:a|the|one)\s+(?:new\s+)?(?P<kind>file|folder|directory)\s+(?:called|named|with\s+the\s+name)\s+"
        rf"(?P<name>{_FILE}|[\w-]+)(?=\s+(?:is|are|exists?|appears?|should|can|shows?|was|has)\b)",
        lambda m: f"the {m['kind']} {m['name']}",
    ),
    # "a.txt from my Documents folder" is a path
    turn(
        rf"(?P<name>{_FILE})\s+(?:(?:that\s+is|which\s+is|lying|stored|located|found)\s+)?"
        rf"(?:from|in|on|inside|of)\s+{_FOLDER}(?!\s*/)",
        lambda m: _known(m, m["name"]),
    ),
    turn(
        rf"\b(?:in|on|to|into)\s+{_FOLDER}\s+(?P<as>as|under(?:\s+the\s+name)?|called|named)\s+"
        rf"(?P<name>{_FILE})",
        lambda m: f"as {_known(m, m['name'])}",
    ),
    turn(
        r"\b(?P<make>create|make|add)\s+(?P<what>(?:a|another|one)\s+(?:new\s+|empty\s+)?(?:sub-?)?"
        r"(?:folder|directory|file))\s+(?:in\s+it|in\s+there|there|inside(?:\s+it)?|here)\s+"
        r"(?P<called>called|named|with\s+the\s+name)\b",
        r"\g<make> \g<what> \g<called>",
    ),
    turn(
        rf"\b(?P<make>create|make|add)\s+(?P<what>(?:a|another|one)\s+(?:new\s+|empty\s+)?(?:sub-?)?"
        rf"(?:folder|directory|file)\s+(?:called|named|with\s+the\s+name)\s+(?:{QUOTE}|[\w.-]+))"
        r"\s+(?:in\s+it|in\s+there|there|inside(?:\s+it)?|here)\b",
        r"\g<make> \g<what>",
    ),
    # "make a folder called A inside the folder B"
    turn(
        rf"\b(?P<make>create|make|add)\s+(?P<what>(?:a|another|one)\s+(?:new\s+|empty\s+)?(?:sub-?)?"
        rf"(?:folder|directory|file)\s+(?:called|named|with\s+the\s+name)\s+(?:{QUOTE}|[\w.-]+))"
        rf"\s+(?:in|inside|within|under)\s+the\s+(?:(?:folder|directory)\s+(?P<a>{QUOTE}|[\w.-]+)|"
        rf"(?P<b>{QUOTE}|[\w.-]+)\s+(?:folder|directory))",
        lambda m: f"open the {m['a'] or m['b']} folder and {m['make']} {m['what']}",
    ),
    # "Give notes.txt the new name plan.txt"
    turn(
        rf"\bgive\s+(?:the\s+file\s+)?(?P<a>{_FILE})\s+the\s+(?:new\s+)?name\s+(?P<b>{_FILE}|{QUOTE})",
        r"rename \g<a> to \g<b>",
    ),
    turn(
        rf"\bchange\s+the\s+name\s+of\s+(?:the\s+(?:file|folder)\s+)?(?P<a>{_FILE}|[\w-]+)\s+"
        rf"(?:from\s+\S+\s+)?(?:to|into)\s+(?P<b>{_FILE}|[\w-]+)",
        r"rename \g<a> to \g<b>",
    ),
    turn(rf"\b(?:get\s+rid\s+of|bin|trash)\s+(?:the\s+file\s+)?(?P<a>{_FILE})", r"delete \g<a>"),
    turn(
        rf"\b(?:throw|put|move|send)\s+(?:the\s+file\s+)?(?P<a>{_FILE})\s+(?:away|(?:in|to)(?:to)?\s+"
        r"the\s+(?:(?:rubbish\s+)?bin|trash(?:\s+can)?|wastebasket))",
        r"delete \g<a>",
    ),
)
_CELL = r"(?:cell\s+)?(?P<cell>(?-i:[A-Z]{1,2})\d{1,4})"
_SHEETS = (
    # "In A4, enter the formula …"
    turn(
        rf"\bin(?:to)?\s+(?:the\s+)?{_CELL},?\s+(?:enter|type|write|put|insert)\s+"
        r"(?:(?:the|a)\s+)?(?:formula|value|number|text|word)?\s*(?P<text>=\S+|\S+(?:\s\S+)?)"
        rf"{_END}",
        r"enter \g<text> into cell \g<cell>",
    ),
    turn(
        rf"\b(?:replace|change|overwrite|set|update)\s+(?:the\s+)?(?:contents?|value|number|text)\s+"
        rf"(?:of|in)\s+(?:the\s+)?{_CELL}\s+(?:with|to|by)\s+(?:the\s+(?:formula|value|number|text)\s+)?"
        rf"(?P<text>{QUOTE}|=\S+|\S+?){_END}",
        r"enter \g<text> into cell \g<cell>",
    ),
    turn(
        rf"\b(?:fill|set|make)\s+(?:the\s+)?{_CELL}\s+(?:in\s+)?(?:with|to|contain|hold)\s+(?:the\s+"
        r"(?:formula|value|number|text)\s+)?(?P<text>=\S+|\S+)",
        r"enter \g<text> into cell \g<cell>",
    ),
)
_CLAIMS = (
    # "a.txt is in the title of the window"
    turn(
        rf"(?P<name>{_FILE}|(?-i:[A-Z])[\w-]*)\s+(?:is|appears|stands|shows(?:\s+up)?|can\s+be\s+(?:seen|read)|"
        r"should\s+(?:be|appear|stand))\s+(?:written\s+|shown\s+)?in\s+the\s+(?:window(?:['’]s)?\s+)?title"
        r"(?:\s+bar)?(?:\s+of\s+the\s+window)?",
        r"the window title contains \g<name>",
    ),
    # "the answer 60 should appear"
    turn(
        r"\bthe\s+(?:answer|result|sum|total)\s+(?P<n>-?\d[\d.,]*\d|\d)\s+(?:should\s+(?:appear|be\s+(?:shown|"
        r"displayed|visible))|appears|shows(?:\s+up)?|is\s+(?:shown|displayed|visible))",
        r"the result should be \g<n>",
    ),
)
_TERMINAL = r"(?:the|that|this)\s+(?:terminal(?:\s+window)?|shell|console|xterm(?:\s+window)?)"
_TERMINALS = (
    turn(
        r"\b(?:enter|type|execute|issue|give|use)\s+(?:in\s+)?the\s+(?:following\s+)?command\s*:?\s+"
        rf"(?P<command>(?-i:[a-z][\w./-]*)\s[^;{QUOTE[1:-1]}]*{QUOTE}?[^;]*?)(?=\.?$)",
        r"run `\g<command>`",
    ),
    # "close the terminal by typing exit": what is typed there is also sent
    turn(
        rf"\b(?:close|leave|exit|quit|end)\s+{_TERMINAL}\s+(?:by|with)\s+(?:typing|entering|running)\s+"
        rf"(?:the\s+command\s+)?(?P<text>{QUOTE}|[\w-]+)",
        lambda m: f"type {_quoted(m['text'])} and press Enter",
    ),
)


def _quoted(text: str) -> str:
    return text if re.fullmatch(QUOTE, text) else f'"{text}"'


PROGRAMS: tuple[Turn, ...] = (
    *_DIALOGS,
    *_REPLACED,
    *_CARET,
    *_FILES,
    *_SHEETS,
    *_TERMINALS,
    *_CLAIMS,
)
