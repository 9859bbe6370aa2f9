"""Another language model while the engine runs: it answers, or the one before goes on."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine import commands, events
from engine.events import Event
from engine.outbox import Outbox
from engine.session import Session
from engine.settings import Settings
from engine.store import library, manifest, storing
from engine.store.manifest import ModelFile

_DEFAULT = Settings().decoder


class Talk:
    """A session with what it has told."""

    def __init__(self) -> None:
        self.outbox = Outbox()
        self.session = Session(Settings(), self.outbox, log_folder=None)
        self.session.start()

    def until(self, kind: type[Event]) -> list[Event]:
        """Everything up to the next event of this kind, which comes last."""
        seen: list[Event] = []
        deadline_s = time.monotonic() + 240.0
        while not any(isinstance(event, kind) for event in seen):
            assert time.monotonic() < deadline_s, seen
            self.outbox.wait(0.1)
            seen += self.outbox.drain()[0]
        return seen

    def switched(
        self, model: str, exit_layer: int
    ) -> tuple[events.ModelSwitched, dict[str, object]]:
        """How a switch went, and what the decoder that runs then says of itself."""
        self.session.send(commands.SwitchModel(model=model, exit_layer=exit_layer))
        seen = self.until(events.EngineReady)
        (switch,) = [event for event in seen if isinstance(event, events.ModelSwitched)]
        (ready,) = [event for event in seen if isinstance(event, events.EngineReady)]
        return switch, ready.details["decoder"]

    def answered(self, recording: Path) -> events.ReplyFinished:
        self.session.send(commands.OpenFile(path=str(recording)))
        seen = self.until(events.ReplyFinished)
        self.session.send(commands.CloseSource())
        if not any(isinstance(event, events.SourceEnded) for event in seen):  # by itself already
            self.until(events.SourceEnded)
        return next(event for event in seen if isinstance(event, events.ReplyFinished))


@pytest.fixture
def talk(models: Path) -> Iterator[Talk]:
    talk = Talk()
    try:
        yield talk
    finally:
        assert talk.session.stop(10)


Added = Callable[..., ModelFile]


@pytest.fixture
def added(models: Path, tmp_path: Path) -> Added:
    """Adds a file as a model of the user's, which nobody has looked at.

    Here and in the test of the models manager it is the same file, cut before the same layer:
    the halves and what is known of their exactness are made once.
    """

    def add(content: bytes, name: str = "mine.gguf") -> ModelFile:
        file = tmp_path / name
        file.write_bytes(content)
        return library.add(file, licence="", note="", copy=False, report=lambda *_: None)

    return add


def default_file(models: Path) -> bytes:
    return (models / manifest.find(_DEFAULT.model).file).read_bytes()


def test_another_model_answers_until_a_good_one_takes_over(
    talk: Talk, added: Added, models: Path, data: Path
) -> None:
    recording = data / "audio" / "livekit_weather_question.wav"
    talk.until(events.EngineReady)
    mine = added(default_file(models) + b"longer, and so another file")
    switch, decoder = talk.switched(mine.name, 15)
    assert (switch.model, switch.exit_layer, switch.problem) == (mine.name, 15, "")
    assert (decoder["model"], decoder["exit_layer"]) == ("mine.gguf", 15)

    bad = added(default_file(models)[:-100_000], "short.gguf")
    switch, decoder = talk.switched(bad.name, 4)
    assert (switch.model, switch.exit_layer) == (mine.name, 15)
    assert "short.gguf" in switch.problem
    assert decoder["model"] == "mine.gguf"
    assert talk.answered(recording).reason in ("eos", "length")

    talk.session.send(commands.ApplySettings(settings=Settings()))
    switch, _ = talk.switched("no-such-model", 4)
    assert switch.model == mine.name, "settings name no other model"
    assert "There is no model called no-such-model" in switch.problem

    talk.session.send(commands.OpenFile(path=str(recording)))
    talk.until(events.AudioHeard)
    talk.session.send(commands.SwitchModel(model=_DEFAULT.model, exit_layer=4))
    seen = talk.until(events.EngineReady)
    (ready,) = [event for event in seen if isinstance(event, events.EngineReady)]
    assert ready.details["decoder"]["exit_layer"] == 4
    assert [event.reason for event in seen if isinstance(event, events.SourceEnded)] == ["closed"]


def test_when_not_even_the_one_before_is_there_the_engine_waits_and_starts_again(
    talk: Talk, added: Added, models: Path
) -> None:
    talk.until(events.EngineReady)
    mine = added(default_file(models) + b"longer, and so another file")
    assert talk.switched(mine.name, 15)[0].model == mine.name
    place = storing.place(mine)
    away = place.with_suffix(".away")
    shutil.move(place, away)
    talk.session.send(commands.SwitchModel(model="no-such-model", exit_layer=4))
    (failed,) = [e for e in talk.until(events.EngineFailed) if isinstance(e, events.EngineFailed)]
    assert "mine is missing" in failed.message
    switch, decoder = talk.switched(_DEFAULT.model, 4)
    assert (switch.model, switch.problem) == (_DEFAULT.model, "")
    assert decoder["exit_layer"] == 4
