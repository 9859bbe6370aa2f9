"""Plain greedy decoding of a whole GGUF by llama-cpp-python itself: what PADS is compared with.

Shares nothing with `engine.speculation` but the library: the file is not cut, no state is read
or fed, and the token is chosen by llama.cpp's own greedy sampler.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import llama_cpp
from llama_cpp.llama_speculative import LlamaPromptLookupDecoding

_F16, _BF16 = 1, 30  # ggml_type


class Plain:
    """The uncut model with one context of `size` positions; `close` frees it.

    The attention settings are the decoder's (flash attention, K in float16, V in bfloat16), so
    that equal tokens mean equal arithmetic; `default_attention` takes llama-cpp-python's own
    instead, which round differently. `lookup` > 0 drafts that many tokens by prompt lookup.
    """

    def __init__(
        self,
        path: Path,
        *,
        size: int,
        threads: int,
        batch: int = 512,
        default_attention: bool = False,
        lookup: int = 0,
        repack: bool = True,
    ) -> None:
        """`batch` is the widest prefill pass; without `repack` weights stay as stored."""
        attention = (
            {} if default_attention else {"flash_attn": True, "type_k": _F16, "type_v": _BF16}
        )
        with _model_parameters(use_extra_bufts=repack):
            self._llama = llama_cpp.Llama(
                str(path),
                n_ctx=size,
                n_batch=batch,
                n_ubatch=batch,
                n_threads=threads,
                n_threads_batch=threads,
                draft_model=LlamaPromptLookupDecoding(num_pred_tokens=lookup) if lookup else None,
                logits_all=bool(lookup),
                verbose=False,
                **attention,
            )
        self._vocab = llama_cpp.llama_model_get_vocab(self._llama.model)

    @property
    def threads(self) -> int:
        """Threads of a step."""
        return int(llama_cpp.llama_n_threads(self._llama.ctx))

    @threads.setter
    def threads(self, count: int) -> None:
        llama_cpp.llama_set_n_threads(self._llama.ctx, count, count)

    def tokenize(self, text: str) -> list[int]:
        """Token ids of `text`, with the token that begins one."""
        return list(self._llama.tokenize(text.encode()))

    def close(self) -> None:
        """Free the model and its context."""
        self._llama.close()

    def steps(self, prompt: Sequence[int]) -> Iterator[int]:
        """Tokens after the prompt as they come, beyond the end of the reply too."""
        yield from self._llama.generate(list(prompt), temp=0.0, repeat_penalty=1.0)

    def seconds(self, prompt: Sequence[int], count: int) -> float:
        """How long `count` tokens took after the first, whatever they are; prefill is left out."""
        self.forget()
        ends = [time.perf_counter() for _ in islice(self.steps(prompt), count + 1)]
        return ends[-1] - ends[0]

    def stream(self, prompt: Sequence[int], count: int) -> Iterator[int]:
        """The reply's tokens as they come, at most `count`, without the one that ends it."""
        for served, token in enumerate(self.steps(prompt)):
            if llama_cpp.llama_vocab_is_eog(self._vocab, token):
                return
            yield token
            if served + 1 >= count:
                return

    def answer(self, prompt: Sequence[int], count: int) -> list[int]:
        """The reply to the prompt `prompt`."""
        return list(self.stream(prompt, count))

    def forget(self) -> None:
        """Compute the next prompt from its first token."""
        self._llama.reset()


@contextmanager
def _model_parameters(**values: Any) -> Iterator[None]:
    """Model parameters of llama.cpp that llama-cpp-python's class has no argument for."""
    library = llama_cpp.llama_cpp
    defaults = library.llama_model_default_params

    def changed() -> Any:
        parameters = defaults()
        for name, value in values.items():
            setattr(parameters, name, value)
        return parameters

    library.llama_model_default_params = changed
    try:
        yield
    finally:
        library.llama_model_default_params = defaults
