"""The classifier against scikit-learn's own arithmetic, on real utterances."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import paths
from engine.dialogue_act import weights as stored
from engine.dialogue_act.classifier import ACTS, DialogueActClassifier
from engine.errors import ModelUnavailable
from engine.evaluation.turns.dialogue_act import evaluate
from engine.events import Evidence
from engine.training.classifiers.dialogue_act import to_weights
from engine.training.corpora import archive, dailydialog
from engine.training.corpora.dailydialog import Split

WORDS = ["you", "do", "i'd", "It_is", "is", "2nd", "the,the", "Ça", "ü"]
SHIPPED = paths.shipped() / "models" / "dialogue_act"


@pytest.fixture(scope="module")
def splits(data: Path) -> dict[str, Split]:
    with archive.opened(data / dailydialog.FILE) as corpus:
        return {name: dailydialog.read(corpus, name) for name in ("train", "test")}


@pytest.fixture(scope="module")
def fitted(splits: dict[str, Split]) -> tuple[Any, Any]:
    """Scikit-learn's vectorizer and regression, fitted on a part of the real corpus."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    texts, acts = splits["train"].texts[:1500], splits["train"].acts[:1500]
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), min_df=1)
    model = LogisticRegression(max_iter=1000, random_state=42)
    with threadpool_limits(1):
        model.fit(vectorizer.fit_transform(texts), acts)
    return vectorizer, model


@pytest.fixture(scope="module")
def reloaded(fitted: tuple[Any, Any], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The same, written to disk and loaded as the product loads it."""
    folder = tmp_path_factory.mktemp("weights")
    stored.save(to_weights(*fitted, 1500), folder, {})
    return DialogueActClassifier.load(folder)


def test_probabilities_are_sklearns_on_held_out_utterances(
    splits: dict[str, Split], fitted: tuple[Any, Any], reloaded: DialogueActClassifier
) -> None:
    vectorizer, model = fitted
    texts = splits["test"].texts[:1000]
    expected = model.predict_proba(vectorizer.transform(texts))
    found = np.array([reloaded.probabilities(text) for text in texts])
    # Coefficients are stored in float32: 24 bits of mantissa on scores of magnitude ten.
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)
    assert (found.argmax(axis=1) == expected.argmax(axis=1)).all()


@given(
    text=st.one_of(
        st.text(),
        st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join),
    )
)
@example(text="")
@example(text="a I !")
@example(text="zxqv unheard-of")
@example(text="You KNOW that's İstanbul ﬁne")
@example(text="do\tyou\nknow  you know")
def test_any_text_is_read_as_sklearn_reads_it(
    fitted: tuple[Any, Any], reloaded: DialogueActClassifier, text: str
) -> None:
    vectorizer, model = fitted
    expected = model.predict_proba(vectorizer.transform([text]))[0]
    np.testing.assert_allclose(reloaded.probabilities(text), expected, rtol=0, atol=1e-6)


def test_a_verdict_adds_up() -> None:
    verdict = DialogueActClassifier.load(SHIPPED).judge("What time does the train leave?")
    assert verdict.act == "question"
    assert verdict.p_act == max(verdict.probabilities)
    assert sum(verdict.probabilities) == pytest.approx(1.0)
    question, directive = (verdict.probabilities[ACTS.index(a)] for a in ("question", "directive"))
    assert verdict.p_deep == pytest.approx(question + directive)


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("What is the weather like today?", "question"),
        ("Please open the window.", "directive"),
        ("I went to the museum with my sister yesterday.", "inform"),
        ("OK, I'll do that.", "commissive"),
    ],
)
def test_the_shipped_weights_know_plain_sentences(text: str, act: str) -> None:
    assert DialogueActClassifier.load(SHIPPED).judge(text).act == act


def test_the_shipped_weights_reach_the_figures_on_their_card(splits: dict[str, Split]) -> None:
    recorded = json.loads((SHIPPED / "result.json").read_text("utf-8"))
    found = evaluate(DialogueActClassifier.load(SHIPPED), splits["test"], Evidence.MEASURED)
    assert found["confusion"] == recorded["test"]["confusion"]
    assert found["figures"] == recorded["test"]["figures"]
    assert recorded["counts_agree_with_published"] is True


def test_judging_needs_neither_sklearn_nor_scipy() -> None:
    program = (
        "import sys; from pathlib import Path; "
        "from engine.dialogue_act.classifier import DialogueActClassifier as C; "
        f"C.load(Path({str(SHIPPED)!r})).judge('Is it late?'); "
        "print([m for m in ('sklearn', 'scipy', 'joblib') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]", done.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the shipped files to damage."""
    for name in (stored.DESCRIPTION, stored.ARRAYS):
        (tmp_path / name).write_bytes((SHIPPED / name).read_bytes())
    return tmp_path


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("name", [stored.DESCRIPTION, stored.ARRAYS])
@pytest.mark.parametrize("damage", [Path.unlink, _cut])
def test_missing_and_truncated_files_are_refused(copy: Path, name: str, damage: Any) -> None:
    damage(copy / name)
    with pytest.raises(ModelUnavailable, match=r"dialogue-act classifier .*pads job run"):
        DialogueActClassifier.load(copy)


def test_an_altered_file_is_refused(copy: Path) -> None:
    _flip(copy / stored.ARRAYS)
    with pytest.raises(ModelUnavailable, match="truncated or altered"):
        DialogueActClassifier.load(copy)


@pytest.mark.parametrize(
    ("key", "value"),
    [("acts", ["inform"]), ("acts", None), ("texts", "many"), ("format", "other")],
)
def test_an_altered_description_is_refused(copy: Path, key: str, value: object) -> None:
    description = json.loads((copy / stored.DESCRIPTION).read_text("utf-8"))
    (copy / stored.DESCRIPTION).write_text(json.dumps(description | {key: value}), "utf-8")
    with pytest.raises(ModelUnavailable):
        DialogueActClassifier.load(copy)


def test_arrays_that_do_not_fit_together_are_refused(tmp_path: Path) -> None:
    whole = stored.load(SHIPPED)
    stored.save(replace(whole, documents=whole.documents[:-1]), tmp_path, {})
    with pytest.raises(ModelUnavailable, match="do not fit together"):
        stored.load(tmp_path)


def test_weights_for_other_acts_are_refused() -> None:
    other = replace(stored.load(SHIPPED), acts=tuple(reversed(ACTS)))
    with pytest.raises(ModelUnavailable, match="know the acts"):
        DialogueActClassifier(other)


def test_arrays_that_unpack_to_too_much_are_refused(copy: Path) -> None:
    with np.load(copy / stored.ARRAYS) as arrays:
        content = dict(arrays)
    np.savez_compressed(copy / stored.ARRAYS, **content, bomb=np.zeros(2**26, np.uint8))
    description = json.loads((copy / stored.DESCRIPTION).read_text("utf-8"))
    description["sha256"] = hashlib.sha256((copy / stored.ARRAYS).read_bytes()).hexdigest()
    (copy / stored.DESCRIPTION).write_text(json.dumps(description), "utf-8")
    with pytest.raises(ModelUnavailable, match="unpack to too much"):
        DialogueActClassifier.load(copy)


def test_a_pickle_in_the_file_is_refused(copy: Path) -> None:
    with np.load(copy / stored.ARRAYS) as arrays:
        content = dict(arrays)
    content["intercepts"] = np.array([object()] * 4, dtype=object)
    np.savez(copy / stored.ARRAYS, **content)
    description = json.loads((copy / stored.DESCRIPTION).read_text("utf-8"))
    description["sha256"] = hashlib.sha256((copy / stored.ARRAYS).read_bytes()).hexdigest()
    (copy / stored.DESCRIPTION).write_text(json.dumps(description), "utf-8")
    with pytest.raises(ModelUnavailable, match="do not fit together"):
        DialogueActClassifier.load(copy)
