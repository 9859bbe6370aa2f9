"""Conditions of a measurement, from kernel files and real processes."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from engine.telemetry import conditions
from engine.telemetry.conditions import BackgroundLoad, own_seconds
from tests.engine.telemetry import kernel

POWER = "class/power_supply"
_BUSY = "while True: pass"


@pytest.mark.parametrize(
    ("files", "on_battery"),
    [
        ({}, None),
        ({"AC/type": "Mains", "AC/online": 1}, False),
        ({"BAT0/type": "Battery", "BAT0/status": "Discharging"}, True),
        ({"BAT0/type": "Battery", "BAT0/status": "Full"}, False),
        (
            {
                "AC/type": "Mains",
                "AC/online": 0,
                "BAT0/type": "Battery",
                "BAT0/status": "Discharging",
            },
            True,
        ),
        (
            {"mouse/type": "Battery", "mouse/status": "Discharging", "mouse/scope": "Device"},
            None,
        ),
    ],
)
def test_power_source(files: dict[str, object], on_battery: bool | None, tmp_path: Path) -> None:
    kernel.write(tmp_path, {f"{POWER}/{name}": value for name, value in files.items()})
    assert conditions.read(tmp_path).on_battery is on_battery


@pytest.mark.parametrize(
    ("file", "value", "turbo"),
    [
        ("intel_pstate/no_turbo", 0, True),
        ("intel_pstate/no_turbo", 1, False),
        ("cpufreq/boost", 1, True),
        ("cpufreq/boost", 0, False),
        ("cpufreq/boost", "?", None),
    ],
)
def test_turbo(file: str, value: object, turbo: bool | None, tmp_path: Path) -> None:
    kernel.write(tmp_path, {f"devices/system/cpu/{file}": value})
    assert conditions.read(tmp_path).turbo is turbo


def test_cores_may_have_different_governors(tmp_path: Path) -> None:
    for cpu, name in enumerate(("powersave", "performance", "powersave")):
        kernel.write(tmp_path, {f"devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor": name})
    assert conditions.read(tmp_path).governors == ("performance", "powersave")


def _await_work(process: int, seconds: float) -> None:
    while sum(psutil.Process(process).cpu_times()[:2]) < seconds:
        pass


def test_a_childs_work_is_this_programs_own_also_after_its_end() -> None:
    with subprocess.Popen([sys.executable, "-c", _BUSY]) as child:
        _await_work(child.pid, 0.3)
        running = own_seconds()
        child.kill()
    before = psutil.Process().cpu_times()
    assert running >= 0.3
    assert own_seconds() >= before.children_user + before.children_system >= 0.3


def _others() -> tuple[float, float]:
    """Now, and seconds of everybody's processor time but this program's."""
    spent = psutil.cpu_times()._asdict()
    idle = sum(spent.get(name, 0.0) for name in ("idle", "iowait", "guest", "guest_nice"))
    return time.monotonic(), sum(spent.values()) - idle - own_seconds()


def test_this_programs_own_work_is_no_background() -> None:
    before, load, begun = _others(), BackgroundLoad(), _others()
    end_s = time.process_time() + 0.5
    while time.process_time() < end_s:
        pass
    ending, cores, after = _others(), load.cores(), _others()
    most = (after[1] - before[1]) / (ending[0] - begun[0])
    assert cores <= most + 0.1  # kernels count processor time in steps of 10 ms


def test_work_of_a_program_that_is_nobodys_child_here_is_background() -> None:
    script = f'"$0" -c "{_BUSY}" >/dev/null 2>&1 & echo $!'
    load, own = BackgroundLoad(), own_seconds()
    answer = subprocess.run(
        ["sh", "-c", script, sys.executable], stdout=subprocess.PIPE, text=True, check=True
    )
    orphan = int(answer.stdout)
    try:
        while sum(psutil.Process(orphan).cpu_times()[:2]) < 0.3:
            own_seconds()  # this process works too, and must not be mistaken for others
        assert load.cores() > 0
        spent = psutil.Process().cpu_times()
        assert own_seconds() - own <= spent.user + spent.system + spent.children_user + 0.1
    finally:
        psutil.Process(orphan).kill()
