"""Every light of a rehearsal by its numbers; the checks themselves on this machine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from engine.audio.levels import Loudness
from engine.errors import DataUnavailable
from engine.evaluation.conversations.conversation import Summary
from engine.evaluation.conversations.questions import questions
from engine.evaluation.machine import rehearsal_engine, rehearsal_machine
from engine.evaluation.machine.rehearsal import Check, Light, in_words, together, verdict
from engine.events import Evidence, TurnAccounted
from engine.records.evidence import Figure
from tests.virtual_microphone import VirtualMicrophone, virtual_microphone

__all__ = ["virtual_microphone"]

MEASURED = Evidence.MEASURED


def check(name: str, light: Light) -> dict[str, object]:
    figure = Figure(value=12.0, unit="MB", evidence=MEASURED)
    return Check(name=name, light=light, sentence="So it is.", figures={"free": figure}).record()


def test_the_worst_light_counts_and_what_is_not_shown_holds_nothing_up() -> None:
    assert together([Light.GREEN, Light.UNKNOWN]) is Light.GREEN
    assert together([Light.GREEN, Light.AMBER]) is Light.AMBER
    assert together([Light.AMBER, Light.RED, Light.GREEN]) is Light.RED
    ready = verdict([check("power", Light.GREEN), check("heat", Light.UNKNOWN)])
    assert ready == "Ready to present. This machine does not show: heat."
    assert "first: models" in verdict([check("models", Light.RED), check("heat", Light.AMBER)])
    assert in_words(check("memory", Light.GREEN)).endswith("So it is. [free 12 MB (measured)]")


def test_other_programs_are_named() -> None:
    assert rehearsal_machine.load_light(3.0, "tar")[0] is Light.GREEN
    light, sentence = rehearsal_machine.load_light(30.0, "tar")
    assert light is Light.AMBER
    assert "tar" in sentence
    assert rehearsal_machine.load_light(80.0, "")[0] is Light.RED


@pytest.mark.parametrize(
    ("percent", "plugged", "saving", "light"),
    [
        (None, None, False, Light.GREEN),
        (80.0, True, False, Light.GREEN),
        (80.0, False, False, Light.AMBER),
        (10.0, False, False, Light.RED),
        (None, None, True, Light.AMBER),
    ],
)
def test_power(percent: float | None, plugged: bool | None, saving: bool, light: Light) -> None:
    assert rehearsal_machine.power_light(percent, plugged, saving=saving)[0] is light


def test_a_low_clock_is_told_unless_its_driver_clocks_up_on_demand(tmp_path: Path) -> None:
    cpu = tmp_path / "devices/system/cpu/cpu0/cpufreq"
    cpu.mkdir(parents=True)
    (cpu / "scaling_governor").write_text("powersave\n")
    (cpu / "scaling_driver").write_text("acpi-cpufreq\n")
    assert rehearsal_machine.power(MEASURED, tmp_path).light is not Light.GREEN
    (cpu / "scaling_driver").write_text("intel_pstate\n")
    assert "power saving" not in rehearsal_machine.power(MEASURED, tmp_path).sentence


def test_room() -> None:
    lights = [
        rehearsal_machine.room_light(mb, 1500, 700, "memory", "close programs")[0]
        for mb in (2000, 1000, 100)
    ]
    assert lights == [Light.GREEN, Light.AMBER, Light.RED]
    for look in (rehearsal_machine.memory, rehearsal_machine.disk):
        found = look(MEASURED).figures["free"]
        assert found.value is not None
        assert found.value > 0


@pytest.mark.parametrize(
    ("degrees", "slowed", "light"),
    [
        (60.0, 0.0, Light.GREEN),
        (85.0, None, Light.AMBER),
        (95.0, 0.0, Light.RED),
        (60.0, 3.0, Light.RED),
        (None, 0.0, Light.GREEN),
        (None, None, Light.UNKNOWN),
    ],
)
def test_heat(degrees: float | None, slowed: float | None, light: Light) -> None:
    assert rehearsal_machine.heat_light(degrees, slowed)[0] is light


def test_a_sensor_is_read_and_a_missing_one_is_unavailable_with_its_reason(tmp_path: Path) -> None:
    watch = rehearsal_machine.Watch(MEASURED, tmp_path)
    found = watch.heat()
    assert found.light is Light.UNKNOWN
    assert found.figures["temperature"].value is None
    assert found.figures["temperature"].reason
    chip = tmp_path / "class/hwmon/hwmon0"
    chip.mkdir(parents=True)
    (chip / "name").write_text("coretemp\n")
    (chip / "temp1_input").write_text("97000\n")
    found = watch.heat()
    assert found.light is Light.RED
    assert found.figures["temperature"].value == 97.0


def test_models_are_whole_and_a_damaged_one_is_named(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rehearsal_engine.models().light is Light.GREEN
    monkeypatch.setenv("PADS_MODELS", str(tmp_path))
    found = rehearsal_engine.models()
    assert found.light is Light.RED
    assert "smollm2" in found.sentence
    assert "pads models fetch" in found.sentence


def test_what_a_room_sounds_like() -> None:
    def light(found: Loudness, *, silent: bool = False) -> Light:
        return rehearsal_engine.heard_light("Camera", found, silent=silent)[0]

    assert light(Loudness.NO_SPEECH) is Light.GREEN
    assert light(Loudness.SILENT) is Light.AMBER
    assert light(Loudness.TOO_LOUD) is Light.AMBER
    assert light(Loudness.SILENT, silent=True) is Light.RED


def test_a_microphone_is_heard_without_speech_and_a_mute_one_is_red(
    virtual_microphone: VirtualMicrophone, tmp_path: Path
) -> None:
    mute = rehearsal_engine.microphone(None, MEASURED)
    assert mute.light is Light.RED
    assert "muted" in mute.sentence
    noise = np.random.default_rng(3).normal(0, 0.02, 20 * 16_000).astype(np.float32)
    file = tmp_path / "room.wav"
    soundfile.write(file, noise, 16_000)
    playing = virtual_microphone.play(file)
    try:
        heard = rehearsal_engine.microphone(None, MEASURED)
    finally:
        playing.terminate()
        playing.wait(10)
    assert heard.light is Light.GREEN, heard.sentence
    assert heard.figures["peak"].value == pytest.approx(-23, abs=6)
    assert rehearsal_engine.microphone("No such one", MEASURED).light is Light.RED


def account(**changes: object) -> TurnAccounted:
    values: dict[str, object] = {
        "triggered": True,
        "from_branch": True,
        "extra_starts": 0,
        "post_confirmation_ttft_ms": 0.0,
        **dict.fromkeys(("hidden_ms", "visible_ms", "wasted_ms"), 1.0),
        **dict.fromkeys(("without_pads_ttft_ms", "perceived_ttft_ms"), 1.0),
    }
    return TurnAccounted(heard_s=1.0, turn=1, **{**values, **changes})  # type: ignore[arg-type]


def test_a_turn_without_an_answer_in_time_is_red_and_a_late_one_amber() -> None:
    fine = Summary(pads=True, triggers=1, replies=["Yes."], accounts=[account()])
    assert rehearsal_engine.turn_light(fine, ["eos"])[0] is Light.GREEN
    assert rehearsal_engine.turn_light(fine, ["timeout"])[0] is Light.RED
    assert rehearsal_engine.turn_light(Summary(pads=True), [])[0] is Light.RED
    nothing = Summary(pads=True, triggers=1, replies=["Yes."], accounts=[account(hidden_ms=0.0)])
    assert rehearsal_engine.turn_light(nothing, ["eos"])[0] is Light.AMBER
    waited = account(post_confirmation_ttft_ms=4000.0)
    late = Summary(pads=True, triggers=1, replies=["Yes."], accounts=[waited])
    assert rehearsal_engine.turn_light(late, ["eos"])[0] is Light.AMBER
    not_early = Summary(pads=True, replies=["Yes."], accounts=[account()])
    assert rehearsal_engine.turn_light(not_early, ["eos"])[0] is Light.AMBER


def test_questions_are_cut_out_whole_and_only_turns_that_ask(tmp_path: Path) -> None:
    known = {one.name: one for one in questions()}
    assert known["first-guitar-1"].text == "How often should I practice the guitar?"
    assert "mountain-hike-1" not in known  # it goes on with a statement
    assert len(known) >= 8
    file = known["first-guitar-1"].cut(tmp_path / "cut")
    samples, rate = soundfile.read(file)
    whole, _ = soundfile.read(known["first-guitar-1"].demo)
    assert np.array_equal(samples, whole[round(0.6 * rate) : round(4.3 * rate)])
    with pytest.raises(DataUnavailable, match="no demos"):
        questions(tmp_path)
