"""A rehearsal: is everything ready to be shown? Each check has a light and a sentence.

Amber can be presented with, red cannot; what a machine has no sensor for is unknown, which is
told but holds nothing up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from engine.events import Evidence
from engine.records.evidence import Figure, words


class Light(StrEnum):
    """How a check came out."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"
    UNKNOWN = "unknown"
    """This machine does not show it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing looked at: its light, one sentence that also says what to do, its figures."""

    name: str
    light: Light
    sentence: str
    figures: dict[str, Figure] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """The check as a JSON-ready dictionary."""
        return {
            "name": self.name,
            "light": self.light.value,
            "sentence": self.sentence,
            "figures": {name: figure.record() for name, figure in self.figures.items()},
        }


def together(lights: Sequence[str]) -> Light:
    """The worst light that something can be done about; green without any."""
    for light in (Light.RED, Light.AMBER):
        if light in lights:
            return light
    return Light.GREEN


def verdict(checks: Sequence[dict[str, Any]]) -> str:
    """What follows from the records of all checks, in one or two sentences."""
    lights = [check["light"] for check in checks]
    unseen = [check["name"] for check in checks if check["light"] == Light.UNKNOWN]
    blind = f" This machine does not show: {', '.join(unseen)}." if unseen else ""
    match together(lights):
        case Light.RED:
            stopping = [check["name"] for check in checks if check["light"] == Light.RED]
            return f"Not ready. Put right first: {', '.join(stopping)}.{blind}"
        case Light.AMBER:
            minding = [check["name"] for check in checks if check["light"] == Light.AMBER]
            return f"Can be presented; better with these put right: {', '.join(minding)}.{blind}"
        case _:
            return f"Ready to present.{blind}"


def in_words(check: dict[str, Any]) -> str:
    """A stored check as one line: light, name, sentence, figures with their evidence."""
    figures = "; ".join(
        f"{name.replace('_', ' ')} {words(figure)}" for name, figure in check["figures"].items()
    )
    return f"{check['light']:8}{check['name']}: {check['sentence']}" + (
        f" [{figures}]" if figures else ""
    )


def unavailable(unit: str, reason: str) -> Figure:
    """A figure that this machine does not give."""
    return Figure(value=None, unit=unit, evidence=Evidence.UNAVAILABLE, reason=reason)
