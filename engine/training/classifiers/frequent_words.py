"""Job frequent-words: which words people say most, for the draft head's vocabulary.

Counted on DailyDialog's training split. Words are kept rather than tokens, so that the list
serves models of any tokeniser; what it covers is measured on the test split.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine import paths, settings
from engine.events import Evidence
from engine.records.evidence import Figure
from engine.records.plots import Axis, Plot, Series, shown
from engine.records.runs import ActiveRun
from engine.store.fetching import locate
from engine.training.corpora import archive, dailydialog

_SIZES = (2048, 4096, 8192, 16_384)
"""Draft vocabularies whose coverage is reported."""

_PIECE = re.compile(r"'\w+| ?\w+| ?[^\w\s]+")
_CLOSING = re.compile(r"\s+([,.!?;:%])")
_APOSTROPHE = re.compile(r"\s*'\s*(s|m|t|re|ve|ll|d)\b")


def run(job: ActiveRun, *, data: Path | None, words: int, install: bool) -> dict[str, Any]:
    """Count, write `words.tsv` (count, tab, word with its leading space), measure coverage."""
    from engine.speculation import frequent
    from engine.speculation.llama import Model

    job.phase("Reading DailyDialog", 0.0)
    with archive.opened(dailydialog.find(data)) as corpus:
        train, test = dailydialog.read(corpus, "train"), dailydialog.read(corpus, "test")
        source = {"file": corpus.place.name, "sha256": corpus.sha256()}
    counted = count(train.texts).most_common(words)
    lines = "".join(f"{number}\t{word}\n" for word, number in counted)
    target = job.folder / frequent.FILE
    target.write_text(lines, "utf-8")
    job.phase("Measuring coverage", 0.5)
    model = Model(locate(settings.DecoderSettings().model), vocab_only=True)
    tokens = [token for text in test.texts for token in model.tokenize(spoken(text))]
    coverage = {}
    for size in _SIZES:
        known = set(frequent.tokens(model, size, target).tolist())
        share = sum(token in known for token in tokens) / len(tokens)
        coverage[str(size)] = Figure(value=share, evidence=job.evidence).record()
    model.close()
    if install:
        paths.trained("frequent_words").mkdir(parents=True, exist_ok=True)
        frequent.counted().write_text(lines, "utf-8")
    return {
        "run": job.name,
        "corpus": source,
        "words": len(counted),
        "test_tokens": len(tokens),
        "test_tokens_covered_by_vocabulary": coverage,
        **shown([_plot(coverage, job.evidence)]),
        "installed": f"frequent_words/{frequent.FILE}" if install else None,
    }


def _plot(coverage: dict[str, dict[str, Any]], evidence: Evidence) -> Plot:
    line = Series(
        name="tokens of other dialogues",
        x=[int(size) for size in coverage],
        y=[share["value"] for share in coverage.values()],
        evidence=evidence,
    )
    return Plot(
        title="What a draft vocabulary covers",
        x=Axis(name="draft vocabulary", unit="tokens"),
        y=Axis(name="share covered"),
        series=[line],
    )


def count(texts: Sequence[str]) -> Counter[str]:
    """How often each word, with the space before it if there is one, occurs."""
    counter: Counter[str] = Counter()
    for text in texts:
        counter.update(_PIECE.findall(spoken(text)))
    return counter


def spoken(text: str) -> str:
    """The corpus's spaced-out text as one would write it: `it 's fine .` -> `it's fine.`"""
    text = text.replace("\u2019", "'").replace("\u2018", "'")
    return _APOSTROPHE.sub(r"'\1", _CLOSING.sub(r"\1", text))
