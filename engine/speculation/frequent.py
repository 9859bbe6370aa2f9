"""The tokens a draft may propose: the most frequent ones, plus those that end a reply.

Most of an output matrix belongs to tokens that hardly occur. A draft head that leaves them out
reads less memory per draft and proposes them never; the tail, which verifies, knows them all.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine import paths
from engine.speculation.llama import Model

FILE = "words.tsv"


def counted() -> Path:
    """The words that job `frequent-words` counted, most frequent first."""
    return paths.weights("frequent_words") / FILE


def tokens(model: Model, count: int, words: Path) -> NDArray[np.int32]:
    """`count` token ids in ascending order, shape [count]; all of them when there are no more.

    First come the tokens that end a reply, then those of the counted words, then the lowest
    numbers, since byte-pair tokenisers number merges from the most frequent on.
    """
    if count >= model.n_vocab:
        return np.arange(model.n_vocab, dtype=np.int32)
    counter: Counter[int] = Counter()
    for line in words.read_text("utf-8").splitlines() if model.has_tokeniser else ():
        number, _, word = line.partition("\t")
        for token in model.tokenize(word):
            counter[token] += int(number)
    ending = [token for token in range(model.n_vocab) if model.ends(token)]
    ranked = [*ending, *(token for token, _ in counter.most_common()), *range(model.n_vocab)]
    return np.sort(np.array(list(dict.fromkeys(ranked))[:count], np.int32))
