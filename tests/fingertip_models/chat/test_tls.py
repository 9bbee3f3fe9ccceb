"""TLS errors in one line each, against real servers with certificates made by openssl."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

from fingertip_dataset.errors import EndpointError, UsageError
from fingertip_models import ChatClient, Message, ModelOptions
from fingertip_models.chat import model_endpoint
from tests.fingertip_models.chat.raw_server import Connection, completion, raw_server
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


QUESTION = [Message(role="user", text="点什么？")]


def openssl(*arguments: object) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def write_certificate(folder: Path, name: str, *, days: int, names: str) -> None:
    """Writes `name`.pem, self-signed, and its key `name`.key."""
    key, request, extension = folder / f"{name}.key", folder / f"{name}.csr", folder / f"{name}.cnf"
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key)
    openssl("req", "-new", "-key", key, "-subj", f"/CN={name}", "-out", request)
    extension.write_text(f"subjectAltName={names}\n", encoding="utf-8")
    made = ("-in", request, "-signkey", key, "-days", days, "-extfile", extension)
    openssl("x509", "-req", *made, "-out", folder / f"{name}.pem")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl on the PATH")
    folder = tmp_path_factory.mktemp("certificates")
    write_certificate(folder, "good", days=2, names="DNS:localhost,IP:127.0.0.1")
    write_certificate(folder, "expired", days=-1, names="DNS:localhost,IP:127.0.0.1")
    write_certificate(folder, "other", days=2, names="DNS:other.example")
    return folder


def server_context(folder: Path, name: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / f"{name}.pem", folder / f"{name}.key")
    return context


def ask(base_url: str) -> str:
    with ChatClient(ModelOptions(base_url=base_url, model="m", retries=3), backoff_s=0.01) as client:
        return client.ask(QUESTION).text


def answer(connection: Connection) -> None:
    connection.complete(completion("好"))


def test_a_certificate_that_is_trusted_is_accepted(
    certificates: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates / "good.pem"))
    with raw_server(answer, server_context(certificates, "good")) as server:
        assert ask(server.base_url) == "好"


@pytest.mark.parametrize(
    ("name", "trusted", "host", "words"),
    VECTORS["a_certificate_that_does_not_verify_is_one_line_and_the_request_is_never_sent"],
)
def test_a_certificate_that_does_not_verify_is_one_line_and_the_request_is_never_sent(
    certificates: Path, monkeypatch: pytest.MonkeyPatch, name: str, trusted: str | None, host: str, words: str
) -> None:
    for variable in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(variable, raising=False)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificates / f"{trusted}.pem"))
    with raw_server(answer, server_context(certificates, name)) as server:
        url = server.base_url.replace("127.0.0.1", host)
        with pytest.raises(
            EndpointError, match=f"did not answer: a TLS certificate that does not verify: .*{words}"
        ) as e:
            ask(url)
        assert server.requests == []
    assert str(e.value).isprintable()
    assert "attempts" not in str(e.value)  # it is not retried


def test_plain_http_on_the_port_of_a_base_url_with_https() -> None:
    head = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"
    with raw_server(lambda connection: connection.send(head), reads=False) as server:
        advice = r"something other than TLS .* then give http:// in the base URL\)$"
        with pytest.raises(EndpointError, match=advice):
            ask(server.base_url.replace("http:", "https:"))


def test_a_handshake_without_an_answer_ends_before_the_deadline_of_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(model_endpoint, "CONNECT_S", 0.3)
    with (
        raw_server(lambda connection: connection.repeat(b"", apart_s=0.01), reads=False) as server,
        pytest.raises(
            EndpointError, match=r"did not answer: no connection within 0.3 s \(does it speak TLS there\?\)"
        ),
    ):
        ask(server.base_url.replace("http:", "https:"))


def test_tls_on_the_port_of_a_base_url_with_http(certificates: Path) -> None:
    with raw_server(answer, server_context(certificates, "good")) as server:
        with pytest.raises(EndpointError, match=r"give https://") as caught:
            ask(server.base_url.replace("https:", "http:"))
        assert server.requests == []
    assert str(caught.value).isprintable()


def test_an_alert_of_tls_to_a_base_url_with_http() -> None:
    with (
        raw_server(lambda connection: connection.send(b"\x15\x03\x01\x00\x02\x02\x46\r\n\r\n")) as server,
        pytest.raises(EndpointError, match=r"something other than HTTP .* then give https://"),
    ):
        ask(server.base_url)


@pytest.mark.parametrize("content", [None, b"", b"no certificate"])
def test_a_file_of_certificates_that_cannot_be_read_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    file = tmp_path / "certificates.pem"
    if content is not None:
        file.write_bytes(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with pytest.raises(
        UsageError, match="the certificates of SSL_CERT_FILE or SSL_CERT_DIR cannot be read: "
    ):
        ask("https://127.0.0.1:1/v1")
