"""The microphone through PortAudio and a sound server, with real speech in the room."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sounddevice
import soundfile
import soxr
from numpy.typing import NDArray

from engine.audio.capture import Capture
from engine.audio.devices import InputDevice, find, input_devices
from engine.audio.microphone import Microphone
from engine.audio.ring import Ring
from engine.clock import SAMPLE_RATE_HZ, SampleClock
from engine.errors import AudioUnavailable
from engine.turntaking.vad import CHUNK, SpeechDetector
from tests.virtual_microphone import VirtualMicrophone, until, virtual_microphone

__all__ = ["virtual_microphone"]


@contextmanager
def listening(ring: Ring, clock: SampleClock | None = None) -> Iterator[Microphone]:
    microphone = Microphone(None, ring, clock or SampleClock())
    microphone.start()
    try:
        assert ring.wait(CHUNK, 20.0), "the microphone delivers nothing"
        yield microphone
    finally:
        microphone.close()


def original(file: Path) -> NDArray[np.float32]:
    samples, rate = soundfile.read(file, dtype="float32", always_2d=True)
    return np.asarray(soxr.resample(samples.mean(axis=1), rate, SAMPLE_RATE_HZ), np.float32)


def recorded(
    virtual: VirtualMicrophone, ring: Ring, file: Path, seconds: float
) -> NDArray[np.float32]:
    """What the ring holds after `file` has been played into the room."""
    assert virtual.play(file).wait(60) == 0
    n = ring.written + round(seconds * SAMPLE_RATE_HZ)
    until(lambda: ring.written >= n, "the microphone fell silent")
    heard = ring.read(ring.unread)
    assert heard is not None
    return heard


def likeness(heard: NDArray[np.float32], wanted: NDArray[np.float32]) -> float:
    """Normalised correlation at the best lag."""
    size = 1 << (len(heard) + len(wanted)).bit_length()
    spectrum = np.fft.rfft(heard, size) * np.conj(np.fft.rfft(wanted, size))
    lag = int(np.fft.irfft(spectrum, size)[: len(heard)].argmax())
    part = heard[lag : lag + len(wanted)]
    return float(np.corrcoef(part, wanted[: len(part)])[0, 1])


def test_speech_in_the_room_is_captured_as_it_was_played(
    virtual_microphone: VirtualMicrophone, models: Path, data: Path
) -> None:
    file = data / "audio" / "livekit_weather_question.wav"
    ring, clock = Ring(60.0), SampleClock()
    with listening(ring, clock) as microphone:
        heard = recorded(virtual_microphone, ring, file, 1.0)
        assert microphone.overflows == 0
        assert microphone.problem is None
        assert not microphone.ended
        assert clock.heard_s(clock.wall_s(1.0)) == pytest.approx(1.0)
    assert microphone.ended
    assert microphone.problem is None
    assert ring.dropped_blocks == 0
    assert likeness(heard, original(file)) > 0.95

    detector = SpeechDetector(models / "silero_vad.onnx")
    ends = range(CHUNK, len(heard), CHUNK)
    speech = [detector.update(heard[end - CHUNK : end]) > 0.5 for end in ends]
    assert 0.8 < sum(speech) * CHUNK / SAMPLE_RATE_HZ < 2.2


def test_44_1_khz_stereo_is_captured_too(
    virtual_microphone: VirtualMicrophone, tmp_path: Path, data: Path
) -> None:
    speech = original(data / "audio" / "livekit_weather_question.wav")
    stereo = np.repeat(soxr.resample(speech, SAMPLE_RATE_HZ, 44_100)[:, None], 2, axis=1)
    soundfile.write(tmp_path / "stereo.wav", stereo, 44_100)
    virtual_microphone.unplug()
    virtual_microphone.plug("rate=44100", "channels=2")
    ring = Ring(60.0)
    with listening(ring):
        heard = recorded(virtual_microphone, ring, tmp_path / "stereo.wav", 1.0)
    assert likeness(heard, speech) > 0.95


def test_a_device_that_refuses_16_khz_is_resampled(
    virtual_microphone: VirtualMicrophone, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[float] = []

    class Stubborn(sounddevice.InputStream):  # type: ignore[misc]
        """A real stream on a device that knows one rate only."""

        def __init__(self, samplerate: float, **options: Any) -> None:
            if samplerate == SAMPLE_RATE_HZ:
                raise sounddevice.PortAudioError("Invalid sample rate", -9997)
            opened.append(samplerate)
            super().__init__(samplerate=samplerate, **options)

    monkeypatch.setattr(sounddevice, "InputStream", Stubborn)
    file = data / "audio" / "livekit_weather_question.wav"
    ring = Ring(60.0)
    with listening(ring):
        heard = recorded(virtual_microphone, ring, file, 1.0)
    assert opened == [48_000]
    assert likeness(heard, original(file)) > 0.95


def test_when_the_sound_server_dies_the_microphone_says_so(
    virtual_microphone: VirtualMicrophone,
) -> None:
    ring = Ring(60.0)
    with listening(ring) as microphone:
        virtual_microphone.stop()
        until(lambda: microphone.ended, "the loss went unnoticed")
        assert microphone.problem is not None
        assert microphone.name in microphone.problem
        assert "choose another input" in microphone.problem
        silence = ring.read(ring.unread)
        assert silence is not None
        assert not silence[-24_000:].any()  # in which the last turn is committed


def test_a_device_that_no_longer_calls_back_is_lost(
    virtual_microphone: VirtualMicrophone,
) -> None:
    with listening(Ring(60.0)) as microphone:
        virtual_microphone.control("suspend-source", "microphone", "1")
        until(lambda: microphone.ended, "the loss went unnoticed")
        assert microphone.problem is not None


def test_an_unplugged_microphone_is_noticed_and_heard_again_when_it_returns(
    virtual_microphone: VirtualMicrophone, data: Path
) -> None:
    speech = data / "audio" / "livekit_weather_question.wav"
    ring = Ring(60.0)
    with listening(ring) as microphone:
        recorded(virtual_microphone, ring, speech, 0.5)
        assert microphone.warning is None
        virtual_microphone.unplug()
        until(lambda: microphone.warning is not None, "the loss went unnoticed")
        until(lambda: "is gone" in str(microphone.warning), "it is not known to be gone")
        assert not microphone.ended
        written = ring.written
        until(lambda: ring.written > written, "the meter is frozen")

        virtual_microphone.plug()
        until(lambda: microphone.warning is None, "its return went unnoticed")
        ring.read(ring.unread)
        # A stream takes up to two seconds to begin, so what is said first may be lost.
        recorded(virtual_microphone, ring, speech, 0.5)
        heard = recorded(virtual_microphone, ring, speech, 0.5)
        assert likeness(heard, original(speech)) > 0.95
        assert microphone.problem is None


def test_inputs_are_listed_by_the_names_people_know(
    virtual_microphone: VirtualMicrophone,
) -> None:
    for source, words in (("desk", "Desk"), ("headset", "Headset"), ("twin", "Desk")):
        module = ("module-remap-source", "master=air.monitor", f"source_name={source}")
        properties = f"source_properties=device.description={words}"
        virtual_microphone.control("load-module", *module, properties)
    virtual_microphone.control("set-default-source", "headset")
    virtual_microphone.control("set-source-mute", "headset", "1")
    devices = {device.name: device for device in input_devices()}
    assert {"Desk (desk)", "Headset", "Desk (twin)"} < set(devices)
    assert not any("onitor of" in name and "Remapped" not in name for name in devices)
    assert [name for name, device in devices.items() if device.is_default] == ["Headset"]
    assert devices["Headset"].muted
    assert devices["Headset"].rate_hz == 48_000
    assert not devices["Desk (desk)"].muted


def test_without_a_server_to_ask_portaudio_s_own_names_are_listed(
    virtual_microphone: VirtualMicrophone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "pulse" in [device.name for device in input_devices()]


def two_rooms(virtual: VirtualMicrophone) -> None:
    """A second room, with a headset in it, beside the microphone's."""
    virtual.control("load-module", "module-null-sink", "sink_name=vacuum")
    module = ("module-remap-source", "master=vacuum.monitor", "source_name=headset")
    virtual.control("load-module", *module, "source_properties=device.description=Headset")


def test_a_microphone_is_chosen_by_its_name_and_keeps_it(
    virtual_microphone: VirtualMicrophone, data: Path
) -> None:
    two_rooms(virtual_microphone)
    speech = data / "audio" / "livekit_weather_question.wav"
    ring = Ring(60.0)
    headset = Microphone("Headset", ring, SampleClock())
    headset.start()
    try:
        assert ring.wait(CHUNK, 20.0)
        heard = recorded(virtual_microphone, ring, speech, 0.5)
        assert not heard.any()  # spoken in the other room
    finally:
        headset.close()


def test_the_default_is_followed_when_it_changes(
    virtual_microphone: VirtualMicrophone, data: Path
) -> None:
    two_rooms(virtual_microphone)
    virtual_microphone.control("set-default-source", "headset")
    speech = data / "audio" / "livekit_weather_question.wav"
    ring = Ring(60.0)
    with listening(ring):
        heard = recorded(virtual_microphone, ring, speech, 0.5)
        assert not heard.any()
        virtual_microphone.control("set-default-source", "microphone")
        # Moving takes a moment, in which the beginning may be lost.
        recorded(virtual_microphone, ring, speech, 0.5)
        heard = recorded(virtual_microphone, ring, speech, 0.5)
        assert likeness(heard, original(speech)) > 0.95


def test_a_muted_microphone_is_said_to_be_muted(virtual_microphone: VirtualMicrophone) -> None:
    virtual_microphone.control("set-source-mute", "microphone", "1")
    with listening(Ring(60.0)) as microphone:
        until(lambda: "is muted" in str(microphone.warning), "nothing was said")
        assert not microphone.ended


def test_what_cannot_be_opened_is_named(virtual_microphone: VirtualMicrophone) -> None:
    microphone = Microphone(None, Ring(), SampleClock())
    virtual_microphone.stop()
    with pytest.raises(AudioUnavailable, match=rf"{microphone.name} cannot be opened.*choose"):
        microphone.start()
    microphone.close()


def test_an_unknown_name_is_answered_with_the_known_ones(
    virtual_microphone: VirtualMicrophone,
) -> None:
    names = [device.name for device in input_devices()]
    assert names
    with pytest.raises(AudioUnavailable, match=rf"Elsewhere was not found.*{names[0]}"):
        Microphone("Elsewhere", Ring(), SampleClock())


@pytest.mark.skipif(
    any(Path("/proc/asound").glob("card[0-9]")), reason="this machine has a sound card"
)
def test_without_any_input_there_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PULSE_SERVER", f"unix:{tmp_path / 'none'}")
    assert input_devices() == ()
    with pytest.raises(AudioUnavailable, match="No microphone was found: connect one"):
        Microphone(None, Ring(), SampleClock())


def test_without_portaudio_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(AudioUnavailable, match=r"sound system cannot be used.*PortAudio"):
        input_devices()


def test_the_default_is_chosen_unless_another_is_named() -> None:
    first, second = (
        InputDevice(index=i, name=n, is_default=i == 1, channels=1, rate_hz=48_000)
        for i, n in enumerate(("Webcam", "Headset"))
    )
    assert find(None, (first, second)) == second
    assert find("Webcam", (first, second)) is first
    assert find(None, (first,)) == first


def test_a_stream_open_elsewhere_survives_a_look_at_the_devices(
    virtual_microphone: VirtualMicrophone,
) -> None:
    capture = Capture(find(None, input_devices()))
    try:
        assert input_devices()
        assert capture.wait(20.0)
        assert capture.delivering
    finally:
        capture.close()
        capture.close()
