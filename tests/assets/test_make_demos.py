"""How demos are laid out, with a voice of tones in place of Piper: what matters is where."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

RATE = 16_000
Audio = NDArray[np.float32]


def tone(seconds: float) -> Audio:
    """A hum of full loudness."""
    t = np.arange(round(seconds * RATE)) / RATE
    return (0.8 * np.sin(2 * np.pi * 220 * t)).astype(np.float32)


def rest(seconds: float) -> Audio:
    return np.zeros(round(seconds * RATE), np.float32)


def tones(text: str, length_scale: float, seed: int) -> Audio:
    """50 ms of tone a letter, 150 ms of rest at a comma, rest around it all as Piper leaves it."""
    parts = [tone(0.05 * len(part) * length_scale) for part in text.split(",")]
    spoken = [piece for part in parts for piece in (part, rest(0.15))]
    return np.concatenate((rest(0.2), *spoken, rest(0.1)))


def segment(make_demos: ModuleType, text: str, **changes: Any) -> Any:
    values = {"act": "inform", "boundary": "shift", "pause_s": 3.0, **changes}
    return make_demos.Segment(text=text, **values)


def demo(make_demos: ModuleType, *segments: Any) -> Any:
    return make_demos.Demo(
        name="trial", title="T", description="D", length_scale=1.0, lead_s=0.8, segments=segments
    )


def test_speech_lies_where_the_spans_say(make_demos: ModuleType) -> None:
    first = segment(make_demos, "ten letters", unfinished=True, boundary="hold", pause_s=0.4)
    audio, spans = make_demos.compose(
        demo(make_demos, first, segment(make_demos, "and ten more")), tones
    )
    (start_s, end_s), (resumed_s, last_s) = spans
    assert start_s == 0.8
    assert resumed_s - end_s == pytest.approx(0.4)
    assert len(audio) / RATE - last_s == pytest.approx(3.0)
    loud = np.flatnonzero(np.abs(audio) > 0.1) / RATE
    gap = np.flatnonzero(np.diff(loud) > 0.3)
    assert loud[0] == pytest.approx(start_s, abs=0.03)
    assert loud[gap] == pytest.approx(end_s, abs=0.05)
    assert loud[gap + 1] == pytest.approx(resumed_s, abs=0.03)


def test_same_recipe_same_sound(make_demos: ModuleType) -> None:
    trial = demo(make_demos, segment(make_demos, "once and again"))
    first, _ = make_demos.compose(trial, tones)
    again, _ = make_demos.compose(trial, tones)
    assert np.array_equal(first, again)


def test_comma_makes_the_voice_hesitate_where_a_pause_comes(make_demos: ModuleType) -> None:
    breath = [segment(make_demos, text) for text in ("So, well,", "I think", "it rains.")]
    assert make_demos.spoken_text(breath) == "So, well, I think, it rains."


def test_longest_gap_near_is_the_pause(make_demos: ModuleType) -> None:
    closed_lips, comma = rest(0.07), rest(0.2)
    audio = np.concatenate((tone(0.5), closed_lips, tone(0.3), comma, tone(0.8)))
    before, after = make_demos.split_at_gaps(audio, ["half of it", "other half"])
    assert len(before) / RATE == pytest.approx(0.87, abs=0.03)
    assert len(after) / RATE == pytest.approx(0.8, abs=0.03)


def test_voice_that_does_not_pause_is_an_error(make_demos: ModuleType) -> None:
    with pytest.raises(make_demos.RecipeError, match="does not pause after 'one'"):
        make_demos.split_at_gaps(tone(2.0), ["one", "two"])


def test_last_segment_must_be_finished(make_demos: ModuleType) -> None:
    with pytest.raises(make_demos.RecipeError, match="cannot be unfinished"):
        make_demos.breaths([segment(make_demos, "and then", unfinished=True)])


def test_room_is_never_silent(make_demos: ModuleType) -> None:
    noise = make_demos.room_noise(RATE, seed=1)
    assert 20 * np.log10(np.sqrt(np.mean(np.square(noise)))) == pytest.approx(-62, abs=0.1)


def test_made_demo_is_kept_until_recipe_or_sound_change(
    make_demos: ModuleType, tmp_path: Path
) -> None:
    trial = demo(make_demos, segment(make_demos, "good morning"))
    assert not make_demos.is_made(trial, tmp_path)
    make_demos.make(trial, tmp_path, tones)
    assert make_demos.is_made(trial, tmp_path)
    changed = demo(make_demos, segment(make_demos, "good evening"))
    assert not make_demos.is_made(changed, tmp_path)
    (tmp_path / "trial.flac").write_bytes(b"fLaC")
    assert not make_demos.is_made(trial, tmp_path)


def test_ground_truth_counts_turns(make_demos: ModuleType, tmp_path: Path) -> None:
    hold = segment(make_demos, "is it far?", boundary="hold", act="question", pause_s=0.5)
    trial = demo(make_demos, hold, segment(make_demos, "by bus"), segment(make_demos, "good"))
    make_demos.make(trial, tmp_path, tones)
    truth = json.loads((tmp_path / "trial.json").read_text("utf-8"))
    assert [item["turn"] for item in truth["segments"]] == [1, 1, 2]
    assert truth["segments"][0]["act"] == "question"
    assert truth["seconds"] == pytest.approx(soundfile.info(tmp_path / "trial.flac").duration)
