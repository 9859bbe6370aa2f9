"""The shipped manifest, and manifests that must be refused."""

import re
from pathlib import Path

import pytest

from engine.errors import ModelUnavailable
from engine.store import manifest

ENTRY = {
    "role": '"voice"',
    "name": '"a"',
    "file": '"folder/a.bin"',
    "source": '"some-package==1.0"',
    "member": '"some_package/a.bin"',
    "size": "3",
    "sha256": '"' + "0" * 64 + '"',
    "licence": '"MIT"',
    "use": '"default"',
    "note": '""',
}


def write(folder: Path, *entries: dict[str, str]) -> Path:
    tables = ["[[model]]\n" + "\n".join(f"{k} = {v}" for k, v in e.items()) for e in entries]
    path = folder / "manifest.toml"
    path.write_text("\n".join(tables))
    return path


def test_the_shipped_manifest_names_one_default_for_every_part_of_the_engine() -> None:
    models = manifest.read()
    roles = {model.role for model in models if model.use == "default"}
    assert roles == {"language-model", "turn-end", "speech-detection", "speech-to-text"}
    assert all(model.licence for model in models)
    assert manifest.find("silero-vad").file == "silero_vad.onnx"


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ModelUnavailable, match=r"no model called gpt.*silero-vad"):
        manifest.find("gpt")


def test_a_good_entry_is_read(tmp_path: Path) -> None:
    (model,) = manifest.read(write(tmp_path, ENTRY))
    assert (model.name, model.size, model.member) == ("a", 3, "some_package/a.bin")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"file": '"../../.bashrc"'}, "leaves the models folder"),
        ({"file": '"/etc/passwd"'}, "leaves the models folder"),
        ({"source": '"http://127.0.0.1/a.bin"'}, "neither"),
        ({"source": '"--index-url=somewhere==1"'}, "neither"),
        ({"source": '"package>=1"'}, "neither"),
        ({"sha256": '"abc"'}, "sha256"),
        ({"size": '"3"'}, "size"),
        ({"use": '"sometimes"'}, "use"),
        ({"unknown": "1"}, "unknown"),
        ({"name": "["}, "Invalid value"),
    ],
)
def test_a_bad_entry_is_named(tmp_path: Path, changes: dict[str, str], words: str) -> None:
    path = write(tmp_path, {**ENTRY, **changes})
    with pytest.raises(ModelUnavailable, match=f"{re.escape(str(path))}.*{words}"):
        manifest.read(path)


def test_two_models_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="two models have one name"):
        manifest.read(write(tmp_path, ENTRY, ENTRY))


def test_a_missing_manifest_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"absent\.toml"):
        manifest.read(tmp_path / "absent.toml")
