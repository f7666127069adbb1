"""What holds for all tests."""

from __future__ import annotations

import signal

# A shell that runs us in the background lets us and our children ignore Ctrl-C, which tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)
