"""Which stretch of the conversation is looked at; free of Qt.

The view follows the newest moment, or stands still ("frozen") on a stretch of the past.
"""

from __future__ import annotations

SPAN_S = 12.0
"""Seconds seen at first."""
LEAST_S, MOST_S = 0.5, 600.0
"""Seconds seen at the closest and from farthest away."""


class View:
    """From `from_s` to `to_s`, always within what is kept (`bound`)."""

    def __init__(self) -> None:
        self.span_s = SPAN_S
        self._oldest_s = self._newest_s = 0.0
        self._end_s: float | None = None

    @property
    def frozen(self) -> bool:
        """Does it stand still?"""
        return self._end_s is not None

    @property
    def to_s(self) -> float:
        """Its right end."""
        return self._newest_s if self._end_s is None else self._end_s

    @property
    def from_s(self) -> float:
        """Its left end."""
        return self.to_s - self.span_s

    def bound(self, oldest_s: float, newest_s: float) -> None:
        """Learn what there is to see; a frozen view moves on only when its past is forgotten."""
        self._oldest_s, self._newest_s = oldest_s, newest_s
        if self._end_s is not None and oldest_s > 0:
            self._end_s = self._within(self._end_s)

    def follow(self) -> None:
        """Show the newest moment from now on."""
        self._end_s = None

    def freeze(self) -> None:
        """Stand still."""
        self._end_s = self.to_s

    def scroll(self, by_s: float) -> None:
        """Move by seconds; leaving the newest moment freezes."""
        self._move(self.to_s + by_s)

    def oldest(self) -> None:
        """Move to the oldest moment that is kept."""
        self._move(self._oldest_s + self.span_s)

    def zoom(self, factor: float, around_s: float | None = None) -> None:
        """See `factor` times as many seconds; `around_s` stays where it is.

        Without it the newest moment stays, or the middle of a frozen view.
        """
        if around_s is None:
            around_s = (self.from_s + self.to_s) / 2 if self.frozen else self.to_s
        share = (self.to_s - around_s) / self.span_s
        self.span_s = min(max(self.span_s * factor, LEAST_S), MOST_S)
        self._move(around_s + share * self.span_s)

    def fit(self, start_s: float, end_s: float) -> None:
        """Freeze on a stretch with a margin."""
        margin_s = 0.1 + 0.04 * (end_s - start_s)
        self.span_s = min(max(end_s - start_s + 2 * margin_s, LEAST_S), MOST_S)
        self._end_s = self._within(end_s + margin_s)

    def reveal(self, start_s: float, end_s: float) -> None:
        """Freeze, and move if the stretch is not to be seen."""
        self.freeze()
        if not (self.from_s <= start_s and end_s <= self.to_s):
            self._end_s = self._within((start_s + end_s + self.span_s) / 2)

    def _move(self, end_s: float) -> None:
        end_s = self._within(end_s)
        if self.frozen or end_s < self._newest_s:
            self._end_s = end_s

    def _within(self, end_s: float) -> float:
        least_s = min(self._oldest_s + self.span_s, self._newest_s)
        return min(max(end_s, least_s), self._newest_s)
