from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.evaluation.decoding import scripted
from engine.evaluation.decoding.cost_model import break_even, tokens_per_round
from engine.evaluation.decoding.generated_model import Shape, generated
from engine.evaluation.decoding.scripted import Scripted
from engine.settings import DecoderSettings
from engine.speculation.llama import Model
from engine.store.fetching import locate

SMALL = Shape(
    name="tiny", layers=3, width=128, feed_forward=256, heads=4, heads_kv=2, vocabulary=1024
)


@pytest.mark.parametrize(("acceptance", "drafts"), [(0.0, 3), (0.44, 3), (0.6, 1), (1.0, 2)])
def test_tokens_of_a_round_are_what_dice_give(acceptance: float, drafts: int) -> None:
    chooser, rounds = Scripted(acceptance, seed=1), 4000
    logits = np.zeros((drafts + 1, 4), np.float32)
    served = sum(len(chooser.verify([1] * drafts, logits)) for _ in range(rounds)) / rounds
    assert served == pytest.approx(tokens_per_round(acceptance, drafts), abs=0.06)


def test_break_even() -> None:
    """One draft that makes a round cost 1.25 steps pays when it is kept in a quarter of rounds."""
    assert break_even(1.25, 1) == pytest.approx(0.25, abs=1e-5)
    assert break_even(tokens_per_round(0.44, 3), 3) == pytest.approx(0.44, abs=1e-5)
    assert break_even(4.1, 3) is None


def test_a_generated_model_has_the_shape_it_should(models: Path, tmp_path: Path) -> None:
    like = locate(DecoderSettings().model)
    path = generated(SMALL, like, tmp_path)
    model = Model(path)
    assert (model.layers, model.width, model.n_vocab) == (3, 128, 1024)
    assert not model.has_tokeniser
    model.close()
    written = path.stat().st_mtime_ns
    assert generated(SMALL, like, tmp_path).stat().st_mtime_ns == written


def test_rows_and_summary_on_a_small_shape(models: Path) -> None:
    rows, summary = scripted.measure(
        SMALL,
        exit_layer=1,
        vocabulary=256,
        drafts=2,
        threads=1,
        replies=3,
        tokens=24,
        acceptances=[0.0, 1.0],
    )
    none, all_kept = rows
    assert none["tokens_per_verification"] == 1
    assert all_kept["tokens_per_verification"] > 2.5
    assert none["predicted_ratio"] * 3 == pytest.approx(all_kept["predicted_ratio"], rel=1e-3)
    assert {row["acceptance_evidence"] for row in rows} == {"scripted"}
    assert all_kept["measured_ratio"]["median"] > none["measured_ratio"]["median"]
    assert summary["model"] == "tiny shape, Q4_0, random weights"
