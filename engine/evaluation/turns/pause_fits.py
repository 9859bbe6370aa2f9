"""How many of people's pauses are long enough for work of the decoder measured in the same run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine import paths, settings
from engine.evaluation.decoding.identity_prompts import conversations
from engine.evaluation.measurement.protocol import Rules
from engine.evaluation.measurement.statistics import (
    LEVEL,
    RESAMPLES,
    SEED,
    median_figure,
    medians,
    resamples,
)
from engine.events import Evidence
from engine.records.evidence import Figure, Interval
from engine.records.runs import ActiveRun
from engine.store.fetching import locate

if TYPE_CHECKING:
    from engine.evaluation.turns.work import Work

PIECES = {
    "a_step": ("step_ms", "one decoding step"),
    "a_prefill": ("shallow_ms", "the shallow layers over a whole prompt"),
    "a_first_token": ("first_token_ms", "everything up to the first token"),
    "a_whole_branch": ("branch_ms", "a whole deep branch, to the answer's last token"),
}
"""Amounts of work: where they stand in `Work`, and their words."""


def measure(job: ActiveRun, prompts: int, rules: Rules) -> list[Work]:
    """Answers of the model in the settings to so many demo turns, on this machine, now."""
    from engine.evaluation.turns import work
    from engine.speculation import loading

    chosen = replace(settings.load(paths.settings_file()).decoder, speculation="always")
    loaded = loading.load(
        locate(chosen.model), paths.cache() / "halves", chosen, lambda step, _: job.phase(step, 0.0)
    )
    try:
        asked = [loaded.chat.prompt(messages).tokens for messages in conversations(prompts)]
        return work.answers(
            loaded.decoder,
            asked,
            chosen.reply_tokens,
            rules,
            lambda sample: job.metric(kind="work", **sample),
        )
    finally:
        loaded.decoder.close()


def fitting(
    table: NDArray[np.int64], done: Sequence[Work], evidence: Evidence
) -> dict[str, dict[str, Figure]]:
    """For each of `PIECES` its milliseconds, and the share of pauses at least as long.

    `table` counts pauses [meetings, 5001] by milliseconds. Meetings and answers are resampled
    together, so that a share's interval holds the doubt about both.
    """
    counts = table.astype(np.float64)
    below = (resamples(len(table)) @ counts).cumsum(axis=1)
    answers = resamples(len(done), seed=SEED + 1) if len(done) > 1 else None
    found = {}
    for name, (field, _) in PIECES.items():
        each = [float(getattr(one, field)) for one in done]
        share = float(_share(counts.sum(axis=0).cumsum()[None], np.array([np.median(each)]))[0])
        interval = None
        if answers is not None:
            shares = _share(below, medians(np.array(each), answers))
            low, high = np.percentile(shares, [50 * (1 - LEVEL), 50 * (1 + LEVEL)])
            interval = Interval(
                low=float(low),
                high=float(high),
                level=LEVEL,
                method=f"percentile cluster bootstrap: {len(table)} meetings and {len(done)} "
                f"answers together, {RESAMPLES} resamples, seed {SEED}",
            )
        found[name] = {
            "takes": median_figure(each, measure="ms", unit="answers", evidence=evidence),
            "share": Figure(value=share, evidence=Evidence.DERIVED, interval=interval),
        }
    return found


def _share(below: NDArray[np.float64], ms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of the pauses [n, 5001, cumulated] at least `ms` [n] long."""
    last = below.shape[1] - 1
    before = np.clip(np.ceil(ms).astype(int) - 1, 0, last)
    found: NDArray[np.float64] = 1 - below[np.arange(len(below)), before] / below[:, -1]
    return found


def rows(fits: dict[str, dict[str, Figure]]) -> list[list[str | int | Figure]]:
    """The table's rows: work, its time, share of the pauses that fit it."""
    return [[PIECES[name][1], both["takes"], both["share"]] for name, both in fits.items()]


def record(fits: dict[str, dict[str, Figure]]) -> dict[str, Any]:
    """The part `fits` of the job's result."""
    return {name: {key: f.record() for key, f in both.items()} for name, both in fits.items()}
