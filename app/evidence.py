"""The evidence tags in the window's language."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.phrases import QT_TRANSLATE_NOOP
from engine.events import Evidence

_WORDS = {
    Evidence.MEASURED: QT_TRANSLATE_NOOP("Evidence", "measured"),
    Evidence.TARGET: QT_TRANSLATE_NOOP("Evidence", "target"),
    Evidence.DERIVED: QT_TRANSLATE_NOOP("Evidence", "derived"),
    Evidence.EXTRAPOLATED: QT_TRANSLATE_NOOP("Evidence", "extrapolated"),
    Evidence.PUBLISHED: QT_TRANSLATE_NOOP("Evidence", "published"),
    Evidence.SCRIPTED: QT_TRANSLATE_NOOP("Evidence", "scripted"),
    Evidence.UNAVAILABLE: QT_TRANSLATE_NOOP("Evidence", "unavailable"),
}


def tag(evidence: Evidence | str) -> str:
    """The tag as a user reads it."""
    return QCoreApplication.translate("Evidence", _WORDS[Evidence(evidence)])
