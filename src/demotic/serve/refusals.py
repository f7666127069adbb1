"""Why the service refuses a request.  Each dialect words them for its clients."""

from __future__ import annotations

from demotic.errors import Error

__all__ = [
    "BadRequest",
    "Busy",
    "LargeDocument",
    "Late",
    "NotAllowed",
    "NotSupported",
    "Refusal",
    "Stopping",
    "TooLarge",
    "UnknownLanguage",
    "UnknownPair",
    "Vanished",
]


class Refusal(Error):  # noqa: N818 - what they are, not a failure of ours
    """Base of all of them; the message is meant for the client."""


class BadRequest(Refusal):
    """A missing or malformed field."""


class TooLarge(Refusal):
    """More text than one request may have."""


class LargeDocument(TooLarge):
    """More than one document may have."""


class UnknownLanguage(Refusal):
    """No model has the language on the wanted side."""


class UnknownPair(Refusal):
    """Both languages are known, but no model translates from the one into the other."""


class NotSupported(Refusal):
    """Something that the dialect knows and this server or model does not have."""


class NotAllowed(Refusal):
    """No key, or a wrong one."""


class Busy(Refusal):
    """The queue is full."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"the server is busy; try again in {seconds} seconds")
        self.seconds = seconds


class Late(Refusal):
    """The request took longer than allowed, and was stopped."""


class Stopping(Refusal):
    """The server is shutting down."""


class Vanished(Refusal):
    """The client has closed the connection; nobody reads the answer."""
