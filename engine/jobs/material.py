"""Parameters that several jobs share: where their material lies, how strictly they measure."""

from __future__ import annotations

from pathlib import Path

from engine.jobs.job import Parameter


def data_of(archive: str) -> Parameter:
    """Where a corpus lies."""
    return Parameter(
        name="data",
        kind=Path,
        default=None,
        description=f"folder that holds {archive}, or the archive "
        "(default: PADS_DATA or the data folder in the settings)",
    )


TURN_MATERIAL = (
    Parameter(
        name="data",
        kind=Path,
        default=None,
        description="folder of the data: recordings with words in it or its audio/, "
        "dailydialog.zip (default: PADS_DATA or the data folder in the settings)",
    ),
    Parameter(
        name="recordings",
        kind=Path,
        default=None,
        description="one more folder of recordings: NAME.wav beside NAME.words.json",
    ),
    Parameter(
        name="turns",
        kind=int,
        default=240,
        minimum=0,
        maximum=5000,
        description="turns spoken by espeak-ng to train with besides, 0 for none",
    ),
    Parameter(
        name="seed", kind=int, default=1, minimum=0, description="random seed of their pauses"
    ),
)
"""Of jobs about turns: recordings, and speech to generate."""

STRICT = Parameter(
    name="strict",
    kind=bool,
    default=False,
    description="refuse to measure while other programs work, on battery, throttled or at a "
    "changing clock, instead of saying so in the result",
)
"""Of every job that keeps the measurement protocol."""
