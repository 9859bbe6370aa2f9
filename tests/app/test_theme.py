"""The palettes: legible, and apart for every kind of colour vision; text at any size fits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from app import languages, theme
from app.main_window import MainWindow
from app.screenshots.material import settle
from engine import events
from engine.outbox import Outbox
from engine.settings import AppearanceSettings
from engine.telemetry.vitals import VitalsReader
from tests.app.conftest import Wear
from tests.app.every_dialog import every

LEGIBLE = 4.5  # WCAG 2.2, 1.4.3, level AA for text
FAR = 19.0  # CIE 1976 difference; 2.3 can just be seen side by side

Rgb = tuple[float, float, float]

# Complete dichromacy after Machado, Oliveira and Fernandes 2009, on linear light.
VISIONS = {
    "protanopia": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deuteranopia": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritanopia": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
    "any": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}


def linear(colour: QColor) -> Rgb:
    """Linear light of an opaque colour."""
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (colour.redF(), colour.greenF(), colour.blueF())
    )
    return red, green, blue


def over(colour: QColor, ground: QColor) -> QColor:
    """A translucent colour on an opaque ground."""
    alpha = colour.alphaF()
    mixed = [
        a * alpha + b * (1 - alpha)
        for a, b in zip(colour.getRgbF()[:3], ground.getRgbF()[:3], strict=True)
    ]
    return QColor.fromRgbF(*mixed)


def luminance(light: Rgb) -> float:
    """Relative luminance."""
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


def contrast(words: QColor, ground: QColor) -> float:
    """The contrast ratio of WCAG."""
    bright, dark = sorted((luminance(linear(words)), luminance(linear(ground))), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def seen(colour: QColor, vision: str) -> Rgb:
    """CIE L*a*b* of a colour as somebody sees it."""
    light = linear(colour)
    red, green, blue = (
        min(max(sum(w * c for w, c in zip(row, light, strict=True)), 0.0), 1.0)
        for row in VISIONS[vision]
    )
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.0891,
    )
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def pairs() -> list[tuple[str, QColor, QColor]]:
    """Words with the grounds they stand on."""
    roles = ("TEXT", "MUTED", "AUDIO", "SHALLOW", "HIDDEN", "VISIBLE", "WASTED", "PENDING", "ALERT")
    found = [
        (f"{role} on {ground}", getattr(theme, role), getattr(theme, ground))
        for role in roles
        for ground in ("BACKGROUND", "PANEL")
    ]
    found += [
        (f"INK on {field}", theme.INK, getattr(theme, field))
        for field in ("AUDIO", "SHALLOW", "HIDDEN", "VISIBLE", "WASTED")
    ]
    found += [
        ("TEXT on RAISED", theme.TEXT, theme.RAISED),
        ("TEXT on ALERT_FIELD", theme.TEXT, theme.ALERT_FIELD),
        ("reply", theme.HIDDEN, over(theme.faint(theme.HIDDEN, 40), theme.PANEL)),
        ("mark on speech", theme.HIDDEN, over(theme.SPEECH, theme.PANEL)),
    ]
    return found


@pytest.mark.parametrize("palette", theme.PALETTES)
def test_all_words_are_legible(palette: str, themed: Wear) -> None:
    themed(AppearanceSettings(colours=palette))
    poor = {name: round(contrast(*two), 2) for name, *two in pairs() if contrast(*two) < LEGIBLE}
    assert poor == {}


def test_the_high_contrast_palette_keeps_its_name(themed: Wear) -> None:
    themed(AppearanceSettings(colours="high-contrast"))
    assert min(contrast(words, ground) for _, words, ground in pairs()) >= 7.0  # level AAA


@pytest.mark.parametrize("palette", theme.PALETTES)
@pytest.mark.parametrize("vision", VISIONS)
def test_the_fates_of_work_are_told_apart(palette: str, vision: str, themed: Wear) -> None:
    themed(AppearanceSettings(colours=palette))
    fates = {name: getattr(theme, name) for name in ("SHALLOW", "HIDDEN", "VISIBLE", "WASTED")}
    near = {
        (a, b): round(math.dist(seen(fates[a], vision), seen(fates[b], vision)))
        for a, b in combinations(fates, 2)
        if math.dist(seen(fates[a], vision), seen(fates[b], vision)) < FAR
    }
    assert near == {}


def test_red_and_green_would_not_pass() -> None:
    red, green = QColor("#a06060"), QColor("#6e7060")
    assert math.dist(seen(red, "protanopia"), seen(green, "protanopia")) < FAR
    assert contrast(QColor("#777777"), QColor("#888888")) < LEGIBLE


def test_the_desktop_s_scheme_is_followed(qapp: QApplication, themed: Wear) -> None:
    hints = QGuiApplication.styleHints()
    try:
        for scheme, palette in ((Qt.ColorScheme.Light, "light"), (Qt.ColorScheme.Dark, "dark")):
            hints.setColorScheme(scheme)
            if hints.colorScheme() != scheme:
                pytest.skip("this platform has no colour scheme to set")
            assert theme.palette_for("system") == palette
            assert theme.palette_for("light") == "light"
    finally:
        hints.unsetColorScheme()


@pytest.fixture
def spoken(qapp: QApplication, language: str) -> Iterator[str]:
    before = qapp.findChildren(QTranslator)
    yield languages.speak(qapp, language)
    for translator in set(qapp.findChildren(QTranslator)) - set(before):
        qapp.removeTranslator(translator)
        translator.deleteLater()


@pytest.fixture
def window(themed: Wear, window: MainWindow, outbox: Outbox) -> MainWindow:
    """With words of all kinds in it."""
    outbox.show(VitalsReader().read())
    outbox.post(events.TurnDropped(heard_s=1, turn=1, wasted_ms=1234, reason="no words"))
    outbox.post(events.Problem(heard_s=1, message="The microphone is gone: connect it again"))
    window.bridge.deliver()
    return window


def cut(root: QWidget) -> list[str]:
    """Labels and buttons that are too small for their words."""
    found = []
    for label in root.findChildren(QLabel):
        if label.isVisible() and label.text() and not label.pixmap().width():
            tall = label.heightForWidth(label.width()) if label.wordWrap() else -1
            tall = max(tall, label.minimumSizeHint().height())
            if label.height() < tall or label.width() < label.minimumSizeHint().width():
                found.append(f"{label.text()}: {label.size()}")
    for button in root.findChildren(QPushButton):
        if button.isVisible() and button.width() < button.minimumSizeHint().width():
            found.append(f"{button.text()}: {button.size()}")
    return found


def found_cut(qtbot: QtBot, within: QWidget, count: int) -> None:
    """So many words are cut once the layouts have settled in the event loop."""

    def settled() -> None:
        assert len(cut(within)) == count, (type(within).__name__, cut(within))

    settle()
    qtbot.waitUntil(settled, timeout=30_000)


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
@pytest.mark.parametrize("percent", [100, 150, 200])
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_words_are_cut_in_the_window(
    qtbot: QtBot,
    spoken: str,
    window: MainWindow,
    themed: Wear,
    percent: int,
    size: tuple[int, int],
) -> None:
    assert window.menus.file.title() == ("&Datei" if spoken == "de" else "&File")
    themed(AppearanceSettings(colours="dark", text_percent=percent))
    window.resize(*size)
    found_cut(qtbot, window, 0)
    page = window.centralWidget()
    assert isinstance(page, QScrollArea)
    inside = page.widget()
    assert inside is not None
    assert inside.width() <= page.viewport().width(), "it scrolls sideways"


def test_words_that_are_cut_are_found(qtbot: QtBot, window: MainWindow) -> None:
    window.headline.hidden.words.setFixedHeight(5)
    window.controls.start.setFixedWidth(10)
    found_cut(qtbot, window, 2)


@pytest.mark.parametrize("percent", [100, 200])
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_words_are_cut_in_the_dialogs(
    qtbot: QtBot, spoken: str, window: MainWindow, themed: Wear, percent: int
) -> None:
    themed(AppearanceSettings(colours="light", text_percent=percent))
    for dialog in every(window):
        dialog.show()
        qtbot.waitExposed(dialog)
        found_cut(qtbot, dialog, 0)
        available = dialog.screen().availableSize()
        assert dialog.height() <= available.height()
        assert dialog.width() <= available.width()
        dialog.close()


def test_text_grows_and_shrinks_back_exactly(window: MainWindow, themed: Wear) -> None:
    figure = window.headline.hidden.value
    words = window.headline.hidden.words
    sizes = []
    for percent in (100, 150, 200, 100):
        themed(AppearanceSettings(colours="dark", text_percent=percent))
        sizes.append((figure.font().pixelSize(), words.font().pixelSize()))
    assert sizes[0] == sizes[-1] == (34, 13)
    assert sizes[2] == (68, 26)
    assert sizes == sorted(sizes[:-1]) + sizes[-1:]


def test_text_keeps_its_size_when_its_colour_changes(window: MainWindow, themed: Wear) -> None:
    figure = window.headline.first_word
    themed(AppearanceSettings(colours="dark", text_percent=170))
    for show in (lambda: figure.show_value("0 ms"), figure.clear):
        show()
        assert figure.value.font().pixelSize() == round(34 * 1.7)


def test_an_open_window_changes_its_palette(window: MainWindow, themed: Wear) -> None:
    shades = []
    for colours in ("dark", "light", "dark"):
        themed(AppearanceSettings(colours=colours))
        image = window.profiler.grab().toImage()
        label = window.headline.hidden.words
        shades.append((image.pixelColor(2, 2).name(), label.palette().windowText().color().name()))
    assert shades[0] == shades[2] == (QColor("#0e1116").name(), QColor("#93a0b0").name())
    assert shades[1] == ("#f4f6f8", "#4d5967")
