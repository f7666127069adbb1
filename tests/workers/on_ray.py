"""Runs verbs with a Ray of two workers, of which one is killed in the middle of each verb.

    python -m tests.workers.on_ray FOLDER RESULT [ADDRESS]

FOLDER has models and texts; the names of verbs with the same results are written to RESULT.  One
Ray serves all verbs, because it takes some ten seconds to start; ADDRESS is that of a running one.
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
# verb: its arguments, and what it writes
VERBS = {
    "build": (["--src", "t.de", "--tgt", "t.en", "--kind", "hiero", "--preset", "fast"], BUILT),
    "translate": (["tokens", "text.de", "--scores", "--shards", "8"], ()),
    "force": (["phrase", *TEXTS, "--shards", "8"], ("gold.bin", "reachability.json")),
    "align": (["t.de", "t.en", "--load", "aligner", "--shards", "8"], ()),
    "tune": (["untuned-hiero", *TUNE], ("weights.tsv",)),
    "train": (["untuned-phrase", *TRAIN, "--features", "z14"], ("weights.tsv", "sparse.bin")),
}


class KilledTransport(RayTransport):
    """Kills a worker after the first result of each verb."""

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
    for verb, (arguments, names) in VERBS.items():
        transport.killed = False
        assert run([verb, *arguments, "--quiet", "-o", f"{verb}.one"]) == 0
        assert run([verb, *arguments, "--quiet", "-o", f"{verb}.ray", "--workers", "ray:2"]) == 0
        one, ray = ([Path(f"{verb}.{who}") / name for name in names] for who in ("one", "ray"))
        one, ray = one or [Path(f"{verb}.one")], ray or [Path(f"{verb}.ray")]
        if [path.read_bytes() for path in one] == [path.read_bytes() for path in ray]:
            same.append(verb)
    end()
    Path(result).write_text(json.dumps({"same": same, "said": said}))


if __name__ == "__main__":
    main(*sys.argv[1:])
