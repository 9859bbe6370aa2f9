"""Energy counters that run, run over, are forbidden, or are not there."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine.telemetry.energy import EnergyMeter, PowerMeter
from engine.telemetry.readings import Unreadable
from tests.engine.telemetry import kernel

COUNTER = "class/powercap/intel-rapl:0/energy_uj"


def test_counts_the_package_alone(tmp_path: Path) -> None:
    meter = EnergyMeter(kernel.rapl(tmp_path, package_uj=5_000_000))
    assert meter.joules() == 0.0
    kernel.write(tmp_path, {COUNTER: 7_500_000, "class/powercap/intel-rapl:1/energy_uj": 10**8})
    assert meter.joules() == pytest.approx(2.5)


def test_accounts_for_a_counter_that_ran_over(tmp_path: Path) -> None:
    meter = EnergyMeter(kernel.rapl(tmp_path, package_uj=999_000_000))
    kernel.write(tmp_path, {COUNTER: 2_000_000})
    assert meter.joules() == pytest.approx(3.0)
    kernel.write(tmp_path, {COUNTER: 4_000_000})
    assert meter.joules() == pytest.approx(5.0)


def test_sums_the_packages_of_a_server(tmp_path: Path) -> None:
    kernel.rapl(tmp_path, package_uj=0)
    second = "class/powercap/intel-rapl:2"
    kernel.write(tmp_path, {f"{second}/name": "package-1", f"{second}/energy_uj": 10})
    meter = EnergyMeter(tmp_path)
    kernel.write(tmp_path, {COUNTER: 1_000_000, f"{second}/energy_uj": 2_000_010})
    assert meter.joules() == pytest.approx(3.0)


def test_says_that_there_is_no_counter(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="no energy counter"):
        EnergyMeter(tmp_path).joules()


def test_says_how_to_allow_a_forbidden_counter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel.rapl(tmp_path, package_uj=5)
    forbid(monkeypatch, tmp_path / COUNTER)
    with pytest.raises(Unreadable, match="sudo chmod"):
        EnergyMeter(tmp_path).joules()


def test_starts_counting_when_the_counter_becomes_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel.rapl(tmp_path, package_uj=900)
    with monkeypatch.context() as patch:
        forbid(patch, tmp_path / COUNTER)
        meter, power = EnergyMeter(tmp_path), PowerMeter(tmp_path)
        with pytest.raises(Unreadable):
            power.watts()
    assert meter.joules() == 0.0
    with pytest.raises(Unreadable, match="second reading"):
        power.watts()
    kernel.write(tmp_path, {COUNTER: 1_000_900})
    assert meter.joules() == pytest.approx(1.0)


def test_says_what_a_broken_counter_holds(tmp_path: Path) -> None:
    kernel.rapl(tmp_path, package_uj=5)
    kernel.write(tmp_path, {COUNTER: ""})
    with pytest.raises(Unreadable, match="cannot be read"):
        EnergyMeter(tmp_path).joules()


def test_power_is_energy_over_time(tmp_path: Path) -> None:
    power = PowerMeter(kernel.rapl(tmp_path, package_uj=0))
    start_s = time.monotonic() + 1
    power.watts_at(start_s)
    kernel.write(tmp_path, {COUNTER: 6_000_000})
    assert power.watts_at(start_s + 0.5) == pytest.approx(12.0)


def test_power_over_no_time_is_not_known(tmp_path: Path) -> None:
    power = PowerMeter(kernel.rapl(tmp_path, package_uj=0))
    start_s = time.monotonic() + 1
    power.watts_at(start_s)
    kernel.write(tmp_path, {COUNTER: 6_000_000})
    with pytest.raises(Unreadable, match="second reading"):
        power.watts_at(start_s + 0.0001)
    assert power.watts_at(start_s + 0.5) == pytest.approx(12.0)  # nothing was lost


def forbid(patch: pytest.MonkeyPatch, path: Path) -> None:
    """Refuse `path` as the kernel refuses it to a user; tests may run as administrator."""
    read_text = Path.read_text

    def guarded(self: Path, *args: str, **kwargs: str) -> str:
        if self == path:
            raise PermissionError(13, "Permission denied", str(path))
        return read_text(self, *args, **kwargs)

    patch.setattr(Path, "read_text", guarded)
