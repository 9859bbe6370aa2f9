"""The calibrated head: from cues at a silence's onset, and its length so far, to P(turn end).

A logistic regression in one line of arithmetic; `pads job run train-turn-end` fits it. Its
file, `weights.json`, holds an intercept and one coefficient for each cue that it uses.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import reading
from engine.errors import ModelUnavailable
from engine.records.writing import replacing
from engine.turntaking import prosody

FORMAT = "pads-turn-end-1"
FILE = "weights.json"
CUES = ("completeness", "silence", "length", *prosody.NAMES)
"""What a head may weigh; `Cues.values` says what each is."""

_LARGEST_BYTES = 2**20
_SHORTEST_S = 0.1  # a silence is noticed after so long; its logarithm has no sense below
_BOUNDLESS = (OverflowError, RecursionError)
"""What a number without end and brackets without end raise."""

_SURE = 0.002
"""The models' sigmoids saturate; a logit beyond this says no more."""


def logit(p: float) -> float:
    """The log odds of a probability, bounded where models saturate."""
    p = min(max(p, _SURE), 1 - _SURE)
    return math.log(p / (1 - p))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """What is known when someone falls silent."""

    p_complete: float
    """smart-turn's probability that the utterance is complete, a user's VAP pooled in."""
    spoken_s: float
    """Speech since the last silence of a second."""
    prosody: tuple[float, ...]
    """`prosody.NAMES` of the last second of speech."""

    def values(self, silence_s: float) -> dict[str, float]:
        """Each of `CUES` after `silence_s` of silence: logit, logarithms, then as measured."""
        return {
            "completeness": logit(self.p_complete),
            "silence": math.log(max(silence_s, _SHORTEST_S)),
            "length": math.log(self.spoken_s + _SHORTEST_S),
            **dict(zip(prosody.NAMES, self.prosody, strict=True)),
        }


@dataclass(frozen=True, slots=True)
class Head:
    """Fitted weights by cue."""

    intercept: float
    coefficients: Mapping[str, float]

    def p_end(self, cues: Cues, silence_s: float) -> float:
        """P(the turn is over) when the silence has lasted `silence_s`."""
        values = cues.values(silence_s)
        score = self.intercept + sum(
            weight * values[name] for name, weight in self.coefficients.items()
        )
        return 1 / (1 + math.exp(-min(max(score, -50.0), 50.0)))

    def save(self, folder: Path, details: dict[str, Any]) -> None:
        """Write the file; `details` (run, corpora, licence) go in beside the weights.

        Raises `ExportFailed`.
        """
        folder.mkdir(parents=True, exist_ok=True)
        record = {
            "format": FORMAT,
            "intercept": self.intercept,
            "coefficients": dict(self.coefficients),
            **details,
        }
        with replacing(folder / FILE) as file:
            file.write_text(json.dumps(record, indent=2) + "\n", "utf-8")


def load(folder: Path) -> Head:
    """Read and check the file in `folder`; `ModelUnavailable` when it cannot be used."""
    try:
        record = json.loads(reading.text(folder / FILE, _LARGEST_BYTES))
        if record["format"] != FORMAT:
            raise ValueError(f"its format is not {FORMAT}")
        head = Head(
            float(record["intercept"]),
            {str(name): float(weight) for name, weight in record["coefficients"].items()},
        )
        numbers = [head.intercept, *head.coefficients.values()]
        if not set(head.coefficients) <= set(CUES) or not all(map(math.isfinite, numbers)):
            raise ValueError("its weights are damaged")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, *_BOUNDLESS) as exc:
        raise ModelUnavailable(
            f"The turn-end head in {folder} cannot be used ({exc})",
            remedy="install the application again, or train it anew with "
            "`pads job run train-turn-end --install`",
        ) from exc
    return head
