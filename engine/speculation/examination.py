"""The inside of the process that looks at a file of the user's (`inspection` starts it).

It prints one JSON object: the facts, or why the file cannot be the language model.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import psutil

from engine.errors import DecoderFailed, ModelUnavailable
from engine.speculation import gguf, llama, loading, split
from engine.speculation.chat import Chat
from engine.speculation.inspection import Facts, answer
from engine.speculation.messages import Message

_MAGIC = b"GGUF"
_CHOOSE = "choose another file"


def examine(path: Path) -> Facts:
    """The facts about a model's file. Raises `ModelUnavailable` with the reason against it."""
    _check_bytes(path)
    try:
        file = gguf.File(path)
    except ModelUnavailable as exc:
        raise _refused(path, "is damaged in its header or cut off", "fetch it again") from exc
    with file:
        architecture, layers = _checked(path, file)
        formats = file.bytes_by_kind()
        name = file.word("general.name") if file.has("general.name") else path.stem
        licence = file.word("general.license") if file.has("general.license") else "not stated"
    model = llama.Model(path, vocab_only=True)
    try:
        notes = _conversing(path, model)
        vocabulary = model.n_vocab
    finally:
        model.close()
    return Facts(
        name=name,
        architecture=architecture,
        layers=layers,
        number_format=max(formats, key=formats.__getitem__),
        vocabulary=vocabulary,
        licence=licence,
        notes=tuple(notes),
    )


def _check_bytes(path: Path) -> None:
    """Refuse, before anything native reads it, what is no GGUF or too large for this machine."""
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
        needed = loading.memory_bytes(path)
    except OSError as exc:
        raise _refused(path, f"cannot be read ({exc.strerror})", _CHOOSE) from exc
    if magic != _MAGIC:
        raise _refused(path, "is not a GGUF file", _CHOOSE)
    memory = psutil.virtual_memory().total
    if needed > memory:
        raise _refused(
            path,
            f"needs about {needed >> 20} MB of memory and this machine has {memory >> 20} MB",
            "choose a smaller model",
        )


def _checked(path: Path, file: gguf.File) -> tuple[str, int]:
    """Architecture and layers of a file whose metadata and tensors are as they should be."""
    kind = file.word("general.type") if file.has("general.type") else "model"
    if kind != "model" or not file.has("general.architecture"):
        raise _refused(path, f"is not a language model (but of type {kind})", _CHOOSE)
    if file.has("split.count"):
        raise _refused(path, "is one part of a model in several files", "join the parts")
    architecture = file.word("general.architecture")
    if architecture not in split.ARCHITECTURES:
        raise _refused(
            path,
            f"has the architecture {architecture}, which cannot be cut in two",
            f"choose a model of the architecture {' or '.join(split.ARCHITECTURES)}",
        )
    needed, size = file.whole_bytes(), path.stat().st_size
    if size < needed:
        raise _refused(path, f"is truncated: it has {size} of {needed} bytes", "fetch it again")
    layers = file.number(f"{architecture}.block_count")
    if layers < 2:
        raise _refused(path, f"has {layers} layer, and two halves need two", _CHOOSE)
    return architecture, layers


def _conversing(path: Path, model: llama.Model) -> list[str]:
    """What stands against a conversation with it; refuses one that cannot be spoken with."""
    if not model.has_tokeniser:
        raise _refused(path, "has no vocabulary of its own", _CHOOSE)
    try:
        Chat(model, "", 4096).prompt([Message("user", "Hello")])
    except (DecoderFailed, ModelUnavailable) as exc:
        raise ModelUnavailable(exc.thing, remedy=_CHOOSE) from exc
    if model.metadata("tokenizer.chat_template") is None:
        return ["It has no chat template, so that it may not answer as in a conversation."]
    return []


def _refused(path: Path, why: str, remedy: str) -> ModelUnavailable:
    return ModelUnavailable(f"The file {path.name} {why}", remedy=remedy)


def main(words: list[str]) -> int:
    """Examine the file that is named and print what was found."""
    return answer(lambda: asdict(examine(Path(words[0]))))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
