"""Opens the decoder's model: cut, load, describe."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import psutil

from engine.errors import ModelUnavailable
from engine.settings import DecoderSettings
from engine.speculation import adapter, choosing, cores, exactness, llama, policies, split, tuning
from engine.speculation.chat import Chat
from engine.speculation.decoder import CHUNK, Decoder
from engine.speculation.llama import Kernels
from engine.speculation.sampling import Sampling
from engine.speculation.tuning import Choice

_USEFUL_WIDTH = 4
"""Where not even so many positions are exact together, staying within them would slow prefill
many times over: the decoder then works up to rounding, and says so."""

_WHOLE = 2**31 - 1
"""A draft vocabulary that leaves nothing out."""

_RESIDENT, _BUFFERS = 1.3, 64 << 20
"""Most that halves may take of their model's file; caches and work buffers."""

Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A decoder ready for jobs, the prompts' maker, and what a record says about them."""

    decoder: Decoder
    chat: Chat
    details: dict[str, Any]


def load(model: Path, cache: Path, settings: DecoderSettings, progress: Progress) -> Loaded:
    """Cut the model if need be and open it; `ModelUnavailable` when that cannot work."""
    began_s = time.perf_counter()
    pinned = cores.pin()
    progress("Preparing the language model's halves", 0.1)
    _check_memory(model)
    split.make_folder(cache)
    settings, choice = _resolved(model, cache, settings)
    policy = _policy(settings)
    # An exit that is served needs every word; one that is verified may do with the frequent ones.
    vocabulary = settings.draft_vocabulary if policy.lossless else _WHOLE
    trained, problems = _adapter(model, settings, cache)
    progress("Loading the language model", 0.5)
    try:
        cut, decoder = _halved(model, settings, cache, vocabulary, trained)
    except ModelUnavailable as exc:
        if trained is None:
            raise
        cut, decoder = _halved(model, settings, cache, vocabulary, None)
        problems.append(adapter.unusable(trained, exc))
    progress("Checking that drafts change nothing", 0.7)
    decoder, found = _most_exact(decoder, settings, cache)
    decoder.policy = policy
    sampling = Sampling(
        temperature=settings.temperature,
        top_k=settings.top_k,
        top_p=settings.top_p,
        min_p=settings.min_p,
        seed=settings.seed,
    )
    decoder.choosing = choosing.by(sampling)
    if policy.name == "always-deep":
        decoder.draft_tokens = 0
    decoder.lookup = choice is not None and choice.lookup
    if found.widest >= _USEFUL_WIDTH:
        decoder.widest = found.widest
    budget = decoder.size - settings.reply_tokens
    chat = Chat(decoder.model, settings.system_prompt, budget)
    progress("Language model loaded", 1.0)
    kernels = decoder.kernels
    details = {
        "model": model.name,
        "sha256": cut.sha256,
        "layers": cut.layers,
        "exit_layer": cut.exit_layer,
        "exit_adapter": cut.adapted,
        "problems": problems,
        "draft_tokens": decoder.draft_tokens,
        "speculation": settings.speculation,
        "draft_vocabulary": decoder.draft_vocabulary,
        "sampling": asdict(sampling),
        "exit_policy": policy.name,
        "lossless": policy.lossless,
        "tuned": None if choice is None else asdict(choice),
        "vocab": decoder.model.n_vocab,
        "threads": decoder.threads,
        "performance_cores": sorted(pinned),
        "context_tokens": decoder.size,
        "kernels": {
            "flash_attention": kernels.flash_attention,
            "type_k": kernels.type_k,
            "type_v": kernels.type_v,
            "repack": kernels.repack,
        },
        "exactness": found.describe(decoder.widest),
        "system_info": llama.system_info(),
        "load_ms": round((time.perf_counter() - began_s) * 1000, 1),
    }
    return Loaded(decoder, chat, details)


def _adapter(model: Path, settings: DecoderSettings, cache: Path) -> tuple[Path | None, list[str]]:
    """The exit adapter to draft with, if any, and what is the matter with others."""
    if not settings.exit_adapter or not model.exists():
        return None, []
    problems: list[str] = []
    found = adapter.find(split.identity(model, cache), settings.exit_layer, problems)
    return found, problems


def _halved(
    model: Path, settings: DecoderSettings, cache: Path, vocabulary: int, trained: Path | None
) -> tuple[split.Halves, Decoder]:
    """The halves and a decoder over them."""
    cut = split.halves(model, settings.exit_layer, cache, vocabulary, trained)
    return cut, _opened(cut, settings, Kernels())


def _policy(settings: DecoderSettings) -> policies.ExitPolicy:
    try:
        return policies.named(settings.exit_policy, settings.exit_threshold)
    except ValueError as exc:
        raise ModelUnavailable(
            f"There is no exit policy {settings.exit_policy!r}",
            remedy=f"choose one of {', '.join(policies.NAMES)}",
        ) from exc


def _resolved(
    model: Path, cache: Path, settings: DecoderSettings
) -> tuple[DecoderSettings, Choice | None]:
    """The settings to decode with: drafting only by demand, or where it was measured to pay."""
    if settings.speculation == "always":
        return settings, None
    plain = replace(settings, draft_tokens=0)
    if settings.speculation != "auto" or not model.exists():
        return plain, None
    choice = tuning.remembered(split.identity(model, cache), cache)
    if choice is None or not 0 <= choice.draft_tokens < CHUNK:
        return plain, None
    tuned = replace(plain, draft_tokens=choice.draft_tokens, threads=choice.threads)
    return (replace(tuned, exit_layer=choice.exit_layer) if choice.draft_tokens else tuned), choice


def memory_bytes(model: Path) -> int:
    """About the memory that a model's file takes when it is loaded."""
    return int(model.stat().st_size * _RESIDENT) + _BUFFERS


def _check_memory(model: Path) -> None:
    """Refuse a model that this machine's free memory cannot hold, before it swaps or dies."""
    if not model.exists():
        return  # told by `split.halves`
    needed = memory_bytes(model)
    free = psutil.virtual_memory().available
    if free < needed:
        raise ModelUnavailable(
            f"The language model {model.name} needs {needed >> 20} MB of memory and "
            f"{free >> 20} MB are free",
            remedy="close other programs or choose a smaller model in Settings",
        )


def _most_exact(
    decoder: Decoder, settings: DecoderSettings, cache: Path
) -> tuple[Decoder, exactness.Exactness]:
    """The decoder with the kernels that stay bit-equal over wider batches, and what was found.

    Repacked weights are faster, so they are left only where that makes more of a difference
    than speed: where they are too inexact to be useful and the others are not.
    """
    found = exactness.remembered(decoder, cache)
    if found.widest >= _USEFUL_WIDTH:
        return decoder, found
    decoder.close()
    other = _opened(decoder.halves, settings, replace(decoder.kernels, repack=False))
    without = exactness.remembered(other, cache)
    if without.widest >= _USEFUL_WIDTH:
        return other, without
    other.close()
    return _opened(decoder.halves, settings, decoder.kernels), found


def _opened(cut: split.Halves, settings: DecoderSettings, kernels: Kernels) -> Decoder:
    return Decoder(
        cut,
        kernels=kernels,
        size=max(settings.context_tokens, 2 * CHUNK),
        threads=settings.threads,
        draft_tokens=settings.draft_tokens,
    )
