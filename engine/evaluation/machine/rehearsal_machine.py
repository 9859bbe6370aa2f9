"""What a rehearsal asks of the machine: power, memory, disk, other programs, heat.

Each `…_light` function judges plain numbers, so that every verdict can be tested.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import psutil

from engine import paths
from engine.evaluation.machine.rehearsal import Check, Light, unavailable
from engine.events import Evidence
from engine.records.evidence import Figure
from engine.telemetry import thermal
from engine.telemetry.heat import HOT_C
from engine.telemetry.processes import ProcessTree
from engine.telemetry.readings import SYS, Unreadable, text
from engine.telemetry.thermal import ThrottleCounter
from engine.telemetry.vitals import VitalsReader

_WARM_C = 80.0
_BUSY, _CROWDED = 20.0, 50.0  # percent of all cores that other programs take
_ROOM_MB, _LEAST_MB = 1500.0, 700.0  # models, decoder and window take some 600 MB
_DISK_MB, _LEAST_DISK_MB = 2000.0, 300.0
_LOW_BATTERY = 20.0
_WATCHED_S = 2.0
_PACED_BY_DRIVER = ("intel_pstate", "amd-pstate", "amd-pstate-epp")
"""Drivers under which the governor "powersave" still clocks up on demand."""


class Watch:
    """Loads and heat between its making and a look; made before anything else runs."""

    def __init__(self, evidence: Evidence, root: Path = SYS) -> None:
        self._evidence, self._root = evidence, root
        self._throttles = ThrottleCounter(root)

    def load(self) -> Check:
        """How much of the processor other programs take, over two seconds."""
        own, vitals = ProcessTree(_ours()), VitalsReader()
        before = _processor_times()
        time.sleep(_WATCHED_S)
        loads = vitals.read().core_loads
        share = max(sum(loads) - own.load_percent(), 0.0) / max(len(loads), 1)
        used = {pid: s - before.get(pid, (s, ""))[0] for pid, (s, _) in _processor_times().items()}
        names = {pid: name for pid, (_, name) in before.items()}
        busiest = max(used, key=lambda pid: used[pid], default=None)
        light, sentence = load_light(share, names.get(busiest or -1, ""))
        figure = Figure(value=round(share, 1), unit="% of all cores", evidence=self._evidence)
        return Check(
            name="other programs", light=light, sentence=sentence, figures={"load": figure}
        )

    def heat(self) -> Check:
        """The temperature now, and whether heat slowed the processor since this was made."""
        figures: dict[str, Figure] = {}
        degrees: float | None = None
        slowed: float | None = None
        try:
            degrees = round(thermal.temperature_c(self._root), 1)
            figures["temperature"] = Figure(value=degrees, unit="°C", evidence=self._evidence)
        except Unreadable as exc:
            figures["temperature"] = unavailable("°C", str(exc))
        try:
            slowed = float(self._throttles.events())
            figures["throttling"] = Figure(value=slowed, unit="events", evidence=self._evidence)
        except Unreadable as exc:
            figures["throttling"] = unavailable("events", str(exc))
        light, sentence = heat_light(degrees, slowed)
        return Check(name="heat", light=light, sentence=sentence, figures=figures)


def power(evidence: Evidence, root: Path = SYS) -> Check:
    """Mains or battery, and whether the system saves power at the price of speed."""
    battery = psutil.sensors_battery()
    cpu = root / "devices/system/cpu/cpu0/cpufreq"
    governor, driver = text(cpu / "scaling_governor"), text(cpu / "scaling_driver") or ""
    saving = governor == "powersave" and driver not in _PACED_BY_DRIVER
    saving = saving or text(root / "firmware/acpi/platform_profile") == "low-power"
    charge = unavailable("%", "this machine has no battery, or does not show it")
    percent, plugged = None, None
    if battery is not None:
        percent, plugged = float(battery.percent), battery.power_plugged
        charge = Figure(value=round(percent, 1), unit="%", evidence=evidence)
    light, sentence = power_light(percent, plugged, saving=saving)
    if governor is not None:
        sentence += f" Governor: {governor}."
    return Check(name="power", light=light, sentence=sentence, figures={"battery": charge})


def memory(evidence: Evidence) -> Check:
    """Memory that programs can still have."""
    free_mb = psutil.virtual_memory().available / 1e6
    light, sentence = room_light(free_mb, _ROOM_MB, _LEAST_MB, "memory", "close other programs")
    figure = Figure(value=round(free_mb), unit="MB", evidence=evidence)
    return Check(name="memory", light=light, sentence=sentence, figures={"free": figure})


def disk(evidence: Evidence) -> Check:
    """Room where sessions and runs are written."""
    folder = paths.data()
    while not folder.exists():
        folder = folder.parent
    free_mb = shutil.disk_usage(folder).free / 1e6
    light, sentence = room_light(
        free_mb, _DISK_MB, _LEAST_DISK_MB, "disk space", f"free some on the disk of {folder}"
    )
    figure = Figure(value=round(free_mb), unit="MB", evidence=evidence)
    return Check(name="disk", light=light, sentence=sentence, figures={"free": figure})


def load_light(share: float, busiest: str) -> tuple[Light, str]:
    """Judge what others take, in percent of all cores; `busiest` is a program's name or ""."""
    close = f"Close other programs{f', first of all {busiest}' if busiest else ''}"
    if share >= _CROWDED:
        return Light.RED, f"{close}: they take more than half of the processor."
    if share >= _BUSY:
        return Light.AMBER, f"{close}: they take a noticeable part of the processor."
    return Light.GREEN, "The processor is free."


def power_light(percent: float | None, plugged: bool | None, *, saving: bool) -> tuple[Light, str]:
    """Judge the supply; None where the machine shows no battery."""
    if percent is not None and plugged is False:
        low = percent < _LOW_BATTERY
        return (
            Light.RED if low else Light.AMBER,
            "Connect the charger: on battery the processor is slower, and it may run out."
            if low
            else "Connect the charger: on battery the processor is slower.",
        )
    if saving:
        return Light.AMBER, "Switch power saving off: it holds the processor at a low clock."
    return Light.GREEN, "On mains." if plugged else "On mains (no battery is shown)."


def room_light(
    free_mb: float, enough_mb: float, least_mb: float, what: str, remedy: str
) -> tuple[Light, str]:
    """Judge free room against what is comfortable and what is needed at least."""
    if free_mb < least_mb:
        return Light.RED, f"There is too little {what}: {remedy}."
    if free_mb < enough_mb:
        return Light.AMBER, f"There is little {what}: {remedy}."
    return Light.GREEN, f"There is enough {what}."


def heat_light(degrees: float | None, slowed: float | None) -> tuple[Light, str]:
    """Judge temperature in °C and throttle events; None where there is no sensor."""
    if slowed:
        return Light.RED, "Heat slowed the processor down: let it cool and free its air vents."
    if degrees is not None and degrees >= HOT_C:
        return Light.RED, "The processor is hot: let it cool and free its air vents."
    if degrees is not None and degrees >= _WARM_C:
        return Light.AMBER, "The processor is warm: free its air vents before you present."
    if degrees is None and slowed is None:
        return Light.UNKNOWN, "This machine shows neither temperature nor throttling."
    return Light.GREEN, "The processor is cool enough and was not slowed by heat."


def _ours() -> int:
    """The outermost of this process and its ancestors that is a part of PADS Live."""
    this = psutil.Process()
    outermost = int(this.pid)
    for ancestor in this.parents():
        try:
            command = " ".join(ancestor.cmdline())
        except psutil.Error:
            break
        if not any(name in command for name in ("pads", "engine.jobs", "-m app")):
            break
        outermost = int(ancestor.pid)
    return outermost


def _processor_times() -> dict[int, tuple[float, str]]:
    """Processor seconds and name of every process that is not ours."""
    root = psutil.Process(_ours())
    ours = {root.pid, *(child.pid for child in root.children(recursive=True))}
    times = {}
    for process in psutil.process_iter(["pid", "name", "cpu_times"]):
        spent = process.info["cpu_times"]
        if process.info["pid"] not in ours and spent is not None:
            times[process.info["pid"]] = (spent.user + spent.system, process.info["name"] or "")
    return times
