"""Is every figure that the repository shows tagged, and does a run's record hold it?

Records are `result.json` beside the `run.json` of its run. Documents are Markdown, and write
a figure as `0.577 [0.520, 0.630] (measured)`: found in a record below the document's folder, or
in the record that the tag links to. Numbers in code spans are settings and structural constants,
whole numbers without a unit are counts that name a sample; neither is a figure.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.events import Evidence
from engine.records.evidence import is_figure
from engine.records.folders import read_json

_TARGET_MACHINE = "latitude 5490"
_UNITS = r"%|ms|s|minutes|hours|MB|GB/s|GB|tokens/s|W|J|°C|pp"
_NUMBER = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+|(?<=\d))(?:[eE][-+]?\d+)?"
_FIGURE = re.compile(
    rf"(?<![\w.,-])(?P<value>{_NUMBER})(?![\w])(?:\s?(?P<unit>{_UNITS})(?![\w/]))?"
    rf"(?:\s\[(?P<low>{_NUMBER}), (?P<high>{_NUMBER})\])?"
    r"(?:\s\(\[?(?P<tag>measured|target|derived|extrapolated|published|scripted)\]?"
    r"(?:\((?P<link>[^)]+)\))?\))?"
)
_NO_FIGURES = re.compile(
    r"```.*?```|(?<=\n\n)(?: {4}[^\n]*\n)+|`[^`]*`|<!--.*?-->|https?://\S+|arXiv:\S+"
    r"|CC BY(?:-NC)?(?:-SA)? \d\.\d"
    r"|(?:Apache|BSD|GPL|Python|Debian|Ubuntu|release) ?-?[\d.]+|\b95 % (?:interval|intervals)"
    r"|(?<=\]\()[^)#\s]+\.(?:md|py|toml|txt|png)(?=\))",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class _Known:
    """A number of a record, with its interval if it has one, under its tag."""

    value: float
    tag: str
    low: float | None = None
    high: float | None = None


def records(folder: Path) -> list[Path]:
    """Every result that is kept below `folder`."""
    return sorted(folder.rglob("result.json"))


def record_faults(path: Path) -> list[str]:
    """What is wrong with one result and the run beside it; empty when nothing is."""
    result, run = read_json(path), read_json(path.with_name("run.json"))
    if result is None:
        return [f"{path}: is no JSON object"]
    if run is None:
        return [f"{path}: there is no readable run.json beside it"]
    faults = [f"{path}: {fault}" for fault in _faults(result, "", None)]
    if result.get("run") != run.get("run"):
        faults.append(f"{path}: run.json is of another run")
    if run.get("status", "finished") != "finished":
        faults.append(f"{path}: the run is {run['status']}")
    if run.get("superseded_by"):
        faults.append(f"{path}: superseded by {run['superseded_by']}")
    if not _on_target(run) and any(k.tag == Evidence.TARGET for k in _known(result, None)):
        faults.append(f"{path}: calls figures target, and its machine is no Latitude 5490")
    return faults


def _faults(part: Any, where: str, tag: str | None) -> Iterator[str]:
    if isinstance(part, dict):
        if "evidence" in part:
            tag = str(part["evidence"])
            if tag not in set(Evidence):
                yield f"{where} has the unknown evidence {tag!r}"
        if is_figure(part):
            missing = part["value"] is None
            if missing != (tag == Evidence.UNAVAILABLE):
                yield f"{where} is {part['value']} and {tag}"
            elif missing and not part.get("reason"):
                yield f"{where} is unavailable without a reason"
        for name, value in part.items():
            yield from _faults(value, f"{where}.{name}" if where else name, tag)
    elif isinstance(part, list):
        for number, value in enumerate(part):
            yield from _faults(value, f"{where}[{number}]", tag)
    elif isinstance(part, float) and tag is None:
        yield f"{where} = {part} has no evidence tag"


def _known(part: Any, tag: str | None) -> Iterator[_Known]:
    """Every number of a record under the nearest tag above it."""
    if isinstance(part, dict):
        tag = part.get("evidence", tag)
        middle = part.get("value", part.get("median"))
        if isinstance(middle, (int, float)) and "low" in part and tag:
            yield _Known(middle, tag, part["low"], part["high"])
        for name, value in part.items():
            yield from _known(value, "published" if name == "published" else tag)
    elif isinstance(part, list):
        for value in part:
            yield from _known(value, tag)
    elif isinstance(part, (int, float)) and not isinstance(part, bool) and tag:
        yield _Known(part, tag)


def _on_target(run: dict[str, Any]) -> bool:
    machine = run.get("machine", {})
    product = str(machine.get("product") or "").lower()
    return bool(machine.get("is_target")) and product == _TARGET_MACHINE


def document_faults(path: Path, root: Path) -> list[str]:
    """Figures of one document that have no tag, or that no record holds; empty when none."""
    text = path.read_text("utf-8")
    plain = _NO_FIGURES.sub(lambda found: re.sub(r"[^\n]", "_", found[0]), text)
    beside = [] if path.parent == root else records(path.parent)
    faults = []
    for found in _FIGURE.finditer(plain):
        if not _counts(found):
            continue
        line = plain.count("\n", 0, found.start()) + 1
        place, shown = f"{path}:{line}", " ".join(found[0].split())
        if found["tag"] is None:
            faults.append(f"{place}: {shown} has no evidence tag")
        elif not _held(found, [path.parent / found["link"]] if found["link"] else beside):
            faults.append(f"{place}: no record holds {shown}")
    return faults


def _counts(found: re.Match[str]) -> bool:
    """Whether a number is a figure: it has decimals, thousands, a unit, an interval or a tag."""
    value = found["value"]
    marked = any(found[part] for part in ("unit", "low", "tag"))
    return any(c.isdigit() for c in value) and (marked or any(c in ".,eE" for c in value))


def _held(found: re.Match[str], places: list[Path]) -> bool:
    percent = found["unit"] in ("%", "pp")
    for place in places:
        for known in _known(read_json(place) or {}, None):
            if known.tag != found["tag"] or not _rounds(found["value"], known.value, percent):
                continue
            if found["low"] is None:
                return True
            if known.low is None or known.high is None:
                continue
            if _rounds(found["low"], known.low, percent) and _rounds(
                found["high"], known.high, percent
            ):
                return True
    return False


def _rounds(printed: str, value: float, percent: bool) -> bool:
    """Whether `value` rounds to what is printed, itself or as a percentage."""
    mantissa, _, power = printed.replace(",", "").lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    half = 0.5 * 10.0 ** (int(power or 0) - decimals) * (1 + 1e-6)
    number = float(printed.replace(",", ""))
    scales = (1.0, 100.0) if percent else (1.0,)
    return any(math.isclose(value * scale, number, abs_tol=half, rel_tol=0) for scale in scales)
