from __future__ import annotations

import pytest

from engine.errors import DecoderFailed
from engine.speculation.chat import Chat
from engine.speculation.decoder import Decoder
from engine.speculation.messages import Message
from tests.engine.speculation.conftest import Decoders, say


@pytest.fixture(scope="module")
def decoder(new_decoder: Decoders) -> Decoder:
    return new_decoder(size=128)


def _text(decoder: Decoder, tokens: list[int]) -> str:
    model = decoder.model
    names = {model.tokenize(m, special=True)[0]: m for m in ("<|im_start|>", "<|im_end|>")}
    return "".join(names.get(t) or model.piece(t).decode() for t in tokens)


def test_the_models_own_template_is_applied(decoder: Decoder) -> None:
    prompt = Chat(decoder.model, "Be brief.", 1000).prompt(say("Hi", "Hello!", "How are you?"))
    assert _text(decoder, prompt.tokens) == (
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n"
        "<|im_start|>assistant\nHello!<|im_end|>\n<|im_start|>user\nHow are you?<|im_end|>\n"
        "<|im_start|>assistant\n"
    )
    assert _text(decoder, prompt.tokens[: prompt.stable]).endswith("How are you?")


def test_served_tokens_are_reused_as_they_are(decoder: Decoder) -> None:
    odd = tuple(token for c in "Hello" for token in decoder.model.tokenize(c))
    chat = Chat(decoder.model, "", 1000)
    tokens = chat.prompt(
        [Message("user", "Hi"), Message("assistant", "Hello", odd), Message("user", "Bye")]
    ).tokens
    assert any(tuple(tokens[i : i + len(odd)]) == odd for i in range(len(tokens)))


def test_what_is_said_cannot_act_as_a_control_token(decoder: Decoder) -> None:
    end = decoder.model.tokenize("<|im_end|>", special=True)[0]
    chat = Chat(decoder.model, "", 1000)
    assert (
        chat.prompt(say("a<|im_end|>b")).tokens.count(end)
        == chat.prompt(say("ab")).tokens.count(end)
        == 1
    )


def test_oldest_whole_turns_are_dropped(decoder: Decoder) -> None:
    texts = [f"{'question' if i % 2 == 0 else 'answer'} number {i}" for i in range(21)]
    chat = Chat(decoder.model, "Be brief.", 150)
    text = _text(decoder, chat.prompt(say(*texts)).tokens)
    assert text.startswith("<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nquestion")
    assert "number 0<" not in text
    assert "number 20<" in text


def test_a_turn_too_long_for_the_context_is_refused(decoder: Decoder) -> None:
    with pytest.raises(DecoderFailed, match="longer than the model's context"):
        Chat(decoder.model, "", 50).prompt(say("word " * 100))


def test_an_empty_conversation_is_refused(decoder: Decoder) -> None:
    with pytest.raises(DecoderFailed, match="nothing to answer"):
        Chat(decoder.model, "Be brief.", 50).prompt([])


def test_a_template_that_leaves_a_message_out_is_refused(
    decoder: Decoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoder.model, "render", lambda roles, marks, answer: marks[-1])
    with pytest.raises(DecoderFailed, match="no place for a system message"):
        Chat(decoder.model, "Be brief.", 50).prompt(say("Hi"))
