"""What a rehearsal asks of the product itself: models, microphone, one turn from end to end."""

from __future__ import annotations

import time
from dataclasses import replace

from engine import commands, events, paths
from engine.audio.levels import ADVICE, LevelMeter, Loudness, SaySomething
from engine.audio.microphone import Microphone
from engine.audio.ring import Ring
from engine.clock import SampleClock
from engine.errors import AudioUnavailable
from engine.evaluation.conversations.conversation import Summary, converse, with_pads
from engine.evaluation.conversations.questions import questions
from engine.evaluation.machine.rehearsal import Check, Light
from engine.events import Event, Evidence
from engine.records.evidence import Figure
from engine.settings import Settings
from engine.store import fetching, manifest

_LISTENED_S = 1.5
_OPENING_S = 8.0  # some sound servers take seconds until a stream delivers
_BLOCK = 512
_DIGITAL_SILENCE_DBFS = -95.0  # less than one step of a 16-bit converter
_SLOW_MS = 1500.0  # of waiting after the turn's end, where people would notice nothing else
_QUESTION = "first-guitar-1"


def models() -> Check:
    """Every model of the default set, byte by byte."""
    wanted = [model for model in manifest.read() if model.use == "default"]
    wrong = {name: why for name, why in fetching.verify(wanted).items() if why is not None}
    if wrong:
        which = ", ".join(f"{name} ({why})" for name, why in wrong.items())
        sentence = f"Run `pads models fetch`: {which}."
        return Check(name="models", light=Light.RED, sentence=sentence)
    sentence = f"All {len(wanted)} models are here and whole."
    return Check(name="models", light=Light.GREEN, sentence=sentence)


def microphone(name: str | None, evidence: Evidence) -> Check:
    """Open the microphone and listen to the room for a moment; nobody needs to speak."""
    ring, clock = Ring(), SampleClock()
    try:
        source = Microphone(name, ring, clock)
        source.start()
    except AudioUnavailable as exc:
        light = Light.AMBER if name is None else Light.RED  # without one, demos can be shown
        return Check(name="microphone", light=light, sentence=f"{exc}.")
    try:
        found, peak_dbfs = _listen(ring)
    finally:
        source.close()
    if peak_dbfs is None:
        sentence = f"{source.name} delivers no sound: connect it again, or choose another input."
        return Check(name="microphone", light=Light.RED, sentence=sentence)
    light, sentence = heard_light(source.name, found, silent=peak_dbfs <= _DIGITAL_SILENCE_DBFS)
    figure = Figure(value=round(peak_dbfs, 1), unit="dBFS", evidence=evidence)
    return Check(name="microphone", light=light, sentence=sentence, figures={"peak": figure})


def heard_light(name: str, found: Loudness, *, silent: bool) -> tuple[Light, str]:
    """Judge what a microphone let hear of a room in which nobody has to speak."""
    if silent:
        return Light.RED, f"{name}: {ADVICE[Loudness.SILENT]}."
    match found:
        case Loudness.SILENT:
            return Light.AMBER, f"{name} hears next to nothing: turn it up, or speak to test it."
        case Loudness.TOO_LOUD:
            return Light.AMBER, f"{name}: {ADVICE[found]}."
        case _:
            return Light.GREEN, f"{name} hears the room."


def _listen(ring: Ring) -> tuple[Loudness, float | None]:
    """What the room sounds like, and its peak; None when no sound came."""
    test, meter, peak_dbfs = SaySomething(_LISTENED_S), LevelMeter(), None
    deadline_s = time.monotonic() + _OPENING_S + _LISTENED_S
    while not test.done and time.monotonic() < deadline_s:
        if not ring.wait(_BLOCK, 0.1) or (block := ring.read(_BLOCK)) is None:
            continue
        level = meter.update(block)
        test.update(block, speech=False)
        peak_dbfs = level.peak_dbfs if peak_dbfs is None else max(peak_dbfs, level.peak_dbfs)
    return test.verdict, peak_dbfs


def turn(chosen: Settings, evidence: Evidence) -> Check:
    """Have the real engine answer one question of a demo, PADS on, without its voice."""
    known = questions()
    question = next((one for one in known if one.name == _QUESTION), known[0])
    file = question.cut(paths.cache() / "questions")
    silent = replace(chosen, voice=replace(chosen.voice, enabled=False))
    endings: list[str] = []

    def see(event: Event) -> None:
        if isinstance(event, events.ReplyFinished):
            endings.append(event.reason)

    summary = converse(with_pads(silent, True), commands.OpenFile(path=str(file)), see=see)
    light, sentence = turn_light(summary, endings)
    figures = {}
    if summary.accounts:
        account = summary.accounts[-1]
        figures = {
            "first_word_after_speech": Figure(
                value=round(account.perceived_ttft_ms, 1), unit="ms", evidence=evidence
            ),
            "hidden_in_the_pause": Figure(
                value=round(account.hidden_ms, 1), unit="ms", evidence=evidence
            ),
        }
    return Check(name="one turn", light=light, sentence=sentence, figures=figures)


def turn_light(summary: Summary, endings: list[str]) -> tuple[Light, str]:
    """Judge an answered question; `endings` are the reasons its replies ended with."""
    if not summary.accounts or not summary.replies or not summary.replies[-1].strip():
        return Light.RED, "The question was not answered: look at the Jobs page, and try again."
    if endings and endings[-1] in ("timeout", "failed"):
        return Light.RED, "The reply was not done in time: close other programs and try again."
    waited_ms = summary.accounts[-1].post_confirmation_ttft_ms
    if waited_ms > _SLOW_MS:
        return Light.AMBER, "The reply came late: close other programs and connect the charger."
    if not summary.triggers:
        return Light.AMBER, "The reply was not started early: lower the thresholds in the settings."
    if summary.accounts[-1].hidden_ms < 1:
        return Light.AMBER, "Nothing was hidden in the pause: close other programs, then try again."
    return Light.GREEN, "A question of a demo was heard, judged and answered, started early."
