"""What slows a processor down, on machines as their kernels show them."""

from __future__ import annotations

from pathlib import Path

from engine.telemetry import slowing
from engine.telemetry.thermal import ThrottleCounter
from tests.engine.telemetry import kernel


def test_nothing_is_known_of_a_machine_without_sensors(tmp_path: Path) -> None:
    assert slowing.reasons(ThrottleCounter(tmp_path), tmp_path) == ""


def test_each_reason_is_named(tmp_path: Path) -> None:
    kernel.throttles(tmp_path, {0: (1, 5), 1: (1, 5), 2: (4, 5), 3: (4, 5)})
    counter = ThrottleCounter(tmp_path)
    assert slowing.reasons(counter, tmp_path) == ""
    kernel.throttles(tmp_path, {0: (1, 7), 1: (1, 7), 2: (5, 7), 3: (5, 7)})
    assert slowing.reasons(counter, tmp_path) == "heat: 1 of a core, 2 of the package"
    kernel.write(
        tmp_path,
        {
            "devices/system/cpu/cpu0/cpufreq/scaling_max_freq": 3_600_000,
            "devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq": 3_600_000,
            "devices/system/cpu/cpu1/cpufreq/scaling_max_freq": 1_600_000,
            "devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq": 3_600_000,
            "devices/system/cpu/intel_pstate/no_turbo": 1,
            "class/power_supply/BAT0/type": "Battery",
            "class/power_supply/BAT0/status": "Discharging",
        },
    )
    assert slowing.reasons(counter, tmp_path) == (
        "heat: 1 of a core, 2 of the package; clock held at 1.6 of 3.6 GHz; turbo is off; "
        "on battery"
    )


def test_full_clock_on_mains_slows_nothing(tmp_path: Path) -> None:
    kernel.write(
        tmp_path,
        {
            "devices/system/cpu/cpu0/cpufreq/scaling_max_freq": 3_590_000,
            "devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq": 3_600_000,
            "devices/system/cpu/intel_pstate/no_turbo": 0,
            "class/power_supply/AC/type": "Mains",
            "class/power_supply/AC/online": 1,
        },
    )
    assert slowing.reasons(ThrottleCounter(tmp_path), tmp_path) == ""
