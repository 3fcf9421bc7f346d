"""Whether the server of this machine is ready, asked by a command: `python -m natural9.deploy.ready`.

Exit 0: every table has recovered and none has stopped. Exit 1: it says why not.
"""

import ssl
import sys
import urllib.error
import urllib.request
from typing import Final

HERE: Final = "http://127.0.0.1:8909/readyz"
WAIT_S: Final = 4


def why_not_ready(address: str = HERE) -> str:
    """Empty if it is. Nobody else answers on this machine's own address, so whose certificate it is does not matter."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    try:
        with urllib.request.urlopen(address, timeout=WAIT_S, context=trusting):
            return ""
    except urllib.error.HTTPError as refused:
        return f"{address} says {refused.code}: {refused.read(1000).decode(errors='replace')}"
    except (OSError, ValueError) as error:
        return f"{address} does not answer: {error}"


if __name__ == "__main__":
    sys.exit(why_not_ready(*sys.argv[1:2]) or 0)
