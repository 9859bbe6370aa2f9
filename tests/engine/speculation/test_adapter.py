"""Exit adapters: what they may change, and what they never do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.errors import ModelUnavailable
from engine.settings import DecoderSettings
from engine.speculation import adapter, gguf, loading, split
from engine.speculation.chat import Chat
from engine.speculation.decoder import Decoder
from tests.engine.speculation.conftest import EXIT_LAYER, SAID, VOCABULARY, answer, say

Tensors = dict[str, np.ndarray]
Adapted = Callable[[Tensors], Decoder]


@pytest.fixture(scope="module")
def layer(model_file: Path) -> Tensors:
    """The base model's layer above the exit, as floats, and its output norm."""
    tensors = {}
    with gguf.File(model_file) as file:
        for name in (*adapter.LAYER, "output_norm.weight"):
            stored = f"blk.{EXIT_LAYER}.{name}" if name in adapter.LAYER else name
            matrix = file.matrix(stored)
            floats = matrix.floats(range(len(matrix.rows)))
            tensors[name] = floats[0] if name.endswith("norm.weight") else floats
    return tensors


@pytest.fixture
def adapted(model_file: Path, halves: Path, tmp_path: Path) -> Iterator[Adapted]:
    """Makes a decoder whose head carries these tensors."""
    sha256 = split.identity(model_file, halves)
    with ExitStack() as stack:

        def make(tensors: Tensors) -> Decoder:
            file = tmp_path / "adapter.gguf"
            adapter.write(file, tensors, base=model_file, sha256=sha256, exit_layer=EXIT_LAYER)
            cut = split.halves(model_file, EXIT_LAYER, tmp_path, VOCABULARY, file)
            decoder = Decoder(cut, size=512, threads=1, draft_tokens=2)
            stack.callback(decoder.close)
            return decoder

        yield make


def test_one_that_adds_nothing_drafts_what_the_exit_does(
    layer: Tensors, adapted: Adapted, new_decoder: Callable[..., Decoder], chat: Chat
) -> None:
    """With its two output matrices at 0 the layer passes states on, bit for bit."""
    nothing = {name: layer[name] * 0 for name in ("attn_output.weight", "ffn_down.weight")}
    decoder, bare = adapted(layer | nothing), new_decoder(size=512)
    prompt = chat.prompt(say(SAID[0])).tokens
    for one in (decoder, bare):
        list(one.prefill(prompt[:-1]))
        one._run_head(prompt[-1:], with_logits=True)
    assert np.array_equal(decoder.head.logits(1), bare.head.logits(1))
    assert np.array_equal(decoder.head.states, bare.head.states)


def test_any_changes_what_is_drafted_and_never_what_is_served(
    layer: Tensors, adapted: Adapted, new_decoder: Callable[..., Decoder], chat: Chat
) -> None:
    decoder, bare = adapted(layer), new_decoder(draft_tokens=2, size=512)
    prompt = chat.prompt(say(SAID[1])).tokens
    assert answer(decoder, prompt, 24) == answer(bare, prompt, 24)
    for one in (decoder, bare):
        one.forget()
        list(one.prefill(prompt[:-1]))
        one._run_head(prompt[-1:], with_logits=True)
    assert not np.array_equal(decoder.head.logits(1), bare.head.logits(1))
    assert np.array_equal(decoder.head.states, bare.head.states)


def test_a_prefill_gives_the_adapter_the_same_cache_in_one_piece_or_many(
    layer: Tensors, adapted: Adapted, chat: Chat
) -> None:
    decoder = adapted(layer)
    prompt = chat.prompt(say(SAID[2])).tokens
    list(decoder.prefill(prompt))
    at_once = decoder.head.sequence_state()
    decoder.forget()
    for end in range(1, len(prompt) + 1):
        list(decoder.prefill(prompt[:end]))
    assert decoder.head.sequence_state() == at_once


def test_it_belongs_to_one_exit_of_one_model(
    layer: Tensors, model_file: Path, tmp_path: Path, home: Path
) -> None:
    folder = adapter.installed()
    folder.mkdir(parents=True)
    for number in (3, 4):
        target = folder / f"exit-{number}.gguf"
        adapter.write(target, layer, base=model_file, sha256="ab" * 32, exit_layer=number)
    assert adapter.find("ab" * 32, 4) == folder / "exit-4.gguf"
    assert adapter.find("ab" * 32, 5) is None
    assert adapter.find("cd" * 32, 4) is None
    with pytest.raises(ModelUnavailable, match="does not belong to exit layer 5"):
        split.halves(model_file, 5, tmp_path, VOCABULARY, folder / "exit-4.gguf")


def test_an_incomplete_one_is_refused(layer: Tensors, model_file: Path, tmp_path: Path) -> None:
    partial = {name: value for name, value in layer.items() if name != "attn_k.weight"}
    with pytest.raises(ValueError, match=r"attn_k\.weight"):
        adapter.write(tmp_path / "a", partial, base=model_file, sha256="", exit_layer=1)


@pytest.mark.parametrize("exit_layer", [4, 15])
def test_the_shipped_ones_make_the_default_models_drafts_better(
    model_file: Path, halves: Path, exit_layer: int
) -> None:
    chosen = DecoderSettings(exit_layer=exit_layer)
    kept = {}
    for with_adapter in (False, True):
        wanted = replace(chosen, exit_adapter=with_adapter)
        loaded = loading.load(model_file, halves, wanted, lambda *_: None)
        assert loaded.details["exit_adapter"] is with_adapter
        prompts = [loaded.chat.prompt(say(text)).tokens for text in SAID]
        steps = [s for prompt in prompts for s in loaded.decoder.decode(prompt, 16)]
        kept[with_adapter] = sum(s.accepted for s in steps) / sum(s.drafted for s in steps)
        loaded.decoder.close()
    assert kept[True] > kept[False] + 0.1


def spoilt(whole: bytes, way: str) -> bytes:
    """An adapter's file as a full disk, a bad sector or another program would leave it."""
    match way:
        case "cut off in its tensors":
            return whole[: len(whole) * 2 // 3]
        case "cut off in its metadata":
            return whole[:40]
        case "another program's":
            return b"not an adapter"
        case _:
            return whole[:4] + b"\xff" * 64 + whole[68:]


WAYS = (
    "cut off in its tensors",
    "cut off in its metadata",
    "another program's",
    "overwritten at its beginning",
)


@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_one_is_left_out_and_told(
    way: str, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (shipped,) = [path for path in adapter.files() if path.stem.endswith("exit-15")]
    sha256, exit_layer = adapter.belongs_to(shipped)
    folder = adapter.installed()
    folder.mkdir(parents=True)
    damaged = folder / shipped.name
    damaged.write_bytes(spoilt(shipped.read_bytes(), way))
    problems: list[str] = []
    found = adapter.find(sha256, exit_layer, problems)
    assert found == shipped, "the next one is taken"
    assert len(problems) == 1
    assert str(damaged) in problems[0]
    assert problems[0] in caplog.text


def test_the_model_goes_on_without_an_adapter_that_cannot_be_loaded(
    layer: Tensors, model_file: Path, halves: Path, home: Path
) -> None:
    """Its matrices are there, but of another width: only llama.cpp finds that out."""
    folder = adapter.installed()
    folder.mkdir(parents=True)
    sha256 = split.identity(model_file, halves)
    narrow = {name: value[..., :32] for name, value in layer.items()}
    file = folder / "narrow.gguf"
    adapter.write(file, narrow, base=model_file, sha256=sha256, exit_layer=EXIT_LAYER)
    chosen = DecoderSettings(threads=1, context_tokens=1024, exit_layer=EXIT_LAYER)
    loaded = loading.load(model_file, halves, chosen, lambda *_: None)
    try:
        assert loaded.details["exit_adapter"] is False
        (problem,) = loaded.details["problems"]
        assert str(file) in problem
        assert answer(loaded.decoder, loaded.chat.prompt(say(SAID[0])).tokens, 4)
    finally:
        loaded.decoder.close()
