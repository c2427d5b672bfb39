"""What is asked of Gemini's computer use: the contents of generateContent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from carrel.actions import Action, Screenshot
from carrel.codec import Json
from carrel.decisions import Call
from carrel.geometry import Size
from carrel.models.context import Context, Outcome, ToolSpec, Turn
from carrel.models.dialects._extras import as_function, function_tools
from carrel.models.dialects._gemini_actions import (
    BLANK,
    BROWSER,
    DESKTOP,
    FUNCTIONS,
    Written,
    write_browser,
    write_desktop,
)
from carrel.models.dialects._history import (
    CONTINUE,
    FINAL,
    NO_PICTURE,
    failed,
    final_words,
    is_whole,
    opening,
    pairs,
    system_text,
    told,
    zoomed,
)
from carrel.models.picture import Picture
from carrel.models.space import Space, fit_within

__all__ = ["Writer", "is_desktop", "space_of"]

ANY_SIGNATURE = "skip_thought_signature_validator"
"""What the API takes in place of the signature of a call that another model made."""

DESKTOP_SINCE = (3, 5)

_VERSION = re.compile(r"gemini-(\d+)(?:\.(\d+))?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")
_BUDGETS = {"low": 1024, "medium": 8192, "high": 24_576}


def is_desktop(model: str) -> bool:
    """Whether a model knows desktops; the ones up to 3.1 know browsers alone."""
    version = _VERSION.search(model)
    return version is None or (int(version[1]), int(version[2] or 0)) >= DESKTOP_SINCE


def space_of(context: Context) -> Space:
    """The coordinates of the model."""
    return Space(context.screen, _shown(context.screen), "thousand")


def _shown(screen: Size) -> Size:
    # The size of the screen in Google's sample code.
    return fit_within(screen, 1440, 1440 * 900)


@dataclass(slots=True)
class Writer:
    """Writes one request."""

    dialect: str
    context: Context
    desktop: bool
    contents: list[dict[str, Json]] = field(default_factory=list)

    def body(self) -> dict[str, Json]:
        """The request."""
        self._say([{"text": opening(self.context)}, *self._pictures(self.context.first)])
        for turn in self.context.turns:
            self._turn(turn)
            self._say([{"text": words} for words in (*final_words(turn), *turn.said)])
        if self.contents[-1]["role"] == "model":
            self._say([{"text": CONTINUE}])
        body: dict[str, Json] = {
            "systemInstruction": {"parts": [{"text": system_text(self.context)}]},
            "contents": list(self.contents),
            "tools": self._tools(),
        }
        config = self._config()
        return {**body, "generationConfig": config} if config else body

    def _config(self) -> dict[str, Json]:
        options = self.context.options
        config: dict[str, Json] = {}
        if options.max_tokens is not None:
            config["maxOutputTokens"] = options.max_tokens
        if options.temperature is not None:
            config["temperature"] = options.temperature
        if options.reasoning is not None and self.dialect == "gemini-2.5":
            budget = _BUDGETS.get(options.reasoning, -1)
            config["thinkingConfig"] = {"includeThoughts": True, "thinkingBudget": budget}
        elif options.reasoning is not None:
            level = options.reasoning.upper()
            config["thinkingConfig"] = {"includeThoughts": True, "thinkingLevel": level}
        return config

    def _tools(self) -> list[Json]:
        place = "DESKTOP" if self.desktop else "BROWSER"
        computer: dict[str, Json] = {"environment": f"ENVIRONMENT_{place}"}
        if self.desktop:
            computer["enablePromptInjectionDetection"] = True
        allowed = self.context.actions
        if allowed is not None:
            names = DESKTOP if self.desktop else BROWSER
            computer["excludedPredefinedFunctions"] = [
                name for name in names if not FUNCTIONS[name].needs <= allowed
            ]
        functions: list[Json] = [_declared(tool) for tool in function_tools(self.context)]
        return [{"computerUse": computer}, {"functionDeclarations": functions}]

    def _say(self, parts: list[Json]) -> None:
        if parts and self.contents and self.contents[-1]["role"] == "user":
            said = self.contents[-1]["parts"]
            assert isinstance(said, list)
            said.extend(parts)
        elif parts:
            self.contents.append({"role": "user", "parts": parts})

    def _answer(self, parts: list[Json]) -> None:
        if not parts:
            return
        if self.contents[-1]["role"] == "model":
            self._say([{"text": CONTINUE}])
        self.contents.append({"role": "model", "parts": parts})

    def _turn(self, turn: Turn) -> None:
        if turn.decision is None:
            return
        if is_whole(turn.decision, self.dialect):
            items = turn.decision.raw["items"]
            self._answer(list(items) if isinstance(items, list) else [])
            self._say(list(self._responses(turn, items if isinstance(items, list) else [])))
        else:
            self._retold(turn)

    def _responses(self, turn: Turn, parts: list[Json]) -> Iterator[Json]:
        """One response for each call, in order: a call without an id is found by its place."""
        calls = [pair for pair in pairs(turn) if pair[0].id != FINAL]
        wires = [wire for part in parts if (wire := _call_in(part)) is not None]
        for index, ((call, outcome), wire) in enumerate(zip(calls, wires, strict=True)):
            known = {"id": wire["id"]} if wire.get("id") else {}
            last = index == len(calls) - 1
            yield self._response(str(wire["name"]), known, call, outcome, last)

    def _response(
        self, name: str, known: dict[str, Json], call: Call, outcome: Outcome, last: bool
    ) -> Json:
        words = told(call, outcome, space_of(self.context))
        looks = any(isinstance(action, Screenshot) for action in call.actions)
        bad = failed(call, outcome)
        picture = outcome.picture if looks or last else None
        if looks and not bad and picture is None:
            words = NO_PICTURE
        response: dict[str, Json] = {"error": words} if bad else {"output": words}
        if name in FUNCTIONS and not self.desktop:
            # Models of browsers are always told an address; a desktop has none.
            response["url"] = BLANK
        confirmed = {check.id for check in outcome.acknowledged}
        if call.checks and all(check.id in confirmed for check in call.checks):
            response["safety_acknowledgement"] = True if self.desktop else "true"
        answer: dict[str, Json] = {**known, "name": name, "response": response}
        if picture is not None:
            answer["parts"] = self._pictures(picture)
        return {"functionResponse": answer}

    def _retold(self, turn: Turn) -> None:
        """A turn of another dialect, from what was meant: one call for each action."""
        assert turn.decision is not None
        parts: list[Json] = []
        responses: list[Json] = []
        if turn.decision.text.strip():
            parts.append({"text": turn.decision.text})
        calls = [pair for pair in pairs(turn) if pair[0].id != FINAL]
        # Every model since 3.0 refuses a call without one.
        signed = self.dialect != "gemini-2.5"
        signature: dict[str, Json] = {"thoughtSignature": ANY_SIGNATURE} if signed else {}
        for index, (call, outcome) in enumerate(calls):
            uses = self._uses(call)
            for n, (name, arguments) in enumerate(uses):
                parts.append({"functionCall": {"name": name, "args": arguments}, **signature})
                # Only the first call of an answer is signed.
                signature = {}
                last = n == len(uses) - 1
                closing = last and index == len(calls) - 1
                responses.append(self._retold_response(name, n, last, closing, call, outcome))
        self._answer(parts)
        self._say(responses)

    def _retold_response(
        self, name: str, n: int, last: bool, closing: bool, call: Call, outcome: Outcome
    ) -> Json:
        if last:
            return self._response(name, {}, call, outcome, closing)
        worked = n < len(outcome.results) and outcome.results[n].ok
        part = Call(call.id, call.name, call.actions[n : n + 1])
        results = outcome.results[n : n + 1]
        text = "" if worked else told(call, outcome)
        return self._response(name, {}, part, Outcome(call.id, text, results), False)

    def _uses(self, call: Call) -> list[Written]:
        if call.problem is not None or not call.actions:
            name = call.name if _NAME.fullmatch(call.name) else "call"
            return [(name, dict(call.arguments))]
        space = space_of(self.context)
        write: Callable[[Action, Space], Written | None] = (
            write_desktop if self.desktop else write_browser
        )
        return [write(action, space) or _function(action, space) for action in call.actions]

    def _pictures(self, picture: Picture | None) -> list[Json]:
        if picture is None:
            return []
        shown = _shown(picture.screen)
        size = shown if picture.region is None else zoomed(picture.size, shown)
        return [{"inlineData": {"mimeType": "image/png", "data": picture.base64(size)}}]


def _declared(tool: ToolSpec) -> Json:
    declared: dict[str, Json] = {"name": tool.name, "description": tool.description}
    # An object without properties is refused; a function without arguments has no schema.
    if tool.schema.get("properties"):
        declared["parametersJsonSchema"] = dict(tool.schema)
    return declared


def _function(action: Action, space: Space) -> Written:
    name, arguments = as_function(action, space)
    return (name if _NAME.fullmatch(name) else "call"), arguments


def _call_in(part: Json) -> dict[str, Json] | None:
    wire = part.get("functionCall") if isinstance(part, dict) else None
    return wire if isinstance(wire, dict) else None
