"""The engine: everything but the window."""

import os

# onnxruntime reports its use over the network unless told not to before it is loaded; nothing
# may leave the machine.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# Read when an OpenMP runtime is loaded. Threads that spin while they wait take the cores from
# audio, window and each other; threads that sleep at once are woken hundreds of times per step.
# A thousand turns (some microseconds) is where a step of the default model is fast on free cores
# and still bearable on busy ones (figures in docs/LOG.md).
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("GOMP_SPINCOUNT", "1000")
