"""A real time-stamp authority for tests: `openssl ts` behind a small HTTP server, with a root certificate of its own.

It can lie in every way that a client has to notice.
"""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from rfc3161_client import decode_timestamp_response

CONFIG = """
[req]
distinguished_name = name
prompt = no
[name]
CN = Root of a time-stamp authority
[root]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
[signer]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[mail]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,emailProtection
[stamping]
serial = serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
ess_cert_id_alg = sha256
"""
TST_INFO = "1.2.840.113549.1.9.16.1.4"


class Authority:
    """Its files lie in a folder; `lie` says how it answers from now on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = ""
        self.lie = ""
        self.asked = 0
        self.root = folder / "root.pem"
        self._turn = threading.Lock()
        self.may_go = threading.Event()  # one that answers nothing waits for this
        folder.mkdir()
        (folder / "openssl.cnf").write_text(CONFIG)
        (folder / "serial").write_text("01")
        for name in ("root", "stranger", "signer"):
            self._run("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", f"{name}.key")
        for name in ("root", "stranger"):
            self._run(
                *("req", "-new", "-x509", "-config", "openssl.cnf", "-extensions", "root", "-days", "30"),
                *("-key", f"{name}.key", "-out", f"{name}.pem"),
            )
        self._run("req", "-new", "-config", "openssl.cnf", "-key", "signer.key", "-subj", "/CN=Stamps", "-out", "csr")
        self._certify("signer", "root", "signer", "30")
        self._certify("wrong root", "stranger", "signer", "30")
        self._certify("expired", "root", "signer", "-1")
        self._certify("not for stamping", "root", "mail", "30")

    def _certify(self, name: str, by: str, kind: str, days: str) -> None:
        serial = str(1 + len(list(self.folder.glob("*.pem"))))
        self._run(
            *("x509", "-req", "-in", "csr", "-CA", f"{by}.pem", "-CAkey", f"{by}.key", "-set_serial", serial),
            *("-days", days, "-extfile", "openssl.cnf", "-extensions", kind, "-out", f"{name}.pem"),
        )

    def _run(self, *words: str) -> None:
        subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True)

    def answer(self, query: bytes) -> bytes:
        self.asked += 1
        digest = query.partition(b"\x04\x20")[2][:32]
        with self._turn:
            match self.lie:
                case "":
                    return self._stamped(query)
                case "nonsense":
                    return b"<html>closed for maintenance</html>"
                case "endless":
                    return bytes(1_000_000)
                case "refused":
                    return self._stamped(b"no query")
                case "another query":
                    self._run("ts", "-query", "-sha256", "-cert", "-digest", digest.hex(), "-out", "query")
                    return self._stamped((self.folder / "query").read_bytes())
                case "another checkpoint":
                    return self._stamped(query.replace(digest, bytes(32)))
                case "another signature":
                    good = self._stamped(query)
                    return good[:-1] + bytes([good[-1] ^ 1])
                case "not for stamping":
                    return self._signed_as_mail(self._stamped(query))
                case certificate:
                    return self._stamped(query, certificate)

    def _stamped(self, query: bytes, certificate: str = "signer") -> bytes:
        (self.folder / "query").write_bytes(query)
        self._run(
            *("ts", "-reply", "-config", "openssl.cnf", "-section", "stamping", "-queryfile", "query"),
            *("-signer", f"{certificate}.pem", "-inkey", "signer.key", "-out", "answer"),
        )
        return (self.folder / "answer").read_bytes()

    def _signed_as_mail(self, answer: bytes) -> bytes:
        """OpenSSL does not stamp with such a certificate; it signs what a stamp says."""
        (self.folder / "token").write_bytes(decode_timestamp_response(answer).time_stamp_token())
        self._run("cms", "-verify", "-noverify", "-inform", "DER", "-in", "token", "-out", "info")
        self._run(
            *("cms", "-sign", "-binary", "-nodetach", "-econtent_type", TST_INFO, "-in", "info", "-outform", "DER"),
            *("-signer", "not for stamping.pem", "-inkey", "signer.key", "-out", "token"),
        )
        granted, token = b"\x30\x03\x02\x01\x00", (self.folder / "token").read_bytes()
        return b"\x30\x82" + (len(granted) + len(token)).to_bytes(2, "big") + granted + token


def _handler(authority: Authority) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = self.rfile.read(int(self.headers["content-length"]))
            if authority.lie == "slow":
                authority.asked += 1
                authority.may_go.wait()
                return
            if authority.lie == "away" or self.headers["content-type"] != "application/timestamp-query":
                authority.asked += 1
                self.send_error(503)
                return
            answer = authority.answer(query)
            self.send_response(200)
            self.send_header("content-type", "application/timestamp-reply")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            with suppress(OSError):  # who asked has heard enough
                self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


@contextmanager
def an_authority(folder: Path) -> Iterator[Authority]:
    authority = Authority(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(authority))
    authority.url = f"http://127.0.0.1:{server.server_port}/tsa"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield authority
    finally:
        authority.may_go.set()
        server.shutdown()
        server.server_close()
        thread.join()
