"""Set-up of a small product by the real modules: from nothing, interrupted, twice, offline."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.packaging import clone
from tests.packaging.clone import Clone, said


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("machine")


@pytest.fixture(scope="module")
def product(machine: Path) -> Clone:
    """A clone that is set up."""
    made = clone.make(machine / "product", machine)
    said(made.do("run"))
    return made


def until(reached: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 120
    while not reached():
        assert process.poll() is None, "set-up ended before it got there"
        assert time.monotonic() < deadline
        time.sleep(0.005)


def cut_the_power(process: subprocess.Popen[bytes]) -> None:
    """End set-up and all it started at once, with no chance to tidy up."""
    tree = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    for one in tree:
        one.suspend()  # nobody starts another meanwhile
    for one in tree:
        one.kill()
    process.wait()
    psutil.wait_procs(tree, timeout=10)


def test_interrupted_anywhere_it_resumes(tmp_path: Path) -> None:
    product = clone.make(tmp_path / "product", tmp_path / "machine")
    venv = product.root / ".venv"

    process = product.start("run")
    until((venv / "pyvenv.cfg").exists, process)
    cut_the_power(process)

    product.hold.touch()
    process = product.start("run")
    until(product.hold.with_name("building").exists, process)
    cut_the_power(process)

    process = product.start("run")
    product.hold.with_name("building").unlink()
    until(product.hold.with_name("building").exists, process)
    process.terminate()
    assert process.wait(30) == 130
    product.hold.unlink()

    done = product.do("run", "replay", "a file.wav")
    assert said(done) == {"arguments": ["replay", "a file.wav"], "dependency": "1.0"}
    assert "making .venv" not in done.stdout  # what was whole stayed
    assert {path.name for path in product.root.glob(".venv*")} == {".venv"}
    assert [path.name for path in (tmp_path / "machine/home/cache/wheels").glob("build*")] == []


def test_a_second_run_does_nothing_and_needs_no_network(product: Clone) -> None:
    again = product.do("run", "--smoke", **product.without_network())
    assert said(again)["arguments"] == ["--smoke"]
    assert len(again.stdout.splitlines()) == 1


def test_a_clone_beside_it_does_not_compile_and_keeps_a_venv_made_by_hand(
    product: Clone, machine: Path, tmp_path: Path
) -> None:
    another = clone.make(tmp_path / "another", machine)
    (another.root / ".venv" / "bin").mkdir(parents=True)
    (another.root / ".venv" / "mine").write_text("kept")
    done = another.do("run")
    said(done)
    assert "installing llama.cpp: done" in done.stdout
    assert "building llama.cpp" not in done.stdout
    assert "moved a .venv" in done.stdout
    (aside,) = another.root.glob(".venv-*")
    assert (aside / "mine").read_text() == "kept"


def test_another_processor_or_compiler_setting_compiles_anew(product: Clone) -> None:
    done = product.do("run", CMAKE_ARGS="-DGGML_NATIVE=OFF")
    said(done)
    assert "building llama.cpp, 3-8 minutes: done" in done.stdout
    assert "installing packages" not in done.stdout
    said(product.do("run"))


def test_a_wrong_hash_stops_with_the_reason_and_a_right_one_goes_on(product: Clone) -> None:
    constraints = product.root / "packaging" / "constraints-llama.txt"
    right = constraints.read_text()
    constraints.write_text(right.replace("sha256:", "sha256:0")[:-2] + "\n")
    for _ in range(2):
        stopped = product.do("run")
        assert stopped.returncode == 1
        assert "HASHES" in stopped.stderr
        assert "building llama.cpp, 3-8 minutes: failed" in stopped.stderr
        assert "Traceback" not in stopped.stderr
    constraints.write_text(right)
    done = product.do("run")
    assert said(done) == {"arguments": [], "dependency": "1.0"}
    assert len(done.stdout.splitlines()) == 1  # the old wheel was still installed


def test_an_installation_that_was_interrupted_is_not_trusted(product: Clone) -> None:
    """pip takes a package for installed as soon as its metadata is there."""
    (installed,) = product.root.glob(".venv/lib/*/site-packages/tiny_dependency.py")
    installed.unlink()
    record = product.root / ".venv" / "set-up.json"
    record.write_text(record.read_text().replace('"packages"', '"begun"'))
    done = product.do("run")
    assert said(done)["dependency"] == "1.0"
    assert "making .venv: done" in done.stdout
    assert "building llama.cpp" not in done.stdout


def test_a_missing_model_is_fetched_again(product: Clone, machine: Path) -> None:
    (machine / "models" / "tiny.bin").write_bytes(b"mod")
    done = product.do("run")
    said(done)
    assert "fetching models: done" in done.stdout
    assert (machine / "models" / "tiny.bin").read_bytes() == b"model"


def test_a_moved_clone_gets_a_venv_of_its_own(product: Clone, tmp_path: Path) -> None:
    moved = Clone(tmp_path / "moved", product.machine)
    shutil.copytree(product.root, moved.root, symlinks=True)
    done = moved.do("run")
    said(done)
    assert "making .venv: done" in done.stdout


def test_failed_checks_fail_the_test_command(product: Clone) -> None:
    """The small product has no tools, so that every check fails."""
    done = product.do("test")
    assert done.returncode == 1
    checks = "ruff check, ruff format, mypy, import contracts, advisories and licences, tests"
    assert f"failed: {checks}" in done.stderr


def test_two_set_ups_in_one_folder_take_turns(product: Clone) -> None:
    product.hold.touch()
    first = subprocess.Popen(
        product.command("run"),
        stdout=subprocess.PIPE,
        text=True,
        env=product.environment(CMAKE_ARGS="-DFIRST=ON"),
    )
    assert first.stdout is not None
    with first, first.stdout:
        while "building llama.cpp" not in first.stdout.readline():
            assert first.poll() is None
        second = subprocess.Popen(
            product.command("run"), stdout=subprocess.PIPE, text=True, env=product.environment()
        )
        assert second.stdout is not None
        with second, second.stdout:
            assert "waiting" in second.stdout.readline()
            product.hold.unlink()
            assert '"arguments"' in first.stdout.read()
            assert '"arguments"' in second.stdout.read()


def in_bootstrap(code: str, *, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run code beside the set-up's modules."""
    folder = str(clone.PACKAGING)
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {folder!r})\n{code}", "run"],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": os.pathsep.join(filter(None, [path, os.environ["PATH"]]))},
        check=False,
        timeout=60,
    )


def test_without_rights_the_one_command_to_type_is_shown() -> None:
    allowed = subprocess.run(["sh", "-c", "sudo -n true"], capture_output=True, check=False)
    if shutil.which("dpkg-query") is None or (os.geteuid() != 0 and allowed.returncode == 0):
        pytest.skip("this user may install packages, or this is not Debian")
    done = in_bootstrap(
        "import os, pathlib, debian\n"
        "from progress import Stopped\n"
        "if os.geteuid() == 0: os.setuid(65534)\n"
        "try: debian.provide(['dpkg', 'no-such-package'], log=pathlib.Path('/none'), env={})\n"
        "except Stopped as exc: sys.exit(str(exc))\n"
    )
    assert done.returncode == 1, done.stderr
    command = "sudo apt-get install --yes --no-install-recommends no-such-package"
    assert f"sudo apt-get update && {command}\n" in done.stderr


def test_what_a_package_provides_counts_as_installed() -> None:
    if shutil.which("dpkg-query") is None:
        pytest.skip("this is not Debian")
    done = in_bootstrap("import debian; print(debian.missing(['dpkg', 'awk', 'no-such-package']))")
    assert done.stdout == "['no-such-package']\n"


def test_an_unsuitable_python_looks_for_another(tmp_path: Path) -> None:
    change = "import bootstrap; bootstrap.OLDEST = bootstrap.NEWEST = (3, 99)\n"
    start = change + "sys.exit(bootstrap.main(sys.argv[1:]))"
    lonely = in_bootstrap(start)
    assert lonely.returncode == 1
    assert "needs Python 3.99" in lonely.stderr
    other = tmp_path / "python3.99"
    other.write_text('#!/bin/sh\n[ "$1" = -c ] && [ "$2" = "" ] && exit\necho "started with $*"\n')
    other.chmod(0o755)
    found = in_bootstrap(start, path=str(tmp_path))
    assert found.stdout == "started with -c run\n"


def test_an_unknown_command_explains_itself() -> None:
    for words, status in ((["--help"], 0), ([], 0), (["frobnicate"], 2)):
        command = [sys.executable, str(clone.PACKAGING / "bootstrap.py"), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == status
        assert "bootstrap.py run" in done.stdout


def test_an_interruption_ends_a_long_command(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, signal, bootstrap, progress\n"
        "signal.signal(signal.SIGTERM, bootstrap._interrupt)\n"
        "tell = 'import os, signal, time; os.kill(os.getppid(), signal.SIGTERM); time.sleep(600)'\n"
        f"log = pathlib.Path({str(tmp_path / 'log')!r})\n"
        "try: progress.watch('long', [sys.executable, '-c', tell], log=log, env=dict(os.environ))\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    assert in_bootstrap(code).stdout.splitlines() == ["long ...", "interrupted"]
