"""Runs in words: what `pads job show` and `pads job compare` print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.records.agreement import disagreements
from engine.records.evidence import is_figure, words
from engine.records.figures import Beside, beside, figures, readable
from engine.records.runs import RunDirectory

_HEAD = (
    *("run", "job", "purpose", "status", "superseded_by", "reason"),
    *("started", "ended", "command"),
)
_MOST_POINTS = 24  # a longer series is named, and read from result.json


def described(run: RunDirectory) -> Iterator[str]:
    """A run's record, line by line, and its result if it finished."""
    manifest, result = run.manifest(), run.result()
    for name in _HEAD:
        if name in manifest:
            yield f"{name.replace('_', ' '):10} {manifest[name]}"
    code = manifest["code"]
    yield f"{'code':10} {code['commit'] or code['version']}{' (changed)' * bool(code['changed'])}"
    yield f"{'folder':10} {run.folder}"
    if "peak_memory_mb" in manifest:
        yield f"{'memory':10} {manifest['peak_memory_mb']:,.0f} MB at most (measured)"
    if result is None:
        yield f"{'result':10} none: the run is {manifest['status']}"
        return
    for path, figure in figures(result).items():
        yield f"{readable(path):40} {words(figure)}"
    for table in result.get("tables", ()):
        yield from ["", table["title"], *_columns(table["columns"], table["rows"])]
    for plot in result.get("plots", ()):
        yield from ["", *_points(plot)]


def compared(first: RunDirectory, second: RunDirectory) -> Iterator[str]:
    """Two finished runs' figures, line by line; of one job, whether the runs agree."""
    results = [run.result() or {} for run in (first, second)]
    rows = [row(one) for one in beside(*results)]
    yield from _columns(["", first.name, second.name, "difference"], rows)
    if first.manifest()["job"] == second.manifest()["job"]:
        apart = disagreements(*results)
        yield from (f"no agreement: {sentence}" for sentence in apart)
        if not apart:
            yield "the two runs agree within their own intervals"


def row(one: Beside) -> list[str]:
    """A figure's name, its value in both runs, and the difference."""
    sides = ["–" if side is None else words(side) for side in (one.first, one.second)]
    told = words(one.difference.record())
    if one.apart is not None:
        told += "; intervals apart" if one.apart else "; intervals overlap"
    return [readable(one.path), *sides, told]


def cell(value: Any) -> str:
    """A table's cell in words."""
    return words(value) if is_figure(value) else str(value)


def axis(record: dict[str, str]) -> str:
    """An axis' name with its unit."""
    return f"{record['name']} ({record['unit']})" if record["unit"] else record["name"]


def _points(plot: dict[str, Any]) -> Iterator[str]:
    yield f"{plot['title']}: {axis(plot['y'])} against {axis(plot['x'])}"
    for series in plot["series"]:
        count = len(series["x"])
        yield f"  {series['name']} ({series['evidence']}), {count} points"
        if count > _MOST_POINTS:
            continue
        for i, (x, y) in enumerate(zip(series["x"], series["y"], strict=True)):
            band = ""
            if "low" in series:
                band = f"  [{series['low'][i]:.4g}, {series['high'][i]:.4g}]"
            yield f"  {x:>12.4g}  {y:.4g}{band}"


def _columns(heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    lines = [list(heads), *([cell(value) for value in row] for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    for line in lines:
        yield "  ".join(
            word.ljust(width) for word, width in zip(line, widths, strict=True)
        ).rstrip()
