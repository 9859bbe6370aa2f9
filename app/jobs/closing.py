"""What becomes of the jobs when the window closes: the user says."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from engine.jobs import overview


def may_close(parent: QWidget) -> bool:
    """Ask, if jobs run or wait, whether they go on, end, or keep the window open."""
    active = overview.active()
    if not active:
        return True
    box = QMessageBox(parent)
    box.setWindowTitle(QCoreApplication.translate("Closing", "Jobs are running"))
    told = QCoreApplication.translate(
        "Closing",
        "{count} job(s) are running or waiting. They can go on in the background: the next time "
        "this program is opened, the Jobs window shows how they stand.",
    )
    box.setText(told.format(count=len(active)))
    go_on = box.addButton(
        QCoreApplication.translate("Closing", "Let them &go on"), QMessageBox.ButtonRole.AcceptRole
    )
    end = box.addButton(
        QCoreApplication.translate("Closing", "&End them"), QMessageBox.ButtonRole.DestructiveRole
    )
    stay = box.addButton(
        QCoreApplication.translate("Closing", "&Stay here"), QMessageBox.ButtonRole.RejectRole
    )
    box.setDefaultButton(go_on)
    box.setEscapeButton(stay)
    box.exec()
    chosen = box.clickedButton()
    if chosen is end:
        for seen in active:
            seen.run.request_cancel()
    return chosen is not stay
