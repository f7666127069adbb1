"""The program `demotic`: finds the verb, runs it, and turns errors into messages.

Verbs are imported when they are called; their names and one-line descriptions are here, so that
--help imports only click.
"""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import dataclass
from importlib import import_module

import click

from demotic import __version__

# verb: (module, description)
VERBS = {
    "demo": ("demo", "Build a translator from the bundled Chinese-English corpus."),
    "make": ("make", "Make a translator from parallel text, in one command."),
    "check": ("check", "Check a corpus for problems."),
    "prepare": ("prepare", "Read, clean and tokenise parallel text."),
    "align": ("align", "Align the words of parallel text."),
    "lm": ("lm", "Estimate a language model, convert it, or mix two."),
    "lm-query": ("lm_query", "Score a text with a language model."),
    "build": ("build", "Build a model from parallel text."),
    "add": ("add", "Add sentence pairs to a model with rules on demand."),
    "tune": ("tune", "Learn the weights of a model from a small set with references."),
    "combine": ("combine", "Combine two models, which then decide together."),
    "decide": ("decide", "Choose the decision rule of a model on a dev set."),
    "calibrate": ("calibrate", "Learn how likely words of a model's translations are correct."),
    "force": ("force", "Find all derivations of the references (forced decoding)."),
    "train": ("train", "Learn the weights of a model, dense and sparse, from its bitext."),
    "translate": ("translate", "Translate text with a model."),
    "worker": ("worker", "Work for a command that was run with --workers files:DIR."),
    "reduce": ("reduce", "Merge results of verbs that were run with --shard."),
    "serve": ("serve", "Translate for other programs and in a web page."),
    "status": ("status", "Show what is done in a directory, what is stale and why."),
    "info": ("info", "Show languages, sizes, scores and history of a model."),
    "weights": ("weights", "Show the learned weights, by name and family."),
    "explain": ("explain", "Explain why a sentence was translated the way it was."),
    "evaluate": ("evaluate", "Score translations and compare systems."),
    "experiment": ("experiment", "Compare systems over seeds and settings; repeat the papers."),
    "report": ("report", "Write the report of an experiment or a translator as a page."),
    "import": ("import_", "Import a model of Moses, cdec or Joshua."),
    "export": ("export", "Write a model for Moses or cdec."),
}

_RESUMING = ("make", "demo", "build", "tune", "train", "experiment")
# Errors in a given name rather than failures of the machine.
_WRONG_NAMES = (errno.ENOENT, errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP)


@dataclass
class _Settings:
    """Flags that come before the verb."""

    debug: bool = False


class _Verbs(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = import_module(f"demotic.cli.{VERBS[cmd_name][0]}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in VERBS and not name.startswith("-"):
            from demotic.suggestions import closest_name, did_you_mean

            near = did_you_mean(closest_name(name, VERBS))
            raise click.UsageError(f"no verb {name!r}{near}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl([(name, text) for name, (_, text) in VERBS.items()])


@click.group(
    cls=_Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="For help on a verb: demotic VERB --help",
)
@click.version_option(__version__, prog_name="demotic")
@click.option("--debug", is_flag=True, help="Print the traceback of any error.")
@click.option(
    "--allow-code",
    is_flag=True,
    help="Let models run the Python files of their features, now and later; read the files first.",
)
@click.pass_obj
def demotic(settings: _Settings, debug: bool, allow_code: bool) -> None:
    """Statistical machine translation for everyone: two text files in, a translator out."""
    settings.debug = debug
    if allow_code:
        from demotic.allowed_code import ALLOW_CODE

        os.environ[ALLOW_CODE] = "1"


def main() -> None:
    """Exit codes: 0 done, 1 failed, 2 usage or bad input, 130 interrupted."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    settings = _Settings()
    try:
        code = demotic.main(
            args=arguments, prog_name="demotic", standalone_mode=False, obj=settings
        )
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        return _misused(error)
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted" + "; the same command resumes" * _resumes(arguments), 130)
    except BrokenPipeError:
        _drop_output()  # its reader has gone, which is not an error
        return 1
    except MemoryError:
        return _say("error: out of memory; give fewer threads or less text", 1)
    except Exception as error:
        if settings.debug:
            import traceback

            traceback.print_exception(error)
        return _failed(error)


def _resumes(arguments: list[str]) -> bool:
    """Whether the same command resumes its work."""
    verb = next((one for one in arguments if one in VERBS), "")
    if verb == "align":  # text that is read in batches, into a file

        def given(*flags: str) -> bool:
            return any(one.startswith(flags) for one in arguments)

        return given("--load", "--sample") and given("-o", "--out")
    return verb in _RESUMING


def _misused(error: click.ClickException) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":  # not public before click 8.2
        error.show()
        return 2
    from demotic.cli.usage_errors import usage_message

    return _say(f"error: {usage_message(error)}", 2)


def _failed(error: Exception) -> int:
    from demotic.errors import Error

    if isinstance(error, OSError):
        return _refused(error)
    if isinstance(error, Error):
        return _say(f"error: {error}", 2)
    if isinstance(error, UnicodeEncodeError):
        return _say(
            f"error: text that {error.encoding} cannot represent; expected output in UTF-8 "
            "(set the environment variable PYTHONUTF8=1)",
            1,
        )
    return _say(
        f"internal error: {type(error).__name__}: {error}\n"
        "This is a bug in Demotic: please report it, with the traceback that the same command "
        "prints as demotic --debug VERB ...",
        1,
    )


def _refused(error: OSError) -> int:
    """Errors of the operating system: wrong names are bad input, all others are failures."""
    from demotic.errors import Error
    from demotic.suggestions import closest_path, did_you_mean

    ours = isinstance(error, Error)
    where = getattr(error, "path", "") if ours else error.filename
    found = str(error) if ours else f"{where or 'standard output'}: {error.strerror}"
    if not where:
        _drop_output()
    if error.errno == errno.ENOENT and where and not os.path.lexists(where):
        found += did_you_mean(closest_path(where))
    return _say(f"error: {found}", 2 if error.errno in _WRONG_NAMES else 1)


def _drop_output() -> None:
    """Forgets what standard output still has to write: Python would try it again at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(message: str, code: int) -> int:
    print(f"demotic: {message}", file=sys.stderr)
    return code
