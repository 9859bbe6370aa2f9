"""Token counts by a tokeniser that is not llama.cpp's, from the vocabulary in the model's file.

The rules by which the pieces are cut before merging are the tokenizers library's own, so a
position count that both agree on is not one program's mistake.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine.errors import ModelUnavailable
from engine.speculation import gguf

_RULES = ("smollm", "gpt-2")
"""The GGUF's names of the rules that are known here (`tokenizer.ggml.pre`)."""


def counter(model: Path) -> Callable[[str], int]:
    """A function that counts the tokens of a text.

    `ModelUnavailable` where the model's tokeniser is of a kind that is not known here, or where
    the tokenizers library is missing, as in the bundle of the live demonstrator.
    """
    try:
        from tokenizers import Tokenizer, models, pre_tokenizers
    except ImportError as exc:
        raise ModelUnavailable(
            "The tokenizers library, which counts independently, is not here",
            remedy="use the full bundle or the installation from source",
        ) from exc
    with gguf.File(model) as file:
        kind, rule = file.word("tokenizer.ggml.model"), file.word("tokenizer.ggml.pre")
        if kind != "gpt2" or rule not in _RULES:
            raise ModelUnavailable(
                f"The tokeniser {kind}/{rule} of {model.name} cannot be checked independently",
                remedy=f"choose a model with one of {', '.join(_RULES)}",
            )
        vocabulary = {text: i for i, text in enumerate(file.texts("tokenizer.ggml.tokens"))}
        merges = [text.split(" ", 1) for text in file.texts("tokenizer.ggml.merges")]
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[(a, b) for a, b in merges]))
    digits = [pre_tokenizers.Digits(individual_digits=True)] if rule == "smollm" else []
    cutting = [*digits, pre_tokenizers.ByteLevel(add_prefix_space=False)]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(cutting)
    return lambda text: len(tokenizer.encode(text).ids)
