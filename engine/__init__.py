"""The engine: everything but the window."""

import os

# onnxruntime reports its use over the network unless told not to before it is loaded; nothing
# may leave the machine.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# Read when an OpenMP runtime is loaded. Threads that spin while they wait take the cores from
# audio, window and each other: with both cores of a laptop busy, steps took a hundred times longer.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
