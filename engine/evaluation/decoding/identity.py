"""`pads bench identity`: speculation changes no served token, shown against llama-cpp-python.

Three ways to answer each prompt: (a) llama-cpp-python's greedy loop on the uncut file, (b) head
and tail without drafts, (c) self-speculation. For the default model at its chosen settings, and
for the same model in other number formats, whose kernels round in other ways.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine import paths, settings
from engine.errors import SettingsRejected
from engine.evaluation.decoding.identity_prompts import conversations
from engine.events import Evidence
from engine.records.output import print_record
from engine.settings import DecoderSettings
from engine.speculation.messages import Message
from engine.store.fetching import locate

TOKENS = 64
"""Tokens of each reply."""

FORMATS = ("Q4_0", "Q4_1", "Q8_0", "Q4_K_M", "F16")
"""Formats the default model is written in besides its own."""

EXACT, ROUNDING, DIFFERENT = "exact", "up to rounding", "different"

_REFERENCE = (
    "llama-cpp-python on the uncut file with the decoder's attention settings (flash attention, "
    "K float16, V bfloat16); its default attention rounds differently, see default_attention"
)


@dataclass(slots=True)
class Count:
    """Replies of one model compared with plain decoding's."""

    prompts: int = 0
    tokens: int = 0
    unspeculated: list[int] = field(default_factory=list)
    """Prompts where head and tail without drafts served something else."""
    speculated: list[int] = field(default_factory=list)
    """Prompts where self-speculation did."""
    drafted: int = 0
    accepted: int = 0

    @property
    def divergences(self) -> int:
        """Replies that are not plain decoding's."""
        return len(self.unspeculated) + len(self.speculated)

    def take(self, plain: list[int], unspeculated: list[int], speculated: list[int]) -> bool:
        """Compare one prompt's replies; whether all are the same."""
        same = plain == unspeculated == speculated
        self.unspeculated += [self.prompts] * (plain != unspeculated)
        self.speculated += [self.prompts] * (plain != speculated)
        self.prompts += 1
        self.tokens += len(plain)
        return same


def verdict(divergences: int, proved_exact: bool) -> str:
    """What may be said: the probe's word decides, and a difference it did not announce is one."""
    if not proved_exact:
        return ROUNDING
    return DIFFERENT if divergences else EXACT


def add_parser(kinds: Any) -> None:
    """Add `identity` to the benches."""
    parser = kinds.add_parser("identity", help="speculation changes no served token")
    parser.add_argument("--prompts", type=int, default=200, help="prompts for the default model")
    parser.add_argument(
        "--format-prompts", type=int, default=20, help="prompts for each other number format"
    )
    parser.add_argument("--tokens", type=int, default=TOKENS, help="tokens of each reply")
    parser.add_argument(
        "--formats", nargs="*", choices=FORMATS, default=list(FORMATS), help="other formats to test"
    )
    parser.add_argument("--data", type=Path, help="folder that holds dailydialog.zip")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    if min(arguments.prompts, arguments.format_prompts, arguments.tokens) < 1:
        raise SettingsRejected("There is nothing to compare", remedy="give at least 1 of each")
    chosen = replace(settings.load(paths.settings_file()).decoder, speculation="always")
    wanted = conversations(max(arguments.prompts, arguments.format_prompts), arguments.data)
    models = []
    for record in compare_all(
        locate(chosen.model),
        chosen,
        wanted[: arguments.prompts],
        formats=arguments.formats,
        format_prompts=wanted[: arguments.format_prompts],
        tokens=arguments.tokens,
    ):
        _say(arguments.json, record)
        if record["type"] == "model":
            models.append(record)
    summary = summarise(models)
    _say(arguments.json, summary)
    return 1 if summary["silent_differences"] else 0


def compare_all(
    model: Path,
    chosen: DecoderSettings,
    prompts: Sequence[list[Message]],
    *,
    formats: Sequence[str],
    format_prompts: Sequence[list[Message]],
    tokens: int,
) -> Iterator[dict[str, Any]]:
    """Records of all comparisons: a `prompt` each, and a `model` after a model's last."""
    from engine.speculation import quantising

    yield from compare(model, "default", chosen, prompts, tokens=tokens, default_attention=True)
    for kind in formats:
        made = quantising.requantised(model, kind, paths.cache() / "numerical-tests")
        label = f"{kind} ({quantising.LABEL})"
        yield from compare(made, label, chosen, format_prompts, tokens=tokens)


def compare(
    model: Path,
    label: str,
    chosen: DecoderSettings,
    prompts: Sequence[list[Message]],
    *,
    tokens: int,
    default_attention: bool = False,
) -> Iterator[dict[str, Any]]:
    """Answer every prompt three ways; `default_attention` counts what that would change, too."""
    from engine.evaluation.decoding.plain import Plain
    from engine.speculation import loading
    from engine.speculation.decoder import CHUNK

    began_s = time.monotonic()
    loaded = loading.load(model, paths.cache() / "halves", chosen, lambda *_: None)
    decoder, drafts = loaded.decoder, loaded.decoder.draft_tokens
    # Within the widths the probe proved, the reference must stay there as well: only then do
    # equal tokens follow from equal arithmetic.
    batch = 512 if decoder.widest == CHUNK else decoder.widest
    size, count = decoder.size, Count()
    plain = Plain(
        model, size=size, threads=decoder.threads, batch=batch, repack=decoder.kernels.repack
    )
    replies = []
    try:
        for number, messages in enumerate(prompts):
            prompt = loaded.chat.prompt(messages).tokens
            replies.append((prompt, plain.answer(prompt, tokens)))
            decoder.draft_tokens = 0
            unspeculated = _served(decoder, prompt, tokens, None)
            decoder.draft_tokens = drafts
            speculated = _served(decoder, prompt, tokens, count)
            same = count.take(replies[-1][1], unspeculated, speculated)
            record = {"type": "prompt", "model": label, "prompt": number, "same": same}
            yield {**record, "tokens": len(replies[-1][1])}
    finally:
        decoder.close()
        plain.close()
    exactness = loaded.details["exactness"]
    yield {
        "type": "model",
        "model": label,
        "prompts": count.prompts,
        "tokens": count.tokens,
        "divergences": count.divergences,
        "divergent_prompts": {"unspeculated": count.unspeculated, "speculated": count.speculated},
        "verdict": verdict(count.divergences, exactness["verdict"] == "exact"),
        "draft_tokens": drafts,
        "drafted": count.drafted,
        "accepted": count.accepted,
        "reference_batch": batch,
        "default_attention": _with_default_attention(
            model, size, decoder.threads, replies[:20], tokens
        )
        if default_attention
        else None,
        "settings": loaded.details,
        "seconds": round(time.monotonic() - began_s, 1),
        "evidence": Evidence.MEASURED.value,
    }


def _served(decoder: Any, prompt: list[int], tokens: int, count: Count | None) -> list[int]:
    served = []
    for step in decoder.decode(prompt, tokens):
        served += [item.token for item in step.served]
        if count is not None:
            count.drafted += step.drafted
            count.accepted += step.accepted
    return served


def _with_default_attention(
    model: Path,
    size: int,
    threads: int,
    replies: list[tuple[list[int], list[int]]],
    tokens: int,
) -> dict[str, int]:
    """How many of plain decoding's replies its default attention would have changed."""
    from engine.evaluation.decoding.plain import Plain

    plain = Plain(model, size=size, threads=threads, default_attention=True)
    try:
        changed = sum(plain.answer(prompt, tokens) != r for prompt, r in replies)
    finally:
        plain.close()
    return {"prompts": len(replies), "replies_changed": changed}


def summarise(models: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The bench's last line: the first model's result, and every model's verdict."""
    first = models[0]
    return {
        "type": "summary",
        "prompts": first["prompts"],
        "tokens": first["tokens"],
        "divergences": first["divergences"],
        "verdict": first["verdict"],
        "silent_differences": sum(m["divergences"] for m in models if m["verdict"] == DIFFERENT),
        "models": {
            m["model"]: {key: m[key] for key in ("prompts", "divergences", "verdict")}
            for m in models
        },
        "reference": _REFERENCE,
        "default_attention": first["default_attention"],
        "settings": first["settings"],
        "evidence": Evidence.MEASURED.value,
    }


def _say(as_json: bool, record: dict[str, Any]) -> None:
    if as_json:
        print_record(record)
    elif record["type"] == "prompt":
        print(f"\r{record['model']}: {record['prompt'] + 1}", end="", file=sys.stderr, flush=True)
    elif record["type"] == "model":
        print(
            f"\r{record['model']}: {record['divergences']} divergences in {record['prompts']} "
            f"prompts, {record['verdict']} [measured]"
        )
    else:
        print(f"{record['verdict']}; reference: {record['reference']}")
