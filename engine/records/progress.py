"""What a background job reports while it runs: one JSON object a line on its standard output."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from engine.events import type_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """What the job is doing; `fraction` of the whole job done (0..1) and time left, if known."""

    name: str
    fraction: float | None = None
    eta_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """Named values at one moment, as they also stand in the run's metrics.jsonl."""

    values: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A sentence for the reader."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The job is over: `status` as in the run's manifest, `reason` unless it finished."""

    status: str
    reason: str = ""


Report = Phase | Metric | Note | Ended

_KINDS: dict[str, type[Report]] = {
    kind.__name__.lower(): kind for kind in (Phase, Metric, Note, Ended)
}


def to_line(report: Report) -> str:
    """One line of the protocol, with its line end."""
    return json.dumps({"type": type_name(report), **asdict(report)}, ensure_ascii=False) + "\n"


def from_line(line: str) -> Report | None:
    """The report in a line; None when the line is no report of a kind known here."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    kind = _KINDS.get(str(record.pop("type", "")))
    if kind is None:
        return None
    known = {field.name for field in fields(kind)}
    try:
        return kind(**{name: value for name, value in record.items() if name in known})
    except TypeError:
        return None
