"""Bring the translations up to date with the code.

    python3 packaging/languages.py

Every text of the window's code, of the engine's jobs, and of the sentences that the engine says as
they stand in its code, is looked up in `app/languages/de.ts`; new ones are added there as
unfinished, old ones removed, and what the window loads (`de.qm`) is made from it. Ends with 1 and
names what is left to translate, with a text editor or with Qt Linguist. Needs the environment that
`packaging/bootstrap.py` sets up.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ROOT / "app" / "languages"
SAYING = {"phase", "progress", "_progress", "Decision", "discard", "_drop", "Unreadable", "say"}
"""What the engine calls with words that the window shows."""


def main() -> int:
    """Update and compile every language."""
    left = 0
    for translations in sorted(LANGUAGES.glob("*.ts")):
        extract(sources(ROOT / "app"), translations)
        compile_to(translations, translations.with_suffix(".qm"))
        for context, text in unfinished(translations):
            left += 1
            print(f"{translations.name}: {context}: {text!r} is not translated")
    return 1 if left else 0


def sources(folder: Path) -> list[Path]:
    """The files whose texts are translated."""
    return sorted(folder.rglob("*.py"))


def extract(files: list[Path], translations: Path) -> None:
    """Add the texts of the files, and the engine's, to a file of translations, and drop those that
    are gone."""
    options = ("-no-obsolete", "-locations", "none", "-source-language", "en", "-silent")
    texts = [("Jobs", text) for text in jobs()]
    for file in sources(ROOT / "engine"):
        texts += [("Engine", text) for text in said(file.read_text("utf-8"))]
    with tempfile.TemporaryDirectory() as folder:
        engine = Path(folder) / "engine.py"
        lines = [f"QT_TRANSLATE_NOOP({json.dumps(c)}, {json.dumps(t)})" for c, t in texts]
        engine.write_text("\n".join(lines), "utf-8")
        subprocess.run(
            [tool("lupdate"), *options, *map(str, (*files, engine)), "-ts", str(translations)],
            check=True,
        )


def jobs() -> Iterator[str]:
    """What the Jobs window says about every job and its parameters."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    from engine.jobs import catalogue

    for job in catalogue.JOBS:
        yield from (job.title, job.description)
        for parameter in job.parameters:
            yield from (parameter.title, parameter.description)


def said(code: str) -> Iterator[str]:
    """Phases, reasons and verdicts that stand in the engine's code as they are shown, in the call
    or in a constant of the module."""
    tree = ast.parse(code)
    named = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in SAYING:
                for argument in node.args:
                    found = named.get(argument.id) if isinstance(argument, ast.Name) else argument
                    match found:
                        case ast.Constant(value=str(words)) if words:
                            yield words


def compile_to(translations: Path, compiled: Path) -> None:
    """Make what the window loads."""
    command = [tool("lrelease"), "-silent", str(translations), "-qm", str(compiled)]
    subprocess.run(command, check=True)


def unfinished(translations: Path) -> list[tuple[str, str]]:
    """Context and text of what is not translated."""
    return [
        (context, text)
        for context, text, words in messages(translations)
        if words is None or not words.strip()
    ]


def messages(translations: Path) -> list[tuple[str, str, str | None]]:
    """Context, text and translation of every message; None where it is unfinished."""
    found: list[tuple[str, str, str | None]] = []
    tree = ElementTree.parse(translations)  # noqa: S314 - written here, or by lupdate
    for context in tree.getroot().iter("context"):
        name = context.findtext("name") or ""
        for message in context.iter("message"):
            words = message.find("translation")
            done = words is not None and words.get("type") != "unfinished"
            text = (words.text or "") if done and words is not None else None
            found.append((name, message.findtext("source") or "", text))
    return found


def tool(name: str) -> str:
    """A program of PySide6, in this Python's environment or the one beside the code."""
    script = f"pyside6-{name}"
    for python in (Path(sys.executable).parent, ROOT / ".venv" / "bin", ROOT / ".venv" / "Scripts"):
        for file in (python / script, python / f"{script}.exe"):
            if file.is_file():
                return str(file)
    raise SystemExit(f"{script} is missing: run `python3 packaging/bootstrap.py` first")


if __name__ == "__main__":
    sys.exit(main())
