"""What the Jobs window says about jobs, runs and figures."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale
from PySide6.QtGui import QColor

from app import theme
from app.evidence import tag
from app.phrases import QT_TRANSLATE_NOOP
from engine.errors import JobFailed
from engine.jobs import catalogue
from engine.records.evidence import is_figure
from engine.records.runs import RunStatus

_STATUS = {
    RunStatus.QUEUED: QT_TRANSLATE_NOOP("Runs", "waiting"),
    RunStatus.RUNNING: QT_TRANSLATE_NOOP("Runs", "running"),
    RunStatus.FINISHED: QT_TRANSLATE_NOOP("Runs", "finished"),
    RunStatus.FAILED: QT_TRANSLATE_NOOP("Runs", "failed"),
    RunStatus.INTERRUPTED: QT_TRANSLATE_NOOP("Runs", "interrupted"),
}
_COLOURS = {
    RunStatus.QUEUED: theme.SHALLOW,
    RunStatus.RUNNING: theme.AUDIO,
    RunStatus.FINISHED: theme.HIDDEN,
    RunStatus.FAILED: theme.ALERT,
    RunStatus.INTERRUPTED: theme.VISIBLE,
}


def title(job: str) -> str:
    """A job's title; the name itself for runs of no job, such as benches."""
    try:
        return QCoreApplication.translate("Jobs", catalogue.find(job).title)
    except JobFailed:
        return job


def status(value: RunStatus) -> str:
    """How a run stands, in a word."""
    return QCoreApplication.translate("Runs", _STATUS[value])


def colour(value: RunStatus) -> QColor:
    """The colour of a status."""
    return _COLOURS[value]


def when(stamp: str) -> str:
    """A record's moment in the user's own time and language; as it stands if it is none."""
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return stamp
    shown = QDateTime.fromSecsSinceEpoch(round(moment.timestamp()))
    return QLocale().toString(shown, QLocale.FormatType.ShortFormat)


def took(manifest: dict[str, Any]) -> float | None:
    """Seconds from a run's beginning to its end; None unless it has both."""
    try:
        ends = [datetime.fromisoformat(manifest[name]) for name in ("started", "ended")]
    except (KeyError, ValueError):
        return None
    return (ends[1] - ends[0]).total_seconds()


def duration(seconds: float) -> str:
    """A time in seconds, minutes or hours, whichever reads best."""
    if seconds < 90:
        return QCoreApplication.translate("Runs", "{count} s").format(count=round(seconds))
    if seconds < 5400:
        return QCoreApplication.translate("Runs", "{count} min").format(count=round(seconds / 60))
    hours = f"{seconds / 3600:.1f}"
    return QCoreApplication.translate("Runs", "{count} h").format(count=hours)


def number(value: float) -> str:
    """A number with four significant digits, from a thousand on with all before the point."""
    if isinstance(value, int) or float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}" if abs(value) < 1e15 else f"{value:.4g}"
    return f"{value:.4g}"


def quantity(figure: dict[str, Any]) -> str:
    """A stored figure's value with its unit."""
    if figure["value"] is None:
        return "–"
    return f"{number(figure['value'])} {figure.get('unit', '')}".strip()


def interval(figure: dict[str, Any]) -> str:
    """A stored figure's interval; empty without one."""
    return f"[{number(figure['low'])}, {number(figure['high'])}]" if "low" in figure else ""


def method(figure: dict[str, Any]) -> str:
    """What a stored figure's interval means; empty without one."""
    if "low" not in figure:
        return ""
    told = QCoreApplication.translate("Runs", "{level} interval: {method}")
    return told.format(level=f"{figure['level']:.0%}", method=figure["method"])


def sentence(figure: dict[str, Any]) -> str:
    """A stored figure with interval and tag, or why there is none."""
    if figure["value"] is None:
        return f"{tag(figure['evidence'])}: {figure['reason']}"
    parts = [quantity(figure), interval(figure), f"· {tag(figure['evidence'])}"]
    return " ".join(part for part in parts if part)


def cell(value: Any) -> str:
    """A stored table's cell: a figure, a word or a whole number."""
    return sentence(value) if is_figure(value) else str(value)
