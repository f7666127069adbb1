"""The program `demotic`: finds the verb, runs it, and turns what went wrong into a message.

Verbs are imported when they are called; their names and one-line descriptions stand here, so
that --help loads nothing but click.
"""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module

import click

from demotic import __version__

# verb: (module, what it does)
VERBS = {
    "demo": ("demo", "Make the bundled corpus and run everything on it."),
    "make": ("make", "Make a translator from parallel text, in one command."),
    "check": ("check", "Look through a corpus before hours are spent on it."),
    "prepare": ("prepare", "Read, clean and tokenise parallel text."),
    "align": ("align", "Find which words translate each other."),
    "lm": ("lm", "Estimate a language model, convert it, or mix two."),
    "lm-query": ("lm_query", "Print what a language model thinks of a text."),
    "build": ("build", "Build a model from parallel text."),
    "tune": ("tune", "Learn the weights of a model from a small set with references."),
    "force": ("force", "Find all derivations of references, and what is reached."),
    "train": ("train", "Learn the weights of a model, dense and sparse, from its bitext."),
    "translate": ("translate", "Translate text with a model."),
    "weights": ("weights", "Show what a model has learned, by name and family."),
    "explain": ("explain", "Show why a sentence was translated as it was."),
    "evaluate": ("evaluate", "Score translations and compare systems."),
    "import": ("import_", "Take over a model of Moses, cdec or Joshua."),
    "export": ("export", "Write a model for Moses or cdec."),
}


class _Verbs(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = import_module(f"demotic.cli.{VERBS[cmd_name][0]}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl([(name, text) for name, (_, text) in VERBS.items()])


@click.group(
    cls=_Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Each verb explains itself: demotic VERB --help",
)
@click.version_option(__version__, prog_name="demotic")
def demotic() -> None:
    """Statistical machine translation for everyone: two text files in, a translator out."""


def main() -> None:
    """Exit codes: 0 done, 1 failed, 2 usage or bad input, 130 interrupted."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    try:
        code = demotic.main(args=arguments, prog_name="demotic", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted", 130)
    except BrokenPipeError:
        # The reader of our output has gone; its silence is no error of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        return _say("error: out of memory; give fewer threads or less text", 1)
    except Exception as error:
        return _failed(error)


def _failed(error: Exception) -> int:
    from demotic.errors import Error

    if os.environ.get("DEMOTIC_TRACEBACK"):
        raise error
    if isinstance(error, OSError):
        where = error.filename or "standard output"
        found = str(error) if isinstance(error, Error) else f"{where}: {error.strerror}"
        return _say(f"error: {found}", 2 if error.errno == errno.ENOENT else 1)
    if isinstance(error, Error | ValueError):
        return _say(f"error: {error}", 2)
    return _say(
        f"internal error: {type(error).__name__}: {error}\n"
        "This is a bug in Demotic. Please report it with what DEMOTIC_TRACEBACK=1 shows.",
        1,
    )


def _say(message: str, code: int) -> int:
    print(f"demotic: {message}", file=sys.stderr)
    return code
