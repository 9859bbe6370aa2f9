"""Job pauses: how long people fall silent in mid-turn, in 171 annotated meetings (the seed's §7).

Three readings of the definition are counted side by side, because the page's own table is lost:
`pauses` is the strict one (nobody else speaks anywhere in the gap), `longest_silence` takes
the longest part of a gap that nobody else covers, `vocal_sounds_cover` is strict and counts
other people's laughs and coughs as speech. Durations are binned to the milliseconds of the
annotation; meetings are what is resampled.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import DataUnavailable
from engine.evaluation.measurement.protocol import Rules
from engine.evaluation.measurement.statistics import cluster_bootstrap
from engine.evaluation.measurement.watching import Watch, watched
from engine.evaluation.turns import pause_fits, pause_report
from engine.evaluation.turns.silences import defects, gaps
from engine.events import Evidence
from engine.records.evidence import Figure, Interval, words
from engine.records.plots import shown
from engine.records.runs import ActiveRun
from engine.training.corpora import ami, archive
from engine.training.corpora.ami import Meeting

if TYPE_CHECKING:
    from engine.evaluation.turns.work import Work

SHORTEST_MS, LONGEST_MS = 100, 5000
"""Restriction of the seed's definition, both ends included."""

QUANTILES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
WORK_MS = (164.1, 200.0, 300.0, 500.0, 700.0, 1000.0, 2000.0)
"""Amounts of work whose fit is reported; 164.1 is the page's extrapolated step of a 7B model."""

BIN_MS = 100
PUBLISHED_SHARE = Figure(value=0.966, evidence=Evidence.PUBLISHED)
"""The page's share of pauses that such a step fits: what is left of its table (§7)."""

READINGS = ("pauses", "longest_silence", "vocal_sounds_cover")


def run(
    job: ActiveRun,
    *,
    data: Path | None,
    exclude: str,
    work_ms: float | None,
    answers: int,
    strict: bool,
) -> dict[str, Any]:
    """Find every pause of the corpus; `exclude` names meetings, separated by commas.

    `answers` of the language model are timed for the work that may fit into a pause (0: none),
    and `work_ms` adds a fit to those reported. A meeting with a malformed file is left out and
    named, since nobody can tell what the missing speaker covered.
    """
    ami.find(data)  # before minutes are spent on measuring
    done: list[Work] = []
    watch: Watch | None = None
    if answers:
        rules = Rules()
        with watched(job, rules, strict=strict) as watch:
            done = pause_fits.measure(job, answers, rules)
    corpus = _read(job, data, exclude)
    job.phase("Resampling meetings", 0.95)
    work = WORK_MS if work_ms is None else (*WORK_MS, work_ms)
    strict_reading = corpus.tables["pauses"]
    fits = pause_fits.fitting(strict_reading, done, job.evidence) if done else {}
    result = {
        **_result(job, corpus, work),
        "fits": pause_fits.record(fits),
        "corpus": corpus.source,
        "counts": corpus.counts,
        "defects": corpus.defects,
        "excluded": corpus.excluded,
    }
    _tell(job, result, fits)
    pictures = pause_report.pictures(result, READINGS, fits)
    return {**result, **(watch.result(*pictures) if watch else shown(*pictures))}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Corpus:
    """What was read: pauses by reading [meetings, 5001], and what the files hold."""

    names: list[str]
    tables: dict[str, NDArray[np.int64]]
    counts: dict[str, int]
    defects: dict[str, Any]
    source: dict[str, str | None]
    excluded: list[str]


def _read(job: ActiveRun, data: Path | None, exclude: str) -> _Corpus:
    tables: dict[str, list[NDArray[np.int64]]] = defaultdict(list)
    names: list[str] = []
    found: dict[str, Counter[str]] = {}
    counts: Counter[str] = Counter()
    malformed: list[str] = []
    with archive.opened(ami.find(data)) as corpus:
        excluded = [name.strip() for name in exclude.split(",") if name.strip()]
        total = len(ami.files(corpus, excluded))
        for number, meeting in enumerate(ami.meetings(corpus, excluded)):
            job.phase("Finding pauses", 0.5 + 0.45 * number / total)
            malformed += meeting.malformed
            if meeting.malformed:
                continue
            names.append(meeting.name)
            found[meeting.name] = defects(meeting)
            counts += _contents(meeting)
            for reading, table in durations(meeting).items():
                tables[reading].append(table)
        source = {"file": corpus.place.name, "sha256": corpus.sha256()}
    for line in malformed:
        job.note(f"malformed, its meeting is left out: {line}")
    if len(names) < 2:
        raise DataUnavailable(
            f"The corpus {corpus.place} holds fewer than two usable meetings",
            remedy="obtain it again",
        )
    if not any(table.any() for table in tables["pauses"]):
        raise DataUnavailable(
            f"The corpus {corpus.place} holds no pause", remedy="check that its words have times"
        )
    return _Corpus(
        names=names,
        tables={reading: np.stack(tables[reading]) for reading in READINGS},
        counts={"meetings": len(names), **counts},
        defects=_listed(found, malformed),
        source=source,
        excluded=excluded,
    )


def _tell(job: ActiveRun, result: dict[str, Any], fits: dict[str, dict[str, Figure]]) -> None:
    pauses = result["pauses"]
    meetings = result["counts"]["meetings"]
    job.note(f"{pauses['count']['value']:,} pauses in {meetings} meetings ({job.evidence})")
    for name in ("median", "share_at_least_164.1_ms"):
        job.note(f"{name.replace('_', ' ')}: {words(pauses[name])}")
    for name, both in fits.items():
        takes, share = (words(both[key].record()) for key in ("takes", "share"))
        job.note(f"{pause_fits.PIECES[name][1]} takes {takes} and fits {share} of the pauses")
    job.metric(**{name: figure["value"] for name, figure in pauses.items()})


def durations(meeting: Meeting) -> dict[str, NDArray[np.int64]]:
    """Pauses by length for each of `READINGS`: counts [5001], index in milliseconds."""
    silences = list(gaps(meeting))
    strict = [gap.seconds for gap in silences if gap.silent]
    longest = [gap.longest_silence_s for gap in silences]
    hushed = [gap.seconds for gap in gaps(meeting, ("word", "vocalsound")) if gap.silent]
    return dict(zip(READINGS, map(_binned, (strict, longest, hushed)), strict=True))


def _binned(seconds: list[float]) -> NDArray[np.int64]:
    ms = np.rint(np.array(seconds, np.float64) * 1000).astype(np.int64)
    ms = ms[(ms >= SHORTEST_MS) & (ms <= LONGEST_MS)]
    return np.bincount(ms, minlength=LONGEST_MS + 1)


def _result(job: ActiveRun, corpus: _Corpus, work: Collection[float]) -> dict[str, Any]:
    strict = corpus.tables["pauses"]
    sound = [i for i, name in enumerate(corpus.names) if name not in ami.BAD_TIMINGS]
    edges = np.arange(SHORTEST_MS, LONGEST_MS + 1, BIN_MS)
    # The last bin takes the longest pauses too, as a histogram's closed end does.
    counts = np.histogram(np.arange(LONGEST_MS + 1), bins=edges, weights=strict.sum(axis=0))[0]
    return {
        "definition": "maximal silence between consecutive words of one speaker in which nobody "
        f"else says a word, {SHORTEST_MS / 1000:g} to {LONGEST_MS / 1000:g} s",
        **{reading: summarise(job, table, work) for reading, table in corpus.tables.items()},
        "without_known_bad_timings": summarise(job, strict[sound], work),
        "published": {"share_at_least_164.1_ms": PUBLISHED_SHARE.record()},
        "histogram": {
            "edges_ms": edges.tolist(),
            "pauses": counts.astype(int).tolist(),
            "evidence": job.evidence.value,
        },
    }


def summarise(job: ActiveRun, table: NDArray[np.int64], work: Collection[float]) -> dict[str, Any]:
    """Count, mean, quantiles and fitting shares of pauses [meetings, 5001], with intervals."""
    names = [
        "mean",
        *("median" if q == 0.5 else f"p{q * 100:g}" for q in QUANTILES),
        *(f"share_at_least_{ms:g}_ms" for ms in work),
    ]
    units = ["ms"] * (1 + len(QUANTILES)) + [""] * len(work)

    def statistic(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        return statistics(sums, work)

    count = Figure(value=int(table.sum()), evidence=job.evidence)
    if count.value == 0:
        return {"count": count.record()}
    values = statistic(table.sum(axis=0, keepdims=True).astype(np.float64))[0]
    intervals: Sequence[Interval | None] = [None] * len(names)
    with suppress(ValueError):  # so few pauses that a resample can hold none: no interval
        intervals = cluster_bootstrap(table, statistic, unit="meetings")
    return {
        "count": count.record(),
        **{
            name: Figure(
                value=float(value), unit=unit, evidence=job.evidence, interval=interval
            ).record()
            for name, value, unit, interval in zip(names, values, units, intervals, strict=True)
        },
    }


def statistics(sums: NDArray[np.float64], work: Collection[float]) -> NDArray[np.float64]:
    """Mean, `QUANTILES` and shares at least `work` ms long of counts by millisecond [n, 5001].

    A quantile is the shortest length that at least that share of the pauses does not exceed.
    Rows without a pause give NaN.
    """
    total = sums.sum(axis=1)
    total[total == 0] = np.nan
    length = np.arange(sums.shape[1])
    columns = [sums @ length / total]
    below = sums.cumsum(axis=1)
    # Sums of whole numbers are exact; the slack absorbs the rounding of q * total alone.
    columns += [
        np.where(total > 0, (below < q * total[:, None] - 1e-6).sum(axis=1), np.nan)
        for q in QUANTILES
    ]
    # Nothing is as short as 1 ms, so every amount of work has a bin before it.
    columns += [1 - below[:, np.searchsorted(length, max(ms, 1.0)) - 1] / total for ms in work]
    return np.column_stack(columns).astype(np.float64)


def _contents(meeting: Meeting) -> Counter[str]:
    kinds = Counter(word.kind for said in meeting.speakers.values() for word in said)
    return Counter(
        files=len(meeting.speakers),
        words=kinds["word"],
        punctuation_marks=kinds["punctuation"],
        vocal_sounds=kinds["vocalsound"],
    )


def _listed(found: dict[str, Counter[str]], malformed: list[str]) -> dict[str, Any]:
    """Defects by kind, with the meetings that have them."""
    kinds = sorted({kind for counts in found.values() for kind in counts})
    return {
        **{
            kind: {
                "total": sum(counts[kind] for counts in found.values()),
                "meetings": {name: counts[kind] for name, counts in found.items() if counts[kind]},
            }
            for kind in kinds
        },
        "known_bad_timings": {name: why for name, why in ami.BAD_TIMINGS.items() if name in found},
        "malformed_files": malformed,
    }
