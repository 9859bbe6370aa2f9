"""The time axis all lanes share, and what turns numbers into shapes on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPolygonF
from shiboken6 import VoidPtr


@dataclass(frozen=True, slots=True)
class Axis:
    """From seconds to pixels for one frame."""

    left: float
    right: float
    from_s: float
    to_s: float

    @property
    def px_per_s(self) -> float:
        """Pixels a second takes."""
        return (self.right - self.left) / (self.to_s - self.from_s)

    def x(self, at_s: float) -> float:
        """Where a moment lies."""
        return self.left + (at_s - self.from_s) * self.px_per_s

    def seconds(self, x: float) -> float:
        """Which moment lies at a pixel."""
        return self.from_s + (x - self.left) / self.px_per_s

    def xs(self, at_s: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where many moments lie."""
        return self.left + (at_s - self.from_s) * self.px_per_s

    def span(self, start_s: float, end_s: float, least: float = 2.0) -> tuple[float, float]:
        """Left edge and width, clipped to the lanes, never thinner than `least` pixels."""
        a, b = max(self.x(start_s), self.left), min(self.x(end_s), self.right)
        return a, max(b - a, least)


def columns(xs: NDArray[np.float64]) -> NDArray[np.intp]:
    """First index of every run of points that share a pixel column, for `ufunc.reduceat`.

    A view over ten minutes holds twenty points a pixel; drawn one by one they take 100 ms.
    """
    pixels = np.floor(xs)
    return np.flatnonzero(np.concatenate(([True], pixels[1:] != pixels[:-1])))


def polygon(xs: NDArray[np.float64], ys: NDArray[np.float64]) -> QPolygonF:
    """Points as Qt draws them, filled without a Python loop (a frame has a thousand)."""
    result = QPolygonF()
    if not len(xs):
        return result
    result.resize(len(xs))
    memory: Any = VoidPtr(result.data(), len(xs) * 16, True)  # type: ignore[call-arg, arg-type]
    points = np.frombuffer(memory, np.float64).reshape(-1, 2)
    points[:, 0], points[:, 1] = xs, ys
    return result


def runs(flags: NDArray[np.bool_]) -> NDArray[np.intp]:
    """First and past-the-last index of every run of True, shape (n, 2)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False]))))
    return edges.reshape(-1, 2)
