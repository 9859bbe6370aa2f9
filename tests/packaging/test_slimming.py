"""What a bundle leaves out, tried on the real libraries and the real model."""

import shutil
import subprocess
import sys
from pathlib import Path

import ctranslate2
import numpy as np
import PySide6
import pytest

from engine.audio.mel import log_mel
from engine.transcription.whisper import Transcriber
from tests.packaging.clone import PACKAGING

sys.path.insert(0, str(PACKAGING))
import eight_bits
import icu
import slimming
from progress import Stopped

ASK_QT = """
from PySide6.QtCore import QByteArray, QCollator, QLocale, QTimeZone
for name in ("de_DE", "en_GB"):
    locale = QLocale(name)
    collator = QCollator(locale)
    words = ["Zebra", "ähnlich", "Apfel", "Öl", "ost", "Straße", "strasse"]
    print([collator.compare(a, b) for a in words for b in words], locale.toUpper("straße"))
    zone = QTimeZone(QByteArray(b"Europe/Berlin"))
    print(zone.displayName(QTimeZone.TimeType.DaylightTime, QTimeZone.NameType.LongName, locale))
    assert list(map(str, QTimeZone.availableTimeZoneIds()))
"""


@pytest.fixture
def data_library(tmp_path: Path) -> Path:
    """A copy of Qt's ICU data."""
    found = next((Path(PySide6.__file__).parent / "Qt" / "lib").glob("libicudata.so.*"))
    return Path(shutil.copy(found, tmp_path))


def said_by_qt(preloaded: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", ASK_QT],
        env={"LD_PRELOAD": preloaded, "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr
    return done.stdout


def test_qt_sorts_and_names_times_as_before_with_a_tenth_of_icus_data(data_library: Path) -> None:
    before = data_library.stat().st_size
    icu.shrink(data_library)
    assert data_library.stat().st_size < before / 8
    assert said_by_qt(str(data_library)) == said_by_qt()
    assert "Mitteleuropäische Sommerzeit" in said_by_qt()


def test_other_data_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "libicudata.so.99"
    file.write_bytes(bytes(10_000))
    with pytest.raises(Stopped, match="not hold ICU's data"):
        icu.shrink(file)


def test_whisper_computes_the_same_bits_from_half_the_file(models: Path, tmp_path: Path) -> None:
    source = models / "whisper-tiny-en"
    folder = tmp_path / "rounded"
    shutil.copytree(source, folder)
    eight_bits.convert(source / "model.bin", folder / "model.bin")
    size = (folder / "model.bin").stat().st_size
    assert size < 0.55 * (source / "model.bin").stat().st_size
    audio = np.random.default_rng(0).normal(0, 0.1, 160_000).astype(np.float32)
    features = ctranslate2.StorageView.from_array(log_mel(audio, 160_000)[None])
    found = []
    for place in (source, folder):
        transcriber = Transcriber(place)
        found.append(np.array(transcriber._model.encode(features)))
        transcriber.close()
    assert np.array_equal(*found)


def test_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.bin").write_bytes(b"\x05" + bytes(100))
    with pytest.raises(Stopped, match="version 5"):
        eight_bits.convert(tmp_path / "model.bin", tmp_path / "out")


def test_second_names_of_a_library_become_links(tmp_path: Path) -> None:
    library = next(Path("/usr/lib/x86_64-linux-gnu").glob("libportaudio.so.2"))
    for name in ("libx.so", "libx.so.2", "liby.so"):
        shutil.copy(library.resolve(), tmp_path / name)
    (tmp_path / "libx.so.2.partial").write_bytes(b"")
    slimming.slim(tmp_path)
    assert (tmp_path / "libx.so").readlink() == Path("libx.so.2")
    assert not (tmp_path / "liby.so").is_symlink()
