"""Streams are put together to what would have come at once, whatever the answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carrel.codec import Json
from carrel.models.dialect import Api
from carrel.models.transports.assemble import (
    ChatStream,
    GeminiStream,
    MessageStream,
    ResponseStream,
)
from carrel.testing import Seen, anthropic, chat, gemini, openai
from carrel.testing._ledger import Ledger
from carrel.testing.answers import Answer, Piece, Said, Stop, Thought, ToolCall

words = st.text(min_size=1, max_size=40)
arguments = st.dictionaries(
    st.text(min_size=1, max_size=8),
    st.none() | st.booleans() | st.integers() | words | st.lists(st.integers(), max_size=3),
    max_size=3,
)
calls: st.SearchStrategy[Piece] = st.builds(ToolCall, words, arguments)
said: st.SearchStrategy[Piece] = st.builds(Said, words)
thoughts: st.SearchStrategy[Piece] = st.builds(Thought, words)
stops: st.SearchStrategy[Stop] = st.sampled_from(["", "refusal", "truncated", "content_filter"])
answers = st.builds(Answer, st.lists(calls | said | thoughts, max_size=5).map(tuple), stop=stops)


def seen(api: Api) -> Seen:
    body: dict[str, Json] = {"stream_options": {"include_usage": True}}
    return Seen(0, api, "/", "m-1", body, {}, "", stream=True)


@given(answers)
def test_responses_are_put_together(answer: Answer) -> None:
    asked, gather = seen(Api.OPENAI_RESPONSES), ResponseStream()
    body = openai.render(answer, asked, Ledger(b"s"))
    text = "".join(
        gather.add(event) for _, event in openai.events(body, asked) if isinstance(event, dict)
    )
    assert gather.body == body
    if answer.stop != "refusal":
        assert text == "".join(piece.text for piece in answer.pieces if isinstance(piece, Said))


@given(answers)
def test_completions_are_put_together(answer: Answer) -> None:
    asked, gather = seen(Api.OPENAI_CHAT), ChatStream()
    body = chat.render(answer, asked, Ledger(b"s"))
    for _, event in chat.events(body, asked):
        if isinstance(event, dict):
            gather.add(event)
    assert gather.body == body


@given(answers)
def test_messages_are_put_together(answer: Answer) -> None:
    asked, gather = seen(Api.ANTHROPIC), MessageStream()
    body = anthropic.render(answer, asked, Ledger(b"s"))
    for _, event in anthropic.events(body, asked):
        assert isinstance(event, dict)
        assert gather.body is None
        gather.add(event)
    assert gather.body == body


def _merged(answer: Answer) -> Answer:
    """Text of one kind that follows itself is one part once it was streamed."""
    pieces: list[Piece] = []
    for piece in answer.pieces:
        last = pieces[-1] if pieces else None
        if isinstance(piece, Said) and isinstance(last, Said):
            pieces[-1] = Said(last.text + piece.text)
        elif isinstance(piece, Thought) and isinstance(last, Thought):
            pieces[-1] = Thought(last.text + piece.text)
        else:
            pieces.append(piece)
    return Answer(tuple(pieces), stop=answer.stop)


@given(answers.map(_merged))
def test_gemini_is_put_together(answer: Answer) -> None:
    asked, gather = seen(Api.GEMINI), GeminiStream()
    body = gemini.render(answer, asked, Ledger(b"s"))
    for _, event in gemini.events(body, asked):
        assert isinstance(event, dict)
        gather.add(event)
    assert gather.body == body


@pytest.mark.parametrize(
    "gather", [ResponseStream(), ChatStream(), MessageStream(), GeminiStream()]
)
def test_a_stream_that_has_not_ended_has_no_body(
    gather: ResponseStream | ChatStream | MessageStream | GeminiStream,
) -> None:
    assert gather.body is None
    assert gather.error is None


def test_calls_without_an_index_are_whole_calls() -> None:
    gather = ChatStream()
    for name in ("a", "b"):
        call: Json = {"id": name, "type": "function", "function": {"name": name, "arguments": "{}"}}
        delta: Json = {"role": "assistant", "content": "", "tool_calls": [call]}
        gather.add({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    gather.add({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    assert gather.body is not None
    choices = gather.body["choices"]
    assert isinstance(choices, list)
    assert isinstance(choices[0], dict)
    message = choices[0]["message"]
    assert isinstance(message, dict)
    assert message["content"] is None
    found = message["tool_calls"]
    assert isinstance(found, list)
    assert [call["id"] for call in found if isinstance(call, dict)] == ["a", "b"]


def test_reasoning_of_compatible_servers_is_kept() -> None:
    gather = ChatStream()
    for part in ("I ", "think"):
        delta: Json = {"reasoning_content": part}
        gather.add({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    gather.add({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    assert "I think" in str(gather.body)


def test_input_that_was_cut_off_is_empty_and_the_message_says_so() -> None:
    gather = MessageStream()
    message: Json = {"type": "message", "content": [], "usage": {"output_tokens": 1}}
    block: Json = {"type": "tool_use", "id": "t", "name": "key", "input": {}}
    gather.add({"type": "message_start", "message": message})
    gather.add({"type": "content_block_start", "index": 0, "content_block": block})
    part: Json = {"type": "input_json_delta", "partial_json": '{"text": "ct'}
    gather.add({"type": "content_block_delta", "index": 0, "delta": part})
    gather.add({"type": "content_block_stop", "index": 0})
    ended: Json = {"stop_reason": "max_tokens"}
    gather.add({"type": "message_delta", "delta": ended, "usage": {"output_tokens": 9}})
    gather.add({"type": "message_stop"})
    assert gather.body is not None
    assert gather.body["content"] == [block]
    assert gather.body["stop_reason"] == "max_tokens"
    assert gather.body["usage"] == {"output_tokens": 9}


def test_a_blocked_prompt_of_gemini_is_an_answer() -> None:
    gather = GeminiStream()
    gather.add({"promptFeedback": {"blockReason": "SAFETY"}})
    assert gather.body == {"promptFeedback": {"blockReason": "SAFETY"}}
