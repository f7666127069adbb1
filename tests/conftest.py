"""Settings for all tests."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# A shell that runs the tests in the background makes them ignore Ctrl-C, which some tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, so that a test only fails because of a change. The long run, or
# HYPOTHESIS_PROFILE=default, draws new ones.
settings.register_profile("same", derandomize=True)
if "HYPOTHESIS_PROFILE" not in os.environ:
    settings.load_profile("same")
