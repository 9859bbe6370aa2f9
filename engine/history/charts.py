"""Bars by turn as SVG: the wait for the first word, and the ledger of deep work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from engine.history.figures import FATES, TurnFigures
from engine.records.evidence import Figure

_WIDTH, _LEFT, _RIGHT = 1000.0, 74.0, 880.0
_ROW, _BAR, _TOP = 30.0, 10.0, 6.0
_WAITS = (("first_word", "hidden", "with PADS"), ("without_pads", "visible", "without PADS"))
_PHRASES = {"hidden": "hidden in pauses", "visible": "visible as waiting", "wasted": "wasted"}


def waits(turns: Sequence[TurnFigures]) -> str:
    """From the turn's end to the first word, with and without PADS; empty if nothing is known."""
    rows = [[[(figure(turn, name), kind, words)] for name, kind, words in _WAITS] for turn in turns]
    return _chart(turns, rows, "Time to the first word by turn")


def ledger(turns: Sequence[TurnFigures]) -> str:
    """Deep work of each turn by its fate; empty if nothing is known."""
    rows = [[[(figure(turn, fate), fate, _PHRASES[fate]) for fate in FATES]] for turn in turns]
    return _chart(turns, rows, "Deep work by turn and fate")


def figure(turn: TurnFigures, name: str) -> Figure:
    """One of a turn's figures by its name."""
    found = getattr(turn, name)
    assert isinstance(found, Figure)
    return found


def milliseconds(found: Figure) -> str:
    """A figure in words: `410 ms`, or a dash where it is unavailable."""
    return "—" if found.value is None else f"{found.value:,.0f} ms"


_Bar = list[tuple[Figure, str, str]]
"""Parts of one bar from left to right: figure, class, what it is."""


def _chart(turns: Sequence[TurnFigures], rows: list[list[_Bar]], title: str) -> str:
    longest = max((_length(bar) for bars in rows for bar in bars), default=0.0)
    if longest <= 0:
        return ""
    height = _TOP * 2 + _ROW * len(rows)
    parts = [f'<svg viewBox="0 0 {_WIDTH:g} {height:g}" role="img" aria-label="{escape(title)}">']
    for at, (turn, bars) in enumerate(zip(turns, rows, strict=True)):
        top = _TOP + at * _ROW
        name = f"{turn.conversation.number}.{turn.turn.number}"
        parts.append(f'<text x="{_LEFT - 8:g}" y="{top + 14:g}" text-anchor="end">{name}</text>')
        for line, bar in enumerate(bars):
            parts += _bar(bar, top + line * (_BAR + 2), (_RIGHT - _LEFT) / longest)
    return "".join([*parts, "</svg>"])


def _length(bar: _Bar) -> float:
    return sum(found.value or 0.0 for found, _, _ in bar)


def _bar(bar: _Bar, top: float, scale: float) -> Iterator[str]:
    x, values = _LEFT, []
    for found, kind, words in bar:
        if found.value is None:
            continue
        width = max(found.value * scale, 1.0 if found.value else 0.0)
        said = f"{milliseconds(found)} {words} [{found.evidence}]"
        values.append(milliseconds(found))
        yield (
            f'<rect class="{kind}" x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" '
            f'height="{_BAR:g}"><title>{escape(said)}</title></rect>'
        )
        x += width
    yield f'<text x="{x + 6:.1f}" y="{top + 9:.1f}">{escape(" + ".join(values) or "—")}</text>'
