"""`pads doctor`: what is here, what is missing, and what to do about it."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from engine import paths, settings
from engine.audio.microphone import input_devices
from engine.errors import ModelUnavailable, PadsError
from engine.records.output import print_record
from engine.settings import Settings
from engine.speculation import adapter
from engine.store import library
from engine.store.fetching import locate
from engine.telemetry.vitals import VitalsReader
from engine.voice import synthesis


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: `state` is fine, missing or unavailable, `note` says more."""

    thing: str
    state: str
    note: str


def add_parser(verbs: Any) -> None:
    """Add `doctor` to the verbs."""
    parser = verbs.add_parser("doctor", help="check models, microphone, voice, sensors and folders")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    chosen, kept = _settings()
    findings = [
        *_program(),
        kept,
        *_models(),
        *_adapters(),
        _microphone(),
        *_voices(chosen),
        *_sensors(),
        *_folders(),
    ]
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
        _llama(),
    ]


def _llama() -> Finding:
    from engine.speculation import (
        llama,
    )  # takes a tenth of a second, which other verbs need not wait

    variant, number = llama.kernels()
    why = "compiled for this processor"
    if number > 1:
        why = f"the best of {number} builds that this processor has all instructions for"
    return Finding("llama.cpp", "fine", f"{variant}, {why}; {llama.system_info()}")


def _settings() -> tuple[Settings, Finding]:
    file = paths.settings_file()
    try:
        chosen = settings.load(file)
    except PadsError as exc:
        return Settings(), Finding("settings", "unavailable", str(exc))
    note = f"{file}{'' if file.exists() else ' (not written yet: the defaults)'}"
    return chosen, Finding("settings", "fine", f"{note}, answers by {chosen.decoder.model}")


def _models() -> list[Finding]:
    findings = []
    for model in library.read():
        try:
            findings.append(Finding(f"model {model.name}", "fine", str(locate(model.name))))
        except PadsError as exc:
            state = "missing" if model.use == "default" else "unavailable"
            findings.append(Finding(f"model {model.name}", state, str(exc)))
    return findings


def _adapters() -> list[Finding]:
    names = {model.sha256: model.name for model in library.read()}
    findings = []
    for path in adapter.files():
        try:
            sha256, exit_layer = adapter.belongs_to(path)
        except ModelUnavailable as exc:
            note = f"{exc.thing}: train it again or delete it"
            findings.append(Finding(f"exit adapter {path.name}", "unavailable", note))
            continue
        model = names.get(sha256, f"a model that is not here (sha256 {sha256[:16]}…)")
        note = f"for exit layer {exit_layer} of {model}, {path.parent}"
        findings.append(Finding(f"exit adapter {path.name}", "fine", note))
    return findings or [Finding("exit adapters", "unavailable", "none found: drafts come without")]


def _voices(chosen: Settings) -> list[Finding]:
    return [
        Finding(f"voice by {name}", "fine", found)
        if isinstance(found, str)
        else Finding(f"voice by {name}", "unavailable", str(found))
        for name, found in synthesis.installed(chosen.voice).items()
    ]


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
            note = f"{reading.value:.1f} {reading.unit} ({reading.evidence})"
            findings.append(Finding(words, "fine", note))
    return findings


def _folders() -> list[Finding]:
    places = {
        "settings": paths.config(),
        "user data": paths.data(),
        "sessions": paths.sessions(),
        "runs": paths.runs(),
        "added models": paths.added_models(),
        "cache": paths.cache(),
        "fetched models": paths.fetched_models(),
        "shipped files": paths.shipped(),
    }
    return [_folder(f"{name} folder", place) for name, place in places.items()]


def _folder(thing: str, place: Path) -> Finding:
    """A folder, with the room there; one not made yet stands where its parents allow it."""
    standing = next(folder for folder in (place, *place.parents) if folder.exists())
    if thing != "shipped files folder" and not os.access(standing, os.W_OK):
        return Finding(thing, "missing", f"{place} cannot be written: allow writing in {standing}")
    made = "" if standing == place else ", not made yet"
    free = psutil.disk_usage(str(standing)).free
    return Finding(thing, "fine", f"{place}{made}, {free / 1e9:.1f} GB free (measured)")
