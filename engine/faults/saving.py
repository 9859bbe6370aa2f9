"""`python -m engine.faults.saving FILE`: save the settings again and again."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from engine import settings

TIMES = 200


def main(file: Path) -> None:
    """Save other settings each time."""
    chosen = settings.Settings(microphone="of the stage")
    for number in range(TIMES):
        gate = replace(chosen.gate, theta_end=number / TIMES)
        settings.save(replace(chosen, gate=gate), file)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
