from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import llama_cpp
import numpy as np
import pytest

from engine.errors import DecoderFailed
from engine.events import TokenOutcome
from engine.speculation.chat import Chat
from engine.speculation.context import Stopped
from engine.speculation.decoder import Decoder
from tests.engine.speculation.conftest import SAID, Decoders, answer, say


@pytest.fixture(scope="module")
def whole_model(model_file: object) -> Callable[[list[int], int], list[int]]:
    """Greedy decoding of the uncut file by llama-cpp-python itself, one token at a time."""
    whole = llama_cpp.Llama(
        str(model_file),
        n_ctx=1024,
        n_threads=1,
        n_threads_batch=1,
        flash_attn=True,
        type_k=1,
        type_v=30,  # bfloat16
        verbose=False,
    )

    def generate(prompt: list[int], count: int) -> list[int]:
        whole.reset()
        tokens: list[int] = []
        for token in whole.generate(prompt, temp=0.0, repeat_penalty=1.0, reset=True):
            if token == whole.token_eos() or len(tokens) == count:
                break
            tokens.append(token)
        return tokens

    return generate


@pytest.mark.parametrize("text", SAID)
def test_served_tokens_are_the_whole_models(
    text: str,
    whole_model: Callable[[list[int], int], list[int]],
    plain: Decoder,
    drafting: Decoder,
    chat: Chat,
) -> None:
    prompt = chat.prompt(say(text)).tokens
    expected = whole_model(prompt, 32)
    assert answer(plain, prompt, 32) == expected
    assert answer(drafting, prompt, 32) == expected


@pytest.fixture(scope="module")
def plain(new_decoder: Decoders) -> Decoder:
    return new_decoder()


@pytest.fixture(scope="module")
def drafting(new_decoder: Decoders) -> Decoder:
    return new_decoder(draft_tokens=3)


def test_incremental_prefill_gives_the_state_of_one_piece(
    new_decoder: Decoders, chat: Chat
) -> None:
    grown, at_once = new_decoder(draft_tokens=3), new_decoder()
    words = SAID[2].split()
    for count in range(1, len(words) + 1):
        heard = " ".join(words[:count])
        prompt = chat.prompt(say(heard))
        list(grown.prefill(prompt.tokens[: prompt.stable]))
    final = chat.prompt(say(SAID[2]))
    list(at_once.prefill(final.tokens[: final.stable]))
    assert grown.head.sequence_state() == at_once.head.sequence_state()
    assert answer(grown, final.tokens, 16) == answer(at_once, final.tokens, 16)


def test_prefill_keeps_the_common_prefix(new_decoder: Decoders) -> None:
    decoder = new_decoder()
    list(decoder.prefill(range(100, 150)))
    steps = list(decoder.prefill([*range(100, 140), 7, 8]))
    assert sum(step.positions for step in steps) == 2
    assert decoder.lengths == (42, 0)


def test_discard_leaves_no_trace(new_decoder: Decoders, chat: Chat) -> None:
    """Both caches byte-equal, the next logits bit-equal to a decoder that never speculated."""
    speculating, other = new_decoder(draft_tokens=3), new_decoder()
    first, second = chat.prompt(say(SAID[0])).tokens, chat.prompt(say(SAID[3])).tokens
    for decoder in (speculating, other):
        list(decoder.decode(first, 5))
        list(decoder.prefill(second[:-8]))
    steps = speculating.decode(second, 40)
    for _ in range(6):
        next(steps)
    steps.close()
    speculating.rollback()
    assert speculating.lengths == other.lengths
    assert speculating.head.sequence_state() == other.head.sequence_state()
    assert speculating.tail.sequence_state() == other.tail.sequence_state()
    assert answer(speculating, second, 1) == answer(other, second, 1)
    assert np.array_equal(speculating.tail.logits(1), other.tail.logits(1))


def test_stop_ends_a_step_and_rollback_undoes_it(new_decoder: Decoders, chat: Chat) -> None:
    decoder = new_decoder(draft_tokens=3)
    prompt = chat.prompt(say(SAID[1])).tokens
    expected = answer(decoder, prompt, 12)
    decoder.prefill([])
    list(decoder.prefill([1]))
    before = decoder.lengths
    steps = decoder.decode(prompt, 12)
    for _ in range(3):
        next(steps)
    decoder.stop.set()
    with pytest.raises(Stopped):
        next(steps)
    decoder.stop.clear()
    decoder.rollback()
    assert decoder.lengths == before
    assert answer(decoder, prompt, 12) == expected


def test_every_width_gives_the_bits_of_single_steps(new_decoder: Decoders) -> None:
    """Past 512 cached positions too, where llama.cpp's default kernels begin to differ."""
    decoder = new_decoder()
    tokens = [int(t) for t in np.random.default_rng(1).integers(100, 40_000, 540)]
    list(decoder.prefill(tokens))
    expected = None
    for width in (1, 2, 3, 4, 8, 64):
        decoder._trim(540 - 64, 0)
        for start in range(540 - 64, 540, width):
            decoder._run_head(tokens[start : start + width], with_logits=True)
        states = decoder._states[540 - 64 : 540].copy()
        if expected is None:
            expected = states
        assert np.array_equal(states, expected), width


def test_drafts_are_accounted(drafting: Decoder, chat: Chat) -> None:
    steps = list(drafting.decode(chat.prompt(say(SAID[0])).tokens, 24))
    served = [item for step in steps for item in step.served]
    kept = sum(item.outcome is TokenOutcome.KEPT for item in served)
    assert len(served) == 24
    assert steps[-1].ended == "length"
    assert kept <= sum(step.accepted for step in steps) <= sum(step.drafted for step in steps)
    assert all(step.end_s >= step.start_s for step in steps)


def test_a_reply_ends_with_the_end_token(plain: Decoder, chat: Chat) -> None:
    steps = list(plain.decode(chat.prompt(say("Say yes.")).tokens, 200))
    assert steps[-1].ended == "eos"
    assert not any(plain.model.ends(item.token) for step in steps for item in step.served)


def test_a_full_context_ends_the_reply(new_decoder: Decoders) -> None:
    decoder = new_decoder(draft_tokens=3, size=128)
    tokens = list(range(500, 620))
    assert len(answer(decoder, tokens, 100)) <= 8
    with pytest.raises(DecoderFailed, match="does not fit"):
        next(decoder.decode(list(range(500, 700)), 10))


_BUSY = """
import signal, sys
from pathlib import Path
from engine.speculation import split
from engine.speculation.decoder import Decoder

def on_signal(number, frame):
    if frame.f_code.co_name == "on_node":
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.exit(7)

signal.signal(signal.SIGALRM, on_signal)
cut = split.halves(Path(sys.argv[1]), 10, Path(sys.argv[2]), 8192)
decoder = Decoder(cut, size=1024, threads=1, draft_tokens=3)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
list(decoder.decode(range(100, 120), 900))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_signal_that_arrives_inside_llama_cpp_is_not_lost(model_file: Path, halves: Path) -> None:
    """Its handler runs within a callback of the graph, out of which no exception can come."""
    busy = [sys.executable, "-c", _BUSY, str(model_file), str(halves)]
    assert subprocess.run(busy, timeout=60, check=False).returncode == 7
