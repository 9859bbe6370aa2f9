"""Only the machine's own name makes a figure a target measurement."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.events import Evidence
from engine.telemetry import target
from tests.engine.telemetry import kernel


@pytest.mark.parametrize(
    ("vendor", "product", "expected"),
    [
        ("Dell Inc.", "Latitude 5490", Evidence.TARGET),
        ("Dell Inc.", "Latitude 5491", Evidence.MEASURED),
        ("Dell Inc.", "Latitude 5490 XFR", Evidence.MEASURED),
        ("QEMU", "Latitude 5490", Evidence.MEASURED),
    ],
)
def test_evidence_follows_the_firmware_name(
    tmp_path: Path, vendor: str, product: str, expected: Evidence
) -> None:
    assert target.evidence(kernel.dmi(tmp_path, vendor, product)) is expected


def test_machine_without_firmware_names_is_not_the_target(tmp_path: Path) -> None:
    machine = target.describe(tmp_path, tmp_path)
    assert not machine.is_target
    assert machine.product is None
    assert machine.virtual is None


def test_description_for_the_record(tmp_path: Path) -> None:
    kernel.dmi(tmp_path, "Dell Inc.", "Latitude 5490")
    kernel.write(
        tmp_path,
        {
            "cpuinfo": "model name : Intel(R) Core(TM) i5-8350U\nflags : sse4_2 avx avx2 fma",
            "devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave",
        },
    )
    record = json.loads(json.dumps(target.describe(tmp_path, tmp_path).record()))
    assert record["is_target"] is True
    assert record["virtual"] is False
    assert record["cpu"] == "Intel(R) Core(TM) i5-8350U"
    assert record["features"] == ["sse4_2", "avx", "fma", "avx2"]
    assert record["governor"] == "powersave"
    assert record["memory_mb"] > 0
    assert record["usable_threads"] >= 1
