"""What a source of audio is to the engine."""

from __future__ import annotations

from typing import Protocol


class Source(Protocol):
    """Writes mono 16 kHz audio into a ring and marks the sample clock for every block."""

    name: str
    kind: str
    """"microphone" or "file"."""
    seconds: float | None
    """Length of a file; None for a microphone."""
    overflows: int
    """Blocks the system reported as lost before they reached the program."""

    def start(self) -> None:
        """Begin writing; raises `AudioUnavailable`."""
        ...

    def close(self) -> None:
        """Stop writing and free the device or file; harmless when repeated."""
        ...

    @property
    def ended(self) -> bool:
        """Whether no more audio will be written."""
        ...

    @property
    def problem(self) -> str | None:
        """One sentence when it ended by a fault."""
        ...
