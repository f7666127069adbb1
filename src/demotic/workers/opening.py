"""Workers by name, as in `--workers local:4`."""

from __future__ import annotations

import re
from pathlib import Path

from demotic.errors import InputError
from demotic.workers.dispatch import Notify
from demotic.workers.driver import Driver
from demotic.workers.folder import FolderTransport
from demotic.workers.local import LocalTransport

__all__ = ["FORMS", "open_workers"]

FORMS = "local:N, ray, ray:N, ray://HOST:PORT, or files:DIR"


def open_workers(name: str, *, notify: Notify = lambda text: None) -> Driver:
    """Processes on this machine, a Ray on it, a Ray cluster, or jobs that share a folder."""
    if found := re.fullmatch(r"local:([1-9]\d{0,3})", name):
        return Driver(LocalTransport(int(found[1])), notify=notify)
    if found := re.fullmatch(r"ray(?::([1-9]\d{0,3}))?|ray://[^/\s]+", name):
        from demotic.workers.cluster import RayTransport

        address = name if name.startswith("ray://") else None
        return Driver(RayTransport(address, int(found[1] or 0)), notify=notify)
    if found := re.fullmatch(r"files:(.*\S.*)", name):
        # A shell expands ~ only at the beginning of a word.
        return Driver(FolderTransport(Path(found[1]).expanduser(), notify), notify=notify)
    raise InputError(f"workers {name!r}", expected=FORMS)
