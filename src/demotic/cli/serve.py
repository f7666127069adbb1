"""`demotic serve`: translates for other programs and in a web page."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from demotic.cli.flags import example, from_options, threads_flag
from demotic.cli.screen import Screen
from demotic.serve.options import ServeOptions

if TYPE_CHECKING:
    from demotic.serve.connections import Server
    from demotic.serve.service import TranslationService

__all__ = ["command"]

_MMAP_THRESHOLD = -3  # malloc.h of glibc
_LARGE_BLOCK = 400_000  # bytes
_PACKAGES = ("starlette", "uvicorn", "httptools", "python_multipart")


@click.command(
    epilog=example(
        "demotic serve zh-en",
        "demotic serve zh-en en-zh --port 8000 --threads 4",
        "demotic serve de-en=old-model",
        "demotic serve zh-en --host 0.0.0.0 --allow-host mt.example.org --key-file keys.txt",
    )
)
@click.argument("models", nargs=-1, required=True, metavar="MODEL...")
@from_options(ServeOptions)
@click.option(
    "--key-file",
    type=click.Path(dir_okay=False),
    help="File with one key per line; clients must send one of them.",
)
@click.option(
    "--without-keys", is_flag=True, help="Allow other machines to use the server without a key."
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="Host name by which clients may call the server, besides localhost; * for any. "
    "Repeatable.",
)
@click.option(
    "--allow-origin",
    multiple=True,
    metavar="URL",
    help="Site whose pages may use the server, such as https://example.org. Repeatable.",
)
@threads_flag
@click.option("--quiet", is_flag=True, help="Suppress remarks and the access log.")
def command(*, models: tuple[str, ...], options: ServeOptions, quiet: bool, **rest: Any) -> None:
    """Serve each MODEL to other programs: LibreTranslate, Apertium APy, Moses, OPUS-CAT and
    Demotic's own API, and a page that translates and shows how.

    A model that does not know its languages is given as de-en=MODEL. The server answers this
    machine only, unless --host is given. Ctrl-C stops it when running requests have ended.
    """
    keys = _keys(rest["key_file"])
    _check_exposure(options, keys, without_keys=rest["without_keys"])
    screen = Screen(quiet=quiet, as_json=False)
    service = _service(models, options, rest["threads"])
    server = _server(service, options, keys, rest["allow_host"], rest["allow_origin"])
    if not quiet:
        _log_to_stderr()
    _run(screen, server, service, options)


def _keys(path: str | None) -> list[str]:
    from demotic.errors import FormatError
    from demotic.lines import read_lines

    if path is None:
        return []
    keys = [line.strip() for line in read_lines(path).tolist() if line.strip()]
    if not keys:
        raise FormatError("no keys", path=path, expected="one key per line")
    return keys


def _check_exposure(options: ServeOptions, keys: Sequence[str], *, without_keys: bool) -> None:
    local = options.host in ("localhost", "::1") or options.host.startswith("127.")
    if not local and not keys and not without_keys:
        raise click.UsageError(
            f"--host {options.host} lets other machines use the server; give --key-file FILE, or "
            "--without-keys if everyone may"
        )


def _service(models: Sequence[str], options: ServeOptions, threads: int) -> TranslationService:
    _check_installed()
    from demotic.serve.served_model import ServedModel
    from demotic.serve.service import TranslationService

    loaded = [ServedModel.load(name, unknown=options.unknown) for name in models]
    service = TranslationService(loaded, options, threads=threads)
    for model in loaded:
        model.warm()
    _tune_interpreter()
    return service


def _tune_interpreter() -> None:
    gc.collect()
    gc.freeze()  # what is loaded now stays; later collections need not look at it
    # Every collection makes all requests wait, and hardly any object needs one to be freed.
    gc.set_threshold(100_000, 5, 3)
    # The thread that answers connections gives up the interpreter at every read and write. With
    # the default of 5 ms it would wait that long each time for threads that are at work.
    sys.setswitchinterval(0.0005)
    _return_large_blocks()


def _return_large_blocks() -> None:
    """Memory of large bodies and searches goes back to the system when it is freed.

    The C library of Linux stops doing so for blocks of up to 32 MB as soon as one has been freed:
    later ones lie among small blocks, which keep them. A fixed limit prevents that.
    """
    import ctypes
    from contextlib import suppress

    with suppress(AttributeError, OSError, TypeError):  # other C libraries
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE_BLOCK)


def _check_installed() -> None:
    from importlib.util import find_spec

    from demotic.errors import Error

    missing = [name for name in _PACKAGES if not find_spec(name)]
    if missing:
        raise Error(
            f"the Python package {missing[0]} is not installed",
            expected="the packages of the server",
            advice="pip install 'demotic[serve]'",
        )


def _server(
    service: TranslationService,
    options: ServeOptions,
    keys: Sequence[str],
    hosts: Sequence[str],
    origins: Sequence[str],
) -> Server:
    from demotic.serve.app import LOCAL_HOSTS, application
    from demotic.serve.connections import Server

    app = application(service, keys=keys, hosts=(*LOCAL_HOSTS, *hosts), origins=origins)
    return Server(app, service, options)


def _log_to_stderr() -> None:
    import logging

    from demotic.serve.watch import ACCESS

    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(message)s"))
    logging.getLogger("demotic.serve").addHandler(handler)
    ACCESS.setLevel(logging.INFO)


def _run(
    screen: Screen, server: Server, service: TranslationService, options: ServeOptions
) -> None:
    from demotic.serve.connections import listening

    for model in service.models.values():
        for notice in model.notices:
            screen.warn(notice)
        about = f"{model.title} ({model.model.kind}, {model.model.path})"
        screen.note(f"{model.source}-{model.target}: {about}")
    with listening(options.host, options.port) as socket:
        host, port, *_ = socket.getsockname()
        shown = f"[{host}]" if ":" in host else host
        screen.note(f"open http://{shown}:{port}/ in a browser; Ctrl-C stops the server")
        server.run(sockets=[socket])
    service.scheduler.close()
