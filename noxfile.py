"""The developer's day in one word each; the Makefile does the same in one shared environment."""

import nox

nox.options.sessions = ["lint", "tests"]
nox.options.default_venv_backend = "venv"


def install(session: nox.Session, *groups: str) -> None:
    session.install("pip>=25.1")
    session.install(*(part for group in groups for part in ("--group", group)))


@nox.session
def lint(session: nox.Session) -> None:
    install(session, "lint")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session(python=["3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    install(session, "build", "test")
    session.install("--no-build-isolation", ".")
    session.run("pytest", "-m", "not long", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    install(session, "build", "docs")
    session.install("--no-build-isolation", ".")
    session.run("sphinx-build", "-W", "-b", "html", "docs", "docs/_build/html")
