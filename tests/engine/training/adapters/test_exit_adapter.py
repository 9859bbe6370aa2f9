"""Exit adapters: real conversations, the loss and its gradient, checkpoints, leaks."""

from __future__ import annotations

import signal
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import llama_cpp
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.errors import JobFailed
from engine.settings import DecoderSettings
from engine.speculation import gguf, llama, quantising, split
from engine.speculation.chat import Chat
from engine.store import manifest
from engine.training.adapters import exit_adapter
from engine.training.text.adapter_corpus import Corpus, Opening, openings, without_replies, write
from engine.training.text.leaks import HeldOut

torch = pytest.importorskip(
    "torch", reason="torch is not installed: pip install 'pads-live[train]'"
)

from engine.training.adapters import exit_adapter_sources  # noqa: E402
from engine.training.adapters.adapter_training import Plan, Trainer, applied, arrays  # noqa: E402
from engine.training.optimisation import checkpoints, exit_loss  # noqa: E402
from engine.training.optimisation.base_model import BaseModel, rms_norm, rotary  # noqa: E402
from engine.training.text.self_conversations import Example, converse  # noqa: E402

EXITS = [4, 15]
PLAN = Plan(exits=(4,), steps=1, batch=1, seed=0, learning_rate=1e-3, vocabulary=8)
STARTS = [
    Opening(0, (), ("Hello, how are you?", "What do you like about it?")),
    Opening(1, ("Good morning.", "Good morning, can I help you?"), ("Yes, I lost my bag.",)),
    Opening(2, (), ("word " * 300,)),
]


@pytest.fixture(scope="module")
def model(models: Path) -> BaseModel:
    torch.set_num_threads(2)
    return BaseModel(models / manifest.find("smollm2-135m-instruct-q4_1").file)


@pytest.fixture(scope="module")
def examples(model: BaseModel, models: Path) -> list[Example]:
    """Three conversations: greedy over two turns, sampled with a history, too long to begin."""
    opened = llama.Model(models / manifest.find("smollm2-135m-instruct-q4_1").file, vocab_only=True)
    chat = Chat(opened, DecoderSettings().system_prompt, 200)
    found = converse(
        model,
        chat,
        STARTS,
        exits=EXITS,
        reply_tokens=12,
        ends=[2],
        temperatures=[0.0, 1.0, 0.0],
        seed=3,
    )
    opened.close()
    return found


@pytest.fixture
def corpus(examples: list[Example], tmp_path: Path) -> Corpus:
    write(
        tmp_path,
        [STARTS[:1], STARTS[1:2]],
        lambda number: examples[number : number + 1],
        exits=EXITS,
        width=576,
        sha256="",
        report=lambda _: None,
    )
    return Corpus(tmp_path)


def test_conversations_are_what_the_model_says_and_keep_its_states(
    model: BaseModel, examples: list[Example]
) -> None:
    greedy, sampled, empty = examples
    assert [len(example.replies) for example in examples] == [2, 1, 0]
    assert len(empty.tokens) == 0
    for example in (greedy, sampled):
        tokens = torch.tensor(example.tokens[None].astype(np.int64))
        states = model.states(tokens, [*EXITS, 30])
        for column, after in enumerate((*EXITS, 30)):
            kept = torch.from_numpy(example.states[:, column].astype(np.float32))
            spread = states[after][0].abs().max()
            assert (states[after][0] - kept).abs().max() < 2e-3 * spread
    said = model.logits(model.states(tokens := torch.tensor(greedy.tokens[None]).long(), [30])[30])
    choices = said[0].argmax(-1)[torch.from_numpy(greedy.answering)].tolist()
    whole = [[*reply, 2] if len(reply) < 12 else list(reply) for reply in greedy.replies]
    for reply in whole:
        assert str(reply)[1:-1] in str(choices)
    assert tokens.shape[1] == len(greedy.answering)


def test_the_corpus_on_disk_is_the_conversations(corpus: Corpus, examples: list[Example]) -> None:
    assert len(corpus) == 2
    assert corpus.dialogues == [0, 1]
    for number, example in enumerate(examples[:2]):
        rows = corpus.rows(number)
        assert np.array_equal(corpus.tokens["id"][rows], example.tokens)
        assert np.array_equal(corpus.tokens["answering"][rows], example.answering)
        assert np.array_equal(corpus.states[rows], example.states)
    said = tuple(examples[1].replies[0])
    assert without_replies(corpus, {said}) == [0]


def test_what_does_not_fit_or_is_not_there_is_refused(
    corpus: Corpus, examples: list[Example], tmp_path: Path
) -> None:
    assert exit_adapter_sources._fitting(tmp_path, [4], "").exits == EXITS
    for exits, sha256 in (([4], "another"), ([4, 5], "")):
        with pytest.raises(JobFailed, match="do not fit"):
            exit_adapter_sources._fitting(tmp_path, exits, sha256)
    with pytest.raises(JobFailed, match="no conversations"):
        Corpus(tmp_path / "elsewhere")
    (tmp_path / "large").mkdir()
    wild = replace(examples[0], states=np.full_like(examples[0].states, np.inf))
    with pytest.raises(JobFailed, match="do not fit 16-bit numbers"):
        write(
            tmp_path / "large",
            [STARTS[:1]],
            lambda _: [wild],
            exits=EXITS,
            width=576,
            sha256="",
            report=lambda _: None,
        )
    assert not list((tmp_path / "large").iterdir())


def test_a_leak_that_is_left_stops_the_training(corpus: Corpus) -> None:
    dialogues = [["one two three four"], ["five six seven eight"]]
    sources, nothing = [(corpus, [0, 1])], {"items": HeldOut(["nine ten eleven twelve"])}
    assert exit_adapter_sources._left(sources, dialogues, nothing, set()) == {
        "items": 0,
        "replies": 0,
    }
    said = {"items": HeldOut(["Five, six, seven: eight!"])}
    with pytest.raises(JobFailed, match="'items': 1, 'replies': 0"):
        exit_adapter_sources._left(sources, dialogues, said, set())
    reply = {tuple(corpus.replies[1][0])}
    with pytest.raises(JobFailed, match="'items': 0, 'replies': 1"):
        exit_adapter_sources._left(sources, dialogues, nothing, reply)


def test_writing_goes_on_where_it_was_interrupted(
    examples: list[Example], tmp_path: Path, corpus: Corpus
) -> None:
    whole = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    other = tmp_path / "other"
    other.mkdir()

    def only(numbers: list[int]) -> Callable[[int], list[Example]]:
        def make(number: int) -> list[Example]:
            if number not in numbers:
                raise InterruptedError
            return examples[number : number + 1]

        return make

    def go(numbers: list[int]) -> None:
        batches = [STARTS[:1], STARTS[1:2]]
        write(
            other,
            batches,
            only(numbers),
            exits=EXITS,
            width=576,
            sha256="",
            report=lambda _: None,
        )

    with pytest.raises(InterruptedError):
        go([0])
    with (other / "states.bin").open("ab") as file:
        file.write(b"part of a batch")
    go([1])
    assert {path.name: path.read_bytes() for path in other.iterdir()} == whole


def trainer(model: BaseModel, corpus: Corpus, **changed: Any) -> Trainer:
    plan = {"exits": (4, 15), "steps": 8, "batch": 2, "seed": 1, "learning_rate": 1e-3} | changed
    plan.pop("vocabulary", None)
    tokens = np.arange(changed.get("vocabulary", 4096), dtype=np.int32)
    return Trainer(model, [(corpus, [0, 1])], Plan(vocabulary=len(tokens), **plan), tokens)


def test_the_gradient_by_hand_is_the_divergences(model: BaseModel, corpus: Corpus) -> None:
    deepest = torch.from_numpy(corpus.states[20:160, -1].astype(np.float32))
    hidden = torch.randn(len(deepest), 576, generator=torch.Generator().manual_seed(0)) / 4
    normed = rms_norm(deepest, model.norm, 1e-5)
    aim = exit_loss.full_depth(normed, model.output)
    loss, agreed, gradient = exit_loss.compare(hidden, aim, model.output)
    followed = hidden.clone().requires_grad_()
    wanted = torch.log_softmax(model.logits(deepest), -1)
    said = torch.log_softmax(followed @ model.output.T, -1)
    expected = (wanted.exp() * (wanted - said)).sum(-1)
    expected.sum().backward()
    assert loss == pytest.approx(float(expected.detach().sum()), rel=1e-4)
    assert agreed == int((wanted.argmax(-1) == said.argmax(-1)).sum())
    assert torch.allclose(gradient, followed.grad, rtol=1e-4, atol=1e-4)
    same, all_, nothing = exit_loss.compare(normed, aim, model.output)
    assert same == pytest.approx(0, abs=1e-2)
    assert all_ == len(deepest)
    assert nothing.abs().max() < 1e-4


def test_the_loss_falls_and_a_checkpoint_gives_the_identical_next_step(
    model: BaseModel, corpus: Corpus, tmp_path: Path
) -> None:
    whole = trainer(model, corpus)
    steps = [whole.advance() for _ in range(4)]
    whole.save(tmp_path / "checkpoint.pt")
    steps += [whole.advance() for _ in range(4)]
    for exit_ in EXITS:
        assert steps[-1][f"loss_{exit_}"] < 0.7 * steps[0][f"loss_{exit_}"]
    resumed = trainer(model, corpus)
    resumed.load(tmp_path / "checkpoint.pt")
    assert [resumed.advance() for _ in range(4)] == steps[4:]
    with pytest.raises(JobFailed, match="another training"):
        trainer(model, corpus, learning_rate=2e-3).load(tmp_path / "checkpoint.pt")


def test_a_stored_adapter_is_a_layer_of_llama_cpps(
    model: BaseModel, models: Path, corpus: Corpus, halves: Path, tmp_path: Path
) -> None:
    teaching = trainer(model, corpus, exits=(4,))
    teaching.advance()
    stored = arrays(teaching.adapters[4])
    file = models / manifest.find("smollm2-135m-instruct-q4_1").file
    # The same weights in float16: quantised activations would hide an error.
    split._cut(quantising.requantised(file, "F16", halves), tmp_path / "head", range(4, 30))
    with gguf.File(tmp_path / "head", copying=True) as f:
        f.write(
            tmp_path / "adapted",
            matrices=[as_matrix(name, stored[name]) for name in stored],
            numbers={"llama.block_count": 5},
        )
    tokens = corpus.tokens["id"][:64].tolist()
    whole = llama_cpp.Llama(str(tmp_path / "adapted"), n_ctx=64, logits_all=True, verbose=False)
    whole.eval(tokens)
    theirs = np.array(whole.scores[: len(tokens)])
    whole.close()
    states = model.states(torch.tensor([tokens]), [4])[4]
    rope = rotary(model.shape, torch.arange(len(tokens)))
    with torch.no_grad():
        ours = (applied(model, teaching.adapters[4], states, rope) @ model.output.T)[0].numpy()
    (tmp_path / "head").unlink()
    (tmp_path / "adapted").unlink()
    assert np.abs(ours - theirs).max() < 0.5
    assert np.array_equal(ours.argmax(1), theirs.argmax(1))


def as_matrix(name: str, values: NDArray[Any]) -> gguf.Matrix:
    """A stored tensor as block 4 of a head, or its output norm."""
    kind = int(values.ndim > 1)  # matrices in float16, norms in float32
    rows = np.atleast_2d(values).astype(np.float16 if kind else np.float32)
    content = np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), -1)
    name = name if name.startswith("output") else f"blk.4.{name}"
    return gguf.Matrix(name, kind, rows.shape[1], content)


def test_a_checkpoint_that_cannot_be_written_leaves_the_last_one(
    model: BaseModel, corpus: Corpus, tmp_path: Path
) -> None:
    teaching = trainer(model, corpus)
    path = tmp_path / "checkpoint.pt"
    path.write_bytes(b"the last one")
    full = Path("/dev/full")
    path.with_suffix(".partial").symlink_to(full)
    with pytest.raises(JobFailed, match="free disk space"):
        teaching.save(path)
    assert path.read_bytes() == b"the last one"


class Ended(Exception):
    """What the signal's handler raises."""


class Interrupting:
    """Something whose writing is interrupted by a request to end."""

    def __reduce__(self) -> tuple[Any, ...]:
        signal.raise_signal(signal.SIGTERM)
        return (OrderedDict, ())


def test_a_request_to_end_waits_until_the_checkpoint_is_whole(
    tmp_path: Path,
) -> None:
    def handler(number: int, _: FrameType | None) -> None:
        raise Ended

    before = signal.signal(signal.SIGTERM, handler)
    try:
        with pytest.raises(Ended):
            checkpoints.write(tmp_path / "c.pt", PLAN, {"state": Interrupting()})
        assert signal.getsignal(signal.SIGTERM) is handler
    finally:
        signal.signal(signal.SIGTERM, before)
    assert checkpoints.read(tmp_path / "c.pt", PLAN) == {"state": OrderedDict()}


def test_held_out_words_are_found_and_others_are_not() -> None:
    held = HeldOut(["It 's a long way to Tipperary , my dear old friend .", "Where is it ?", "Yes"])
    assert held.skipped == 2
    assert held.in_text("He said it's a long way to Tipperary my dear friend.")
    assert not held.in_text("It's a long way to London, my dear old friend.")
    assert not held.in_text("Where is it? Yes")


def test_dialogues_that_repeat_held_out_text_are_left_out() -> None:
    talks = [["one two three four", "a b"], ["five six seven eight", "c"], ["d"], ["e"]]
    held_out = [HeldOut(["Five, six, seven: eight!"])]
    found, repeating = openings(talks, held_out, count=9, seed=0, first=10)
    assert {opening.dialogue for opening in found} <= {10, 12, 13}
    assert repeating == 1


@pytest.mark.parametrize("text", ["", "four", "4,0"])
def test_exits_that_are_no_layers_are_refused(text: str) -> None:
    with pytest.raises(JobFailed, match="4,10,15"):
        exit_adapter.numbers(text)
