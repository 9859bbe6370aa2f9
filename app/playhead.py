"""Where the time axis ends; free of Qt.

Audio arrives in chunks and an engine under load is late for some: an axis that ended at the
newest event would jerk. This one runs with the wall clock and leans towards what was heard.
"""

from __future__ import annotations

_SILENT_S = 0.3  # nothing new for this long: the source has stopped, so does the axis
_JUMP_S = 0.4  # further apart than this, catching up would take longer than a jump hurts
_PULL_PER_S = 2.0


class Playhead:
    """Follows seconds heard smoothly; `at_s` is where the axis ends now."""

    def __init__(self) -> None:
        self.at_s = 0.0
        self._heard_s = 0.0
        self._news_wall_s = float("-inf")
        self._wall_s: float | None = None

    def advance(self, heard_s: float, wall_s: float) -> bool:
        """Move to wall time `wall_s`, when audio up to `heard_s` was known; True if it moved."""
        before = self.at_s
        if heard_s != self._heard_s:
            self._heard_s, self._news_wall_s = heard_s, wall_s
        passed_s = 0.0 if self._wall_s is None else wall_s - self._wall_s
        self._wall_s = wall_s
        behind_s = heard_s - self.at_s
        if abs(behind_s) > _JUMP_S:
            self.at_s = heard_s
        elif wall_s - self._news_wall_s < _SILENT_S:
            self.at_s += passed_s * max(0.0, 1.0 + _PULL_PER_S * behind_s)
        elif behind_s > 0:
            self.at_s = heard_s
        return self.at_s != before
