"""Work done by other processes and machines, with the same results as here.

    with open_workers("local:2") as workers:
        for path in workers.map("verb", [...]):
            ...

`protocol.py` has the four calls; `driver.py` implements them over any transport: processes on this
machine (`local.py`), a Ray cluster (`cluster.py`), or jobs that share a folder (`folder.py`).  What
is lost is repeated, and what arrives twice or too late is ignored, so that results depend neither
on the number of workers nor on their fate.  `shards.py` has the same without a driver: files of one
shard each, merged afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from demotic.lazy import lazy_names

if TYPE_CHECKING:
    from demotic.workers.opening import open_workers
    from demotic.workers.protocol import Actors, Arguments, Workers
    from demotic.workers.shards import Shard

_MODULES = {
    "Actors": ".protocol",
    "Arguments": ".protocol",
    "Shard": ".shards",
    "Workers": ".protocol",
    "open_workers": ".opening",
}

__all__ = ["Actors", "Arguments", "Shard", "Workers", "open_workers"]

__getattr__, __dir__ = lazy_names(__name__, _MODULES, __all__)
