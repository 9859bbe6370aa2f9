"""One of the two answers of a round: what was asked, what is answered, and the choice below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QVBoxLayout

from app import theme


class Answer(QFrame):
    """Panel of interval 1 or 2; both look alike, whatever PADS does."""

    def __init__(self, interval: int) -> None:
        super().__init__()
        self.setObjectName("bubble")
        self.heading = QLabel(self.tr("Answer {n}").format(n=interval))
        self.state, self.question, self.reply = QLabel(), QLabel(), QLabel()
        self.choose = QPushButton(self.tr("{n} felt quicker").format(n=interval))
        self.choose.setAccessibleName(self.tr("Answer {n} felt quicker").format(n=interval))
        self.choose.setAutoDefault(False)
        self.heading.setFont(theme.font(32, bold=True))
        self.state.setFont(theme.font(22))
        self.question.setFont(theme.font(24))
        self.reply.setFont(theme.font(32, bold=True))
        self.choose.setFont(theme.font(28, bold=True))
        theme.tone(self.state, "muted")
        theme.tone(self.question, "audio")
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 24, 20)
        column.setSpacing(12)
        for label in (self.heading, self.question, self.state, self.reply):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            column.addWidget(label)
        self.reply.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.reply.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        column.addWidget(self.choose)
        self.clear()

    def clear(self) -> None:
        """Nothing was asked here yet."""
        for label in (self.state, self.question, self.reply):
            label.setText("")
        self.choose.setEnabled(False)

    def show_course(self, state: str, heard: str, reply: str) -> None:
        """Show how far it is."""
        self.state.setText(state)
        self.question.setText(heard)
        self.reply.setText(reply.strip())
