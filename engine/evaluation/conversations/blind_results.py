"""What visitors chose in blind trials: kept, reset, exported, and summed up with intervals.

Nothing personal is kept: a visitor is a number, and no sound, words, name or time of day is.
"""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import median

from engine import paths
from engine.errors import DataUnavailable
from engine.evaluation.conversations.blind_trial import Choice
from engine.evaluation.measurement.binomial import fair_coin_p, wilson_interval
from engine.events import Evidence
from engine.records.evidence import Figure

_FILE = "choices.jsonl"
_NOBODY = "nobody has taken part yet"


class Book:
    """The choices of all visitors in one folder, one JSON object a line."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or paths.data() / "blind-trial"
        self._last_reset: Path | None = None

    @property
    def file(self) -> Path:
        """Where the choices are."""
        return self.folder / _FILE

    def choices(self) -> list[Choice]:
        """All choices since the last reset; a line that a crash cut short is left out."""
        try:
            lines = self.file.read_text("utf-8").splitlines()
        except FileNotFoundError:
            return []
        except OSError as exc:
            raise _unusable(self.file, "read", exc) from exc
        found = []
        for line in lines:
            try:
                found.append(Choice(**json.loads(line)))
            except (ValueError, TypeError):
                continue
        return found

    def next_visitor(self) -> int:
        """The number of the next visitor, from 1."""
        return max((choice.visitor for choice in self.choices()), default=0) + 1

    def add(self, choices: Iterable[Choice]) -> None:
        """Append choices. Raises `DataUnavailable`."""
        lines = "".join(json.dumps(asdict(choice)) + "\n" for choice in choices)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self.file.open("a", encoding="utf-8") as file:
                # A line that a crash cut short must not swallow the next one.
                file.write(lines if _ends_a_line(self.file) else "\n" + lines)
        except OSError as exc:
            raise _unusable(self.file, "written", exc) from exc
        self._last_reset = None

    def reset(self) -> Path | None:
        """Begin anew; what there was is kept under another name, which is returned."""
        if not self.file.exists():
            return None
        stamp = time.strftime("%Y%m%d-%H%M%S")
        kept, number = self.folder / f"choices-until-{stamp}.jsonl", 1
        while kept.exists():
            number += 1
            kept = self.folder / f"choices-until-{stamp}-{number}.jsonl"
        try:
            self.file.rename(kept)
        except OSError as exc:
            raise _unusable(self.file, "set aside", exc) from exc
        self._last_reset = kept
        return kept

    @property
    def can_undo(self) -> bool:
        """Was the last thing done a reset?"""
        return self._last_reset is not None

    def undo_reset(self) -> None:
        """Take the last reset back, as long as nothing was added since."""
        kept, self._last_reset = self._last_reset, None
        if kept is None or self.file.exists():
            return
        try:
            kept.rename(self.file)
        except OSError as exc:
            raise _unusable(kept, "brought back", exc) from exc

    def export(self, file: Path) -> None:
        """Write all choices as CSV, one a line, with their names in the first."""
        try:
            with file.open("w", encoding="utf-8", newline="") as lines:
                writer = csv.writer(lines)
                writer.writerow([*(item.name for item in fields(Choice)), "for_pads"])
                for choice in self.choices():
                    writer.writerow([*asdict(choice).values(), choice.for_pads])
        except OSError as exc:
            raise _unusable(file, "written", exc) from exc


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """All choices together."""

    visitors: int
    choices: int
    for_pads: int
    share: Figure
    """Share of choices for the answer with PADS, with its Wilson interval."""
    chance_p: Figure
    """Probability of a share at least as far from one half if nobody felt a difference."""
    with_ms: Figure
    without_ms: Figure
    earlier_ms: Figure
    """Medians of what was measured in the same rounds; `earlier_ms` round by round."""


def outcome(choices: Sequence[Choice]) -> Outcome:
    """Sum choices up; those of one visitor are taken as independent, which the method says."""
    n, k = len(choices), sum(choice.for_pads for choice in choices)
    visitors = len({choice.visitor for choice in choices})
    tags = {choice.evidence for choice in choices}
    evidence = Evidence.TARGET if tags == {Evidence.TARGET.value} else Evidence.MEASURED
    share = chance_p = Figure(value=None, evidence=Evidence.UNAVAILABLE, reason=_NOBODY)
    if n:
        interval = wilson_interval(k, n, unit=f"choices of {visitors} visitors")
        share = Figure(value=k / n, evidence=evidence, interval=interval)
        chance_p = Figure(value=fair_coin_p(k, n), evidence=Evidence.DERIVED)
    return Outcome(
        visitors=visitors,
        choices=n,
        for_pads=k,
        share=share,
        chance_p=chance_p,
        with_ms=_middle([choice.with_ms for choice in choices], evidence),
        without_ms=_middle([choice.without_ms for choice in choices], evidence),
        earlier_ms=_middle([choice.without_ms - choice.with_ms for choice in choices], evidence),
    )


def _middle(values: list[float], evidence: Evidence) -> Figure:
    if not values:
        return Figure(value=None, unit="ms", evidence=Evidence.UNAVAILABLE, reason=_NOBODY)
    return Figure(value=round(median(values), 1), unit="ms", evidence=evidence)


def _ends_a_line(file: Path) -> bool:
    content = file.read_bytes()
    return not content or content.endswith(b"\n")


def _unusable(file: Path, how: str, exc: OSError) -> DataUnavailable:
    return DataUnavailable(
        f"The file {file} cannot be {how} ({exc.strerror or exc})",
        remedy="make room on the disk and its folder writable, then try again",
    )
