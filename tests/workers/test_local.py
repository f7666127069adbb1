"""Names of workers, and messages through pipes."""

from __future__ import annotations

import io

import pytest

from demotic.errors import InputError
from demotic.workers import open_workers
from demotic.workers.messages import Message, read_message, write_message


@pytest.mark.parametrize(
    "name", ["", "local", "local:0", "4", "ray:0", "ray://", "files:", "dask:2"]
)
def test_unknown_workers_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"expected local:N, ray, ray:N, ray://HOST:PORT, or"):
        open_workers(name)


def test_messages_survive_a_pipe_whole_or_not_at_all() -> None:
    pipe = io.BytesIO()
    sent = [Message(1, {"do": "ä\n"}, b"\n\0\xff"), Message(2, {}, b"")]
    for one in sent:
        write_message(pipe, one)
    whole = pipe.getvalue()
    pipe.seek(0)
    assert [read_message(pipe), read_message(pipe), read_message(pipe)] == [*sent, None]
    for end in range(len(whole)):
        cut = io.BytesIO(whole[:end])
        found = [one for one in (read_message(cut), read_message(cut)) if one is not None]
        assert found == sent[: len(found)]
        assert len(found) < 2
