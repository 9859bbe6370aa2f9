"""The machine's vital signs in the window, read from a faked kernel of a hot laptop."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app import theme
from app.panels.vitals import Vitals
from engine.telemetry.vitals import VitalsReader
from tests.engine.telemetry import kernel


@pytest.fixture
def vitals(qtbot: QtBot) -> Vitals:
    vitals = Vitals()
    qtbot.addWidget(vitals)
    vitals.resize(1280, 100)
    vitals.show()
    return vitals


def laptop(root: Path, celsius: int) -> Path:
    kernel.throttles(root, {0: (0, 0), 1: (0, 0)})
    return kernel.write(
        root,
        {
            "class/hwmon/hwmon0/name": "coretemp",
            "class/hwmon/hwmon0/temp1_label": "Package id 0",
            "class/hwmon/hwmon0/temp1_input": celsius * 1000,
            "class/hwmon/hwmon0/temp2_label": "Core 0",
            "class/hwmon/hwmon0/temp2_input": celsius * 1000 + 1000,
            "devices/system/cpu/cpu0/cpufreq/scaling_cur_freq": 1_300_000,
            "devices/system/cpu/cpu1/cpufreq/scaling_cur_freq": 4_300_000,
        },
    )


def test_clocks_temperatures_throttling_and_memory_are_told(vitals: Vitals, tmp_path: Path) -> None:
    reader = VitalsReader(laptop(tmp_path, 97), tmp_path)
    kernel.throttles(tmp_path, {0: (2, 1), 1: (2, 1)})
    vitals.show_gauge(reader.read())
    assert vitals.clock.value.text() == "2.8 GHz"
    assert "1.3 to 4.3 GHz" in vitals.clock.words.text()
    assert vitals.temperature.value.text() == "97 °C"
    assert "hottest core 98 °C" in vitals.temperature.words.text()
    assert vitals.throttles.value.text() == "3 events"
    assert "heat: 2 of a core, 1 of the package" in vitals.throttles.words.text()
    assert "own share" in vitals.memory.words.text()
    assert vitals.energy.value.text() == "—"
    assert "unavailable" in vitals.energy.words.text()


def test_above_its_threshold_a_reading_is_an_alert(vitals: Vitals, tmp_path: Path) -> None:
    for celsius, tone in ((60, ""), (97, "alert"), (60, "")):
        vitals.show_gauge(VitalsReader(laptop(tmp_path, celsius), tmp_path).read())
        assert (vitals.temperature.value.property("tone") or "") == tone


def test_the_threshold_is_drawn(vitals: Vitals, tmp_path: Path) -> None:
    for celsius in (60, 62, 61):
        vitals.show_gauge(VitalsReader(laptop(tmp_path, celsius), tmp_path).read())
    line = vitals.temperature.line
    assert line.threshold == 90
    image = line.grab().toImage()
    seen = {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}
    assert theme.ALERT.rgb() in seen or len(seen) > 3
    line.threshold = None
    plain = line.grab().toImage()
    assert plain != image
