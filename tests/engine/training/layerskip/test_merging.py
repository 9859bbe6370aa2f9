"""From trained pairs to model files: the same logits, and nothing quantised twice."""

from __future__ import annotations

from pathlib import Path

import llama_cpp
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.errors import JobFailed, ModelUnavailable
from engine.evaluation.decoding.generated_model import Shape, generated
from engine.speculation import gguf, quantising
from engine.store import manifest
from engine.training.layerskip import merging

BOUND = 0.02
"""Largest difference in a logit that F16 weights and llama.cpp's arithmetic may make; they
spread over about 4 here."""

SMALL = Shape(
    name="small", layers=3, width=256, feed_forward=512, heads=4, heads_kv=2, vocabulary=512
)
Pairs = dict[str, NDArray[np.float32]]


@pytest.fixture
def base(models: Path, tmp_path: Path) -> Path:
    return generated(SMALL, models / manifest.find("smollm2-135m-instruct-q4_1").file, tmp_path)


@pytest.fixture
def pairs() -> Pairs:
    """Pairs whose product is as large as the weights they are added to."""
    chance = np.random.default_rng(1)
    sizes = {"attn_q": (256, 256), "attn_v": (128, 256), "ffn_down": (256, 512)}
    return {
        f"{layer}.{name}.{half}": (chance.standard_normal(shape) * 0.1).astype(np.float32)
        for layer in range(3)
        for name, (rows, columns) in sizes.items()
        for half, shape in (("a", (4, columns)), ("b", (rows, 4)))
    }


def by_llama(path: Path, tokens: list[int]) -> NDArray[np.float32]:
    whole = llama_cpp.Llama(
        str(path), n_ctx=64, logits_all=True, n_threads=1, verbose=False, flash_attn=False
    )
    whole.eval(tokens)
    logits = np.array(whole.scores[: len(tokens)])
    whole.close()
    return logits


def test_the_f16_file_gives_the_trained_models_logits(
    base: Path, pairs: Pairs, tmp_path: Path
) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from engine.training.layerskip.layerskip_training import states_of
    from engine.training.layerskip.low_rank import Pairs as Trained
    from engine.training.optimisation.base_model import BaseModel, rms_norm

    model = BaseModel(base)
    trained = Trained(model, rank=4, alpha=8.0, targets=("attn_q", "attn_v", "ffn_down"), seed=0)
    trained.load({name: torch.from_numpy(values) for name, values in pairs.items()})
    tokens = np.random.default_rng(0).integers(0, 512, 48).tolist()
    with torch.no_grad():
        x = states_of(model, torch.tensor([tokens]), [True] * 3, {3: 1}, trained)[3]
        ours = (rms_norm(x, model.norm, model.shape.eps) @ model.output.T)[0].numpy()
    files = merging.models(base, trained.arrays(), 2.0, tmp_path, [])
    theirs = by_llama(files["F16"], tokens)
    assert np.abs(ours - theirs).max() < BOUND
    assert np.abs(by_llama(base, tokens) - theirs).max() > 10 * BOUND  # training changed it


def test_merging_in_float_needs_no_torch_and_adds_the_product(
    base: Path, pairs: Pairs, tmp_path: Path
) -> None:
    target = tmp_path / "merged.gguf"
    merging.merge(base, pairs, 2.0, target)
    with gguf.File(base) as before, gguf.File(target) as after:
        assert set(before.tensors()) == set(after.tensors())
        for name in before.tensors():
            old, new = before.matrix(name), after.matrix(name)
            assert new.kind in gguf.FLOATS
            expected = old.floats(range(len(old.rows)))
            key = name.removeprefix("blk.").removesuffix(".weight")
            if f"{key}.a" in pairs:
                expected = expected + 2 * pairs[f"{key}.b"] @ pairs[f"{key}.a"]
            assert np.allclose(new.floats(range(len(new.rows))), expected, rtol=1e-3, atol=1e-3)


def test_every_format_is_made_from_the_f16_file(base: Path, pairs: Pairs, tmp_path: Path) -> None:
    kinds = ["Q4_0", "Q4_1", "Q8_0", "Q4_K_M"]
    files = merging.models(base, pairs, 2.0, tmp_path, kinds)
    assert list(files) == ["F16", *kinds]
    tokens = list(range(40, 72))
    exact = by_llama(files["F16"], tokens)
    worst = {kind: np.abs(by_llama(files[kind], tokens) - exact).mean() for kind in kinds}
    assert worst["Q8_0"] < min(worst[kind] for kind in kinds if kind != "Q8_0")
    assert files["Q4_0"].stat().st_size < files["Q8_0"].stat().st_size


def test_a_quantised_source_is_refused_with_the_reason(base: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"quantised already .*second time") as found:
        quantising.quantised(base, "Q4_K_M", tmp_path / "twice.gguf")
    assert "F16" in found.value.remedy
    assert not (tmp_path / "twice.gguf").exists()


def test_numbers_that_do_not_fit_f16_are_refused(base: Path, pairs: Pairs, tmp_path: Path) -> None:
    pairs["0.attn_q.b"] = pairs["0.attn_q.b"] * np.float32(1e6)
    with pytest.raises(JobFailed, match=r"blk\.0\.attn_q\.weight does not fit F16"):
        merging.merge(base, pairs, 2.0, tmp_path / "merged.gguf")


def test_stored_pairs_come_back_and_damaged_ones_do_not(pairs: Pairs, tmp_path: Path) -> None:
    path = merging.store(tmp_path, pairs, 1.5)
    found, scale = merging.read(path)
    assert scale == 1.5
    assert found.keys() == pairs.keys()
    assert all(np.array_equal(found[name], pairs[name]) for name in pairs)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(JobFailed, match="cannot be read"):
        merging.read(path)
