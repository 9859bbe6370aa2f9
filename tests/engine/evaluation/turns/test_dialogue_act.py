"""The figures of the dialogue-act evaluation against scikit-learn's metrics."""

from __future__ import annotations

import numpy as np
import pytest

from engine.evaluation.turns.dialogue_act import NAMES, scores, tally
from engine.training.corpora.dailydialog import Split


@pytest.fixture
def judged() -> tuple[Split, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    acts = rng.integers(0, 4, 300)
    predicted = np.where(rng.random(300) < 0.7, acts, rng.integers(0, 4, 300))
    deep = rng.random(300) < 0.4
    split = Split(texts=[""] * 300, acts=acts, dialogues=np.sort(rng.integers(0, 40, 300)))
    return split, predicted, deep


def test_figures_are_sklearns(judged: tuple[Split, np.ndarray, np.ndarray]) -> None:
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support

    split, predicted, deep = judged
    found = dict(zip(NAMES, scores(tally(*judged).sum(axis=0, keepdims=True))[0], strict=True))
    assert found["accuracy"] == pytest.approx(accuracy_score(split.acts, predicted))
    by_act = np.array(precision_recall_fscore_support(split.acts, predicted)[:3])
    assert found["macro_f1"] == pytest.approx(by_act[2].mean())
    assert [found["commissive_precision"], found["commissive_recall"], found["commissive_f1"]] == (
        pytest.approx(by_act[:, 3])
    )
    truly_deep = np.isin(split.acts, [1, 2])
    by_side = np.array(precision_recall_fscore_support(truly_deep, deep)[:3])
    for side, column in (("shallow", 0), ("deep", 1)):
        names = [f"{side}_{score}" for score in ("precision", "recall", "f1")]
        assert [found[name] for name in names] == pytest.approx(by_side[:, column])
    assert found["deep_accuracy"] == pytest.approx(accuracy_score(truly_deep, deep))
    assert found["majority_accuracy"] == np.bincount(split.acts).max() / 300


def test_every_utterance_is_counted_in_its_own_dialogue(
    judged: tuple[Split, np.ndarray, np.ndarray],
) -> None:
    table = tally(*judged)
    assert (table[:, :16].sum(axis=1) == np.bincount(judged[0].dialogues)).all()
    assert (table[:, 16:].sum(axis=1) == np.bincount(judged[0].dialogues)).all()
