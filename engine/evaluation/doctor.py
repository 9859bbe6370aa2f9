"""`pads doctor`: what is here, what is missing, and what to do about it."""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import sys
from dataclasses import dataclass
from typing import Any

from engine import paths
from engine.audio.microphone import input_devices
from engine.errors import PadsError
from engine.records.output import print_record
from engine.store import manifest
from engine.store.fetching import locate
from engine.telemetry.vitals import VitalsReader


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: `state` is fine, missing or unavailable, `note` says more."""

    thing: str
    state: str
    note: str


def add_parser(verbs: Any) -> None:
    """Add `doctor` to the verbs."""
    parser = verbs.add_parser("doctor", help="check models, microphone, sensors and folders")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    findings = [*_program(), *_models(), _microphone(), *_sensors(), *_folders()]
    for finding in findings:
        if arguments.json:
            record = {"type": "finding", "thing": finding.thing, "state": finding.state}
            print_record({**record, "note": finding.note})
        else:
            print(f"{finding.state:12} {finding.thing}: {finding.note}")
    missing = sum(finding.state == "missing" for finding in findings)
    if arguments.json:
        print_record({"type": "summary", "findings": len(findings), "missing": missing})
    return 1 if missing else 0


def _program() -> list[Finding]:
    version = importlib.metadata.version("pads-live")
    return [
        Finding("PADS Live", "fine", version),
        Finding("Python", "fine", f"{platform.python_version()} at {sys.executable}"),
        Finding("system", "fine", platform.platform()),
    ]


def _models() -> list[Finding]:
    findings = []
    for model in manifest.read():
        try:
            findings.append(Finding(f"model {model.name}", "fine", str(locate(model.name))))
        except PadsError as exc:
            state = "missing" if model.use == "default" else "unavailable"
            findings.append(Finding(f"model {model.name}", state, str(exc)))
    return findings


def _microphone() -> Finding:
    try:
        names = [device.name for device in input_devices()]
    except PadsError as exc:
        return Finding("microphone", "unavailable", str(exc))
    if not names:
        return Finding("microphone", "unavailable", "none found: connect one, or play a demo")
    return Finding("microphone", "fine", ", ".join(names))


def _sensors() -> list[Finding]:
    vitals = VitalsReader().read()
    findings = []
    for name in ("clock", "temperature", "throttles", "own_memory", "energy"):
        reading = getattr(vitals, name)
        words = name.replace("_", " ")
        if reading.value is None:
            findings.append(Finding(words, "unavailable", reading.reason))
        else:
            findings.append(Finding(words, "fine", f"{reading.value:.1f} {reading.unit}"))
    return findings


def _folders() -> list[Finding]:
    places = {
        "settings": paths.settings_file(),
        "user data": paths.data(),
        "cache": paths.cache(),
        "models": paths.fetched_models(),
    }
    return [Finding(f"{name} folder", "fine", str(place)) for name, place in places.items()]
