"""A page that scrolls where the screen is too small for it, or the text too large."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app import theme

_SHARE = 0.85  # of the screen, at most
_LEAST = 160  # pixels either way that are of use at all


def roomy(widget: QWidget, width: int, height: int) -> QSize:
    """A size, given at text size 100 %, at the size of text in force, as far as the screen goes."""
    screen = widget.screen().availableSize()
    wanted = QSize(theme.px(width), theme.px(height))
    return wanted.boundedTo(QSize(round(_SHARE * screen.width()), round(_SHARE * screen.height())))


class Scrolled(QScrollArea):
    """Shows `page` whole if the screen allows; `name` is for screen readers."""

    def __init__(self, page: QWidget, name: str) -> None:
        super().__init__()
        self._page = page
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(name)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The page's own size, as far as it fits on the screen."""
        page, screen = self._page, self.screen().availableSize()
        width = min(page.sizeHint().width() + 16, round(_SHARE * screen.width()))
        height = page.heightForWidth(width) if page.hasHeightForWidth() else -1
        height = max(height, page.sizeHint().height()) + 8
        return QSize(width, min(height, round(_SHARE * screen.height())))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Small: it scrolls."""
        return QSize(_LEAST, _LEAST)
