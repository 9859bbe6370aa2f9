"""Replay of real files: every sample arrives, in time, from any format; bad files are refused."""

import time
from pathlib import Path

import numpy as np
import pytest
import soundfile
import soxr
from numpy.typing import NDArray

from engine.audio.replay import Replay
from engine.audio.ring import Ring
from engine.clock import SampleClock
from engine.errors import AudioUnavailable
from tests.virtual_microphone import until

TRAILING = 24_000  # 1.5 s of silence after the file
FAST = 1000.0


def played(path: Path, pace: float = FAST) -> NDArray[np.float32]:
    ring, clock = Ring(60.0), SampleClock()
    replay = Replay(path, ring, clock, pace=pace)
    replay.start()
    try:
        until(lambda: replay.ended, "the replay did not end")
        assert replay.problem is None
    finally:
        replay.close()
    assert ring.dropped_blocks == 0
    heard = ring.read(ring.unread)
    assert heard is not None
    return heard


def speech(data: Path) -> NDArray[np.float32]:
    samples, rate = soundfile.read(data / "audio" / "livekit_weather_question.wav", dtype="float32")
    return np.asarray(soxr.resample(samples, rate, 16_000), np.float32)


def test_every_sample_of_a_16_khz_file_arrives_unchanged(tmp_path: Path) -> None:
    samples = np.random.default_rng(1).uniform(-0.9, 0.9, 12_345).astype(np.float32)
    soundfile.write(tmp_path / "a.wav", samples, 16_000, subtype="FLOAT")
    heard = played(tmp_path / "a.wav")
    assert len(heard) == len(samples) + TRAILING
    assert np.array_equal(heard[: len(samples)], samples)
    assert not heard[len(samples) :].any()


@pytest.mark.parametrize(
    ("name", "rate", "channels", "subtype"),
    [
        ("a.wav", 44_100, 2, "PCM_16"),
        ("a.wav", 48_000, 1, "PCM_24"),
        ("a.wav", 8_000, 1, "ULAW"),
        ("a.wav", 96_000, 6, "FLOAT"),
        ("a.wav", 11_025, 1, "PCM_U8"),
        ("a.flac", 22_050, 2, "PCM_16"),
        ("a.ogg", 44_100, 2, "VORBIS"),
        ("a.ogg", 48_000, 1, "OPUS"),
        ("a.aiff", 32_000, 1, "PCM_16"),
    ],
)
def test_any_rate_format_and_channel_count_sounds_the_same(
    data: Path, tmp_path: Path, name: str, rate: int, channels: int, subtype: str
) -> None:
    original = speech(data)
    file = tmp_path / name
    at_rate = soxr.resample(original, 16_000, rate)
    soundfile.write(file, np.repeat(at_rate[:, None], channels, axis=1), rate, subtype=subtype)
    heard = played(file)
    assert abs(len(heard) - len(original) - TRAILING) <= 2
    # Below 3 kHz every one of these formats carries the sound.
    assert likeness(original, heard[: len(original)]) > 0.97


def likeness(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    """Correlation of two recordings in the band below 3 kHz, at the best lag up to 20 ms."""
    low = [np.asarray(soxr.resample(x, 16_000, 6_000), np.float64) for x in (a, b)]
    n = min(map(len, low)) - 240
    return max(
        float(np.corrcoef(low[0][120 : 120 + n], low[1][120 + lag : 120 + lag + n])[0, 1])
        for lag in range(-120, 121)
    )


def test_channels_are_averaged(tmp_path: Path) -> None:
    stereo = np.zeros((16_000, 2), np.float32)
    stereo[:, 1] = 0.5
    soundfile.write(tmp_path / "right.wav", stereo, 16_000, subtype="FLOAT")
    assert np.allclose(played(tmp_path / "right.wav")[:16_000], 0.25)


def test_damaged_samples_never_reach_the_models(tmp_path: Path) -> None:
    samples = np.full((16_000, 2), 0.5, np.float32)
    samples[100:200, 0] = np.nan
    samples[300, 1], samples[400, :], samples[500, 0] = np.inf, -np.inf, 40.0
    soundfile.write(tmp_path / "bad.wav", samples, 16_000, subtype="FLOAT")
    heard = played(tmp_path / "bad.wav")
    assert np.isfinite(heard).all()
    assert np.abs(heard).max() <= 1.0
    assert np.allclose(heard[1000:16_000], 0.5)


def test_it_keeps_the_pace_and_marks_the_clock(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", np.zeros(8_000, np.float32), 16_000)
    ring, clock = Ring(), SampleClock()
    replay = Replay(tmp_path / "a.wav", ring, clock, pace=4.0)
    began_s = time.monotonic()
    replay.start()
    until(lambda: replay.ended, "the replay did not end")
    replay.close()
    assert time.monotonic() - began_s >= 2.0 / 4.0  # never early; late only as the machine is
    assert clock.heard_s(clock.wall_s(2.0)) == pytest.approx(2.0)
    assert clock.wall_s(2.0) >= began_s + 2.0 / 4.0
    assert ring.written == 8_000 + TRAILING


def test_it_can_be_closed_at_any_time(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", np.zeros(160_000, np.float32), 16_000)
    unstarted = Replay(tmp_path / "a.wav", Ring(), SampleClock())
    assert not unstarted.ended
    unstarted.close()
    ring = Ring()
    replay = Replay(tmp_path / "a.wav", ring, SampleClock())
    replay.start()
    assert ring.wait(512, 10.0)
    replay.close()
    replay.close()
    assert replay.ended
    assert replay.problem is None
    assert ring.written < 160_000


def test_a_file_shorter_than_its_header_says_ends_in_silence(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", np.full(16_000, 0.5, np.float32), 16_000, subtype="PCM_16")
    whole = (tmp_path / "a.wav").read_bytes()
    (tmp_path / "a.wav").write_bytes(whole[: len(whole) // 2])
    heard = played(tmp_path / "a.wav")
    assert 7_000 < np.count_nonzero(heard) < 9_000
    assert not heard[-TRAILING:].any()


def test_a_broken_stream_is_played_as_far_as_it_goes_or_says_why(tmp_path: Path) -> None:
    noise = np.random.default_rng(2).uniform(-0.5, 0.5, 64_000)
    soundfile.write(tmp_path / "a.flac", noise, 16_000)
    broken = bytearray((tmp_path / "a.flac").read_bytes())
    broken[len(broken) // 2 : len(broken) // 2 + 4000] = bytes(4000)
    (tmp_path / "a.flac").write_bytes(broken)
    ring = Ring()
    replay = Replay(tmp_path / "a.flac", ring, SampleClock(), pace=FAST)
    replay.start()
    until(lambda: replay.ended, "the replay did not end")
    replay.close()
    assert ring.written > 20_000
    assert replay.problem is None or "a.flac" in replay.problem


def test_telephone_quality_is_played_with_a_warning(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "low.wav", np.zeros(800, np.float32), 8_000)
    soundfile.write(tmp_path / "high.wav", np.zeros(800, np.float32), 16_000)
    low = Replay(tmp_path / "low.wav", Ring(), SampleClock())
    high = Replay(tmp_path / "high.wav", Ring(), SampleClock())
    low.close()
    high.close()
    assert low.warning is not None
    assert "low.wav" in low.warning
    assert "8 kHz" in low.warning
    assert high.warning is None


def headers_only(path: Path) -> None:
    soundfile.write(path, np.zeros(0, np.float32), 16_000)


def too_slow(path: Path) -> None:
    soundfile.write(path, np.zeros(99, np.float32), 999)


def too_many_channels(path: Path) -> None:
    soundfile.write(path, np.zeros((99, 257), np.float32), 16_000)


@pytest.mark.parametrize(
    ("name", "make", "why"),
    [
        ("missing.wav", lambda path: None, "no such file"),
        ("touched.wav", lambda path: path.touch(), "the file is empty"),
        ("folder.wav", lambda path: path.mkdir(), "no such file"),
        ("text.wav", lambda path: path.write_text("not sound"), "format is not known"),
        ("text.ogg", lambda path: path.write_bytes(bytes(range(256)) * 9), "format is not known"),
        ("headerless.raw", lambda path: path.write_bytes(bytes(999)), "format is not known"),
        ("silent.wav", headers_only, "it holds no sound"),
        ("slow.wav", too_slow, "its rate or its number of channels"),
        ("many.wav", too_many_channels, "its rate or its number of channels"),
        ("n" * 300 + ".wav", lambda path: None, "too long"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(
    tmp_path: Path, name: str, make: object, why: str
) -> None:
    assert callable(make)
    make(tmp_path / name)
    with pytest.raises(AudioUnavailable) as caught:
        Replay(tmp_path / name, Ring(), SampleClock())
    message = str(caught.value)
    assert name in message
    assert why in message
    assert "choose a WAV, FLAC or OGG file" in message
    assert "\n" not in message
