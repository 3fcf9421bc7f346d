"""The TypeScript types: what they say of a type, and that a compiler in its strictest mood takes them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from natural9.server.app import documents
from natural9.server.protocol import CLOSE_CODES, VERSION
from natural9.server.typescript import type_of, typescript

# One branch for each message: a message that is added without a branch here does not compile.
EXHAUSTIVE = """
import { CLOSE_CODES, PROTOCOL_VERSION } from "./protocol";
import type { FromServer, FromTerminal, SeatView, StaffCommand, StaffRequest, VoucherSlip } from "./protocol";

export const version: 1 = PROTOCOL_VERSION;
export const replaced: string = CLOSE_CODES[4001];

export function credit(message: FromServer): number {
  switch (message.type) {
    case "welcome":
      return message.you ? message.you.credit_cents : message.table.round;
    case "registered": {
      const slip: VoucherSlip | null = message.voucher;
      return slip ? slip.cents : 0;
    }
    case "seat":
      return seat(message.you);
    case "table":
    case "console":
    case "floor":
      return message.n;
    case "lobby":
      return message.tables.length;
    case "pong":
      return message.now_ms;
    case "refused":
    case "unknown":
    case "halted":
      return 0;
    default: {
      const forgotten: never = message;
      return forgotten;
    }
  }
}

function seat(you: SeatView): number {
  return you.insurance_lines.reduce((sum, line) => sum + line.net_cents, you.bets["tie"] ?? 0);
}

export const bet: FromTerminal = { type: "bet", request: "a-1", round: 7, wager: "tie", cents: 500 };
export const deal: StaffCommand = { type: "deal", card: "9H", put_at: "player" };
export const order: StaffRequest = { request: "a-2", command: deal, why: "" };
"""
WRONG = {
    "a wager without its amount": 'const bet: FromTerminal = { type: "bet", request: "a", round: 1, wager: "tie" };',
    "a message that there is not": 'const bet: FromTerminal = { type: "bett", request: "a" };',
    "a hand that there is not": 'const deal: StaffCommand = { type: "deal", put_at: "dealer" };',
}


SAMPLES = {
    "exhaustive": EXHAUSTIVE,
    "forgotten": EXHAUSTIVE.replace('    case "halted":\n', ""),
    "wrong": 'import type { FromTerminal, StaffCommand } from "./protocol";\n'
    + "\n".join(f"{{ {line} void 0; }}" for line in WRONG.values()),
}


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the compiler says of the samples: the screens' own, if they are set up; else one fetched for this."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("there is no node here to compile TypeScript with")
    folder = tmp_path_factory.mktemp("typescript")
    for name, text in {"protocol": documents().typescript, **SAMPLES}.items():
        (folder / f"{name}.ts").write_text(text, encoding="utf-8")
    compiler = Path(__file__).parents[2] / "web/node_modules/typescript/bin/tsc"
    if not compiler.exists():
        install = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), "typescript@5"]
        subprocess.run(install, cwd=folder, check=True, capture_output=True, timeout=120)
        compiler = folder / "node_modules/typescript/bin/tsc"
    strict = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--noImplicitReturns"]
    options = ["--noEmit", "--target", "es2022", "--lib", "es2022", "--module", "es2022", *strict]
    command = [node, str(compiler), *options, "--moduleResolution", "bundler", *(f"{name}.ts" for name in SAMPLES)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    return done.stdout.splitlines()


def test_a_strict_compiler_takes_them_and_an_exhaustive_switch(complaints: list[str]) -> None:
    assert [line for line in complaints if not line.startswith(("forgotten.ts(", "wrong.ts(", " "))] == []


def test_a_switch_without_all_messages_does_not_compile(complaints: list[str]) -> None:
    (found,) = (line for line in complaints if line.startswith("forgotten.ts("))
    assert "not assignable to type 'never'" in found


def test_wrong_messages_do_not_compile(complaints: list[str]) -> None:
    found = {int(line) for line in re.findall(r"^wrong\.ts\((\d+),", "\n".join(complaints), re.MULTILINE)}
    assert found == set(range(2, 2 + len(WRONG)))


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer", "minimum": 1}, "number"),
        ({"enum": ["banker", "player"]}, '"banker" | "player"'),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "number | null"),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, "number"),
        ({"$ref": "#/components/schemas/SeatView"}, "SeatView"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, '("a" | "b")[]'),
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}, "[number, string]"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "Record<string, number>"),
        ({"type": "object"}, "Record<string, unknown>"),
        ({}, "unknown"),
    ],
)
def test_each_kind_of_schema_has_its_type(schema: dict[str, object], expected: str) -> None:
    assert type_of(schema) == expected


def test_what_is_not_required_may_be_left_out_and_comments_stay_comments() -> None:
    text = typescript(
        {
            "Offer": {
                "description": "Two lines\nand no */ in them",
                "properties": {"hand": {"type": "string", "description": "Whose"}, "odds": {"type": "string"}},
                "required": ["hand"],
            }
        }
    )
    written = (
        "/**\n * Two lines\n * and no * / in them\n */\nexport interface Offer {\n  /** Whose */\n  hand: string;\n"
    )
    assert text.endswith(written + "  odds?: string;\n}\n")


def test_the_module_is_stamped_stable_and_in_order() -> None:
    text = documents().typescript
    assert f"export const PROTOCOL_VERSION = {VERSION};" in text
    assert all(f"  {code}: " in text for code in CLOSE_CODES)
    names = re.findall(r"^export (?:interface|type) (\w+)", text, re.MULTILINE)
    assert names == sorted(names)
    assert len(names) == len(set(names))
    expected = {
        "FromServer",
        "FromTerminal",
        "StaffCommand",
        "StaffRequest",
        "Done",
        "VenueView",
        "GameView",
        "CodeView",
    }
    assert expected | {"StaffTable", "TerminalLine", "Me", "SignIn", "ApiError", "VoucherSlip"} <= set(names)


def test_what_the_server_says_is_always_whole() -> None:
    text = documents().typescript
    registered = re.findall(r"export interface Registered \{(.*?)\n\}", text, re.DOTALL)[0]
    assert "voucher: VoucherSlip | null;" in registered
    cash_out = re.findall(r"export interface CashOut \{(.*?)\n\}", text, re.DOTALL)[0]
    assert "cents?: number | null;" in cash_out


def test_the_screens_are_built_with_the_types_of_this_server() -> None:
    kept = Path(__file__).parents[2] / "web" / "src" / "lib" / "protocol.ts"
    assert kept.read_text(encoding="utf-8") == documents().typescript, "run `make protocol`"
