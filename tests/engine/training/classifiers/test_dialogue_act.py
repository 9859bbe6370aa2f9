"""The seed's counts on the real corpus, and the removal of test overlap."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from engine.errors import JobFailed
from engine.events import Evidence
from engine.records.runs import ActiveRun
from engine.training import installing
from engine.training.classifiers import dialogue_act
from engine.training.corpora import archive, dailydialog
from engine.training.corpora.dailydialog import Split
from engine.training.model_card import dialogue_act_card


def split(texts: list[str], acts: list[int]) -> Split:
    return Split(texts=texts, acts=np.array(acts), dialogues=np.zeros(len(texts), np.intp))


def test_only_exact_texts_of_the_test_split_are_dropped() -> None:
    train = split(["Yes .", "yes .", "No .", "Yes .", "Oh ?"], [0, 1, 2, 3, 1])
    kept = dialogue_act.without_overlap(train, split(["Yes .", "Oh ?", "New ."], [0, 1, 2]))
    assert kept.texts == ["yes .", "No ."]
    assert kept.acts.tolist() == [1, 2]
    assert kept.counts == {
        "train_utterances": 5,
        "dropped_utterances": 3,
        "dropped_distinct_texts": 2,
        "kept_utterances": 2,
        "shared_texts_left": 0,
    }


def test_the_real_corpus_gives_the_published_counts(data: Path) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    with archive.opened(data / dailydialog.FILE) as corpus:
        train, test = dailydialog.read(corpus, "train"), dailydialog.read(corpus, "test")
    kept = dialogue_act.without_overlap(train, test)
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=1).fit(kept.texts)
    counts = kept.counts | {"vocabulary": len(vectorizer.vocabulary_)}
    assert counts == {
        "train_utterances": 87_170,
        "dropped_utterances": 5_825,
        "dropped_distinct_texts": 1_804,
        "kept_utterances": 81_345,
        "vocabulary": 215_529,
        "shared_texts_left": 0,
    }
    assert counts == dialogue_act.PUBLISHED


@pytest.fixture
def kept(data: Path) -> dialogue_act.Overlap:
    with archive.opened(data / dailydialog.FILE) as corpus:
        test = dailydialog.read(corpus, "test")
    return dialogue_act.Overlap(test.texts[:600], test.acts[:600], {})


@pytest.mark.filterwarnings("ignore:lbfgs failed to converge")
def test_a_fit_that_did_not_converge_is_no_result(kept: dialogue_act.Overlap) -> None:
    with pytest.raises(JobFailed, match="not converged after 3"):
        dialogue_act.fit(kept, seed=42, max_iter=3)


def test_texts_without_all_acts_are_no_training_set(kept: dialogue_act.Overlap) -> None:
    only = dialogue_act.Overlap(kept.texts, np.minimum(kept.acts, 2), {})
    with pytest.raises(JobFailed, match="all four acts"):
        dialogue_act.fit(only, seed=42, max_iter=1000)


def test_weights_that_cannot_be_installed_are_kept_in_the_run(
    kept: dialogue_act.Overlap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "weights.npz").write_bytes(b"")
    blocked = tmp_path / "models"
    blocked.write_text("", "utf-8")
    monkeypatch.setattr(installing.paths, "shipped", lambda: tmp_path)
    job = ActiveRun(tmp_path, evidence=Evidence.MEASURED, stream=io.StringIO())
    with pytest.raises(JobFailed, match=r"cannot be installed .*by hand"):
        installing.install(job, "dialogue_act", {}, dialogue_act_card)
