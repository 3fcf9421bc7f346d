"""nginx, HAProxy and Caddy by our files, before a real server: TLS ends there, pages and WebSockets pass."""

import re
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect as ws_connect
from websockets.exceptions import InvalidStatus

from natural9.deploy.files import text_of
from natural9.server.cluster.engines import free_port
from tests.deploy.tools import assert_accepts, run_tool
from tests.server.live_server import new_venue, running, table
from tests.server.test_tls import self_signed

TRUSTING = ssl.create_default_context()
TRUSTING.check_hostname, TRUSTING.verify_mode = False, ssl.CERT_NONE
START_S = 60.0

FILES = {"nginx": "nginx.conf", "haproxy": "haproxy.cfg", "caddy": "Caddyfile"}
CHECKS = {
    "nginx": ("-t", "-q", "-p", ".", "-c"),
    "haproxy": ("-c", "-q", "-f"),
    "caddy": ("validate", "--adapter", "caddyfile", "--config"),
}
RUNS = {
    "nginx": ("-p", ".", "-g", "daemon off;", "-c"),
    "haproxy": ("-db", "-f"),
    "caddy": ("run", "--adapter", "caddyfile", "--config"),
}


def written(proxy: str, folder: Path, *, backend: int, https: int, http: int) -> Path:
    """Its file with other ports, and a certificate of this folder."""
    self_signed(folder)
    pem = (folder / "cert.pem").read_text(encoding="utf-8") + (folder / "key.pem").read_text(encoding="utf-8")
    (folder / "both.pem").write_text(pem, encoding="utf-8")
    text = text_of(f"proxies/{FILES[proxy]}").replace("127.0.0.1:8909", f"127.0.0.1:{backend}")
    if proxy == "nginx":
        text = text.replace("/etc/nginx/natural9/fullchain.pem", f"{folder}/cert.pem")
        text = text.replace("/etc/nginx/natural9/key.pem", f"{folder}/key.pem")
        text = re.sub(r"listen (\[::\]:)?443", f"listen 127.0.0.1:{https}", text, count=1)
        text = re.sub(r"listen 80;", f"listen 127.0.0.1:{http};", text)
        text = re.sub(r"\n *listen \[::\].*", "", text)
        text = f"pid {folder}/nginx.pid;\nerror_log {folder}/nginx.log;\n" + text.replace(
            "server_tokens off;",
            f"server_tokens off;\n    client_body_temp_path {folder}/body;\n    proxy_temp_path {folder}/proxy;",
        )
    elif proxy == "haproxy":
        text = text.replace("bind :80", f"bind 127.0.0.1:{http}").replace("bind :443", f"bind 127.0.0.1:{https}")
        text = text.replace("/etc/haproxy/natural9.pem", f"{folder}/both.pem")
    else:
        text = text.replace("{\n\tservers", "{\n\tadmin off\n\tauto_https off\n\tservers", 1)
        text = text.replace(
            "tables.example {", f"https://127.0.0.1:{https} {{\n\ttls {folder}/cert.pem {folder}/key.pem"
        )
    path = folder / FILES[proxy]
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("proxy", FILES)
def test_a_proxy_accepts_its_file(proxy: str, tmp_path: Path) -> None:
    path = written(proxy, tmp_path, backend=8909, https=free_port(), http=free_port())
    assert_accepts(proxy, *CHECKS[proxy], path, cwd=tmp_path)


@contextmanager
def proxied(proxy: str, folder: Path, backend: int) -> Iterator[str]:
    https = free_port()
    path = written(proxy, folder, backend=backend, https=https, http=free_port())
    run_tool(proxy, *CHECKS[proxy], path, cwd=folder)  # or it is not here
    log = folder / "proxy.log"
    with log.open("wb") as said:
        process = subprocess.Popen([_found(proxy), *RUNS[proxy], str(path)], cwd=folder, stdout=said, stderr=said)
    try:
        until = time.monotonic() + START_S
        while True:
            try:
                if httpx.get(f"https://127.0.0.1:{https}/readyz", verify=TRUSTING).status_code == 200:
                    break
            except httpx.HTTPError:
                pass
            assert process.poll() is None, log.read_text(errors="replace")
            assert time.monotonic() < until, log.read_text(errors="replace")
            time.sleep(0.05)
        yield f"127.0.0.1:{https}"
    finally:
        process.terminate()
        process.wait()


def _found(proxy: str) -> str:
    import shutil

    from tests.deploy.tools import WHERE

    return str(shutil.which(proxy, path=WHERE))


@pytest.mark.parametrize("proxy", FILES)
async def test_people_reach_a_real_server_through_it(proxy: str, tmp_path: Path) -> None:
    run_tool(proxy, "version" if proxy == "caddy" else "-v")
    setting = 'proxies = ["127.0.0.1"]\nallowed_origins = ["https://tables.example"]\ntls_at_proxy = true'
    with running(new_venue(tmp_path / "venue", table("a", "rws-nc"), server=setting)) as server:
        (tmp_path / "proxy").mkdir()
        with proxied(proxy, tmp_path / "proxy", int(server.address.rpartition(":")[2])) as place:
            async with httpx.AsyncClient(base_url=f"https://{place}", verify=TRUSTING) as client:
                page = await client.get("/", follow_redirects=True)
                assert page.status_code == 200
                assert "max-age" in page.headers["strict-transport-security"]
                assert (await client.get("/metrics")).status_code == 403
                assert (await client.get("/ws/table/a")).status_code == 404, "a page, and no upgrade"
            with pytest.raises(InvalidStatus) as refused:  # by the server itself, which has read the upgrade
                async with ws_connect(f"wss://{place}/ws/table/a", ssl=TRUSTING):
                    pass
            assert refused.value.response.status_code == 401
