"""Workers that talk through files of a shared folder, whatever becomes of them or of the driver."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from demotic.allowed_code import ALLOW_CODE
from demotic.cli.main import run
from demotic.errors import Error
from demotic.workers import folder, folder_worker, open_workers, registry
from demotic.workers.folder import Pulse, Signs
from demotic.workers.folder_worker import work
from tests.workers.on_ray import COMMANDS
from tests.workers.test_learning import TUNE

BEAT, SILENT = 0.1, 2.0
WORKER = f"""
import sys
from demotic.cli.main import run
from demotic.workers import folder, folder_worker
folder.BEAT, folder.SILENT = {BEAT}, {SILENT}
same = folder_worker.same_content
folder_worker.same_content = lambda path, digest: "/private/" not in path and same(path, digest)
sys.exit(run(sys.argv[1:]))
"""
Start = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ALLOW_CODE, "")  # is set by workers in this process
    monkeypatch.setattr(folder, "BEAT", BEAT)
    monkeypatch.setattr(folder, "SILENT", SILENT)
    monkeypatch.setattr(folder, "_LOOK", 0.1)
    monkeypatch.setattr(folder_worker, "_LOOK", 0.1)
    for name in ("square", "read"):
        monkeypatch.setitem(registry.TASKS, name, f"tests.workers.tasks:{name}")
    monkeypatch.setitem(registry.ACTORS, "sum", "tests.workers.tasks:Sum")


@pytest.fixture
def start(home: Path) -> Iterator[Start]:
    """Starts `demotic worker jobs` in a process of its own."""
    with ExitStack() as stack:

        def started() -> subprocess.Popen[bytes]:
            command = [sys.executable, "-c", WORKER, *"worker jobs --stay --quiet".split()]
            process = stack.enter_context(subprocess.Popen(command))
            stack.callback(process.kill)
            return process

        yield started


@contextmanager
def in_threads(place: Path, count: int) -> Iterator[list[str]]:
    """Workers in this process; what they have told in the end."""
    told: list[str] = []
    work_here = {"wait": 10.0, "stay": False, "tell": told.append}
    threads = [threading.Thread(target=work, args=(place,), kwargs=work_here) for _ in range(count)]
    for thread in threads:
        thread.start()
    yield told
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive()


# Verbs.


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_results_are_the_same_when_workers_come_and_go(
    home: Path,
    start: Start,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Eight workers in all, of which two are killed and one is asked to end; none of them sees the
    temporary files of the command."""
    (home / "private").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(home / "private"))
    commands = {
        "align": COMMANDS["train an aligner"],
        "force": COMMANDS["force"],
        "build": COMMANDS["build"],
        "tune": (["tune", "untuned-hiero", *TUNE], ("weights.tsv",)),
        "train": COMMANDS["train"],
    }
    started = [start() for _ in range(2)]
    for number, (what, (command, names)) in enumerate(commands.items()):
        places = [home / f"{what} {who}" for who in ("alone", "together")]
        assert run([*command, "--quiet", "-o", str(places[0])]) == 0
        ends = threading.Timer(0.3, _end, (started, number, start))
        ends.start()
        assert run([*command, "--quiet", "-o", str(places[1]), "--workers", "files:jobs"]) == 0
        ends.join()
        alone, together = ([place / name for name in names] or [place] for place in places)
        assert [path.read_bytes() for path in alone] == [path.read_bytes() for path in together]
    said = capsys.readouterr().err
    assert "was lost: it has left" in said or "was lost: no sign of life for 2 s" in said
    assert not list((home / "jobs").iterdir())


def _end(started: list[subprocess.Popen[bytes]], number: int, start: Start) -> None:
    """Ends one worker in each of the first three commands, and lets two others join."""
    if number < 3:
        started[number].send_signal((signal.SIGKILL, signal.SIGTERM, signal.SIGKILL)[number])
        started += [start(), start()]


def test_a_worker_for_which_there_is_no_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    assert run(["worker", str(tmp_path / "jobs"), "--wait", "0"]) == 2
    assert "jobs: no command asks for workers; expected one with --workers files:" in (
        capsys.readouterr().err
    )
    assert run(["worker", str(tmp_path / "jobs"), "--wait", "0", "--stay"]) == 0


# The transport.


def test_tasks_and_actors(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    home = tmp_path / "jobs"
    with in_threads(home, 3) as told, open_workers(f"files:{home}") as workers:
        found = list(workers.map("square", [{"number": i} for i in range(20)]))
        assert [int(path.read_text()) for path in found] == [i * i for i in range(20)]
        (path,) = workers.map("read", [{"file": workers.share(tmp_path / "a"), "times": 3}])
        assert path.read_text() == "xxx"
        actors = workers.actors("sum", {}, b"7")
        for times in range(1, 4):
            actors.tell({"times": times}, b"1")
            answers = list(actors.map([({}, b"%d" % i) for i in range(5)]))
        assert answers == [b"%d" % (52 + i) for i in range(5)]
        assert 1 <= workers.count <= 3
    assert told.count("the command has ended") == 3
    assert not list((tmp_path / "jobs").iterdir())


def test_a_worker_that_was_given_up_joins_again(tmp_path: Path) -> None:
    """As after a pause of its machine."""
    said: list[str] = []
    with in_threads(tmp_path, 1), open_workers(f"files:{tmp_path}", notify=said.append) as workers:
        assert len(list(workers.map("square", [{"number": 1}]))) == 1
        (pulse,) = tmp_path.glob("*/here/*")
        pulse.unlink()
        time.sleep(0.15)  # until the next look
        found = list(workers.map("square", [{"number": i} for i in range(3)]))
        assert [path.read_text() for path in found] == ["0", "1", "4"]
        assert len(list(tmp_path.glob("*/here/*"))) == 1
    assert "no worker is left; the work continues when another one joins" in said


def test_another_file_on_the_machine_of_a_worker(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    home = tmp_path / "jobs"
    with in_threads(home, 1), open_workers(f"files:{home}") as workers:
        shared = workers.share(tmp_path / "a")
        (tmp_path / "a").write_text("yy")
        with pytest.raises(Error, match=r"a: this machine has another file, or none; expected"):
            list(workers.map("read", [{"file": shared, "times": 1}]))
        assert workers.count == 0


def test_a_machine_without_the_files_gets_no_work(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    home, said = tmp_path / "jobs", list[str]()
    blind = threading.Lock()  # of the worker that asks first

    def same(path: str, digest: str) -> bool:
        return not blind.acquire(blocking=False)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folder_worker, "same_content", same)
        with in_threads(home, 2), open_workers(f"files:{home}", notify=said.append) as workers:
            deadline = time.monotonic() + 10
            while len(list(home.glob("*/here/*"))) < 2 and time.monotonic() < deadline:
                time.sleep(0.01)
            asked = {"file": workers.share(tmp_path / "a"), "times": 2}
            assert [path.read_text() for path in workers.map("read", [asked] * 5)] == ["xx"] * 5
            assert workers.count == 1
    assert any("this machine has another file, or none" in text for text in said)
    assert any("; it gets no work" in text for text in said)


def test_bad_input_is_found_without_workers(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("translate phrase nowhere.de --workers files:jobs".split()) == 2
    assert "nowhere.de" in capsys.readouterr().err
    (home / "file").touch()
    assert run("translate phrase text.de --workers files:file".split()) == 2
    assert "file: a file; expected a folder for workers" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_command_that_is_asked_to_end(home: Path) -> None:
    command = [sys.executable, "-m", "demotic", *"translate tokens text.de -o x".split()]
    with subprocess.Popen(
        [*command, "--workers", "files:jobs"], stderr=subprocess.PIPE, text=True
    ) as process:
        deadline = time.monotonic() + 20
        while not list(home.glob("jobs/*/driver")) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.2)
        process.terminate()
        assert process.stderr is not None
        assert "demotic: interrupted" in process.stderr.read()
    assert process.returncode == 130
    assert not list((home / "jobs").iterdir())


def test_a_dead_driver_is_given_up_sooner_for_another(tmp_path: Path) -> None:
    """Whichever was started last."""
    dead = _session(tmp_path, f"{10**20 - 1}-host-1")
    with in_threads(tmp_path, 1) as told, open_workers(f"files:{tmp_path}") as workers:
        assert len(list(workers.map("square", [{"number": 1}]))) == 1
    assert told[0] == "joined the command of host-1"
    assert list(tmp_path.iterdir()) == [dead]


def test_a_folder_that_disappears(tmp_path: Path) -> None:
    with in_threads(tmp_path, 1), open_workers(f"files:{tmp_path}") as workers:
        list(workers.map("square", [{"number": 1}]))
        (session,) = tmp_path.iterdir()
        session.rename(tmp_path / ".away")
        with pytest.raises(Error, match="the folder of the workers was removed"):
            list(workers.map("square", [{"number": 1}]))


def test_waiting_for_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "_PATIENCE", 0.0)
    said: list[str] = []
    late = threading.Timer(
        0.3, work, (tmp_path,), {"wait": 10.0, "stay": False, "tell": lambda text: None}
    )
    late.start()
    with open_workers(f"files:{tmp_path}", notify=said.append) as workers:
        assert len(list(workers.map("square", [{"number": 1}]))) == 1
    late.join(20)
    assert said == [f"no worker yet; start some with: demotic worker {tmp_path}"]


@pytest.mark.skipif(not hasattr(os, "umask"), reason="modes of files")
def test_a_new_folder_belongs_to_its_user_alone(tmp_path: Path) -> None:
    before = os.umask(0o002)
    try:
        with open_workers(f"files:{tmp_path / 'a' / 'jobs'}"):
            assert (tmp_path / "a" / "jobs").stat().st_mode & 0o777 == 0o700
    finally:
        os.umask(before)


def test_an_interrupted_start_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(path: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(folder, "Pulse", interrupted)
    with pytest.raises(KeyboardInterrupt):
        open_workers(f"files:{tmp_path}")
    assert not list(tmp_path.iterdir())


def _session(place: Path, name: str = f"{1:020}-host-1") -> Path:
    session = place / name
    session.mkdir(mode=0o700)
    for part in ("here", "to", "answers"):
        (session / part).mkdir()
    (session / "driver").touch()
    return session


def test_a_driver_that_was_killed_is_given_up(tmp_path: Path) -> None:
    _session(tmp_path)
    told: list[str] = []
    assert work(tmp_path, wait=0.1, stay=True, tell=told.append) == 0
    assert told == ["joined the command of host-1", "the command gives no sign of life any more"]
    with pytest.raises(Error, match="no other command since one was lost; expected one with"):
        work(tmp_path, wait=0.1, stay=False, tell=told.append)


def test_the_end_of_a_command_is_no_silence(tmp_path: Path) -> None:
    """Its sign of life may be gone a moment before its folder is."""
    session = _session(tmp_path)

    def end() -> None:
        (session / "driver").unlink()
        time.sleep(0.3)
        shutil.rmtree(session)

    ends = threading.Timer(0.3, end)
    ends.start()
    assert work(tmp_path, wait=1.0, stay=False, tell=lambda text: None) == 1
    ends.join()


def test_a_driver_that_was_stopped_for_a_while_is_found_again(tmp_path: Path) -> None:
    driver = _session(tmp_path) / "driver"
    told: list[str] = []

    def tell(text: str) -> None:
        told.append(text)
        if "no sign of life" in text:
            os.utime(driver, (1, 1))

    work(tmp_path, wait=0.1, stay=True, tell=tell)
    assert told.count("joined the command of host-1") == 2


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners of files")
def test_a_folder_of_others_is_refused(tmp_path: Path) -> None:
    _session(tmp_path).chmod(0o770)
    with pytest.raises(Error, match="a folder that others can write to; expected one that belongs"):
        work(tmp_path, wait=1.0, stay=False, tell=lambda text: None)


def test_rests_of_killed_commands_are_removed(tmp_path: Path) -> None:
    day = 24 * 3600.0
    old, hidden = _session(tmp_path), _session(tmp_path, f".{2:020}-host-1")
    recent, foreign = _session(tmp_path, f"{3:020}-host-1"), tmp_path / "notes"
    foreign.mkdir()
    for path in (old / "driver", hidden / "driver", old, hidden, foreign, recent):
        os.utime(path, (time.time() - 2 * day,) * 2)
    with in_threads(tmp_path, 1), open_workers(f"files:{tmp_path}") as workers:
        list(workers.map("square", [{"number": 1}]))
    assert sorted(tmp_path.iterdir()) == sorted([recent, foreign])


def test_signs_of_life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    paths, signs = [tmp_path / "a", tmp_path / "b"], Signs()
    for path in paths:
        path.touch()
    assert signs.look(paths) == (["a", "b"], {})
    os.utime(paths[0], (1, 1))  # any other time, also an earlier one
    for now[0] in (0.9, 1.8):
        assert signs.look(paths) == ([], {})
    now[0] = SILENT + 0.1
    assert signs.look(paths) == ([], {"b": "no sign of life for 2 s"})
    now[0] = 10 * SILENT  # nobody looked meanwhile
    assert signs.look(paths) == (["b"], {})
    paths[0].unlink()
    assert signs.look(paths[:1]) == ([], {"a": "it has left", "b": "it has left"})


def test_a_pulse_changes_and_ends(tmp_path: Path) -> None:
    path = tmp_path / "a"
    pulse = Pulse(path)
    os.utime(path, (1, 1))
    deadline = time.monotonic() + 10
    while path.stat().st_mtime == 1 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert path.stat().st_mtime > 1
    pulse.stop()
    assert not path.exists()
