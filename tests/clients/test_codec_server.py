"""The codec server, asked as the Temporal UI and CLI ask it."""

import json
from collections.abc import AsyncGenerator

import httpx2
import pytest
import pytest_asyncio
from google.protobuf import json_format
from pydantic import SecretBytes
from temporalio.api.common.v1 import Payload, Payloads

from clients.codec_server import build_app
from clients.encryption import EncryptionCodec, KeyRing
from settings import EncryptionKey

KEY = EncryptionKey(id="k", secret=SecretBytes(b"k" * 32))
TOKEN = "a-token-of-the-operators"
UI = "http://127.0.0.1:8233"
BEARER = {"authorization": f"Bearer {TOKEN}"}
PLAIN = Payload(metadata={"encoding": b"json/plain"}, data=b'"Ada"')


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncGenerator[httpx2.AsyncClient]:
    app = build_app(EncryptionCodec(KeyRing([KEY])), TOKEN, [UI])
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://codec") as client:
        yield client


async def body(*, sealed: bool) -> bytes:
    payloads = await EncryptionCodec(KeyRing([KEY])).encode([PLAIN]) if sealed else [PLAIN]
    return json_format.MessageToJson(Payloads(payloads=payloads)).encode()


def read(response: httpx2.Response) -> list[Payload]:
    assert response.status_code == 200
    return list(json_format.Parse(response.content, Payloads()).payloads)


async def test_the_cli_encodes_and_decodes(server: httpx2.AsyncClient) -> None:
    sealed = await server.post("/encode", content=await body(sealed=False), headers=BEARER)
    assert b"Ada" not in sealed.content
    opened = await server.post("/decode", content=sealed.content, headers={**BEARER, "x-namespace": "default"})
    assert read(opened) == [PLAIN]


async def test_the_ui_decodes_with_a_query_string_and_may_read_the_answer(server: httpx2.AsyncClient) -> None:
    asked = {"origin": UI, "content-type": "application/json", "x-namespace": "default"}
    opened = await server.post(
        f"/{TOKEN}/decode?preserveStorageRefs=true", content=await body(sealed=True), headers=asked
    )
    assert read(opened) == [PLAIN]
    assert opened.headers["access-control-allow-origin"] == UI


async def test_the_ui_asks_beforehand(server: httpx2.AsyncClient) -> None:
    asked = {
        "origin": UI,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,x-namespace,authorization",
    }
    answer = await server.options("/decode?preserveStorageRefs=true", headers=asked)
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == UI
    assert "POST" in answer.headers["access-control-allow-methods"]
    for header in ("content-type", "x-namespace", "authorization"):
        assert header in answer.headers["access-control-allow-headers"]


@pytest.mark.parametrize("method", ["POST", "OPTIONS"])
async def test_no_other_page_may_read_an_answer(server: httpx2.AsyncClient, method: str) -> None:
    answer = await server.request(
        method, "/decode", content=await body(sealed=True), headers={**BEARER, "origin": "http://evil.example"}
    )
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/decode", {}),
        ("/decode", {"authorization": "Bearer wrong"}),
        ("/decode", {"authorization": "Bearer "}),
        ("/wrong/decode", {}),
        ("/wrong/decode", BEARER),
        ("/encode", {}),
    ],
)
async def test_without_the_token_nothing_is_opened(
    server: httpx2.AsyncClient, path: str, headers: dict[str, str]
) -> None:
    answer = await server.post(path, content=await body(sealed=True), headers=headers)
    assert answer.status_code == 401
    assert b"Ada" not in answer.content


@pytest.mark.parametrize("content", [b"", b"{}", b'{"payloads": []}'])
async def test_nothing_to_do_is_no_error(server: httpx2.AsyncClient, content: bytes) -> None:
    assert read(await server.post("/encode", content=content, headers=BEARER)) == []


@pytest.mark.parametrize("content", [b"no json", b"[" * 100_000, b"\xff\xfe", b'{"payloads": 3}'])
async def test_nonsense_is_refused_by_status(server: httpx2.AsyncClient, content: bytes) -> None:
    assert (await server.post("/decode", content=content, headers=BEARER)).status_code == 400


async def test_what_does_not_open_comes_back_as_it_was(server: httpx2.AsyncClient) -> None:
    damaged = Payload(metadata={"encoding": b"binary/encrypted", "encryption-key-id": b"k"}, data=b"0" * 40)
    content = json_format.MessageToJson(Payloads(payloads=[damaged, PLAIN]))
    assert read(await server.post("/decode", content=content, headers=BEARER)) == [damaged, PLAIN]


async def test_a_body_without_end_is_cut_off(server: httpx2.AsyncClient) -> None:
    answer = await server.post("/decode", content=b"x" * (17 * 1024 * 1024), headers=BEARER)
    assert answer.status_code == 413
    assert json.loads(answer.content) == {"message": "too long"}
