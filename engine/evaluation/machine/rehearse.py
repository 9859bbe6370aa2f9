"""Job rehearse: every check before a presentation, the engine's own work among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import paths, settings
from engine.errors import PadsError
from engine.evaluation.machine import rehearsal_engine, rehearsal_machine
from engine.evaluation.machine.rehearsal import Check, Light, in_words, together, verdict
from engine.records.runs import ActiveRun
from engine.settings import Settings


def run(job: ActiveRun) -> dict[str, Any]:
    """Make every check in turn; a metric and a note tell each, `checks` of the result holds all.

    Raises `SettingsRejected` when the settings cannot be read.
    """
    looks = _looks(job, settings.load(paths.settings_file()))
    checks: list[dict[str, Any]] = []
    for done, (name, doing, look) in enumerate(looks):
        job.phase(doing, done / len(looks))
        try:
            check = look()
        except PadsError as exc:
            check = Check(name=name, light=Light.RED, sentence=f"{exc}.")
        checks.append(check.record())
        job.metric(check=checks[-1])
        job.note(in_words(checks[-1]))
    job.note(verdict(checks))
    return {
        "checks": checks,
        "light": together([check["light"] for check in checks]).value,
        "verdict": verdict(checks),
    }


def _looks(job: ActiveRun, chosen: Settings) -> list[tuple[str, str, Callable[[], Check]]]:
    """Name, what is being done, and the check itself; heat last, after the work."""
    machine, engine, evidence = rehearsal_machine, rehearsal_engine, job.evidence
    watch = machine.Watch(evidence)
    return [
        ("other programs", "watching what else runs", watch.load),
        ("power", "looking at the power supply", lambda: machine.power(evidence)),
        ("memory", "looking for free memory", lambda: machine.memory(evidence)),
        ("disk", "looking for free disk space", lambda: machine.disk(evidence)),
        ("models", "verifying the models", engine.models),
        (
            "microphone",
            "listening to the microphone",
            lambda: engine.microphone(chosen.microphone, evidence),
        ),
        ("one turn", "answering a question", lambda: engine.turn(chosen, evidence)),
        ("heat", "looking at the heat", watch.heat),
    ]
