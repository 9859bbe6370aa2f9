"""Job train-dialogue-act: the seed's §5, from the corpus to the shipped weights.

TF-IDF over n-grams of one and two words and a logistic regression, on DailyDialog's official
splits with exact-text test overlap removed from the training texts. What is evaluated is the
file as the product loads it, not the fitted object.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from engine.dialogue_act.classifier import ACTS, DialogueActClassifier
from engine.dialogue_act.weights import Weights, save
from engine.errors import JobFailed
from engine.evaluation.turns.dialogue_act import evaluate, tables
from engine.records.evidence import Figure, words
from engine.records.plots import shown
from engine.records.runs import ActiveRun
from engine.training import installing
from engine.training.corpora import archive, dailydialog
from engine.training.corpora.dailydialog import Split
from engine.training.model_card import dialogue_act_card

PUBLISHED = {
    "train_utterances": 87_170,
    "dropped_utterances": 5_825,
    "dropped_distinct_texts": 1_804,
    "kept_utterances": 81_345,
    "vocabulary": 215_529,
    "shared_texts_left": 0,
}
"""The seed's own counts (§5), which this job must arrive at on the same corpus."""

if sys.platform != "win32":
    import resource


@dataclass(frozen=True, slots=True)
class Overlap:
    """Training texts without those that also occur in the test split."""

    texts: list[str]
    acts: NDArray[np.intp]
    counts: dict[str, int]


def run(
    job: ActiveRun, *, data: Path | None, seed: int, max_iter: int, install: bool
) -> dict[str, Any]:
    """Train, evaluate on the test split, write the weights into the run's folder.

    With `install` they also replace the shipped ones. Raises `DataUnavailable` without the
    corpus: there is no other data to fall back to.
    """
    job.phase("Reading DailyDialog", 0.0)
    with archive.opened(dailydialog.find(data)) as corpus:
        train, test = dailydialog.read(corpus, "train"), dailydialog.read(corpus, "test")
        source = {"file": corpus.place.name, "sha256": corpus.sha256()}
    kept = without_overlap(train, test)
    job.phase("Fitting")
    fitted = fit(kept, seed=seed, max_iter=max_iter)
    counts = kept.counts | {"vocabulary": len(fitted.vectorizer.vocabulary_)}
    _say_counts(job, counts)
    details = {
        "run": job.name,
        "corpus": "DailyDialog (Li et al. 2017)",
        "licence": dailydialog.LICENCE,
    }
    weights = to_weights(fitted.vectorizer, fitted.model, len(kept.texts))
    save(weights, job.folder / "weights", details)
    job.phase("Evaluating on the test split", 0.8)
    classifier = DialogueActClassifier.load(job.folder / "weights")
    result: dict[str, Any] = {
        "run": job.name,
        "corpus": source,
        "counts": {
            name: {**_measured(job, count), "published": PUBLISHED[name]}
            for name, count in counts.items()
        },
        "counts_agree_with_published": counts == PUBLISHED,
        "fit": {name: _measured(job, *value) for name, value in fitted.figures.items()},
        "largest_change_by_storing": _measured(job, _change(fitted, classifier, test.texts)),
        "test": evaluate(classifier, test, job.evidence),
    }
    result |= shown(tables=tables(result["test"]))
    _say_test(job, result["test"])
    if install:
        installing.install(job, "dialogue_act", result, dialogue_act_card)
    return result


def without_overlap(train: Split, test: Split) -> Overlap:
    """Drop every training utterance whose exact text is also a test utterance's."""
    shared = set(test.texts)
    keep = [index for index, text in enumerate(train.texts) if text not in shared]
    texts = [train.texts[index] for index in keep]
    return Overlap(
        texts,
        train.acts[keep],
        {
            "train_utterances": len(train.texts),
            "dropped_utterances": len(train.texts) - len(texts),
            "dropped_distinct_texts": len(shared.intersection(train.texts)),
            "kept_utterances": len(texts),
            "shared_texts_left": len(shared.intersection(texts)),
        },
    )


@dataclass(frozen=True, slots=True)
class Fitted:
    """Scikit-learn's fitted vectorizer and regression; figures of the fit with their units."""

    vectorizer: Any
    model: Any
    figures: dict[str, tuple[float, str]]


def fit(kept: Overlap, *, seed: int, max_iter: int) -> Fitted:
    """Fit both stages; `JobFailed` when the regression does not converge."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    began_s = time.monotonic()
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=1)
    features = vectorizer.fit_transform(kept.texts)
    # The solver's vectors are too short to share out: a second thread only waits for the first,
    # longest of all on a busy machine, and changes the order in which floats are summed.
    with threadpool_limits(1):
        model = LogisticRegression(max_iter=max_iter, random_state=seed).fit(features, kept.acts)
    elapsed_s = time.monotonic() - began_s
    iterations = int(model.n_iter_.max())
    if iterations >= max_iter:
        raise JobFailed(
            f"The regression had not converged after {max_iter} iterations",
            remedy="raise max_iter",
        )
    if len(model.classes_) != len(ACTS):
        raise JobFailed(
            "The training texts do not hold all four acts", remedy="use the whole corpus"
        )
    return Fitted(
        vectorizer,
        model,
        {
            "fit_time": (elapsed_s, "s"),
            "iterations": (iterations, ""),
            "peak_memory": (_peak_memory_mb(), "MB"),
        },
    )


def to_weights(vectorizer: Any, model: Any, texts: int) -> Weights:
    """A TfidfVectorizer and a LogisticRegression fitted on `texts` texts, in our own layout."""
    vocabulary: dict[str, int] = vectorizer.vocabulary_
    singles = sorted(gram for gram in vocabulary if " " not in gram)
    rows = {word: row for row, word in enumerate(singles)}
    pairs = sorted(
        (rows[first] * len(singles) + rows[second], column)
        for gram, column in vocabulary.items()
        if " " in gram
        for first, second in [gram.split(" ")]
    )
    columns = [vocabulary[word] for word in singles] + [column for _, column in pairs]
    # sklearn keeps only ln((1 + texts) / (1 + documents)) + 1, of which documents is whole.
    documents = (1 + texts) / np.exp(vectorizer.idf_ - 1) - 1
    return Weights(
        acts=ACTS,
        texts=texts,
        words=tuple(singles),
        pairs=np.array([code for code, _ in pairs], np.uint32),
        documents=np.rint(documents[columns]).astype(np.uint32),
        coefficients=model.coef_.T[columns].astype(np.float32),
        intercepts=model.intercept_.astype(np.float64),
    )


def _change(fitted: Fitted, classifier: DialogueActClassifier, texts: list[str]) -> float:
    """Largest difference any probability takes from the stored file's float32 coefficients."""
    before = fitted.model.predict_proba(fitted.vectorizer.transform(texts))
    after = np.array([classifier.probabilities(text) for text in texts])
    return float(np.abs(before - after).max())


def _say_counts(job: ActiveRun, counts: dict[str, int]) -> None:
    for name, count in counts.items():
        seed = PUBLISHED[name]
        verdict = "as published" if count == seed else f"DIFFERS from the published {seed:,}"
        job.note(f"{name.replace('_', ' ')}: {count:,} ({job.evidence}; {verdict})")
    job.metric(**counts)


def _say_test(job: ActiveRun, test: dict[str, Any]) -> None:
    for name in ("accuracy", "macro_f1", "deep_accuracy", "deep_f1"):
        job.note(f"test {name.replace('_', ' ')}: {words(test['figures'][name])}")
    job.metric(**{name: figure["value"] for name, figure in test["figures"].items()})


def _measured(job: ActiveRun, value: float, unit: str = "") -> dict[str, Any]:
    return Figure(value=value, unit=unit, evidence=job.evidence).record()


def _peak_memory_mb() -> float:
    """Largest resident size of this process so far, in MB (10⁶ bytes)."""
    if sys.platform == "win32":
        return float(psutil.Process().memory_info().peak_wset) / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6
