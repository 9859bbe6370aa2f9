"""How well the dialogue-act classifier does on a split, with intervals by dialogue.

Utterances of one dialogue depend on each other, so dialogues are what is resampled. DEEP is
the proxy of the seed's §5: question and directive; an utterance is judged deep when
P(deep) reaches the gate's default threshold.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.dialogue_act.classifier import ACTS, DEEP_ACTS, DialogueActClassifier, deep_probability
from engine.evaluation.measurement.statistics import cluster_bootstrap
from engine.events import Evidence
from engine.records.evidence import Figure, from_record
from engine.records.plots import Table
from engine.settings import GateSettings
from engine.training.corpora.dailydialog import Split

_N = len(ACTS)
_SCORES = ("precision", "recall", "f1")


def evaluate(classifier: DialogueActClassifier, split: Split, evidence: Evidence) -> dict[str, Any]:
    """Accuracy, macro-F1, per-act and DEEP/SHALLOW figures, and the confusion counts.

    `majority_accuracy` is what always answering the most frequent act would reach.
    """
    probabilities = np.array([classifier.probabilities(text) for text in split.texts])
    theta = GateSettings().theta_deep
    table = tally(split, probabilities.argmax(axis=1), deep_probability(probabilities) >= theta)
    values = scores(table.sum(axis=0, keepdims=True))[0]
    intervals = cluster_bootstrap(table, scores, unit="dialogues")
    total = table.sum(axis=0)
    return {
        "utterances": len(split.texts),
        "dialogues": len(table),
        "theta_deep": theta,
        "figures": {
            name: Figure(value=float(value), evidence=evidence, interval=interval).record()
            for name, value, interval in zip(NAMES, values, intervals, strict=True)
        },
        "acts": list(ACTS),
        "confusion": total[: _N * _N].reshape(_N, _N).tolist(),
        "deep_confusion": total[_N * _N :].reshape(2, 2).tolist(),
    }


def tables(test: dict[str, Any]) -> list[Table]:
    """What `evaluate` found, by act and by depth, and who was taken for whom."""
    figures, acts = test["figures"], test["acts"]
    by_class = [
        [name, *(from_record(figures[f"{name}_{score}"]) for score in _SCORES)]
        for name in (*acts, "deep", "shallow")
    ]
    confusion = [[f"truly {act}", *row] for act, row in zip(acts, test["confusion"], strict=True)]
    return [
        Table(title="Held-out test, by class", columns=("class", *_SCORES), rows=by_class),
        Table(
            title="Utterances by true act and by what they were taken for",
            columns=("", *(f"taken for {act}" for act in acts)),
            rows=confusion,
        ),
    ]


def tally(split: Split, predicted: NDArray[np.intp], deep: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Confusion counts of each dialogue: int64 [dialogues, 16 + 4].

    The first 16 are true act x predicted act, the last 4 truly deep x judged deep, row by row.
    """
    truly_deep = np.isin(split.acts, [ACTS.index(act) for act in DEEP_ACTS])
    dialogues = int(split.dialogues.max()) + 1
    table = np.zeros((dialogues, _N * _N + 4), np.int64)
    np.add.at(table, (split.dialogues, split.acts * _N + predicted), 1)
    np.add.at(table, (split.dialogues, _N * _N + truly_deep * 2 + deep), 1)
    return table


NAMES = (
    "accuracy",
    "macro_f1",
    "majority_accuracy",
    *(f"{act}_{score}" for act in ACTS for score in _SCORES),
    "deep_accuracy",
    *(f"{side}_{score}" for side in ("deep", "shallow") for score in _SCORES),
)
"""What the columns of `scores` are."""


def scores(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Figures in the order of `NAMES` from summed counts [n, 20]: float64 [n, figures]."""
    acts = np.asarray(sums[:, : _N * _N], np.float64).reshape(-1, _N, _N)
    deep = np.asarray(sums[:, _N * _N :], np.float64).reshape(-1, 2, 2)
    by_act = _precision_recall_f1(acts)
    by_side = _precision_recall_f1(deep)
    total = acts.sum(axis=(1, 2))
    return np.column_stack(
        [
            np.trace(acts, axis1=1, axis2=2) / total,
            by_act[:, :, 2].mean(axis=1),
            acts.sum(axis=2).max(axis=1) / total,
            by_act.reshape(len(acts), -1),
            np.trace(deep, axis1=1, axis2=2) / total,
            by_side[:, ::-1].reshape(len(deep), -1),
        ]
    )


def _precision_recall_f1(confusion: NDArray[np.float64]) -> NDArray[np.float64]:
    """[n, classes, 3] from confusion [n, true, predicted]; 0 where nothing was predicted."""
    right = np.diagonal(confusion, axis1=1, axis2=2)
    predicted, true = confusion.sum(axis=1), confusion.sum(axis=2)
    parts = (right, predicted), (right, true), (2 * right, predicted + true)
    return np.stack(
        [np.divide(a, b, out=np.zeros_like(right), where=b > 0) for a, b in parts], axis=2
    )
