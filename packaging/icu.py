"""ICU's data for the languages the window speaks: 32 MB of all languages become 4.

Qt asks ICU how words are sorted and what time zones are called; other languages fall back to
ICU's root. Character sets (Qt has those of Unicode itself), spelling rules of numbers,
transliteration and units are asked by nobody here. The format is ICU's "common data": a header,
a table of names and offsets, the items.
"""

from __future__ import annotations

import re
import struct
import subprocess
import tempfile
from pathlib import Path

from progress import Stopped

_MAGIC = b"\xda\x27"
_PAGE, _ALIGNED = 4096, 16
_KEPT_FOLDERS = ("coll", "curr", "lang", "region", "zone", "brkitr")
_LANGUAGES = re.compile(r"(root|pool|res_index|supplementalData|tzdbNames|ucadata|en|de)([_.]|$)")
_FOREIGN = re.compile(r"[a-z]{2,3}(_\w+)?\.res")


def shrink(library: Path) -> None:
    """Make `library` (libicudata.so.N) anew with what is kept. Raises `Stopped`."""
    data = _common_data(library)
    version = library.name.rpartition(".")[2]
    with tempfile.TemporaryDirectory() as work:
        content, made, new = (Path(work, name) for name in ("data", "data.o", "new"))
        content.write_bytes(_subset(data))
        section = ".rodata,alloc,load,readonly,data,contents"
        make = ["objcopy", "-I", "binary", "-O", "elf64-x86-64", "--rename-section"]
        make += [f".data={section}", "--set-section-alignment", f".data={_ALIGNED}"]
        _run([*make, "data", "data.o"], work)
        link = ["ld", "-shared", "--strip-all", "-z", "noexecstack", "-soname", library.name]
        symbol = f"icudt{version}_dat=_binary_data_start"
        _run([*link, "--defsym", symbol, "-o", str(new), str(made)], work)
        library.write_bytes(new.read_bytes())


def _run(command: list[str], folder: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Stopped(f"ICU's data cannot be made smaller: {done.stderr.strip()}")


def _common_data(library: Path) -> bytes:
    """From the header on; it begins a page of the library."""
    content = library.read_bytes()
    for at in range(0, len(content), _PAGE):
        if content[at + 2 : at + 4] == _MAGIC and content[at + 12 : at + 16] == b"CmnD":
            return content[at:]
    raise Stopped(f"{library} does not hold ICU's data in the form that is known")


def _subset(data: bytes) -> bytes:
    (start,) = struct.unpack_from("<H", data)
    (count,) = struct.unpack_from("<I", data, start)
    table = [struct.unpack_from("<II", data, start + 4 + 8 * i) for i in range(count)]
    ends = [offset for _, offset in table[1:]] + [len(data) - start]
    items = []
    for (name_at, offset), end in zip(table, ends, strict=True):
        name = data[start + name_at : data.index(b"\0", start + name_at)]
        if _wanted(name.decode().partition("/")[2]):
            items.append((name + b"\0", data[start + offset : start + end]))
    names, bodies, places = b"", b"", []
    names_at = 4 + 8 * len(items)
    bodies_at = _rounded(names_at + sum(len(name) for name, _ in items))
    for name, body in items:
        places.append((names_at + len(names), bodies_at + len(bodies)))
        names += name
        bodies += body + bytes(_rounded(len(body)) - len(body))
    head = struct.pack("<I", len(items)) + b"".join(struct.pack("<II", *p) for p in places)
    return data[:start] + (head + names).ljust(bodies_at, b"\0") + bodies


def _rounded(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED


def _wanted(name: str) -> bool:
    """Whether an item, as in "coll/de.res", is kept."""
    folder, _, last = name.rpartition("/")
    if folder:
        return folder in _KEPT_FOLDERS and _LANGUAGES.match(last) is not None
    if last.endswith((".nrm", ".icu")):
        return last != "unames.icu"
    # At the top other tables stand beside the languages, all with longer names.
    return last.endswith(".res") and (
        _LANGUAGES.match(last) is not None or _FOREIGN.fullmatch(last) is None
    )
