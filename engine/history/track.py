"""Measurements over time in numpy arrays, so that a frame is drawn from slices; free of Qt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class Track:
    """Rows (time in seconds, value, …) in order of time; the oldest are dropped on demand."""

    def __init__(self, values: int, capacity: int = 1024) -> None:
        self._rows = np.empty((capacity, 1 + values))
        self._first = self._end = 0

    def __len__(self) -> int:
        return self._end - self._first

    def append(self, at_s: float, *values: float) -> None:
        """Add the newest row."""
        if self._end == len(self._rows):
            self._make_room()
        self._rows[self._end] = (at_s, *values)
        self._end += 1

    def forget(self, before_s: float) -> None:
        """Drop the rows older than `before_s`."""
        self._first = self._index(before_s)

    def between(self, from_s: float, to_s: float) -> NDArray[np.float64]:
        """Rows with `from_s` <= time < `to_s`, shape (n, 1 + values): a view, valid until the next
        append."""
        return self._rows[self._index(from_s) : self._index(to_s)]

    def _index(self, at_s: float) -> int:
        live = self._rows[self._first : self._end, 0]
        return self._first + int(np.searchsorted(live, at_s))

    def _make_room(self) -> None:
        live = self._rows[self._first : self._end]
        crowded = 2 * len(live) > len(self._rows)
        rows = np.empty((len(self._rows) * (2 if crowded else 1), self._rows.shape[1]))
        rows[: len(live)] = live
        self._rows, self._first, self._end = rows, 0, len(live)
