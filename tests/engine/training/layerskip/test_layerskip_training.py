"""LayerSkip training on a small generated model: masks, losses, checkpoints, shared batches."""

from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.errors import JobFailed
from engine.evaluation.decoding.generated_model import Shape, generated
from engine.store import manifest

torch = pytest.importorskip(
    "torch", reason="torch is not installed: pip install 'pads-live[train]'"
)

from engine.training.layerskip.layerskip import Request  # noqa: E402
from engine.training.layerskip.layerskip_training import (  # noqa: E402
    Blocks,
    Plan,
    Trainer,
    running,
    validation_loss,
)
from engine.training.layerskip.low_rank import TARGETS, Pairs  # noqa: E402
from engine.training.optimisation import exit_loss  # noqa: E402
from engine.training.optimisation.base_model import BaseModel  # noqa: E402

SMALL = Shape(
    name="small", layers=8, width=64, feed_forward=128, heads=4, heads_kv=2, vocabulary=256
)
PLAN = Plan(
    steps=24,
    batch=4,
    seed=5,
    learning_rate=1e-2,
    rank=8,
    alpha=16.0,
    targets=TARGETS,
    exits=(2, 3, 4, 5, 6),
    exit_weight=0.3,
    dropout=0.5,
    ramp=0,
    vocabulary=256,
    text="",
)


@pytest.fixture(scope="module")
def small(models: Path, tmp_path_factory: pytest.TempPathFactory) -> BaseModel:
    torch.set_num_threads(1)
    like = models / manifest.find("smollm2-135m-instruct-q4_1").file
    return BaseModel(generated(SMALL, like, tmp_path_factory.mktemp("small")))


@pytest.fixture(scope="module")
def text(small: BaseModel) -> Blocks:
    """Blocks in which every token is followed by one and the same other one."""
    follows = np.random.default_rng(0).permutation(256)
    blocks = np.empty((12, 25), np.int32)
    blocks[:, 0] = np.arange(12) * 20
    for place in range(1, 25):
        blocks[:, place] = follows[blocks[:, place - 1]]
    return Blocks(small, blocks)


def test_the_first_layer_always_runs_and_later_ones_ever_less_often() -> None:
    drawn = np.array([running(16, PLAN, step) for step in range(4000)])
    assert drawn[:, 0].all()
    assert drawn.mean(axis=0) == pytest.approx(1 - np.linspace(0, 0.5, 16), abs=0.03)


def test_a_ramp_lets_dropout_begin_at_nothing() -> None:
    ramped = replace(PLAN, ramp=1000)
    assert all(running(16, ramped, 0))
    halfway = np.array([running(16, replace(ramped, seed=s), 500)[-1] for s in range(2000)])
    assert halfway.mean() == pytest.approx(0.75, abs=0.04)


def test_the_loss_is_what_autograd_makes_of_it(small: BaseModel, text: Blocks) -> None:
    plan = replace(PLAN, dropout=0.0)
    trainer = Trainer(small, text, plan)
    record = trainer.advance()
    first = Trainer(small, text, plan)
    chosen = list(np.random.default_rng((plan.seed, 0)).permutation(12)[:4])
    batch = text.batch(chosen)
    states = small.states(batch.tokens, [*plan.exits, 8])
    losses = {}
    for depth, x in states.items():
        logits = small.logits(x).flatten(0, 1)
        each = torch.nn.functional.cross_entropy(logits, batch.wanted.best, reduction="none")
        losses[depth] = float((each if depth == 8 else each[::4]).mean())
    assert record["loss_last"] == pytest.approx(losses[8], rel=1e-4)
    for exit_ in plan.exits:
        assert record[f"loss_{exit_}"] == pytest.approx(losses[exit_], rel=1e-4)
    assert record["loss"] == pytest.approx(
        losses[8] + 0.3 * sum(losses[exit_] for exit_ in plan.exits), rel=1e-4
    )
    assert validation_loss(small, text, first.pairs) == pytest.approx(
        validation_loss(small, text), rel=1e-6
    )


def test_exits_behind_the_last_layer_that_ran_are_not_read_twice(
    small: BaseModel, text: Blocks
) -> None:
    trainer = Trainer(small, text, replace(PLAN, dropout=0.95, steps=20))
    records = [trainer.advance() for _ in range(20)]
    short = [record for record in records if record["depth"] < 6]
    assert short
    for record in short:
        read = {int(name[5:]) for name in record if name[5:].isdigit() and name[:5] == "loss_"}
        assert read == {exit_ for exit_ in PLAN.exits if exit_ < record["depth"]}


def test_the_loss_falls_and_a_checkpoint_gives_the_identical_next_step(
    small: BaseModel, text: Blocks, tmp_path: Path
) -> None:
    whole = Trainer(small, text, PLAN)
    before = np.mean(validation_loss(small, text, whole.pairs))
    steps = [whole.advance() for _ in range(12)]
    whole.save(tmp_path / "checkpoint.pt")
    steps += [whole.advance() for _ in range(12)]
    assert np.mean(validation_loss(small, text, whole.pairs)) < before - 0.3
    resumed = Trainer(small, text, PLAN)
    resumed.load(tmp_path / "checkpoint.pt")
    assert [resumed.advance() for _ in range(12)] == steps[12:]
    with pytest.raises(JobFailed, match="another training"):
        Trainer(small, text, replace(PLAN, rank=4)).load(tmp_path / "checkpoint.pt")
    sooner = Trainer(small, text, replace(PLAN, steps=PLAN.steps - 1))
    sooner.load(tmp_path / "checkpoint.pt")
    assert sooner.advance()["learning_rate"] < steps[12]["learning_rate"]


def test_a_run_gone_on_with_may_end_sooner_while_dropout_rises_as_before() -> None:
    request = Request(
        model="",
        weights="",
        corpora=["ami"],
        chats="",
        exclude=None,
        objective="text",
        replies=1,
        makes=False,
        folders=[],
        steps=600,
        batch=PLAN.batch,
        tokens=256,
        seed=PLAN.seed,
        learning_rate=PLAN.learning_rate,
        rank=PLAN.rank,
        alpha=PLAN.alpha,
        targets=list(TARGETS),
        exits=[0.5],
        exit_weight=PLAN.exit_weight,
        dropout=PLAN.dropout,
        ramp=0.5,
    )
    assert request.ending(300) == replace(request, steps=300, ramp=1.0)
    assert request.ending(0) == request


def test_a_full_disk_leaves_the_last_checkpoint_whole(
    small: BaseModel, text: Blocks, tmp_path: Path
) -> None:
    trainer = Trainer(small, text, PLAN)
    trainer.save(tmp_path / "checkpoint.pt")
    kept = (tmp_path / "checkpoint.pt").read_bytes()
    trainer.advance()
    # A limit on the size of files acts as a full disk does: a write in the middle of it fails.
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(kept) // 2, hard))
    try:
        with pytest.raises(JobFailed, match="free disk space"):
            trainer.save(tmp_path / "checkpoint.pt")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (tmp_path / "checkpoint.pt").read_bytes() == kept
    assert not list(tmp_path.glob("*.partial"))


def test_targets_that_are_no_matrices_are_refused(small: BaseModel) -> None:
    with pytest.raises(JobFailed, match="attn_norm"):
        Pairs(small, rank=4, alpha=8, targets=("attn_norm",), seed=0)


PEAK = """
import resource, torch
from engine.training.optimisation import exit_loss
torch.set_num_threads(2)
output = torch.randn(49152, 64)
hidden = torch.randn({positions}, 64)
wanted = exit_loss.next_tokens(torch.arange({positions}), output)
exit_loss.compare(hidden, wanted, output)
exit_loss.full_depth(hidden, output)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak_mb(positions: int) -> float:
    code = PEAK.format(positions=positions)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return int(done.stdout) / 1024


def test_peak_memory_is_flat_in_the_number_of_positions() -> None:
    # The logits of 4,096 positions would take 805 MB, their states take 1 MB each.
    assert peak_mb(4096) - peak_mb(256) < 60


def test_cross_entropy_by_hand_is_torchs(small: BaseModel) -> None:
    hidden = torch.randn(300, 64, requires_grad=True)
    tokens = torch.randint(256, (300,))
    expected = torch.nn.functional.cross_entropy(hidden @ small.output.T, tokens, reduction="sum")
    expected.backward()
    wanted = exit_loss.next_tokens(tokens, small.output)
    loss, agreed, gradient = exit_loss.compare(hidden.detach(), wanted, small.output)
    assert loss == pytest.approx(float(expected.detach()), rel=1e-5)
    assert torch.allclose(gradient, hidden.grad, rtol=1e-4, atol=1e-5)
    assert agreed == int(((hidden @ small.output.T).argmax(-1) == tokens).sum())
    full = exit_loss.full_depth(hidden.detach(), small.output)
    entropy = torch.distributions.Categorical(logits=(hidden @ small.output.T).detach()).entropy()
    assert torch.allclose(full.entropy, entropy, atol=1e-4)
