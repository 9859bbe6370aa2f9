"""The engine: everything but the window."""

import os

# onnxruntime reports its use over the network unless told not to before it is loaded; nothing
# may leave the machine.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
