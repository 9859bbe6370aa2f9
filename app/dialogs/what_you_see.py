"""What the window shows, part by part, in words for somebody who sees it for the first time."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from app import theme
from app.phrases import QT_TRANSLATE_NOOP
from app.widgets.scrolled import Scrolled, roomy

_INTRODUCTION = QT_TRANSLATE_NOOP(
    "WhatYouSee",
    "While you pause, the machine can already work out the deep part of its answer. PADS Live "
    "shows when it does so, what that saves, and what wrong guesses cost.",
)
PARTS = (
    (
        QT_TRANSLATE_NOOP("WhatYouSee", "The four numbers"),
        QT_TRANSLATE_NOOP(
            "WhatYouSee",
            "How long after your turn the first word came; how long it would have taken without "
            "PADS; how much deep work was hidden in your pauses so far; and which share of all "
            "deep work was thrown away because you went on speaking.",
        ),
    ),
    (
        QT_TRANSLATE_NOOP("WhatYouSee", "Lane “audio”"),
        QT_TRANSLATE_NOOP("WhatYouSee", "What is heard, shaded where somebody speaks."),
    ),
    (
        QT_TRANSLATE_NOOP("WhatYouSee", "Lane “turn end”"),
        QT_TRANSLATE_NOOP(
            "WhatYouSee",
            "How likely you have finished, judged in every pause. Only above the dashed line may "
            "deep work start early.",
        ),
    ),
    (
        QT_TRANSLATE_NOOP("WhatYouSee", "Lane “verdict”"),
        QT_TRANSLATE_NOOP(
            "WhatYouSee",
            "What kind of sentence you said, such as a question or a promise, and how likely the "
            "answer needs depth, from 0 to 1. It is green when both conditions are met and deep "
            "work starts.",
        ),
    ),
    (
        QT_TRANSLATE_NOOP("WhatYouSee", "Lane “decoder”"),
        QT_TRANSLATE_NOOP(
            "WhatYouSee",
            "The language model at work. Its shallow layers read along while you speak. Its deep "
            "layers work on the answer: green is hidden in your pause, yellow is time you wait, "
            "hatched was thrown away.",
        ),
    ),
    (
        QT_TRANSLATE_NOOP("WhatYouSee", "Lane “reply”"),
        QT_TRANSLATE_NOOP("WhatYouSee", "The answer. It is never shown before your turn is over."),
    ),
    (
        QT_TRANSLATE_NOOP("WhatYouSee", "Exit ladder"),
        QT_TRANSLATE_NOOP(
            "WhatYouSee",
            "One rung for each layer of the model. The layers up to the outlined one, the exit, "
            "guess the next piece of a word, called a token, and all layers check the guess. "
            "Below stand the newest tokens: a guess that was kept, one that was corrected, or one "
            "that the whole model wrote by itself.",
        ),
    ),
    (
        QT_TRANSLATE_NOOP("WhatYouSee", "“exact” and “verified”"),
        QT_TRANSLATE_NOOP(
            "WhatYouSee",
            "All guesses are checked, and at the start it was measured that the answer is the "
            "same, token by token, as without guessing. The badge opens what was checked.",
        ),
    ),
    (
        QT_TRANSLATE_NOOP("WhatYouSee", "The row at the bottom"),
        QT_TRANSLATE_NOOP(
            "WhatYouSee",
            "What the machine does meanwhile: load, clock, heat, throttling, memory, power, and "
            "pieces of sound that were lost. What it does not tell is named, never guessed.",
        ),
    ),
    (
        QT_TRANSLATE_NOOP("WhatYouSee", "The word behind a number"),
        QT_TRANSLATE_NOOP(
            "WhatYouSee",
            "“measured” was measured on this machine, “derived” was calculated from what was "
            "measured, “published” stands in a publication of others, and “unavailable” says why "
            "there is no number.",
        ),
    ),
)
"""Name and explanation of every part, from the top of the window to its bottom."""


class WhatYouSeeDialog(QDialog):
    """Explains the window; it can stay open beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("What you see"))
        self.resize(roomy(self, 620, 640))
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(4)
        column.addWidget(_label(_INTRODUCTION))
        for name, explanation in PARTS:
            heading = _label(name)
            heading.setFont(theme.font(13, bold=True))
            column.addSpacing(theme.px(10))
            column.addWidget(heading)
            column.addWidget(_label(explanation))
        column.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 16)
        layout.setSpacing(12)
        layout.addWidget(Scrolled(page, self.tr("What you see")), 1)
        layout.addWidget(buttons)


def _label(text: str) -> QLabel:
    label = QLabel(QCoreApplication.translate("WhatYouSee", text))
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
