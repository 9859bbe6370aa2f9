"""Files of the user's, real and spoilt, looked at by the process that does so for the window."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.errors import ModelUnavailable
from engine.evaluation.decoding.generated_model import Shape, generated
from engine.speculation import adapter, gguf
from engine.speculation.inspection import inspect


def quiet(step: str, fraction: float) -> None:
    assert step
    assert 0.0 <= fraction <= 1.0


def test_the_default_model_can_be_used(model_file: Path) -> None:
    facts = inspect(model_file, quiet)
    assert (facts.architecture, facts.layers) == ("llama", 30)
    assert (facts.number_format, facts.vocabulary) == ("q4_1", 49_152)
    assert facts.licence == "apache-2.0"
    assert facts.notes == ()


Rewritten = Callable[..., Path]


@pytest.fixture
def rewritten(model_file: Path, tmp_path: Path) -> Rewritten:
    """Writes the default model with other metadata."""

    def write(**changes: dict[str, str] | dict[str, int] | tuple[str, ...]) -> Path:
        target = tmp_path / "other.gguf"
        with gguf.File(model_file, copying=True) as file:
            file.write(target, **changes)  # type: ignore[arg-type]
        return target

    return write


def refusal(file: Path) -> str:
    with pytest.raises(ModelUnavailable) as refused:
        inspect(file, quiet)
    return str(refused.value)


def test_what_is_no_gguf_or_not_there_is_refused(tmp_path: Path) -> None:
    notes = tmp_path / "notes.gguf"
    notes.write_text("not a model")
    assert "notes.gguf is not a GGUF file" in refusal(notes)
    assert "cannot be read (No such file" in refusal(tmp_path / "nothing.gguf")
    assert "cannot be read (Is a directory" in refusal(tmp_path)


def test_a_damaged_header_is_refused(model_file: Path, tmp_path: Path) -> None:
    with model_file.open("rb") as file:
        begin = file.read(100_000)
    cut_off = tmp_path / "cut.gguf"
    cut_off.write_bytes(begin)
    assert "cut.gguf is damaged in its header or cut off" in refusal(cut_off)
    overwritten = tmp_path / "wild.gguf"
    overwritten.write_bytes(begin[:4] + b"\xff" * 60 + begin[64:])
    assert "wild.gguf is damaged" in refusal(overwritten)


def test_a_truncated_one_is_refused_with_its_size(model_file: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.gguf"
    short.write_bytes(model_file.read_bytes()[:-100_000])
    sentence = refusal(short)
    assert "short.gguf is truncated: it has 98262432 of" in sentence
    assert "fetch it again" in sentence


def test_one_too_large_for_this_machine_is_refused_unread(model_file: Path, tmp_path: Path) -> None:
    huge = tmp_path / "huge.gguf"
    with model_file.open("rb") as file:
        huge.write_bytes(file.read(1_000))
    os.truncate(huge, 2**42)  # four terabytes of nothing
    assert "MB of memory and this machine has" in refusal(huge)


def test_another_architecture_and_another_kind_of_file_are_refused(rewritten: Rewritten) -> None:
    other = rewritten(words={"general.architecture": "gpt2"})
    assert "has the architecture gpt2, which cannot be cut in two" in refusal(other)
    other.unlink()
    part = rewritten(numbers={"split.count": 2})
    assert "one part of a model in several files" in refusal(part)
    assert "is not a language model" in refusal(adapter.files()[0])
    part.unlink()
    eyes = rewritten(words={"general.type": "mmproj"})
    assert "is not a language model (but of type mmproj)" in refusal(eyes)


def test_one_layer_and_no_words_are_refused(model_file: Path, tmp_path: Path) -> None:
    shape = {"width": 64, "feed_forward": 128, "heads": 2, "heads_kv": 2, "vocabulary": 64}
    one = generated(Shape(name="one", layers=1, **shape), model_file, tmp_path)
    assert "has 1 layer" in refusal(one)
    mute = generated(Shape(name="mute", layers=2, **shape), model_file, tmp_path)
    assert "has no vocabulary of its own" in refusal(mute)


def test_one_without_a_chat_template_is_taken_with_a_note(rewritten: Rewritten) -> None:
    facts = inspect(rewritten(forget=("tokenizer.chat_template", "general.license")), quiet)
    assert "no chat template" in facts.notes[0]
    assert facts.licence == "not stated"


def test_a_reader_that_dies_is_told(model_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shared library that aborts at once stands in for what a hostile file might do."""
    monkeypatch.setattr(
        "engine.children.command",
        lambda *_: ["/bin/sh", "-c", "echo ggml_abort >&2; kill -ABRT $$", "sh"],
    )
    assert "makes its reader crash (SIGABRT; it said: ggml_abort): it is damaged" in refusal(
        model_file
    )


def test_what_makes_no_sense_is_not_believed(
    model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for facts in ('{"name": "x"}', '{"name": "x", "notes": 3}'):
        command = ["/bin/sh", "-c", f"echo '{{\"facts\": {facts}}}'", "sh"]
        monkeypatch.setattr("engine.children.command", lambda *_, command=command: command)
        assert "makes no sense" in refusal(model_file)


def test_an_inspection_is_cancelled(model_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "engine.children.command", lambda *_: ["/bin/sh", "-c", "exec sleep 600", "sh"]
    )

    class Enough(BaseException):
        pass

    def enough(step: str, fraction: float) -> None:
        raise Enough

    with pytest.raises(Enough):
        inspect(model_file, enough)
