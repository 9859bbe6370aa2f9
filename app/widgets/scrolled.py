"""A page that scrolls where the screen is too small for it, or the text too large."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app import theme

_SHARE = 0.85  # of the screen, at most
_LEAST = 160  # pixels either way that are of use at all
_FRAME = 6  # pixels between the page and the frame that shows the keyboard's focus
_BY_TAB = Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason


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
        self.setViewportMargins(_FRAME, _FRAME, _FRAME, _FRAME)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The page's own size, as far as it fits on the screen."""
        page, screen = self._page, self.screen().availableSize()
        width = min(page.sizeHint().width() + 16 + 2 * _FRAME, round(_SHARE * screen.width()))
        height = page.heightForWidth(width) if page.hasHeightForWidth() else -1
        height = max(height, page.sizeHint().height()) + 8 + 2 * _FRAME
        return QSize(width, min(height, round(_SHARE * screen.height())))

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """It is come to by the tab key, to be scrolled; a window opens on what is inside."""
        super().focusInEvent(event)
        if event.reason() not in _BY_TAB:
            widget = self.nextInFocusChain()
            while widget is not None and widget is not self and self.isAncestorOf(widget):
                if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible():
                    widget.setFocus(event.reason())
                    return
                widget = widget.nextInFocusChain()

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Small: it scrolls."""
        return QSize(_LEAST, _LEAST)
