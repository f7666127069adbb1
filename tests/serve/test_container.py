"""The Dockerfile, as far as it can be checked without building it, and the commands of its docs."""

from __future__ import annotations

import fnmatch
import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from demotic.cli.serve import command
from demotic.serve.options import ServeOptions

ROOT = Path(__file__).parents[2]
PORT = str(ServeOptions().port)


class Step(NamedTuple):
    """An instruction of a Dockerfile."""

    name: str
    rest: str


def stages() -> list[list[Step]]:
    """Each begins with FROM."""
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    found: list[list[Step]] = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, _, rest = line.partition(" ")
        assert name.isupper(), line
        if name == "FROM":
            found.append([])
        found[-1].append(Step(name, rest.strip()))
    return found


def only(name: str, stage: list[Step]) -> str:
    (found,) = [step.rest for step in stage if step.name == name]
    return found


def commands(stage: list[Step]) -> list[list[str]]:
    """What RUN steps execute."""
    return [
        shlex.split(part)
        for step in stage
        if step.name == "RUN"
        for part in re.split(r"&&|;|\|\|?", step.rest)
    ]


def ignored(path: str) -> bool:
    """Whether .dockerignore keeps a file or folder of the project out of the image."""
    patterns = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert not any(one.startswith(("!", "#")) for one in patterns)  # which this does not read
    parents = [path, *map(str, Path(path).parents)]
    return any(
        fnmatch.fnmatchcase(one, pattern.removeprefix("**/"))
        or ("**/" in pattern and fnmatch.fnmatchcase(Path(one).name, pattern.removeprefix("**/")))
        for pattern in patterns
        for one in parents
    )


def test_the_server_is_an_unprivileged_user() -> None:
    last = stages()[-1]
    assert only("USER", last) == "10001"
    made = next(one for one in commands(last) if one[0] == "useradd")
    assert made[made.index("--uid") + 1] == "10001"
    names = [step.name for step in last]
    assert names.index("USER") > names.index("RUN")
    assert not {"RUN", "COPY", "ADD"} & set(names[names.index("USER") :])


def test_stages_have_the_same_base() -> None:
    bases = {stage[0].rest.split()[0] for stage in stages()}
    assert len(bases) == 1
    (base,) = bases
    assert re.fullmatch(r"python:3\.\d+-slim-\w+", base)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version = base.partition(":")[2].partition("-")[0]
    assert f"Programming Language :: Python :: {version}" in project["classifiers"]


def test_only_packages_are_fetched_by_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    fetched = []
    for stage in stages():
        assert not any(step.name == "ADD" for step in stage)
        for one in commands(stage):
            tool, words = Path(one[0]).name, [word for word in one[1:] if word[0] != "-"]
            if tool == "apt-get" and words[0] == "install":
                assert words[1:]
                assert all(re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", word) for word in words[1:])
            elif tool == "pip":
                assert words[0] == "install"
                (wanted,) = words[1:]
                extras = re.fullmatch(r"\.\[([\w,-]+)\]", wanted)
                assert extras
                assert set(extras[1].split(",")) <= set(project["optional-dependencies"])
            else:
                assert tool in ("apt-get", "python", "useradd", "rm"), one
                assert tool != "python" or words[:1] == ["venv"] or one[1:3] == ["-m", "venv"]
                continue
            fetched.append(tool)
        assert "://" not in " ".join(step.rest for step in stage if step.name != "HEALTHCHECK")
    assert fetched == ["apt-get", "pip"]


def test_what_is_copied() -> None:
    *build, last = stages()
    for stage in build:
        assert [step.rest for step in stage if step.name == "COPY"] == [". ."]
    (name,) = [stage[0].rest.partition(" AS ")[2] for stage in build]
    source, target = only("COPY", last).removeprefix(f"--from={name} ").split()
    assert source == target == "/opt/demotic"


@pytest.mark.parametrize(
    "path", [".git/config", ".venv/bin/python", "build/cp311/x.o", "src/demotic/_core.so", "dist/x"]
)
def test_what_is_left_out(path: str) -> None:
    assert ignored(path)


@pytest.mark.parametrize(
    "path",
    [
        "pyproject.toml",
        "CMakeLists.txt",
        "README.md",
        "LICENSE",
        "bindings/module.cpp",
        "src/demotic/serve/page/main.js",
        "src/demotic/demo/corpus.tar.bz2",
    ],
)
def test_what_the_build_needs_is_there(path: str) -> None:
    assert (ROOT / path).is_file()
    assert not ignored(path)


def test_the_entry_is_a_command_that_exists() -> None:
    last = stages()[-1]
    entry = json.loads(only("ENTRYPOINT", last))
    assert entry[:2] == ["demotic", "serve"]
    assert only("EXPOSE", last) == PORT
    assert only("STOPSIGNAL", last) == "SIGTERM"
    given = command.make_context("serve", [*entry[2:], "/models/zh-en"]).params
    assert given["host"] == "0.0.0.0"
    assert given["without_keys"] is True


def test_the_check_of_its_health() -> None:
    check = only("HEALTHCHECK", stages()[-1])
    assert check.startswith("CMD ")
    python, flag, code = json.loads(check.removeprefix("CMD "))
    assert (python, flag) == ("python", "-c")
    compile(code, "HEALTHCHECK", "exec")
    assert f"'http://127.0.0.1:{PORT}/health'" in code
    assert "timeout=" in code


def documented() -> list[list[str]]:
    """The commands of the docs that run the image, as words."""
    text = (ROOT / "docs" / "server.md").read_text("utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return [shlex.split(line) for line in lines if line.startswith("docker run ")]


def test_the_documented_commands_run_it_safely() -> None:
    found = documented()
    assert len(found) == 2
    last = stages()[-1]
    entry = json.loads(only("ENTRYPOINT", last))
    for words in found:
        flags, given = words[: words.index("demotic")], words[words.index("demotic") + 1 :]
        assert {"--rm", "--read-only"} <= set(flags)
        assert flags[flags.index("--cap-drop") + 1] == "ALL"
        assert flags[flags.index("--tmpfs") + 1] == "/tmp"
        _, target, mode = flags[flags.index("-v") + 1].split(":")
        assert mode == "ro"
        assert f"{target}/".startswith(f"{only('VOLUME', last)}/")
        params = command.make_context("serve", [*entry[2:], *given]).params
        assert all(f"{model}/".startswith("/models/") for model in params["models"])
        *interface, _, inside = flags[flags.index("-p") + 1].split(":")
        assert inside == PORT
        # Without keys, the port must be published to this machine alone.
        assert interface == ["127.0.0.1"] or params["key_file"].startswith("/models/")
