"""Token counts by a tokeniser that is not llama.cpp's, from the vocabulary in the model's file.

The rules by which the pieces are cut before merging are the tokenizers library's own, so a
position count that both agree on is not one program's mistake.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers

from engine.errors import ModelUnavailable
from engine.speculation import gguf

_CUTTING = {
    "smollm": pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    ),
    "gpt-2": pre_tokenizers.ByteLevel(add_prefix_space=False),
}
"""By the GGUF's name of the rule (`tokenizer.ggml.pre`)."""


def counter(model: Path) -> Callable[[str], int]:
    """A function that counts the tokens of a text.

    `ModelUnavailable` where the model's tokeniser is of a kind that is not known here.
    """
    with gguf.File(model) as file:
        kind, rule = file.word("tokenizer.ggml.model"), file.word("tokenizer.ggml.pre")
        if kind != "gpt2" or rule not in _CUTTING:
            raise ModelUnavailable(
                f"The tokeniser {kind}/{rule} of {model.name} cannot be checked independently",
                remedy=f"choose a model with one of {', '.join(_CUTTING)}",
            )
        vocabulary = {text: i for i, text in enumerate(file.texts("tokenizer.ggml.tokens"))}
        merges = [text.split(" ", 1) for text in file.texts("tokenizer.ggml.merges")]
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[(a, b) for a, b in merges]))
    tokenizer.pre_tokenizer = _CUTTING[rule]
    return lambda text: len(tokenizer.encode(text).ids)
