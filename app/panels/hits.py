"""Where blocks were drawn, so that a pointer can find them."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF

from engine.history.blocks import Block

Hits = list[tuple[QRectF, Block]]
"""Shapes with what they stand for; what was drawn later lies on top."""

_REACH_PX = 3.0


def at(point: QPointF, hits: Hits) -> Block | None:
    """The topmost block under a point, or a thin one right beside it."""
    for reach in (0.0, _REACH_PX):
        for shape, block in reversed(hits):
            if shape.adjusted(-reach, 0, reach, 0).contains(point):
                return block
    return None
