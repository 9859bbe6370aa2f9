"""`python -m engine.faults.small_disk FOLDER SIZE COMMAND…`: a folder that is soon full.

The caller gives this process a mount namespace of its own. SIZE is a tmpfs's, or `ro` for one
that cannot be written.
"""

from __future__ import annotations

import os
import subprocess
import sys


def main(words: list[str]) -> None:
    """Mount, and become the command."""
    folder, size, *command = words
    options = "ro,size=64k" if size == "ro" else f"size={size}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
    os.execvp(command[0], command)  # noqa: S606 - a list, through no shell


if __name__ == "__main__":
    main(sys.argv[1:])
