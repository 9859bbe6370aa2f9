"""Acceptance beside transformers' own early-exit generation, on the same weights.

transformers drafts with the first layers of the model it verifies with (`assistant_early_exit`),
in torch and float32; here llama.cpp does, from the same 16-bit file. Needs the extra `train`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import settings
from engine.evaluation.exits import exit_acceptance, exit_reading, prompt_sets
from engine.evaluation.exits.draft_replay import Rounds, replayed
from engine.evaluation.exits.exit_reading import SHELF, Way
from engine.speculation import gguf, llama, quantising
from engine.speculation.sampling import Sampling
from engine.store.fetching import locate

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

DRAFTS, TOKENS, PROMPTS = 3, 16, 3
_LAYER = {
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
}


@pytest.fixture(scope="module", autouse=True)
def torchs_own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """torch makes a cache folder when transformers loads it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path_factory.mktemp("inductor")))
        yield


@pytest.fixture(scope="module")
def half_precision(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The default model with 16-bit weights: llama.cpp rounds activations no further there."""
    folder = tmp_path_factory.mktemp("f16")
    return quantising.requantised(locate(settings.DecoderSettings().model), "F16", folder)


@pytest.fixture(scope="module")
def reference(half_precision: Path) -> Any:
    """The same weights as a Hugging Face Llama in float32."""
    opened = llama.Model(half_precision, vocab_only=True)

    def number(key: str) -> float:
        return float(opened.metadata(f"llama.{key}") or 0)

    heads, kv_heads = int(number("attention.head_count")), int(number("attention.head_count_kv"))
    config = transformers.LlamaConfig(
        vocab_size=opened.n_vocab,
        hidden_size=int(number("embedding_length")),
        intermediate_size=int(number("feed_forward_length")),
        num_hidden_layers=int(number("block_count")),
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        rms_norm_eps=number("attention.layer_norm_rms_epsilon"),
        rope_theta=number("rope.freq_base"),
        max_position_embeddings=2048,
        tie_word_embeddings=True,
        eos_token_id=int(opened.metadata("tokenizer.ggml.eos_token_id") or 0),
        bos_token_id=None,
        pad_token_id=0,
    )
    opened.close()
    model = transformers.LlamaForCausalLM(config).eval()
    with gguf.File(half_precision) as file:
        weights = {
            "model.embed_tokens.weight": _floats(file, "token_embd"),
            "model.norm.weight": _floats(file, "output_norm")[0],
        }
        for n in range(config.num_hidden_layers):
            for theirs, ours in _LAYER.items():
                values = _floats(file, f"blk.{n}.{ours}")
                flat = values[0] if ours.endswith("norm") else values
                weights[f"model.layers.{n}.{theirs}.weight"] = flat
            for name, count in (("q", heads), ("k", kv_heads), ("v", 0)):
                values = _halves_apart(_floats(file, f"blk.{n}.attn_{name}"), count)
                weights[f"model.layers.{n}.self_attn.{name}_proj.weight"] = values
    missing = model.load_state_dict(weights, strict=False)
    assert set(missing.missing_keys) <= {"lm_head.weight"}
    assert not missing.unexpected_keys
    model.tie_weights()
    return model


def _floats(file: gguf.File, name: str) -> Any:
    matrix = file.matrix(f"{name}.weight")
    return torch.from_numpy(matrix.floats(np.arange(len(matrix.rows)).tolist()))


def _halves_apart(values: Any, heads: int) -> Any:
    """Rows as Hugging Face rotates them: llama.cpp keeps the two halves of a head interleaved."""
    if not heads:
        return values
    return values.unflatten(0, (heads, -1, 2)).transpose(1, 2).flatten(0, 2)


@dataclass
class Watched:
    """What transformers drafted and kept, round by round."""

    rounds: list[tuple[int, int]] = field(default_factory=list)

    def total(self) -> Rounds:
        drafted, kept = (sum(parts) for parts in zip(*self.rounds, strict=True))
        return Rounds(len(self.rounds), drafted, kept)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    from transformers.generation.candidate_generator import EarlyExitCandidateGenerator

    seen = Watched()
    before = EarlyExitCandidateGenerator.update_candidate_strategy

    def update(self: Any, input_ids: Any, scores: Any, num_matches: Any) -> None:
        seen.rounds.append((len(scores[0]) - 1, int(num_matches)))
        before(self, input_ids, scores, num_matches)

    monkeypatch.setattr(EarlyExitCandidateGenerator, "update_candidate_strategy", update)
    return seen


@pytest.mark.parametrize("exit_layer", [26, pytest.param(15, marks=pytest.mark.heavy)])
def test_transformers_keeps_as_many_drafts(
    exit_layer: int, half_precision: Path, reference: Any, data: Path, watched: Watched
) -> None:
    chosen = settings.DecoderSettings()
    ours, theirs, same = Rounds(0, 0, 0), Rounds(0, 0, 0), 0
    with exit_reading.opened(Way(SHELF, half_precision, exit_layer), chosen) as reader:
        ends = reader.decoder.model.ends
        for item in prompt_sets.ami(None)[:PROMPTS]:
            prompt = reader.loaded.chat.prompt(item.messages).tokens
            reply = reader.reply(prompt, TOKENS, Sampling()).tokens
            watched.rounds.clear()
            if reply != generated(reference, prompt, exit_layer):
                continue  # a near tie that rounding decides
            same += 1
            proposed = exit_acceptance.proposals(reader, prompt, reply)
            # transformers drafts the first token too: it begins a token earlier than the decoder.
            found = replayed(
                [-1, *proposed],
                [-1, *reply],
                draft_tokens=DRAFTS,
                max_tokens=TOKENS + 1,
                widest=reader.decoder.widest,
                ends=ends,
            )
            ours, theirs = _sum(ours, found), _sum(theirs, watched.total())
    assert same >= PROMPTS - 1
    assert theirs.drafted > 0
    assert ours.accepted > 0
    # A draft in a near tie may differ by rounding; what follows from it is at most one round.
    assert abs(ours.accepted - theirs.accepted) <= 0.05 * theirs.drafted
    assert abs(ours.drafted - theirs.drafted) <= 0.1 * theirs.drafted


def generated(model: Any, prompt: list[int], exit_layer: int) -> tuple[int, ...]:
    tokens = torch.tensor([prompt])
    config = transformers.GenerationConfig(
        do_sample=False,
        max_new_tokens=TOKENS,
        assistant_early_exit=exit_layer,
        num_assistant_tokens=DRAFTS,
        num_assistant_tokens_schedule="constant",
        assistant_confidence_threshold=0.0,
        eos_token_id=model.config.eos_token_id,
        pad_token_id=0,
    )
    # The drafting half reads its own draft length from the model.
    model.generation_config.num_assistant_tokens = DRAFTS
    model.generation_config.num_assistant_tokens_schedule = "constant"
    model.generation_config.assistant_confidence_threshold = 0.0
    with torch.no_grad():
        out = model.generate(
            input_ids=tokens, attention_mask=torch.ones_like(tokens), generation_config=config
        )
    return tuple(out[0, len(prompt) :].tolist())


def _sum(first: Rounds, second: Rounds) -> Rounds:
    return Rounds(
        first.rounds + second.rounds,
        first.drafted + second.drafted,
        first.accepted + second.accepted,
    )
