"""Lanes of what is made: the decoder's work by its fate, and the replies."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from app import theme
from app.panels.axis import Axis
from app.panels.hits import Hits
from app.phrases import QT_TRANSLATE_NOOP
from engine.history.blocks import Fate, Work
from engine.history.timeline import Timeline

COLOURS = {
    Fate.SHALLOW: theme.SHALLOW,
    Fate.PENDING: theme.PENDING,
    Fate.HIDDEN: theme.HIDDEN,
    Fate.VISIBLE: theme.VISIBLE,
    Fate.WASTED: theme.WASTED,
}
_WORDS = {
    Fate.PENDING: QT_TRANSLATE_NOOP("Work", "starting early {ms:.0f} ms"),
    Fate.HIDDEN: QT_TRANSLATE_NOOP("Work", "hidden {ms:.0f} ms"),
    Fate.VISIBLE: QT_TRANSLATE_NOOP("Work", "visible {ms:.0f} ms"),
    Fate.WASTED: QT_TRANSLATE_NOOP("Work", "thrown away {ms:.0f} ms"),
}
_MEANINGS = {
    Fate.SHALLOW: QT_TRANSLATE_NOOP("Work", "shallow layers"),
    Fate.HIDDEN: QT_TRANSLATE_NOOP("Work", "deep, hidden in a pause"),
    Fate.VISIBLE: QT_TRANSLATE_NOOP("Work", "deep, after the turn"),
    Fate.WASTED: QT_TRANSLATE_NOOP("Work", "deep, thrown away"),
}
_LEAN_PX = 190.0  # a reply that has just begun gets this much room for its words
_CHIP = 215  # of 255
_VEIL = 40  # of 255, a reply's field


def row(lane: QRectF, name: str) -> QRectF:
    """Where the decoder's "shallow" or "deep" work, or the deep work's "words", are drawn."""
    top, height = {"shallow": (0.20, 0.20), "deep": (0.47, 0.28), "words": (0.77, 0.20)}[name]
    return QRectF(
        lane.left(), lane.top() + top * lane.height(), lane.width(), height * lane.height()
    )


def decoder(
    painter: QPainter, lane: QRectF, axis: Axis, timeline: Timeline, hits: Hits, size_px: int
) -> None:
    """Work as blocks; what deep work means is written in them or below, `size_px` large."""
    seen = (w for w in timeline.work if w.end_s >= axis.from_s and w.start_s <= axis.to_s)
    blocks = [(work, _block(work, lane, axis)) for work in seen]
    for work, block in blocks:
        shape(painter, block, work.fate)
        hits.append((block, work))
    painter.setFont(theme.font(size_px, bold=True))
    words: list[QRectF] = []
    # What was hidden or thrown away is the point: it has the first choice of room.
    for late in (False, True):
        for work, block in reversed(blocks):
            if work.fate is not Fate.SHALLOW and (work.fate is Fate.VISIBLE) == late:
                _say(painter, work, block, row(lane, "words"), words)


def _block(work: Work, lane: QRectF, axis: Axis) -> QRectF:
    place = row(lane, "shallow" if work.fate is Fate.SHALLOW else "deep")
    left, width = axis.span(work.start_s, work.end_s)
    return QRectF(left, place.top(), width, place.height())


def shape(painter: QPainter, block: QRectF, fate: Fate) -> None:
    """A block in the colour of its fate; wasted work is hatched besides."""
    colour = COLOURS[fate]
    painter.setPen(Qt.PenStyle.NoPen)
    if fate is Fate.WASTED:
        painter.setBrush(theme.faint(colour, 70))
        painter.drawRoundedRect(block, 3, 3)
        painter.setBrush(theme.hatched(colour))
    else:
        painter.setBrush(colour)
    painter.drawRoundedRect(block, 3, 3)


def _say(painter: QPainter, work: Work, block: QRectF, line: QRectF, taken: list[QRectF]) -> None:
    """Write what a block means into it, or below where nothing else is written yet."""
    text = QCoreApplication.translate("Work", _WORDS[work.fate]).format(ms=work.ms)
    width = painter.fontMetrics().horizontalAdvance(text) + 8.0
    visible = work.fate is Fate.VISIBLE
    if visible and width < block.width():
        painter.setPen(theme.INK)
        painter.drawText(block, Qt.AlignmentFlag.AlignCenter, text)
        return
    left = block.left() if visible else block.right() - width
    left = min(max(left, line.left()), line.right() - width)
    place = QRectF(left, line.top(), width, line.height())
    if any(place.adjusted(1, 0, -1, 0).intersects(other) for other in taken):
        return
    taken.append(place)
    high = painter.fontMetrics().height() + 4.0
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.faint(theme.PANEL, _CHIP))  # marks cross the lane here
    chip = QRectF(left, place.center().y() - high / 2, width, high)
    painter.drawRoundedRect(chip, 5, 5)
    painter.setPen(COLOURS[work.fate])
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)


def replies(painter: QPainter, lane: QRectF, axis: Axis, timeline: Timeline, hits: Hits) -> None:
    """Each reply from its first shown word on, up to the next; a line shows how long it grew."""
    painter.setFont(theme.font(12))
    metrics, right = painter.fontMetrics(), axis.right
    for reply in reversed(timeline.replies):
        if right <= axis.left:
            break
        if reply.start_s > axis.to_s:
            continue
        start, limit = max(axis.x(reply.start_s), axis.left), right - 4
        left = min(start, axis.right - _LEAN_PX) if right == axis.right else start
        right = min(left, right)
        if limit - left < 24:
            continue
        words = f"▶ {reply.text.strip()}"
        text = metrics.elidedText(words, Qt.TextElideMode.ElideRight, int(limit - left - 16))
        width = min(metrics.horizontalAdvance(text) + 18.0, limit - left)
        height = min(metrics.height() + 12.0, lane.height() - 4)
        chip = QRectF(left, lane.center().y() - height / 2 - 1, width, height)
        hits.append((chip, reply))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.faint(theme.HIDDEN, _VEIL))
        painter.drawRoundedRect(chip, 6, 6)
        painter.setBrush(theme.HIDDEN)
        grown = min(axis.x(reply.end_s), limit) - start
        if grown > 0:
            painter.drawRoundedRect(QRectF(start, chip.bottom() + 2, grown, 2.5), 1, 1)
        painter.setPen(theme.HIDDEN)
        painter.drawText(chip.adjusted(9, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)


def key(painter: QPainter, at: QPointF, right: float) -> None:
    """What the colours mean, in a row that ends at `right`."""
    painter.setFont(theme.font(11))
    height, x = painter.fontMetrics().height(), at.x()
    for fate, meaning in _MEANINGS.items():
        words = QCoreApplication.translate("Work", meaning)
        width = painter.fontMetrics().horizontalAdvance(words)
        if x + 18 + width > right:
            return
        shape(painter, QRectF(x, at.y() - 5, 11, 11), fate)
        painter.setPen(theme.MUTED)
        place = QRectF(x + 17, at.y() - height / 2, width + 4, height)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, words)
        x += width + 32
    tag = QCoreApplication.translate("Work", "all measured")
    width = painter.fontMetrics().horizontalAdvance(tag)
    if x + width <= right:
        place = QRectF(x, at.y() - height / 2, width + 4, height)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, tag)
