"""Lanes of what is heard: the sound itself and the probability that the turn ends."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app import theme
from app.panels.axis import Axis, columns, polygon, runs
from engine.history.timeline import Timeline

CHUNK_S = 0.032
_LOUDNESS = 0.65  # sound is drawn on a compressed scale: quiet speech vanishes on a linear one


def audio(painter: QPainter, lane: QRectF, axis: Axis, timeline: Timeline) -> None:
    """The waveform as a silhouette, shaded where speech is detected."""
    rows = timeline.audio.between(axis.from_s - CHUNK_S, axis.to_s + 2 * CHUNK_S)
    for first, end in runs(rows[:, 3] > 0):
        left, width = axis.span(rows[first, 0] - CHUNK_S, rows[end - 1, 0])
        painter.fillRect(QRectF(left, lane.top(), width, lane.height()), theme.SPEECH)
    if len(rows) < 2:
        return
    middle, half = lane.center().y(), lane.height() / 2 - 6
    xs = axis.xs(rows[:, 0] - CHUNK_S / 2)
    firsts = columns(xs)
    high, low = np.maximum.reduceat(rows[:, 2], firsts), np.minimum.reduceat(rows[:, 1], firsts)
    above = np.maximum(np.maximum(high, 0) ** _LOUDNESS * half, 0.6)
    below = np.maximum(np.maximum(-low, 0) ** _LOUDNESS * half, 0.6)
    xs = xs[firsts]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)  # ten times the cost here
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.AUDIO)
    outline = np.concatenate((middle - above, (middle + below)[::-1]))
    painter.drawPolygon(polygon(np.concatenate((xs, xs[::-1])), outline))


def turn_end(painter: QPainter, lane: QRectF, axis: Axis, timeline: Timeline) -> None:
    """P(the turn ends) with the threshold from which deep work may start."""
    low, scale = lane.bottom() - 6, lane.height() - 12
    theta = low - timeline.theta_end * scale
    rows = timeline.turn_end.between(axis.from_s - 1.0, axis.to_s + 1.0)
    if not len(rows):
        xs = ys = rows[:, 0]
    else:
        xs = axis.xs(rows[:, 0])
        firsts = columns(xs)
        xs, ys = xs[firsts], low - np.maximum.reduceat(rows[:, 1], firsts) * scale
    if len(xs) > 1:
        above = np.minimum(ys, theta)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.faint(theme.TEXT, 30))
        edge = np.concatenate((above, [theta, theta]))
        painter.drawPolygon(polygon(np.concatenate((xs, [xs[-1], xs[0]])), edge))
    painter.setPen(QPen(theme.MUTED, 1, Qt.PenStyle.DashLine))
    painter.drawLine(QLineF(axis.left, theta, axis.right, theta))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.TEXT, 1))  # wider lines are stroked point by point, slowly
    painter.drawPolyline(polygon(xs, ys))
    painter.drawPolyline(polygon(xs, ys + 0.6))


def threshold_y(lane: QRectF, timeline: Timeline) -> float:
    """Where the threshold of the turn-end lane lies."""
    return lane.bottom() - 6 - timeline.theta_end * (lane.height() - 12)
