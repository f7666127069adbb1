"""Runs commands with a Ray of two workers, of which one is killed in the middle of each.

    python -m tests.workers.on_ray FOLDER RESULT [ADDRESS]

FOLDER has models and texts; which commands had the same results is written to RESULT.  One Ray
serves them all, because it takes some ten seconds to start; ADDRESS is that of a running one.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import demotic.workers.opening
from demotic.cli.main import run
from demotic.workers.cluster import RayTransport
from demotic.workers.driver import Driver
from demotic.workers.messages import Answer, Lost
from tests.workers.test_learning import TRAIN, TUNE

TEXTS = "--src t.de --ref t.en --src-tokenized --ref-tokenized".split()
BUILT = ("rules.bin", "lm-0.lm", "work/links.gz")
# what is done: its command, and what it writes
COMMANDS = {
    "build": ("build --src t.de --tgt t.en --kind hiero --preset fast".split(), BUILT),
    "estimate": ("lm t.en --order 3".split(), ()),
    "translate": ("translate tokens text.de --scores --shards 8".split(), ()),
    "force": (["force", "phrase", *TEXTS, "--shards", "8"], ("gold.bin", "reachability.json")),
    "align": ("align t.de t.en --load aligner --shards 8".split(), ()),
    "train an aligner": ("align t.de t.en --model hmm".split(), ()),
    "tune": (["tune", "untuned-hiero", *TUNE], ("weights.tsv",)),
    "tune on forests": (["tune", "untuned-phrase", *TUNE, "--method", "hgmert"], ("weights.tsv",)),
    "train": (
        ["train", "untuned-phrase", *TRAIN, "--features", "z14"],
        ("weights.tsv", "sparse.bin"),
    ),
}


class KilledTransport(RayTransport):
    """Kills a worker after the first result of each command."""

    killed = False

    def receive(self, seconds: float) -> list[Answer | Lost]:
        found = super().receive(seconds)
        for one in found:
            if not self.killed and isinstance(one, Answer) and "digest" in one.message.head:
                self.killed = True
                self.kill(one.worker)
        return found


def main(folder: str, result: str, address: str | None = None) -> None:
    os.chdir(folder)
    said: list[str] = []
    transport = KilledTransport(address, 2)
    driver = Driver(transport, notify=said.append)
    end, driver.close = driver.close, lambda: None
    demotic.workers.opening.open_workers = lambda name, **_: driver
    same = []
    for what, (command, names) in COMMANDS.items():
        transport.killed = False
        places = [Path(f"{what} {who}") for who in ("alone", "on Ray")]
        for place, more in zip(places, ([], ["--workers", "ray:2"]), strict=True):
            assert run([*command, "--quiet", "-o", str(place), *more]) == 0
        one, ray = ([place / name for name in names] or [place] for place in places)
        if [path.read_bytes() for path in one] == [path.read_bytes() for path in ray]:
            same.append(what)
    end()
    Path(result).write_text(json.dumps({"same": same, "said": said}))


if __name__ == "__main__":
    main(*sys.argv[1:])
