"""The ring: what is read is what was written, and every loss is counted."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.audio.ring import Ring

SIZE = 64
SECONDS = SIZE / 16_000


@given(
    steps=st.lists(
        st.tuples(st.sampled_from(("write", "read")), st.integers(0, 2 * SIZE)), max_size=60
    )
)
def test_it_behaves_as_a_list_that_forgets_its_oldest(steps: list[tuple[str, int]]) -> None:
    ring, model, next_sample, dropped = Ring(SECONDS), [], 0, 0
    for step, n in steps:
        if step == "write":
            block = np.arange(next_sample, next_sample + n, dtype=np.float32)
            next_sample += n
            ring.write(block)
            model.extend(block)
            dropped += len(model) > SIZE
            del model[:-SIZE]
        else:
            block_read = ring.read(n)
            if n > len(model):
                assert block_read is None
            else:
                assert block_read is not None
                assert block_read.tolist() == model[:n]
                del model[:n]
        assert ring.unread == len(model)
        assert ring.written == next_sample
        assert ring.dropped_blocks == dropped


def test_a_read_block_stays_as_it_was() -> None:
    ring = Ring(SECONDS)
    ring.write(np.ones(SIZE, np.float32))
    block = ring.read(SIZE)
    ring.write(np.zeros(SIZE, np.float32))
    assert block is not None
    assert block.all()


def test_a_wait_ends_when_enough_is_there_and_not_before() -> None:
    ring = Ring(SECONDS)
    ring.write(np.ones(10, np.float32))
    assert not ring.wait(11, 0.0)
    assert ring.wait(10, 0.0)


def test_a_reader_and_a_writer_at_once_lose_nothing_that_is_not_counted() -> None:
    ring = Ring(1.0)
    total = 200_000

    def write() -> None:
        samples = np.arange(total, dtype=np.float32)
        for start in range(0, total, 333):
            while ring.unread > 15_000:
                heard.wait(0.001)
            ring.write(samples[start : start + 333])

    heard = threading.Event()
    writer = threading.Thread(target=write)
    writer.start()
    position = 0
    while position < total:
        n = min(512, total - position)
        assert ring.wait(n, 10.0)
        block = ring.read(n)
        assert block is not None
        assert block[0] == position
        assert block[-1] == position + n - 1
        position += n
    writer.join()
    assert ring.dropped_blocks == 0


@pytest.mark.parametrize("n", [SIZE + 1, 3 * SIZE, 10 * SIZE + 7])
def test_of_a_block_longer_than_the_ring_the_newest_samples_stay(n: int) -> None:
    ring = Ring(SECONDS)
    ring.write(np.arange(5, dtype=np.float32))
    ring.write(np.arange(n, dtype=np.float32))
    block = ring.read(SIZE)
    assert block is not None
    assert block.tolist() == list(range(n - SIZE, n))
    assert ring.dropped_blocks == 1
