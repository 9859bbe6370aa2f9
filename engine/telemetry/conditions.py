"""What a measurement depends on besides its subject: governor, turbo, power, heat, other load.

What the system does not tell is None, with the reason where a sensor could have told it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from engine.telemetry import thermal
from engine.telemetry.energy import EnergyMeter
from engine.telemetry.processes import proportional_mb
from engine.telemetry.readings import PROC, SYS, Unreadable, text
from engine.telemetry.thermal import ThrottleCounter


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """How the machine stands; `governors` are the different ones of its cores."""

    governors: tuple[str, ...]
    turbo: bool | None
    on_battery: bool | None
    """None where no power source is shown, as on a desktop machine or a server."""
    usable_cores: int
    memory_free_mb: float


def read(root: Path = SYS) -> Conditions:
    """The conditions now, from the kernel's files below `root`."""
    return Conditions(
        governors=tuple(sorted(set(_governors(root)))),
        turbo=_turbo(root),
        on_battery=_on_battery(root),
        usable_cores=len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count() or 1,
        memory_free_mb=round(psutil.virtual_memory().available / 1e6, 1),
    )


def _governors(root: Path) -> Iterator[str]:
    for file in (root / "devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_governor"):
        if name := text(file):
            yield name


def _turbo(root: Path) -> bool | None:
    """Whether cores may run above their nominal clock (intel_pstate's or cpufreq's switch)."""
    if (off := text(root / "devices/system/cpu/intel_pstate/no_turbo")) in ("0", "1"):
        return off == "0"
    if (on := text(root / "devices/system/cpu/cpufreq/boost")) in ("0", "1"):
        return on == "1"
    return None


def _on_battery(root: Path) -> bool | None:
    """Whether a battery is all that feeds the machine; a mouse's battery is no such source."""
    supplies = list((root / "class/power_supply").glob("*"))
    mains = [text(s / "online") for s in supplies if text(s / "type") in ("Mains", "USB")]
    if "1" in mains:
        return False
    batteries = [
        text(supply / "status")
        for supply in supplies
        if text(supply / "type") == "Battery" and text(supply / "scope") != "Device"
    ]
    if batteries:
        return "Discharging" in batteries
    return None


class BackgroundLoad:
    """Cores' worth of work that others do: all processes but this one and its descendants."""

    def __init__(self) -> None:
        self._last = self._times()

    def cores(self) -> float:
        """Mean cores kept busy by others since the last call, or since construction."""
        before, self._last = self._last, self._times()
        passed_s = self._last[0] - before[0]
        others_s = (self._last[1] - before[1]) - (self._last[2] - before[2])
        return max(others_s / passed_s, 0.0) if passed_s > 0 else 0.0

    def _times(self) -> tuple[float, float, float]:
        """Now, and seconds of processor time so far: everybody's, and this program's."""
        everybody = psutil.cpu_times()._asdict()
        idle = everybody["idle"] + everybody.get("iowait", 0.0)
        guests = everybody.get("guest", 0.0) + everybody.get("guest_nice", 0.0)
        return time.monotonic(), sum(everybody.values()) - idle - guests, own_seconds()


def own_seconds() -> float:
    """Processor time of this process and its descendants, also of those that have ended."""
    process, spent = psutil.Process(), 0.0
    for member in [process, *process.children(recursive=True)]:
        try:
            spent += sum(member.cpu_times()[:4])  # its own and its ended children's
        except psutil.NoSuchProcess:
            continue
    return spent


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The sensors at one moment of a measurement; None where there is no sensor."""

    elapsed_s: float
    background_cores: float | None
    temperature_c: float | None
    clock_mhz: float | None
    throttles: float | None
    joules: float | None
    memory_mb: float | None


class Sensors:
    """Reads a `Sample` at a time; `reasons` says why what is None is missing."""

    def __init__(self, root: Path = SYS, proc: Path = PROC) -> None:
        self.reasons: dict[str, str] = {}
        self._root, self._proc = root, proc
        self._throttles, self._energy = ThrottleCounter(root), EnergyMeter(root)
        self._background = BackgroundLoad()
        self._began_s = self._read_s = time.monotonic()

    def sample(self) -> Sample:
        """The sensors now; the background load is the mean since the last sample."""
        now_s = time.monotonic()
        # Over a shorter time the kernel's hundredths of a second would be all there is to see.
        long_enough, self._read_s = now_s - self._read_s >= 0.2, now_s
        return Sample(
            elapsed_s=round(now_s - self._began_s, 3),
            background_cores=self._background.cores() if long_enough else None,
            temperature_c=self._read("temperature_c", lambda: thermal.temperature_c(self._root)),
            clock_mhz=self._read("clock_mhz", lambda: thermal.clock_mhz(self._root, self._proc)),
            throttles=self._read("throttles", self._throttles.events),
            joules=self._read("joules", self._energy.joules),
            memory_mb=self._read("memory_mb", proportional_mb),
        )

    def _read(self, name: str, measure: Callable[[], float]) -> float | None:
        try:
            return float(measure())
        except Unreadable as exc:
            self.reasons[name] = str(exc)
            return None
