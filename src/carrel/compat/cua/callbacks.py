"""Callbacks as observers: told of everything, and able to end a run, not to change it."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from typing import cast

from carrel.codec import Json
from carrel.compat.items import Item
from carrel.errors import InvalidInput, Unsupported

__all__ = ["AsyncCallbackHandler", "Callbacks"]


class AsyncCallbackHandler:
    """What a callback may be told. Derive from it, or bring any object with some of these methods.

    `on_run_continue` ends the run when it returns False. Nothing else that is returned counts;
    `on_llm_start` and `on_llm_end` may return what they were given.
    """

    async def on_run_start(self, kwargs: Item, old_items: list[Item]) -> None:
        """A run begins."""

    async def on_run_end(self, kwargs: Item, old_items: list[Item], new_items: list[Item]) -> None:
        """A run has ended, however it did."""

    async def on_run_continue(
        self, kwargs: Item, old_items: list[Item], new_items: list[Item]
    ) -> bool:
        """The model is about to be asked: whether to go on."""
        return True

    async def on_llm_start(self, messages: list[Item]) -> list[Item]:
        """What the model was told and did so far."""
        return messages

    async def on_llm_end(self, output: list[Item]) -> list[Item]:
        """What it answered."""
        return output

    async def on_computer_call_start(self, item: Item) -> None:
        """A call passed the gate and is about to be carried out."""

    async def on_computer_call_end(self, item: Item, result: list[Item]) -> None:
        """It has been."""

    async def on_function_call_start(self, item: Item) -> None:
        """A function is about to be called."""

    async def on_function_call_end(self, item: Item, result: list[Item]) -> None:
        """It has been."""

    async def on_text(self, item: Item) -> None:
        """The model says something."""

    async def on_api_start(self, kwargs: Item) -> None:
        """A request is about to be sent."""

    async def on_api_end(self, kwargs: Item, result: Item) -> None:
        """It was answered."""

    async def on_usage(self, usage: Item) -> None:
        """What an answer took."""

    async def on_screenshot(self, screenshot: str | bytes, name: str = "screenshot") -> None:
        """A picture of the screen, as base64."""

    async def on_responses(self, kwargs: Item, responses: Item) -> None:
        """An answer with its usage."""


class Callbacks:
    """Tells all callbacks, in order. Each gets copies: what it changes in them changes nothing."""

    def __init__(self, given: Sequence[object]) -> None:
        for callback in given:
            if isinstance(callback, type):
                raise InvalidInput(f"{callback.__name__} is a class", hint="give an object of it")
        self._all = tuple(given)

    def __bool__(self) -> bool:
        return bool(self._all)

    async def tell(self, hook: str, *arguments: object) -> None:
        """Tell every callback that has the hook."""
        for callback in self._all:
            await _call(callback, hook, arguments)

    async def tell_all(self, hook: str, *arguments: object) -> None:
        """The same, also when one of them fails: its error is raised after the others were told."""
        errors: list[Exception] = []
        for callback in self._all:
            try:
                await _call(callback, hook, arguments)
            except Exception as error:  # noqa: BLE001 (the user's code; raised again below)
                errors.append(error)
        if errors:
            raise errors[0]

    async def agree(self, *arguments: object) -> bool:
        """Whether all of them want to go on."""
        for callback in self._all:
            answer = await _call(callback, "on_run_continue", arguments)
            if answer is False:
                return False
        return True

    async def show(self, hook: str, items: list[Item]) -> None:
        """Show items to callbacks that could once replace them.

        Raises:
            Unsupported: One of them tries to.
        """
        for callback in self._all:
            answer = await _call(callback, hook, (items,))
            if answer is not None and answer != items:
                raise Unsupported(
                    f"{hook} of {type(callback).__name__} returned other items",
                    hint="callbacks watch; what a model is told is set by instructions, images and "
                    "policy",
                )


async def _call(callback: object, hook: str, arguments: tuple[object, ...]) -> object:
    method = getattr(callback, hook, None)
    if method is None:
        return None
    answer = method(*(cast("Json", copy.deepcopy(argument)) for argument in arguments))
    return await answer if inspect.isawaitable(answer) else answer
