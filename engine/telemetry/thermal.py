"""Heat: temperature of the processor package, clock, and how often heat slowed it down."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from engine.telemetry.readings import PROC, SYS, Unreadable, number, text

_PACKAGE_DRIVERS = ("coretemp", "k10temp", "zenpower", "cpu_thermal")
_PACKAGE_LABELS = ("package id", "tdie", "tctl")
_CORE_LABELS = ("core ", "tccd")


def temperature_c(root: Path = SYS) -> float:
    """Temperature of the hottest processor package in °C, or of the hottest core.

    Linux hwmon first (`temp*_input` in thousandths of a degree), then the thermal zone
    `x86_pkg_temp`. Raises `Unreadable`.
    """
    sensors = list(_hwmon(root))
    packages = [value for label, value in sensors if label.startswith(_PACKAGE_LABELS)]
    found = packages or [value for _, value in sensors] or list(_zones(root))
    if not found:
        raise Unreadable(
            "this machine shows no processor temperature; on a real machine load its sensor "
            "driver (`sudo modprobe coretemp`), in a virtual machine there is none"
        )
    return max(found)


def core_temperature_c(root: Path = SYS) -> float:
    """Temperature of the hottest core in °C. Raises `Unreadable` without a sensor a core."""
    cores = [value for label, value in _hwmon(root) if label.startswith(_CORE_LABELS)]
    if not cores:
        raise Unreadable("this machine shows no temperature of single cores")
    return max(cores)


def _hwmon(root: Path) -> Iterator[tuple[str, float]]:
    for chip in sorted((root / "class/hwmon").glob("hwmon*")):
        if text(chip / "name") not in _PACKAGE_DRIVERS:
            continue
        for sensor in sorted(chip.glob("temp*_input")):
            label = text(chip / sensor.name.replace("_input", "_label")) or ""
            try:
                yield label.lower(), number(sensor) / 1000
            except (OSError, ValueError):
                continue  # a core that is switched off gives an error instead of a number


def _zones(root: Path) -> Iterator[float]:
    for zone in sorted((root / "class/thermal").glob("thermal_zone*")):
        if text(zone / "type") == "x86_pkg_temp":
            try:
                yield number(zone / "temp") / 1000
            except (OSError, ValueError):
                continue


def clock_mhz(root: Path = SYS, proc: Path = PROC) -> float:
    """Mean present clock of the cores in MHz. Raises `Unreadable`."""
    return fmean(core_clocks_mhz(root, proc))


def core_clocks_mhz(root: Path = SYS, proc: Path = PROC) -> list[float]:
    """Present clock of each core in MHz, from cpufreq, else from /proc/cpuinfo.

    A guest's cpuinfo repeats the nominal clock whatever the cores do, so it is not used in a
    virtual machine. Raises `Unreadable`.
    """
    found = []
    for file in sorted((root / "devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_cur_freq")):
        try:
            found.append(number(file) / 1000)
        except (OSError, ValueError):
            continue
    if found:
        return found
    info = text(proc / "cpuinfo") or ""
    lines = [line.partition(":") for line in info.splitlines()]
    if any(key.strip() == "flags" and "hypervisor" in value.split() for key, _, value in lines):
        raise Unreadable("a virtual machine does not see the real clock of its cores")
    found = [float(value) for key, _, value in lines if key.strip() == "cpu MHz"]
    if not found:
        raise Unreadable("this system does not tell the clock of its cores")
    return found


class ThrottleCounter:
    """Counts how often heat slowed cores or packages down since it was made.

    The kernel repeats a core's count on each of its threads and a package's on each of its
    cores, so each core and each package is counted once.
    """

    def __init__(self, root: Path = SYS) -> None:
        self._root = root / "devices/system/cpu"
        self._first = self._counts()

    def events(self) -> int:
        """Throttle events since construction. Raises `Unreadable`."""
        counted = self._since()
        if counted is None:
            raise Unreadable(
                "this machine does not count thermal throttling (Intel processors do, outside "
                "virtual machines)"
            )
        return sum(counted.values())

    def parts(self) -> str:
        """What was too hot since then: "3 of a core, 1 of the package"; empty if nothing."""
        counted = self._since() or {}
        words = {"core": "{} of a core", "package": "{} of the package"}
        return ", ".join(words[part].format(n) for part, n in counted.items() if n)

    def _since(self) -> dict[str, int] | None:
        now = self._counts()
        if not now:
            return None
        since = {"core": 0, "package": 0}
        for part, count in now.items():
            since[part[0]] += max(count - self._first.get(part, 0), 0)
        return since

    def _counts(self) -> dict[tuple[str, ...], int]:
        counts: dict[tuple[str, ...], int] = {}
        for cpu in sorted(self._root.glob("cpu[0-9]*")):
            package = text(cpu / "topology/physical_package_id") or "0"
            core = text(cpu / "topology/core_id") or cpu.name
            parts = {
                "core_throttle_count": ("core", package, core),
                "package_throttle_count": ("package", package),
            }
            for file, part in parts.items():
                try:
                    count = number(cpu / "thermal_throttle" / file)
                except (OSError, ValueError):
                    continue
                counts[part] = max(count, counts.get(part, 0))
        return counts
