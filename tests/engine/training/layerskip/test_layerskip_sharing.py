"""One training in two processes, as torchrun starts them, against the same in one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from engine.evaluation.decoding.generated_model import Shape, generated
from engine.store import manifest

torch = pytest.importorskip(
    "torch", reason="torch is not installed: pip install 'pads-live[train]'"
)

PROCESS = """
import json, sys
from pathlib import Path
import numpy as np, torch
from engine.training.layerskip import sharing
from engine.training.optimisation.base_model import BaseModel
from engine.training.layerskip.layerskip_training import Blocks, Plan, Trainer
torch.set_num_threads(1)
model = BaseModel(Path(sys.argv[1]))
text = Blocks(model, np.random.default_rng(3).integers(0, 256, (10, 17), np.int32))
plan = Plan(
    steps=6, batch=5, seed=2, learning_rate=1e-2, rank=4, alpha=8.0, targets=("attn_q", "ffn_down"),
    exits=(2, 4), exit_weight=0.3, dropout=0.5, ramp=3, vocabulary=256, text="",
)
with sharing.joined("cpu") as shared:
    trainer = Trainer(model, text, plan, shared)
    lines = [trainer.advance() for _ in range(6)]
    weights = {name: float(w.detach().double().sum()) for name, w in trainer.pairs.weights.items()}
    Path(f"{sys.argv[2]}-{shared.rank}.json").write_text(json.dumps([lines, weights]))
"""

SMALL = Shape(
    name="small", layers=6, width=64, feed_forward=128, heads=4, heads_kv=2, vocabulary=256
)


def environment(rank: int, size: int, port: int) -> dict[str, str]:
    """What torchrun gives each process."""
    place = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": size, "MASTER_PORT": port}
    return os.environ | {k: str(v) for k, v in place.items()} | {"MASTER_ADDR": "127.0.0.1"}


def trained(model: Path, target: Path, size: int) -> list[tuple[list[dict], dict]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, str(model), str(target)],
            env=environment(rank, size, port),
        )
        for rank in range(size)
    ]
    try:
        assert [process.wait(200) for process in processes] == [0] * size
    finally:
        for process in processes:
            process.kill()
    return [json.loads(Path(f"{target}-{rank}.json").read_text()) for rank in range(size)]


def test_two_processes_learn_what_one_does(models: Path, tmp_path: Path) -> None:
    like = models / manifest.find("smollm2-135m-instruct-q4_1").file
    model = generated(SMALL, like, tmp_path)
    ((alone, weights),) = trained(model, tmp_path / "alone", 1)
    first, second = trained(model, tmp_path / "shared", 2)
    assert first == second
    for line, expected in zip(first[0], alone, strict=True):
        assert line == pytest.approx(expected, rel=1e-4, abs=1e-6)
    assert first[1] == pytest.approx(weights, rel=1e-3, abs=1e-4)
