"""Other models than the default: cut, drafted from and verified, token by token the whole one's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.evaluation.decoding.generated_model import Shape, generated
from engine.evaluation.decoding.plain import Plain
from engine.speculation import gguf, split
from engine.speculation.context import Context
from engine.speculation.decoder import Decoder
from engine.speculation.llama import Model
from tests.engine.speculation.conftest import answer


@pytest.mark.parametrize("architecture", ["llama", "qwen2"])
def test_a_cut_model_serves_the_whole_ones_tokens(
    architecture: str, model_file: Path, tmp_path: Path
) -> None:
    shape = Shape(
        name=f"small {architecture}",
        architecture=architecture,
        layers=6,
        width=256,
        feed_forward=512,
        heads=8,
        heads_kv=4,
        vocabulary=2048,
    )
    model = generated(shape, model_file, tmp_path)
    decoder = Decoder(split.halves(model, 2, tmp_path, 512), size=256, threads=1)
    whole = Model(model)
    uncut = Context(
        whole, size=256, batch=64, threads=1, kernels=decoder.kernels, stop=decoder.stop
    )
    tokens = np.random.default_rng(3).integers(0, 2048, 40).tolist()
    with gguf.File(model) as file:
        rows = file.matrix("token_embd.weight").floats(tokens)
    uncut.run(0, rows, len(tokens))
    expected = uncut.logits(len(tokens)).copy()
    assert len(set(expected.argmax(axis=1))) > 4
    assert np.array_equal(decoder.logits_of(tokens), expected)
    plain = Plain(model, size=256, threads=1)
    for drafts in (0, 3):
        decoder.draft_tokens = drafts
        assert answer(decoder, tokens, 24) == plain.answer(tokens, 24)
    for opened in (plain, decoder, uncut, whole):
        opened.close()
