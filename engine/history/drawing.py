"""A stretch of a timeline as an SVG picture, the profiler's five lanes on one time axis.

Colours come from the classes of the page around it (`STYLE`); wasted work is hatched besides.
Every block has a title, which browsers show under the pointer and screen readers read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from engine.events import Evidence
from engine.history.blocks import Fate, Mark, MarkKind, Reply, Verdict, Work
from engine.history.timeline import Timeline

WIDTH = 1000.0
_LEFT, _RIGHT = 74.0, 992.0
_LANES = {
    "audio": (4.0, 54.0),
    "turn end": (62.0, 102.0),
    "verdict": (110.0, 130.0),
    "shallow": (138.0, 152.0),
    "deep": (156.0, 176.0),
    "reply": (184.0, 204.0),
}
"""Top and bottom of each lane."""
_AXIS_Y, _HEIGHT = 218.0, 224.0
_TICKS_S = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0)
_TICK = 70.0
_LETTER = 6.2
"""Width of a letter, generously."""
_CLASSES = {
    Fate.SHALLOW: "shallow",
    Fate.PENDING: "pending",
    Fate.HIDDEN: "hidden",
    Fate.VISIBLE: "visible",
    Fate.WASTED: "wasted",
    MarkKind.TRIGGER: "trigger",
    MarkKind.DISCARD: "discard",
    MarkKind.COMMIT: "commit",
}
STYLE = """
svg { width: 100%; height: auto; display: block; font: 11px sans-serif; }
svg .lane { fill: var(--lane); } svg text { fill: var(--muted); }
svg .tick { stroke: var(--line); } svg .sound { fill: #56b4e9; } svg .speech { fill: #56b4e933; }
svg .p { fill: none; stroke: var(--ink); stroke-width: 1.2; }
svg .theta { stroke: var(--muted); stroke-dasharray: 4 3; }
svg .shallow { fill: #8c8cf5; } svg .hidden { fill: #2ed3a4; } svg .visible { fill: #f0a72f; }
svg .wasted { fill: url(#hatch); stroke: #d2608f; } svg .pending { fill: #6c7887; }
svg .act { fill: var(--raised); } svg .act.start { stroke: #2ed3a4; }
svg .said { fill: #2ed3a433; stroke: #2ed3a4; }
svg line.trigger { stroke: var(--ink); stroke-dasharray: 2 2; }
svg line.discard { stroke: #d2608f; stroke-dasharray: 5 3; } svg line.commit { stroke: #2ed3a4; }
"""
HATCH = (
    '<svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs>'
    '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect width="6" height="6" fill="#d2608f55"/>'
    '<rect width="2" height="6" fill="#d2608f"/></pattern></defs></svg>'
)
"""The hatching of wasted work; once in a page."""


def svg(timeline: Timeline, from_s: float, to_s: float, title: str, evidence: Evidence) -> str:
    """The stretch `from_s`..`to_s`; `title` says what it is, `evidence` tags what was measured."""
    return "".join(_Drawing(timeline, from_s, max(to_s, from_s + 0.1), evidence).parts(title))


@dataclass(frozen=True, slots=True)
class _Drawing:
    timeline: Timeline
    from_s: float
    to_s: float
    evidence: Evidence

    def parts(self, title: str) -> Iterator[str]:
        """The picture, from back to front."""
        yield f'<svg viewBox="0 0 {WIDTH:g} {_HEIGHT:g}" role="img" aria-label="{escape(title)}">'
        for name, (top, bottom) in _LANES.items():
            yield (
                f'<rect class="lane" x="{_LEFT:g}" y="{top:g}" width="{_RIGHT - _LEFT:g}" '
                f'height="{bottom - top:g}"/><text x="{_LEFT - 6:g}" y="{(top + bottom) / 2 + 4:g}"'
                f' text-anchor="end">{name}</text>'
            )
        yield from self._ticks()
        yield from self._sound()
        yield from self._turn_end()
        for verdict in self.timeline.verdicts:
            yield from self._verdict(verdict)
        for work in self.timeline.work:
            yield from self._work(work)
        for reply in self.timeline.replies:
            yield from self._reply(reply)
        for mark in self.timeline.marks:
            yield from self._mark(mark)
        yield "</svg>"

    def _x(self, at_s: float) -> float:
        return _LEFT + (at_s - self.from_s) / (self.to_s - self.from_s) * (_RIGHT - _LEFT)

    def _seen(self, start_s: float, end_s: float) -> bool:
        return start_s <= self.to_s and end_s >= self.from_s

    def _box(self, lane: str, start_s: float, end_s: float, kind: str, title: str) -> str:
        top, bottom = _LANES[lane]
        left = max(self._x(start_s), _LEFT)
        width = max(min(self._x(end_s), _RIGHT) - left, 1.0)
        return (
            f'<rect class="{kind}" x="{left:.1f}" y="{top:g}" width="{width:.1f}" '
            f'height="{bottom - top:g}"><title>{escape(title)}</title></rect>'
        )

    def _words(self, lane: str, start_s: float, text: str, room: float) -> str:
        """Text at the beginning of a block, cut to the room it has."""
        top, bottom = _LANES[lane]
        letters = int((room - 8) / _LETTER)
        if letters < 3:
            return ""
        text = text if len(text) <= letters else text[: letters - 1] + "…"
        left = max(self._x(start_s), _LEFT) + 4
        return f'<text x="{left:.1f}" y="{(top + bottom) / 2 + 4:g}">{escape(text)}</text>'

    def _ticks(self) -> Iterator[str]:
        span_s = self.to_s - self.from_s
        fitting = (s for s in _TICKS_S if s / span_s * (_RIGHT - _LEFT) >= _TICK)
        step = next(fitting, span_s)
        for i in range(math.ceil(max(self.from_s, 0.0) / step), math.floor(self.to_s / step) + 1):
            x = self._x(i * step)
            yield (
                f'<line class="tick" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{_AXIS_Y - 11:g}"/>'
                f'<text x="{x:.1f}" y="{_AXIS_Y:g}" text-anchor="middle">{round(i * step, 1):g} s'
                "</text>"
            )

    def _sound(self) -> Iterator[str]:
        rows = self.timeline.audio.between(self.from_s, self.to_s)
        if not len(rows):
            return
        top, bottom = _LANES["audio"]
        middle, half = (top + bottom) / 2, (bottom - top) / 2
        xs = _LEFT + (rows[:, 0] - self.from_s) / (self.to_s - self.from_s) * (_RIGHT - _LEFT)
        first = np.flatnonzero(np.diff(np.floor(xs), prepend=-1.0))
        highs = middle - half * np.clip(np.maximum.reduceat(rows[:, 2], first), -1, 1)
        lows = middle - half * np.clip(np.minimum.reduceat(rows[:, 1], first), -1, 1)
        for start, end in _runs(rows[:, 3] > 0):
            width = max(xs[end] - xs[start], 1.0)
            yield (
                f'<rect class="speech" x="{xs[start]:.1f}" y="{top:g}" width="{width:.1f}" '
                f'height="{bottom - top:g}"/>'
            )
        across = np.concatenate([xs[first], xs[first][::-1]])
        edge = np.concatenate([highs, lows[::-1] + 0.5])
        yield f'<polygon class="sound" points="{_points(across, edge)}"/>'

    def _turn_end(self) -> Iterator[str]:
        rows = self.timeline.turn_end.between(self.from_s, self.to_s)
        top, bottom = _LANES["turn end"]
        y = bottom - self.timeline.theta_end * (bottom - top)
        yield f'<line class="theta" x1="{_LEFT:g}" x2="{_RIGHT:g}" y1="{y:.1f}" y2="{y:.1f}"/>'
        if len(rows):
            xs = _LEFT + (rows[:, 0] - self.from_s) / (self.to_s - self.from_s) * (_RIGHT - _LEFT)
            first = np.flatnonzero(np.diff(np.floor(xs), prepend=-1.0))
            highest = np.maximum.reduceat(rows[:, 1], first)
            points = _points(xs[first], bottom - highest * (bottom - top))
            yield f'<polyline class="p" points="{points}"/>'

    def _verdict(self, verdict: Verdict) -> Iterator[str]:
        # A verdict takes a hundredth of a second: its words need more room than it has.
        if self._seen(verdict.start_s, verdict.end_s):
            title = (
                f"Turn {verdict.turn}: {verdict.act}, P(turn ends) {verdict.p_end:.2f}, P(deep) "
                f"{verdict.p_deep:.2f} [{self.evidence}]: {verdict.reason}"
            )
            kind = "act start" if verdict.triggered else "act"
            yield self._box("verdict", verdict.start_s, verdict.end_s, kind, title)

    def _work(self, work: Work) -> Iterator[str]:
        if self._seen(work.start_s, work.end_s):
            evidence = work.evidence if work.evidence is Evidence.DERIVED else self.evidence
            what = "in the shallow layers" if work.fate is Fate.SHALLOW else work.fate.value
            title = f"Turn {work.turn}: {work.ms:.0f} ms {what} [{evidence}]"
            lane = "shallow" if work.fate is Fate.SHALLOW else "deep"
            yield self._box(lane, work.start_s, work.end_s, _CLASSES[work.fate], title)

    def _reply(self, reply: Reply) -> Iterator[str]:
        text = reply.text.strip()
        if self._seen(reply.start_s, reply.end_s):
            title = f"Reply {reply.turn}: {text}"
            yield self._box("reply", reply.start_s, reply.end_s, "said", title)
            room = _RIGHT - max(self._x(reply.start_s), _LEFT)
            later = (r.start_s for r in self.timeline.replies if r.start_s > reply.start_s)
            room = min(room, self._x(next(later, math.inf)) - self._x(reply.start_s))
            yield self._words("reply", reply.start_s, text, room)

    def _mark(self, mark: Mark) -> Iterator[str]:
        if self._seen(mark.at_s, mark.at_s):
            x, (bottom, title) = self._x(mark.at_s), (_LANES["reply"][1], mark.kind.value)
            yield (
                f'<line class="{_CLASSES[mark.kind]}" x1="{x:.1f}" x2="{x:.1f}" y1="0" '
                f'y2="{bottom:g}"><title>Turn {mark.turn}: {escape(title)} at {mark.at_s:.2f} s '
                f"[{self.evidence}]</title></line>"
            )


def _runs(flags: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """First and last index of every run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False]))))
    for start, end in edges.reshape(-1, 2).tolist():
        yield start, end - 1


def _points(xs: NDArray[np.float64], ys: NDArray[np.float64]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs.tolist(), ys.tolist(), strict=True))
