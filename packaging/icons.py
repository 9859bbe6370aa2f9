"""The application's picture in the forms that Windows and macOS know, from the SVG.

    python packaging/icons.py FOLDER        (needs PySide6)

Both are containers of PNG pictures, each with its size.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SVG = Path(__file__).resolve().parent.parent / "assets" / "icons" / "pads-live.svg"
WINDOWS = (16, 24, 32, 48, 64, 256)
MACOS = {"ic11": 32, "ic12": 64, "ic07": 128, "ic08": 256, "ic09": 512, "ic10": 1024}
"""Pixels by the type that names them."""


def ico() -> bytes:
    """An icon of Windows: a directory of sizes and places, then the pictures."""
    pictures = [_png(size) for size in WINDOWS]
    at = 6 + 16 * len(pictures)
    content = struct.pack("<HHH", 0, 1, len(pictures))
    for size, picture in zip(WINDOWS, pictures, strict=True):
        side = size % 256  # 0 means 256
        content += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(picture), at)
        at += len(picture)
    return content + b"".join(pictures)


def icns() -> bytes:
    """An icon of macOS: each picture after its type and length, all after those of the file."""
    parts = b"".join(_part(kind.encode(), _png(size)) for kind, size in MACOS.items())
    return _part(b"icns", parts)


def _part(kind: bytes, content: bytes) -> bytes:
    return kind + struct.pack(">I", 8 + len(content)) + content


def _png(size: int) -> bytes:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(SVG)).render(painter)
    painter.end()
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return content.data()


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    (folder / "pads-live.ico").write_bytes(ico())
    (folder / "pads-live.icns").write_bytes(icns())
