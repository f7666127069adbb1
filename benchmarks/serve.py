"""The server against `demotic translate`: added latency of one sentence, throughput of 8 clients.

    python -m benchmarks.serve --model zh-en --text test.zh --repeat 8

Without a model it is built from es-en-news (`DEMOTIC_DATA`) or from the bundled corpus.  The
latency is that of a request over a connection that stays open, minus that of the same translation
by a call in Python, sentence by sentence and alternately.

For the throughput, a server with two threads answers 8 clients, with one sentence per request and
with texts of several sentences (lines); `translate --threads 2` gets the same sentences, and all
run alternately.  The start of `translate` is a run with the text once, so that what it loads when
it is first used is not counted: the server has loaded it before.  CPU seconds are those of the
server or of the program alone.  Its memory, which should not grow from round to round, is printed
too.  The clients need a part of the two cores as well, which clients on
other machines would not: "of the cores left" is the throughput on as many as the clients leave.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import selectors
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple, cast

from benchmarks.phrase_models import model_folder, open_task
from benchmarks.texts import data_folder
from demotic.demo.corpus import write_corpus
from demotic.model import Model
from demotic.pipeline import make
from demotic.text.sentence_split import split_sentences

CLIENTS, THREADS, ROUNDS = 8, 2, 3
PROGRAM = [sys.executable, "-m", "demotic"]


class Task(NamedTuple):
    """A model, as `demotic serve` takes it, and raw or tokenised sentences."""

    model: Path
    source: str
    target: str
    lines: list[str]

    @property
    def named(self) -> str:
        return f"{self.source}-{self.target}={self.model}"


class Cost(NamedTuple):
    """Seconds."""

    wall: float
    cpu: float
    clients: float = 0.0  # CPU time of the clients

    @property
    def wall_alone(self) -> float:
        """On as many cores as the clients have left, if all are used."""
        return self.wall * (1 - self.clients / self.wall / len(os.sched_getaffinity(0)))

    def since(self, start: Cost) -> Cost:
        return Cost(self.wall - start.wall, self.cpu - start.cpu)


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.serve")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--text", type=Path)
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=4, help="times that the text is translated")
    parser.add_argument("--together", type=int, default=5, help="sentences of the longer requests")
    given = parser.parse_args(arguments)
    with model_folder() as folder:
        task = _task(given, folder)
        print(
            f"{task.named}: {len(task.lines)} sentences; load average {os.getloadavg()[0]:.1f}, "
            f"{len(os.sched_getaffinity(0))} cores"
        )
        with serving(task) as (port, process):
            latency(task, port)
            throughput(task, given.repeat, (1, given.together), port, process)


def _task(given: argparse.Namespace, folder: Path) -> Task:
    if given.model is not None:
        info = Model.load(given.model).info
        lines = given.text.read_text(encoding="utf-8").splitlines()
        # The server would translate the sentences of a line one by one, and keep all numbers.
        single = [
            one
            for one in lines
            if len(split_sentences(one, info.source_language)) == 1 and not re.search(r"\d", one)
        ]
        return Task(
            given.model, info.source_language, info.target_language, single[: given.sentences]
        )
    if data_folder().is_dir():
        news = open_task("es-en-news", folder, given.sentences)
        return Task(news.model.path, "es", "en", news.source)
    corpus = folder / "corpus"
    write_corpus(corpus)
    raw = corpus / "raw"
    made = make(
        raw / "train.zh",
        raw / "train.en",
        source_language="zh",
        target_language="en",
        out=folder / "zh-en",
        preset="fast",
    )
    lines = (raw / "test.zh").read_text(encoding="utf-8").splitlines()
    return Task(made.model.path, "zh", "en", lines[: given.sentences])


@contextmanager
def serving(task: Task) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [*PROGRAM, "serve", task.named, "--port", str(port), "--quiet"]
    with subprocess.Popen([*command, "--threads", str(THREADS)]) as process:
        try:
            while not _answers(port):
                time.sleep(0.1)
            yield port, process
        finally:
            process.terminate()


def _answers(port: int) -> bool:
    try:
        client = http.client.HTTPConnection("127.0.0.1", port)
        client.request("GET", "/health")
        return client.getresponse().status == 200
    except OSError:
        return False


def latency(task: Task, port: int, sentences: int = 300) -> None:
    model = Model.load(task.model)
    client = http.client.HTTPConnection("127.0.0.1", port)
    headers = {"Content-Type": "application/json"}
    direct, served = [], []
    for line in [*task.lines[:20], *task.lines[:sentences]]:
        begin = time.perf_counter()
        expected = model.translate([line])
        middle = time.perf_counter()
        client.request("POST", "/translate", _body(task, line), headers)
        answer = json.loads(client.getresponse().read())
        served.append(time.perf_counter() - middle)
        direct.append(middle - begin)
        assert [answer["translatedText"]] == expected, line
    added = [1000 * (b - a) for a, b in zip(direct, served, strict=True)][20:]
    print(
        f"one sentence: median {1000 * median(direct[20:]):.2f} ms by a call, "
        f"{1000 * median(served[20:]):.2f} ms by a request; added, by sentence: median "
        f"{median(added):.2f} ms, 90 % below {quantiles(added, n=10)[-1]:.2f} ms"
    )


def _body(task: Task, line: str) -> bytes:
    return json.dumps({"q": line, "source": task.source, "target": task.target}).encode()


def throughput(
    task: Task, repeat: int, sizes: Sequence[int], port: int, process: subprocess.Popen[bytes]
) -> None:
    """Requests have as many sentences as each of `sizes`."""
    more = task._replace(lines=task.lines * repeat)
    requests = {size: _messages(more, size) for size in sizes}
    for messages in requests.values():
        _ask_all(messages[: len(messages) // repeat], port)  # warm
    own: list[Cost] = []
    served: dict[int, list[Cost]] = {size: [] for size in sizes}
    memory = [_resident(process.pid)]
    for _ in range(ROUNDS):
        start = _translate(task, task.lines)
        own.append(_translate(task, task.lines * (repeat + 1)).since(start))
        for size in sizes:
            served[size].append(_served(requests[size], port, process))
        memory.append(_resident(process.pid))
    count = len(more.lines)
    print(_row("translate", own, count))
    for size, costs in served.items():
        print(_row(f"serve, {size} per request", costs, count))
        speed = median(a.wall / b.wall for a, b in zip(own, costs, strict=True))
        left = median(a.wall / b.wall_alone for a, b in zip(own, costs, strict=True))
        cpu = median(a.cpu / b.cpu for a, b in zip(own, costs, strict=True))
        print(f"  / translate: {speed:.2f}, {left:.2f} of the cores left, {cpu:.2f} by CPU time")

    megabytes = ", ".join(f"{size / 1e6:.1f}" for size in memory)
    print(f"memory of the server after the warm-up and after each round, MB: {megabytes}")


def _row(name: str, costs: Sequence[Cost], count: int) -> str:
    wall, cpu, clients = (median(values) for values in zip(*costs, strict=True))
    return (
        f"{name:>22}: {count / wall:6.0f} sentences/s, {1000 * cpu / count:5.3f} CPU ms each, "
        f"{cpu / wall:4.2f} cores; clients {1000 * clients / count:5.3f} CPU ms each"
    )


def _served(messages: Sequence[bytes], port: int, process: subprocess.Popen[bytes]) -> Cost:
    begun, cpu, ours = time.perf_counter(), _cpu(process.pid), time.process_time()
    _ask_all(messages, port)
    wall = time.perf_counter() - begun
    return Cost(wall, _cpu(process.pid) - cpu, time.process_time() - ours)


def _translate(task: Task, lines: Sequence[str]) -> Cost:
    text = "".join(f"{line}\n" for line in lines).encode()
    command = [*PROGRAM, "translate", str(task.model), "--threads", str(THREADS), "--quiet"]
    before, begun = os.times(), time.perf_counter()
    subprocess.run(command, input=text, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - begun, os.times()
    user = after.children_user - before.children_user
    return Cost(wall, user + after.children_system - before.children_system)


def _cpu(process: int) -> float:
    """CPU seconds of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident(process: int) -> int:
    """Resident memory of a process in bytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _ask_all(messages: Sequence[bytes], port: int) -> None:
    """Clients that send the next message whenever the answer to the last one has come.

    One thread and plain sockets, so that the clients take little of the time that they measure.
    """
    waiting = iter(messages)
    with selectors.DefaultSelector() as ready:
        for _, message in zip(range(CLIENTS), waiting, strict=False):
            client = socket.create_connection(("127.0.0.1", port))
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            client.send(message)
            ready.register(client, selectors.EVENT_READ, bytearray())
        while ready.get_map():
            for key, _ in ready.select():
                client = cast("socket.socket", key.fileobj)
                key.data.extend(client.recv(65536))
                if not _is_complete(key.data):
                    continue
                key.data.clear()
                message = next(waiting, b"")
                if message:
                    client.send(message)
                else:
                    ready.unregister(client)
                    client.close()


def _messages(task: Task, size: int) -> list[bytes]:
    """Requests of some sentences each, one per line."""
    texts = ["\n".join(task.lines[i : i + size]) for i in range(0, len(task.lines), size)]
    return [_message(task, text) for text in texts]


def _message(task: Task, text: str) -> bytes:
    body = _body(task, text)
    head = f"POST /translate HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"Content-Type: application/json\r\n\r\n" + body


def _is_complete(answer: bytearray) -> bool:
    end = answer.find(b"\r\n\r\n")
    if end < 0:
        return False
    assert answer.startswith(b"HTTP/1.1 200"), bytes(answer)
    size = int(answer[:end].lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    return len(answer) == end + 4 + size


if __name__ == "__main__":
    main(sys.argv[1:])
