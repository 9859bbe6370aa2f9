from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.speculation import frequent
from engine.speculation.llama import Model


@pytest.fixture(scope="module")
def vocabulary(model_file: Path) -> Iterator[Model]:
    model = Model(model_file, vocab_only=True)
    yield model
    model.close()


def test_what_people_say_and_what_ends_a_reply_comes_first(vocabulary: Model) -> None:
    ids = frequent.tokens(vocabulary, 300, frequent.counted()).tolist()
    assert len(set(ids)) == 300
    assert ids == sorted(ids)
    for text in (" you", " the", "?", "I", " know"):
        assert vocabulary.tokenize(text)[0] in ids, text
    assert next(t for t in range(vocabulary.n_vocab) if vocabulary.ends(t)) in ids
    assert vocabulary.tokenize(" chromatography")[0] not in ids


def test_counts_decide(vocabulary: Model, tmp_path: Path) -> None:
    words = tmp_path / "words.tsv"
    words.write_text("9\t chromatography\n1\t the\n")
    rare = vocabulary.tokenize(" chromatography")
    count = 1 + len(rare) + sum(vocabulary.ends(t) for t in range(vocabulary.n_vocab))
    assert set(rare) < set(frequent.tokens(vocabulary, count, words).tolist())


def test_all_tokens_when_there_are_no_more(vocabulary: Model) -> None:
    ids = frequent.tokens(vocabulary, 2**31 - 1, frequent.counted())
    assert ids.tolist() == list(range(vocabulary.n_vocab))
