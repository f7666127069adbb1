"""Options are declared once: every kind of field gives its check, its flag and its table row."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass
from typing import Any, Literal

import click
import pytest
from click.testing import CliRunner

from demotic.cli.flags import (
    example,
    from_options,
    given_options,
    quiet_and_json,
    seed_flag,
    threads_flag,
)
from demotic.options import Options, declared, option, table


@dataclass(frozen=True, kw_only=True)
class Every(Options):
    """One field of every kind."""

    count: int = option(1, "a number", minimum=1, maximum=9)
    offset: int = option(0, "another number")
    rate: float = option(0.5, "a rate", unit="per s", minimum=0)
    deep: bool = option(False, "whether deep")
    wide: bool = option(True, "whether wide")
    order: Literal["first", "last"] = option("last", "which")
    name: str = option("x", "a name")
    most: int | None = option(None, "a bound", minimum=0)
    style: Literal["a", "b"] | None = option(None, "a style")


BAD: list[tuple[str, Any, str]] = [
    ("count", 0, "a whole number from 1 to 9"),
    ("count", 10, "a whole number from 1 to 9"),
    ("count", 2.0, "a whole number from 1 to 9"),
    ("count", True, "a whole number from 1 to 9"),
    ("count", None, "a whole number from 1 to 9"),
    ("offset", "1", "a whole number"),
    ("rate", -0.1, "a number of at least 0"),
    ("rate", float("nan"), "a number of at least 0"),
    ("rate", float("inf"), "a number of at least 0"),
    ("rate", False, "a number of at least 0"),
    ("deep", 1, "true or false"),
    ("deep", "yes", "true or false"),
    ("order", "middle", "one of first, last"),
    ("order", None, "one of first, last"),
    ("name", 3, "text"),
    ("most", -1, "a whole number of at least 0"),
    ("style", "c", "one of a, b"),
]
GOOD: list[tuple[str, Any]] = [
    ("count", 9),
    ("offset", -5),
    ("rate", 2),
    ("rate", 0.0),
    ("deep", True),
    ("order", "first"),
    ("name", ""),
    ("most", None),
    ("most", 0),
    ("style", "b"),
]


@pytest.mark.parametrize(("name", "value", "expected"), BAD)
def test_a_bad_value_is_refused_with_what_is_expected(name: str, value: Any, expected: str) -> None:
    with pytest.raises(ValueError, match="expected") as caught:
        Every(**{name: value})
    assert str(caught.value) == f"{name} is {value!r}; expected {expected}"


@pytest.mark.parametrize(("name", "value"), GOOD)
def test_a_good_value_is_taken(name: str, value: Any) -> None:
    assert getattr(Every(**{name: value}), name) == value


def test_options_cannot_be_changed_or_invented() -> None:
    with pytest.raises(FrozenInstanceError):
        Every().count = 2  # type: ignore[misc]
    with pytest.raises(TypeError):
        Every(counts=2)  # type: ignore[call-arg]


def test_declared_knows_every_field_in_order() -> None:
    known = declared(Every)
    assert [one.name for one in known] == list(Every.__dataclass_fields__)
    by_name = {one.name: one for one in known}
    assert by_name["order"].choices == ("first", "last")
    assert by_name["most"].optional
    assert by_name["most"].type is int
    assert not by_name["count"].optional
    assert by_name["rate"].unit == "per s"


def test_a_field_without_its_words_is_a_mistake() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Silent(Options):
        count: int = 1

    with pytest.raises(TypeError, match=r"Silent.count: declare it with option"):
        declared(Silent)


def test_a_name_of_two_words_has_a_dash_in_its_flag() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Two(Options):
        beam_size: int = option(30, "beam")

    assert declared(Two)[0].flag == "--beam-size"


def test_table_shows_numbers_as_numbers_and_switches_as_switches() -> None:
    assert table(Every).splitlines() == [
        "| flag | default | unit | meaning |",
        "|---|---|---|---|",
        "| `--count` | 1 |  | a number |",
        "| `--offset` | 0 |  | another number |",
        "| `--rate` | 0.5 | per s | a rate |",
        "| `--deep` | off |  | whether deep |",
        "| `--wide` | on |  | whether wide |",
        "| `--order` | last |  | which (first, last) |",
        "| `--name` | x |  | a name |",
        "| `--most` | - |  | a bound |",
        "| `--style` | - |  | a style (a, b) |",
    ]


def test_bars_do_not_end_a_cell_of_the_table() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Barred(Options):
        count: int = option(1, "for p(a | b)")

    assert table(Barred).splitlines()[-1] == r"| `--count` | 1 |  | for p(a \| b) |"


def run(*arguments: str) -> tuple[int, str, list[Any]]:
    """The exit code, the output and the arguments of the verb."""
    given: list[Any] = []

    @click.command(epilog=example("demotic verb --deep"))
    @from_options(Every)
    @quiet_and_json
    @threads_flag
    @seed_flag
    def verb(**values: Any) -> None:
        given.append(values)

    result = CliRunner().invoke(verb, arguments)
    return result.exit_code, result.output, given


def test_without_flags_the_verb_gets_the_defaults() -> None:
    code, _, (given,) = run()
    assert code == 0
    assert given["options"] == Every()
    assert (given["quiet"], given["as_json"], given["seed"]) == (False, False, 1)
    assert given["threads"] >= 1
    assert set(given) == {"options", "quiet", "as_json", "threads", "seed"}


def test_flags_of_every_kind_arrive_checked() -> None:
    code, _, (given,) = run(
        *("--count", "9", "--offset", "-3", "--rate", "2", "--deep", "--no-wide"),
        *("--order", "first", "--name", "n", "--most", "0", "--style", "b"),
        *("--quiet", "--json", "--threads", "3", "--seed", "7"),
    )
    assert code == 0
    assert given["options"] == Every(
        count=9,
        offset=-3,
        rate=2.0,
        deep=True,
        wide=False,
        order="first",
        name="n",
        most=0,
        style="b",
    )
    assert (given["quiet"], given["as_json"]) == (True, True)
    assert (given["threads"], given["seed"]) == (3, 7)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--count", "0"),
        ("--count", "ten"),
        ("--rate", "-1"),
        ("--order", "middle"),
        ("--style", "c"),
        ("--threads", "0"),
        ("--no-such-flag",),
    ],
)
def test_bad_flags_are_usage_errors(arguments: tuple[str, ...]) -> None:
    code, output, given = run(*arguments)
    assert code == 2
    assert "Usage:" in output
    assert given == []


def test_help_shows_text_unit_default_and_example() -> None:
    _, output, _ = run("--help")
    text = " ".join(output.split())
    assert "A rate [per s] [default: 0.5; x>=0" in text
    assert "--deep / --no-deep Whether deep [default: no-deep]" in text
    assert "[first|last] Which [default: last]" in text
    assert "Example: demotic verb --deep" in text


def test_a_flag_of_another_name() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Named(Options):
        beam_size: int = option(30, "beam", flag="--beam")

    assert declared(Named)[0].flag == "--beam"
    assert "| `--beam` | 30 |" in table(Named)


def run_given(*arguments: str) -> tuple[str, list[dict[str, Any]]]:
    found: list[dict[str, Any]] = []

    @click.command()
    @given_options(Every)
    def verb(*, given: dict[str, Any]) -> None:
        found.append(given)

    return CliRunner().invoke(verb, arguments).output, found


def test_only_what_was_given_arrives() -> None:
    assert run_given() == ("", [{}])
    _, (given,) = run_given("--count", "2", "--no-wide", "--style", "a")
    assert given == {"count": 2, "wide": False, "style": "a"}
    output, found = run_given("--count", "0")
    assert found == []
    assert "Invalid value for '--count'" in output
    assert "[default: (the model's, else on)]" in " ".join(run_given("--help")[0].split())
