"""Values of XML-RPC that are none: every call is answered with a fault or a result."""

from __future__ import annotations

import encodings
import logging
from typing import Any
from xmlrpc.client import Fault, loads

import pytest
from starlette.testclient import TestClient

HUGE = "9" * 5000
VALUES = [
    "<bigdecimal>x</bigdecimal>",
    "<bigdecimal></bigdecimal>",
    f"<bigdecimal>1e{HUGE}</bigdecimal>",
    "<int>x</int>",
    "<int></int>",
    f"<int>{HUGE}</int>",
    f"<biginteger>{HUGE}</biginteger>",
    "<i8>1.5</i8>",
    "<double>x</double>",
    "<float></float>",
    "<boolean>yes</boolean>",
    "<base64>\u00e9</base64>",
    "<base64>a</base64>",
    "<struct><member><name>a</name></member></struct>",
    "<struct><member><value>a</value><value>b</value></member></struct>",
    "<struct><value><array><data/></array></value><value>b</value></struct>",
    "<array><value>a</value></array>",
    "<unknown>a</unknown>",
    "<fault><value>a</value></fault>",
]
ODD = [  # values, but not for the fields of a call
    "<nil/>",
    "<dateTime.iso8601>x</dateTime.iso8601>",
    "<dateTime.iso8601>20261119T00:00:00</dateTime.iso8601>",
    "<base64>QQ==</base64>",
    "<double>NaN</double>",
    "<double>1e999</double>",
    "<bigdecimal>NaN</bigdecimal>",
    "<bigdecimal>sNaN</bigdecimal>",
    "<bigdecimal>Infinity</bigdecimal>",
    "<bigdecimal>1e999999</bigdecimal>",
    "<array><data><value><int>1</int></value></data></array>",
    "<struct><member><name>a</name><value>b</value></member></struct>",
]


def call(text: str, method: str = "translate") -> bytes:
    params = f"<params><param>{text}</param></params>"
    return f"<methodCall><methodName>{method}</methodName>{params}</methodCall>".encode()


def struct(**fields: str) -> str:
    members = [
        f"<member><name>{name}</name><value>{value}</value></member>"
        for name, value in fields.items()
    ]
    return f"<value><struct>{''.join(members)}</struct></value>"


def result(answer: bytes) -> Any:
    """What a client makes of it; faults are returned."""
    try:
        ((found,), _) = loads(answer)
    except Fault as fault:
        return fault
    return found


@pytest.fixture
def quiet(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.ERROR)
    return caplog


@pytest.mark.parametrize("value", [*VALUES, *ODD])
@pytest.mark.parametrize("method", ["translate", "system.listMethods", "updater"])
def test_a_value_in_place_of_a_struct(
    client: TestClient, quiet: pytest.LogCaptureFixture, value: str, method: str
) -> None:
    answer = client.post("/RPC2", content=call(f"<value>{value}</value>", method))
    assert answer.status_code == 200
    found = result(answer.content)
    if method != "system.listMethods":
        assert isinstance(found, Fault)
    elif value in ODD:
        assert "translate" in found
    assert len(str(found)) < 400
    assert not quiet.records


@pytest.mark.parametrize("value", [*VALUES, *ODD])
@pytest.mark.parametrize("field", ["text", "nbest", "align", "sg", "nbest-distinct"])
def test_a_value_in_a_field(
    client: TestClient, quiet: pytest.LogCaptureFixture, value: str, field: str
) -> None:
    fields = {"text": "haus", field: value}
    answer = client.post("/RPC2", content=call(struct(**fields)))
    assert answer.status_code == 200
    found = result(answer.content)
    if value in ODD and field in ("text", "nbest"):
        assert isinstance(found, Fault)
    elif value in ODD:  # anything is true or false
        assert found["text"] == "house"
    assert not quiet.records


@pytest.mark.parametrize(
    "declared", ["utf-7", "utf-16", "gibberish", "idna", "rot13", "cp037", "unicode_escape", ""]
)
def test_declared_encodings(
    client: TestClient, quiet: pytest.LogCaptureFixture, declared: str
) -> None:
    head = f'<?xml version="1.0" encoding="{declared}"?>'.encode()
    answer = client.post("/RPC2", content=head + call(struct(text="haus")))
    assert answer.status_code == 200
    assert isinstance(result(answer.content), Fault)
    assert not quiet.records
    assert "gibberish" not in encodings._cache


@pytest.mark.parametrize("declared", ["iso-8859-1", "UTF-8", "us-ascii"])
def test_encodings_of_clients(client: TestClient, declared: str) -> None:
    head = f'<?xml version="1.0" encoding="{declared}"?>'.encode()
    answer = client.post("/RPC2", content=head + call(struct(text="haus")))
    assert result(answer.content)["text"] == "house"


@pytest.mark.parametrize("code", ["%01", "%00", "%EF%BF%BE", "%ED%A0%80", "%3C%26", "%0B"])
def test_faults_are_well_formed(client: TestClient, code: str) -> None:
    answer = client.post(f"/RPC2?source={code}", content=call(struct(text="haus")))
    with pytest.raises(Fault, match="is not supported"):
        loads(answer.content)
