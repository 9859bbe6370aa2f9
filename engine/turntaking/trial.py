"""A user's Voice Activity Projection, tried first in a process of its own.

onnxruntime reads the file there: one made to crash it, or that does so by being damaged, takes
nothing with it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine import children
from engine.speculation.inspection import answer, asked
from engine.turntaking.vap import VoiceActivityProjection

ARGUMENT = "--try-projection"
"""First argument, before the file, with which the frozen application runs `main`."""


def opened(model: Path, report: Callable[[float], None]) -> VoiceActivityProjection:
    """The model, once it has worked elsewhere; raises `ModelUnavailable`.

    `report` is called ten times a second; what it raises ends the trial.
    """
    command = [*children.command("engine.turntaking.trial", ARGUMENT), str(model.absolute())]
    asked(command, model, lambda _, fraction: report(fraction))
    return VoiceActivityProjection(model)


def main(words: list[str]) -> int:
    """Load the model that is named and try it on silence and on noise."""

    def tried() -> dict[str, Any]:
        return asdict(VoiceActivityProjection(Path(words[0])).manifest)

    return answer(tried)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
