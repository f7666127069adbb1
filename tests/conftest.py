"""What holds for all tests."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# A shell that runs us in the background lets us and our children ignore Ctrl-C, which tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, so that it is a change that makes a test fail. The long run, or
# HYPOTHESIS_PROFILE=default, draws new ones.
settings.register_profile("same", derandomize=True)
if "HYPOTHESIS_PROFILE" not in os.environ:
    settings.load_profile("same")
