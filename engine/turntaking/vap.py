"""Voice Activity Projection (Ekstedt and Skantze 2022): who will be speaking in a moment.

None is shipped: a user supplies `NAME.onnx` with one input, float32 [1, channels, samples], and
beside it `NAME.toml`, all of whose keys are needed (values here are examples):

    channels = "stereo"      # or "mono"; stereo has the user left and the application right
    sample_rate_hz = 16000
    frame_rate_hz = 50       # frames of output for each second of input
    context_s = 10.0         # length of the input
    p_now = "p_now"          # name of the output P(the user speaks in the next 0 to 600 ms)
    p_future = "p_future"    # and of P(the user speaks in 600 to 2000 ms)

Each output holds one probability a frame: [1, frames], with or without further axes of one.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import soxr
from numpy.typing import NDArray

from engine import reading
from engine.clock import SAMPLE_RATE_HZ
from engine.errors import ModelUnavailable
from engine.turntaking.vad import open_model

_LARGEST_BYTES = 2**13
"""A manifest has six lines; long keys with many dots would keep a parser busy for minutes."""

CHANNELS = {"mono": 1, "stereo": 2}
_RANGES = {
    "sample_rate_hz": (8_000, 48_000),
    "frame_rate_hz": (1, 1_000),
    "context_s": (1.0, 60.0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What the model hears and how often it answers."""

    channels: str
    sample_rate_hz: int
    frame_rate_hz: int
    context_s: float
    p_now: str
    p_future: str

    @property
    def input_shape(self) -> tuple[int, int, int]:
        """[1, channels, samples]."""
        return 1, CHANNELS[self.channels], round(self.context_s * self.sample_rate_hz)

    @property
    def frames(self) -> int:
        """Probabilities in an output."""
        return round(self.context_s * self.frame_rate_hz)


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """Probabilities that the user speaks in 0 to 600 ms and in 600 to 2000 ms from now."""

    p_now: float
    p_future: float

    @property
    def p_end(self) -> float:
        """Evidence for a turn end: that the user speaks neither soon nor after a breath.

        The mean of the two windows, since a hold's short silence empties the first one too.
        """
        return 1 - (self.p_now + self.p_future) / 2


class VoiceActivityProjection:
    """A user's model. Raises `ModelUnavailable` when it, or its manifest, cannot be used."""

    def __init__(self, model: Path) -> None:
        """Load the model and try it on silence and on noise."""
        self._model, self.manifest = model, _manifest(model)
        try:
            self._session = open_model(model)
        except ModelUnavailable as exc:
            raise _unusable(model, exc.thing) from exc
        self._check_names(model)
        shape = self.manifest.input_shape
        self._run(np.zeros(shape, np.float32))
        self._run(np.random.default_rng(1).uniform(-1, 1, shape).astype(np.float32))

    def project(self, audio: NDArray[np.float32]) -> Projection:
        """Look ahead from the end of mono 16 kHz `audio`, shape [n]; silence precedes it.

        The application's channel is silent: it speaks only after a turn is over.
        """
        rate = self.manifest.sample_rate_hz
        wanted_s = self.manifest.context_s
        heard = audio[-round(wanted_s * SAMPLE_RATE_HZ) :]
        if rate != SAMPLE_RATE_HZ:
            heard = np.asarray(soxr.resample(heard, SAMPLE_RATE_HZ, rate), np.float32)
        window = np.zeros(self.manifest.input_shape, np.float32)
        heard = heard[-window.shape[2] :]
        window[0, 0, window.shape[2] - len(heard) :] = heard
        return self._run(window)

    def _run(self, window: NDArray[np.float32]) -> Projection:
        names = (self.manifest.p_now, self.manifest.p_future)
        try:
            found = self._session.run(list(names), {self._input: window})
        except Exception as exc:
            reason = (str(exc).splitlines() or [type(exc).__name__])[0][:200]
            raise _unusable(self._model, reason) from exc
        now, future = (
            self._newest(name, np.asarray(values))
            for name, values in zip(names, found, strict=True)
        )
        return Projection(p_now=now, p_future=future)

    def _newest(self, name: str, values: NDArray[Any]) -> float:
        """The last frame's probability."""
        frames = self.manifest.frames
        if values.size != frames or max(values.shape, default=0) != frames:
            shape = list(values.shape)
            raise _unusable(
                self._model, f"its output {name} has the shape {shape}, not [1, {frames}]"
            )
        newest = float(values.reshape(-1)[-1])
        if not 0 <= newest <= 1:
            raise _unusable(
                self._model, f"its output {name} gives {newest:g}, which is no probability"
            )
        return newest

    def _check_names(self, model: Path) -> None:
        inputs = self._session.get_inputs()
        if len(inputs) != 1:
            raise _unusable(model, f"it has {len(inputs)} inputs instead of one")
        (audio,) = inputs
        self._input = audio.name
        wanted = self.manifest.input_shape
        fits = len(audio.shape) == len(wanted) and all(
            not isinstance(given, int) or given == size
            for given, size in zip(audio.shape, wanted, strict=True)
        )
        if not fits or audio.type != "tensor(float)":
            raise _unusable(
                model,
                f"its input {audio.name} takes {audio.type} {audio.shape}, "
                f"not tensor(float) {list(wanted)}",
            )
        outputs = {output.name for output in self._session.get_outputs()}
        for name in (self.manifest.p_now, self.manifest.p_future):
            if name not in outputs:
                known = ", ".join(sorted(outputs))
                raise _unusable(model, f"it has no output {name}, only {known}")


def _manifest(model: Path) -> Manifest:
    path = model.with_suffix(".toml")
    try:
        record = tomllib.loads(reading.text(path, _LARGEST_BYTES))
    except (OSError, ValueError, RecursionError) as exc:
        raise _unusable(model, f"its manifest {path.name} cannot be read: {exc}") from exc
    values: dict[str, Any] = {}
    for field in fields(Manifest):
        if field.name not in record:
            raise _unusable(model, f"its manifest {path.name} lacks {field.name}")
        value = record[field.name]
        kind = {"str": str, "int": int, "float": (int, float)}[str(field.type)]
        if not isinstance(value, kind) or isinstance(value, bool):  # type: ignore[arg-type]
            raise _unusable(model, f"its manifest {path.name} gives {field.name} = {value!r}")
        low, high = _RANGES.get(field.name, (None, None))
        if low is not None and high is not None and not low <= value <= high:
            raise _unusable(
                model, f"{field.name} = {value} in {path.name} is not within {low} to {high}"
            )
        values[field.name] = value
    if values["channels"] not in CHANNELS:
        raise _unusable(model, f"channels = {values['channels']!r} is neither mono nor stereo")
    return Manifest(**values)


def _unusable(model: Path, why: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"The voice activity projection {model.name} cannot be used ({why})",
        remedy="correct the model or its manifest, or take speech.vap_model out of the settings",
    )
