"""The engine's words in the window's language.

Sentences that stand in its code as they are shown are gathered by `packaging/languages.py`; one
that is put together when it is said, an error's for instance, is in no table and stays English.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.phrases import QT_TRANSLATE_NOOP

_ACTS = {
    "inform": QT_TRANSLATE_NOOP("DialogueActs", "statement"),
    "question": QT_TRANSLATE_NOOP("DialogueActs", "question"),
    "directive": QT_TRANSLATE_NOOP("DialogueActs", "request"),
    "commissive": QT_TRANSLATE_NOOP("DialogueActs", "promise"),
}
_POLICIES = {
    "verified": QT_TRANSLATE_NOOP("Policies", "verified"),
    "always-deep": QT_TRANSLATE_NOOP("Policies", "always all layers"),
    "always-shallow": QT_TRANSLATE_NOOP("Policies", "first layers alone"),
    "token-confidence": QT_TRANSLATE_NOOP("Policies", "deep where unsure"),
    "dialogue-act": QT_TRANSLATE_NOOP("Policies", "deep where needed"),
}
_VERDICTS = {
    "exact": QT_TRANSLATE_NOOP("Certificate", "exact"),
    "lossless up to rounding": QT_TRANSLATE_NOOP("Certificate", "lossless up to rounding"),
    "lossy": QT_TRANSLATE_NOOP("Certificate", "lossy"),
}
_MADE_OF_PARTS = (  # when they are said, from few enough
    QT_TRANSLATE_NOOP("Engine", "PADS off: engine starts"),
    QT_TRANSLATE_NOOP("Engine", "PADS off: listening"),
    QT_TRANSLATE_NOOP("Engine", "PADS on: engine starts"),
    QT_TRANSLATE_NOOP("Engine", "PADS on: listening"),
    QT_TRANSLATE_NOOP("Engine", "same"),
    QT_TRANSLATE_NOOP("Engine", "cut short"),
    QT_TRANSLATE_NOOP("Engine", "different"),
    QT_TRANSLATE_NOOP("Engine", "heard differently"),
    QT_TRANSLATE_NOOP("Engine", "missing"),
)


def worded(sentence: str) -> str:
    """A reason, a phase or a verdict of the engine."""
    return QCoreApplication.translate("Engine", sentence)


def act(name: str) -> str:
    """A dialogue act of DailyDialog in an everyday word."""
    return QCoreApplication.translate("DialogueActs", _ACTS.get(name, name))


def policy(name: str) -> str:
    """An exit policy in a few words."""
    return QCoreApplication.translate("Policies", _POLICIES.get(name, name))


def exactness(verdict: str) -> str:
    """What was found about drafting on this machine."""
    return QCoreApplication.translate("Certificate", _VERDICTS.get(verdict, verdict))
