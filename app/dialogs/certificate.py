"""The certificate: what was checked on this machine about what speculation serves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

_MODES = {
    "always": "always drafts, whatever it costs (for demonstrations)",
    "auto": "drafts only where it was measured to be faster",
    "never": "never drafts",
}


def verdict(decoder: Mapping[str, Any]) -> str:
    """`exact`, `lossless up to rounding` or `lossy`; empty when the decoder told nothing."""
    if not decoder.get("lossless", True):
        return "lossy"
    return str(decoder.get("exactness", {}).get("verdict", ""))


def sentence(decoder: Mapping[str, Any]) -> str:
    """The verdict in plain words."""
    match verdict(decoder):
        case "exact":
            return (
                "Checked on this machine at start: drafting ahead serves the very tokens that "
                "decoding one by one serves."
            )
        case "lossy":
            return (
                f"The exit policy {decoder.get('exit_policy')} serves tokens of the shallow layers "
                "unchecked: replies can differ from the whole model's."
            )
        case _:
            return (
                "Every draft is verified by the whole model, but on this machine wider batches "
                "round differently, so that a reply may now and then differ."
            )


def rows(decoder: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the certificate says, as names and values."""
    probe, kernels = decoder["exactness"], decoder["kernels"]
    sampling = decoder["sampling"]
    widths = ", ".join(str(width) for width in probe["equal"]) or "none"
    unequal = ", ".join(str(width) for width in probe["unequal"])
    differs = f"; not at {unequal} (margin {probe['margin']:.2g} in a logit)" if unequal else ""
    threads = f"{decoder['threads']} threads"
    if decoder["performance_cores"]:
        threads += f" on performance cores {decoder['performance_cores']}"
    chosen = "greedy" if sampling["temperature"] == 0 else f"temperature {sampling['temperature']}"
    return [
        ("Model", f"{decoder['model']} (sha256 {decoder['sha256'][:16]}…)"),
        (
            "Cut",
            f"first {decoder['exit_layer']} of {decoder['layers']} layers draft from "
            f"{decoder['draft_vocabulary']:,} of {decoder['vocab']:,} tokens; all layers verify",
        ),
        (
            "Bit-equal",
            f"batches of {widths} against single steps at {probe['positions']} positions"
            f"{differs} (measured)",
        ),
        ("Widest batch used", str(probe["widest_used"])),
        (
            "Decoding",
            f"{chosen}, {decoder['draft_tokens']} drafted at a time; "
            f"{_MODES.get(decoder['speculation'], decoder['speculation'])}; "
            f"exit policy {decoder['exit_policy']}",
        ),
        (
            "Arithmetic",
            f"{'flash attention' if kernels['flash_attention'] else 'plain attention'}, "
            f"K {kernels['type_k']}, V {kernels['type_v']}, "
            f"weights {'repacked' if kernels['repack'] else 'as stored'}",
        ),
        ("Computed by", threads),
        ("Processor and build", decoder["system_info"]),
        *(("Left out", problem) for problem in decoder.get("problems", ())),
    ]


class CertificateDialog(QDialog):
    """Shows the certificate of the running decoder; its text can be selected and copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("What is served")
        self.setMinimumWidth(640)
        self._text = ""
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self._form = QFormLayout()
        self._form.setSpacing(10)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        copy = QPushButton("&Copy")
        copy.setAccessibleName("Copy the certificate")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(16)
        layout.addWidget(self.summary)
        layout.addLayout(self._form)
        layout.addStretch(1)
        layout.addWidget(buttons)

    @property
    def text(self) -> str:
        """All of it, a line a row."""
        return self._text

    def describe(self, decoder: Mapping[str, Any]) -> None:
        """Take what the decoder said about itself when it became ready."""
        while self._form.rowCount():
            self._form.removeRow(0)
        lines = [f"{verdict(decoder)}: {sentence(decoder)}"]
        self.summary.setText(sentence(decoder))
        for name, value in rows(decoder):
            label = QLabel(value)
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse
                | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            label.setAccessibleName(f"{name}: {value}")
            self._form.addRow(name, label)
            lines.append(f"{name}: {value}")
        self._text = "\n".join(lines)
