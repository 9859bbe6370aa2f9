"""The certificate: what was checked on this machine about what speculation serves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
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

from app.engine_words import policy
from app.phrases import QT_TRANSLATE_NOOP
from app.widgets.scrolled import Scrolled

_MODES = {
    "always": QT_TRANSLATE_NOOP(
        "Certificate", "always drafts, whatever it costs (for demonstrations)"
    ),
    "auto": QT_TRANSLATE_NOOP("Certificate", "drafts only where it was measured to be faster"),
    "never": QT_TRANSLATE_NOOP("Certificate", "never drafts"),
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
            return QCoreApplication.translate(
                "Certificate",
                "Checked on this machine at start: drafting ahead serves the very tokens that "
                "decoding one by one serves.",
            )
        case "lossy":
            return QCoreApplication.translate(
                "Certificate",
                "The exit policy {policy} serves tokens of the shallow layers unchecked: replies "
                "can differ from the whole model's.",
            ).format(policy=policy(str(decoder.get("exit_policy"))))
        case _:
            return QCoreApplication.translate(
                "Certificate",
                "Every draft is verified by the whole model, but on this machine wider batches "
                "round differently, so that a reply may now and then differ.",
            )


def rows(decoder: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the certificate says, as names and values."""
    translate = QCoreApplication.translate
    cut = translate(
        "Certificate",
        "first {exit_layer} of {layers} layers draft from {draft_vocabulary:,} of {vocab:,} "
        "tokens; all layers verify",
    )
    left_out = translate("Certificate", "Left out")
    return [
        (
            translate("Certificate", "Model"),
            f"{decoder['model']} (sha256 {decoder['sha256'][:16]}…)",
        ),
        (translate("Certificate", "Cut"), cut.format(**decoder)),
        (translate("Certificate", "Bit-equal"), _bit_equal(decoder["exactness"])),
        (
            translate("Certificate", "Widest batch used"),
            str(decoder["exactness"]["widest_used"]),
        ),
        (translate("Certificate", "Decoding"), _decoding(decoder)),
        (translate("Certificate", "Arithmetic"), _arithmetic(decoder["kernels"])),
        (translate("Certificate", "Computed by"), _threads(decoder)),
        (translate("Certificate", "Processor and build"), decoder["system_info"]),
        *((left_out, problem) for problem in decoder.get("problems", ())),
    ]


def _bit_equal(probe: Mapping[str, Any]) -> str:
    translate = QCoreApplication.translate
    widths = ", ".join(str(width) for width in probe["equal"])
    widths = widths or translate("Certificate", "none")
    facts = {"widths": widths, "positions": probe["positions"]}
    if not probe["unequal"]:
        said = translate(
            "Certificate",
            "batches of {widths} against single steps at {positions} positions (measured)",
        )
        return said.format(**facts)
    said = translate(
        "Certificate",
        "batches of {widths} against single steps at {positions} positions; not at {unequal} "
        "(margin {margin:.2g} in a logit) (measured)",
    )
    unequal = ", ".join(str(width) for width in probe["unequal"])
    return said.format(**facts, unequal=unequal, margin=probe["margin"])


def _decoding(decoder: Mapping[str, Any]) -> str:
    translate = QCoreApplication.translate
    temperature, mode = decoder["sampling"]["temperature"], decoder["speculation"]
    greedy = translate("Certificate", "greedy")
    warm = translate("Certificate", "temperature {t}").format(t=temperature)
    said = translate(
        "Certificate", "{chosen}, {drafts} drafted at a time; {mode}; exit policy {policy}"
    )
    return said.format(
        chosen=greedy if temperature == 0 else warm,
        drafts=decoder["draft_tokens"],
        mode=translate("Certificate", _MODES[mode]) if mode in _MODES else mode,
        policy=policy(decoder["exit_policy"]),
    )


def _arithmetic(kernels: Mapping[str, Any]) -> str:
    translate = QCoreApplication.translate
    flash = translate("Certificate", "flash attention")
    plain = translate("Certificate", "plain attention")
    repacked = translate("Certificate", "weights repacked")
    stored = translate("Certificate", "weights as stored")
    parts = (
        flash if kernels["flash_attention"] else plain,
        f"K {kernels['type_k']}",
        f"V {kernels['type_v']}",
        repacked if kernels["repack"] else stored,
    )
    return ", ".join(parts)


def _threads(decoder: Mapping[str, Any]) -> str:
    said = QCoreApplication.translate("Certificate", "{threads} threads")
    if decoder["performance_cores"]:
        said = QCoreApplication.translate(
            "Certificate", "{threads} threads on performance cores {performance_cores}"
        )
    return said.format(**decoder)


class CertificateDialog(QDialog):
    """Shows the certificate of the running decoder; its text can be selected and copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Exactness certificate"))
        self._text = ""
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self._form = QFormLayout()
        self._form.setSpacing(10)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        copy = QPushButton(self.tr("&Copy"))
        copy.setAccessibleName(self.tr("Copy the certificate"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.close)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(16)
        column.addWidget(self.summary)
        column.addLayout(self._form)
        column.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(16)
        layout.addWidget(Scrolled(page, self.tr("Certificate")))
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
