"""Every reader on files that hypothesis makes up: read, or refused in one sentence."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.faults.files import READERS, Reader, accepted

_EXAMPLES, _MANY = 40, 2000
"""Files for each reader, in every run of the tests and in the heavy one."""


def _json(whole: bytes) -> st.SearchStrategy[bytes]:
    """JSON of any shape, with the words of a whole file as its keys."""
    words = sorted(
        {word for word in whole[:4000].decode("latin-1").split('"') if 0 < len(word) < 30}
    )
    key = st.sampled_from(words or ["a"]) | st.text(max_size=5)
    plain = st.none() | st.booleans() | st.integers() | st.floats() | key
    value = st.recursive(
        plain, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(key, inner, max_size=6)
    )
    return st.dictionaries(key, value, max_size=8).map(lambda v: json.dumps(v).encode() + b"\n")


def _mutated(whole: bytes) -> st.SearchStrategy[bytes]:
    """The file with pieces replaced."""
    piece = st.tuples(st.integers(0, len(whole)), st.integers(0, 30), st.binary(max_size=30))

    def apply(pieces: list[tuple[int, int, bytes]]) -> bytes:
        content = whole
        for at, gone, put in pieces:
            content = content[:at] + put + content[at + gone :]
        return content

    return st.lists(piece, min_size=1, max_size=4).map(apply)


@cache
def files(name: str) -> st.SearchStrategy[bytes]:
    """Files for the reader of this name."""
    whole = READERS[name].whole()
    return st.one_of(_mutated(whole), _json(whole), st.binary(max_size=300))


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    "examples",
    [
        pytest.param(_EXAMPLES, id="short"),
        pytest.param(_MANY, id="long", marks=[pytest.mark.heavy, pytest.mark.timeout(1800)]),
    ],
)
def test_it_is_read_or_refused(name: str, examples: int) -> None:
    reader = READERS[name]

    @settings(max_examples=examples, database=None, derandomize=False)
    @given(content=files(name))
    def fuzz(content: bytes) -> None:
        accepted(reader, folder, content)

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        fuzz()


def test_a_reader_that_lets_an_error_through_is_found(tmp_path: Path) -> None:
    raw = Reader("a.json", lambda: b"{}", lambda path: json.loads(path.read_bytes())["a"])

    @settings(max_examples=200, database=None)
    @given(content=_json(b'{"a": 1}'))
    def fuzz(content: bytes) -> None:
        accepted(raw, tmp_path, content)

    with pytest.raises(Exception, match="gave KeyError"):
        fuzz()
