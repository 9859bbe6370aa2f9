"""The classifier's file: what a TF-IDF vocabulary and a logistic regression come down to.

Two files lie in one folder. `weights.json` describes and guards `weights.npz` by its SHA-256.
The arrays are:

    words       uint8 [bytes]    the one-word n-grams, UTF-8, sorted, joined by line feeds
    pairs       uint32 [pairs]   the two-word n-grams, sorted: first * len(words) + second
    documents   uint32 [words + pairs]      training texts that contain each n-gram
    coefficients float32 [words + pairs, 4] logistic regression, words first
    intercepts  float64 [4]

A pair is two row numbers instead of a string, because with min_df=1 both its words are in the
vocabulary; that halves the file, and loading builds no table of 200,000 strings.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import reading
from engine.errors import ModelUnavailable
from engine.records.writing import replacing

FORMAT = "pads-dialogue-act-1"
DESCRIPTION = "weights.json"
ARRAYS = "weights.npz"

_DESCRIPTION_BYTES, _LARGEST_BYTES = 2**20, 2**26
"""What the arrays may unpack to; the shipped ones unpack to 6 MB, a zip bomb to more."""

_DAMAGE = (
    *(KeyError, TypeError, ValueError, OSError, EOFError, RuntimeError, MemoryError),
    *(SyntaxError, zipfile.BadZipFile, zlib.error),
)
"""What numpy raises over damaged arrays; RuntimeError: encrypted, or packed in an unknown way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A fitted classifier's parameters, shapes and meaning as in this module's description."""

    acts: tuple[str, ...]
    texts: int
    """Training texts, for the inverse document frequency."""
    words: tuple[str, ...]
    pairs: NDArray[np.uint32]
    documents: NDArray[np.uint32]
    coefficients: NDArray[np.float32]
    intercepts: NDArray[np.float64]


def save(weights: Weights, folder: Path, details: dict[str, Any]) -> None:
    """Write both files; `details` (run, corpus, licence) go into the description.

    Raises `ExportFailed`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    packed = io.BytesIO()
    np.savez_compressed(
        packed,
        words=np.frombuffer("\n".join(weights.words).encode(), np.uint8),
        pairs=weights.pairs,
        documents=weights.documents,
        coefficients=weights.coefficients,
        intercepts=weights.intercepts,
    )
    description = {
        "format": FORMAT,
        "sha256": hashlib.sha256(packed.getvalue()).hexdigest(),
        "acts": list(weights.acts),
        "texts": weights.texts,
        **details,
    }
    for name, content in (
        (ARRAYS, packed.getvalue()),
        (DESCRIPTION, (json.dumps(description, indent=2) + "\n").encode()),
    ):
        with replacing(folder / name) as file:
            file.write_bytes(content)


def load(folder: Path) -> Weights:
    """Read and check both files; `ModelUnavailable` when missing, truncated or altered."""
    try:
        description = json.loads(reading.text(folder / DESCRIPTION, _DESCRIPTION_BYTES))
        content = reading.whole(folder / ARRAYS, _LARGEST_BYTES)
    except OSError as exc:
        raise _unusable(folder, f"{exc.strerror}: {exc.filename}") from exc
    except (ValueError, RecursionError) as exc:
        raise _unusable(folder, f"{DESCRIPTION} is damaged") from exc
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise _unusable(folder, f"{DESCRIPTION} is not of the format {FORMAT}")
    if hashlib.sha256(content).hexdigest() != description.get("sha256"):
        raise _unusable(folder, f"{ARRAYS} is truncated or altered")
    try:
        return _unpack(description, content)
    except _DAMAGE as exc:
        raise _unusable(folder, f"its contents do not fit together ({exc})") from exc


def _unpack(description: dict[str, Any], content: bytes) -> Weights:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        if sum(member.file_size for member in packed.infolist()) > _LARGEST_BYTES:
            raise ValueError("they unpack to too much")
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        weights = Weights(
            acts=tuple(description["acts"]),
            texts=int(description["texts"]),
            words=tuple(arrays["words"].tobytes().decode().split("\n")),
            pairs=arrays["pairs"],
            documents=arrays["documents"],
            coefficients=arrays["coefficients"],
            intercepts=arrays["intercepts"],
        )
    rows, acts = len(weights.words) + len(weights.pairs), len(weights.acts)
    if (
        len(weights.pairs) == 0
        or weights.documents.shape != (rows,)
        or weights.coefficients.shape != (rows, acts)
        or weights.intercepts.shape != (acts,)
    ):
        raise ValueError("array shapes")
    return weights


def _unusable(folder: Path, why: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"The dialogue-act classifier in {folder} cannot be used: {why}",
        remedy="install the application again, or train it anew with "
        "`pads job run train-dialogue-act --install`",
    )
