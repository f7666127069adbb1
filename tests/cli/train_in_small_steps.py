"""`demotic` with a checkpoint after every few batches, so that kills find many of them."""

from __future__ import annotations

import sys

from demotic.cli.main import run
from demotic.train import training

if __name__ == "__main__":
    training._CHECKPOINT_SECONDS = 0.0
    sys.exit(run(sys.argv[1:]))
