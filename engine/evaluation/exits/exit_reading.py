"""What a model says at each position of a text, at an exit layer and at full depth.

Read through the decoder, so that every number comes from the kernels that serve replies. No
torch is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from engine import paths
from engine.settings import DecoderSettings
from engine.speculation import adapter, choosing, llama, loading, split
from engine.speculation.context import Floats
from engine.speculation.loading import Loaded
from engine.speculation.policies import ExitPolicy, Verified
from engine.speculation.sampling import Sampling

SHELF, ADAPTER, TRAINED = "off the shelf", "exit adapter", "trained model"
_WHOLE_VOCABULARY = 1_000_000
_FULL_DEPTH = Verified()


@dataclass(frozen=True, slots=True)
class Way:
    """One way to exit early: the layers computed before, and what was trained for it."""

    name: str
    model: Path
    exit_layer: int

    @property
    def layers_read(self) -> int:
        """Layers computed before the exit speaks; an adapter is one more."""
        return self.exit_layer + (self.name == ADAPTER)


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply's tokens; the token that ended it, if it ended by itself, is the last."""

    tokens: tuple[int, ...]
    ended: bool

    @property
    def empty(self) -> bool:
        """Nothing was said before the end."""
        return self.ended and len(self.tokens) == 1


class ExitReader:
    """A decoder whose exit may say every token of the vocabulary."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded, self.decoder = loaded, loaded.decoder
        end = self.decoder.model.metadata("tokenizer.ggml.eos_token_id")
        self._end = int(end) if end is not None else -1
        self.vocabulary = split.draftable(self.decoder.halves)

    def reply(
        self,
        prompt: Sequence[int],
        count: int,
        how: Sampling,
        policy: ExitPolicy = _FULL_DEPTH,
    ) -> Reply:
        """What is answered without drafts, at full depth or by an exit policy; `count` tokens."""
        self.decoder.draft_tokens, self.decoder.choosing = 0, choosing.by(how)
        self.decoder.policy = policy
        steps = list(self.decoder.decode(prompt, count))
        tokens = [item.token for step in steps for item in step.served]
        ended = steps[-1].ended == "eos"
        return Reply((*tokens, self._end) if ended else tuple(tokens), ended)

    def words(self, reply: Reply) -> str:
        """The reply as text."""
        said = reply.tokens[:-1] if reply.ended else reply.tokens
        return b"".join(self.decoder.model.piece(t) for t in said).decode("utf-8", "replace")

    def exit_logits(self, before: Sequence[int], asked: Sequence[int]) -> Iterator[Floats]:
        """The exit's logits after each of the tokens `asked`, which follow `before`.

        Chunks of shape [n, n_vocab]; the columns are the token ids of `vocabulary`.
        """
        list(self.decoder.prefill(before))
        self.decoder.keep()
        yield from self._chunks(asked, self.decoder.exit_logits_of)

    def deep_logits(self, before: Sequence[int], asked: Sequence[int]) -> Iterator[Floats]:
        """The same of full depth, over the token ids in order."""
        self.decoder.rewind(before, len(before))
        yield from self._chunks(asked, self.decoder.logits_of)

    def _chunks(
        self, asked: Sequence[int], append: Callable[[Sequence[int]], Floats]
    ) -> Iterator[Floats]:
        widest = self.decoder.widest
        for start in range(0, len(asked), widest):
            yield append(asked[start : start + widest])


@contextmanager
def opened(way: Way, chosen: DecoderSettings) -> Iterator[ExitReader]:
    """The reader of one way; its halves are removed afterwards."""
    wanted = replace(
        chosen,
        exit_layer=way.exit_layer,
        exit_adapter=way.name == ADAPTER,
        draft_vocabulary=_WHOLE_VOCABULARY,
        speculation="always",
        exit_policy="verified",
    )
    loaded = loading.load(way.model, paths.cache() / "halves", wanted, lambda *_: None)
    try:
        yield ExitReader(loaded)
    finally:
        loaded.decoder.close()
        # With every token to draft from they serve nothing else, and fill the disk.
        split.discard(loaded.decoder.halves)


def ways(model: Path, exits: Sequence[int], trained: Path | None) -> list[Way]:
    """All ways of these exits: off the shelf, with an exit adapter where there is one, and those
    of a model trained to exit early."""
    cache = paths.cache() / "halves"
    cache.mkdir(parents=True, exist_ok=True)
    sha256 = split.identity(model, cache)
    found = []
    for layer in exits:
        found.append(Way(SHELF, model, layer))
        if adapter.find(sha256, layer):
            found.append(Way(ADAPTER, model, layer))
        if trained is not None:
            found.append(Way(TRAINED, trained, layer))
    return found


def half_depth(model: Path) -> int:
    """The layer after half of the model's."""
    opened = llama.Model(model, vocab_only=True)
    try:
        architecture = opened.metadata("general.architecture")
        return int(opened.metadata(f"{architecture}.block_count") or 0) // 2
    finally:
        opened.close()
