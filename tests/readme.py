"""The README's console blocks, run for real. `make readme` writes their output anew; a test keeps it true."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
_BLOCK = re.compile(r"```console\n\$ (?P<command>[^\n]+)\n(?P<output>.*?)```\n", re.DOTALL)


def rewritten() -> str:
    """The README with the real output under every command."""
    return _BLOCK.sub(lambda block: f"```console\n$ {block['command']}\n{_output(block)}```\n", README.read_text())


def _output(block: re.Match[str]) -> str:
    bin_folder = Path(sys.executable).parent
    path = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"PATH": path}
    ran = subprocess.run(block["command"], shell=True, check=False, capture_output=True, text=True, env=env)
    return "".join(line.rstrip() + "\n" for line in (ran.stdout + ran.stderr).splitlines())


if __name__ == "__main__":
    README.write_text(rewritten())
    print("wrote README.md")
