// The start page: what is running, a door for each role, and the ways in.
import { Line, ask, band, cents, form, h, money, newRequest, show, whoami, words } from "/plain/common.js";

let venue, me, note = null;
let live = {}; // what the floor says of each table, for staff

// A link may bring a one-time code behind the #, which never leaves the browser but in the request that uses it.
async function useLink() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (!given.size) return;
  history.replaceState(null, "", location.pathname);
  if (given.has("enrol")) {
    await ask("/api/enrol", { code: given.get("enrol") });
    location.replace("/plain/terminal.html");
    await new Promise(() => {}); // this page is over
  }
  if (given.has("code") && venue.demo) await enterDemo(given.get("code"));
  else if (given.has("code")) note = newPassword(given.get("code"));
}

// In the demo nobody wants to think of a password: the browser makes one, and shows it once.
async function enterDemo(code) {
  const password = newRequest();
  const { id } = await ask("/api/set-password", { code, password });
  await ask("/api/sign-in", { id, password });
  note = h("p", { class: "note" }, "This link was good once. To come back, or to sign a decision at another console: id ",
    h("code", {}, id), ", password ", h("code", {}, password));
}

const password = { type: "password", autocomplete: "new-password" };
const newPassword = (code = "") => form("Set a password", [["code", "One-time code", { value: code }], ["password", "Your new password", password]], "Set it",
  async (given) => `${(await ask("/api/set-password", given)).id} can sign in now.`);

const signIn = () => form("Staff", [["id", "Id"], ["password", "Password", { type: "password" }]], "Sign in", async (given) => {
  await ask("/api/sign-in", given);
  await start();
});

const enrol = () => form("A terminal or display", [["code", "One-time code"]], "Enrol this browser", async (given) => {
  await ask("/api/enrol", given);
  location.assign("/plain/terminal.html");
});

const claim = () => form("First administrator", [["code", "The code that the server printed"], ["id", "Id, such as mei.tan"], ["name", "Name"], ["password", "Password", password]],
  "Claim the account", async (given) => { await ask("/api/claim-administrator", given); await start(); });

function tables() {
  const row = (one) => {
    const now = { ...one, ...live[one.table] };
    const alarm = now.halted || Object.values(now.faults ?? {}).join("; ") || (now.waiting_kind ? `${words(now.waiting_kind)}: ${words(now.waiting_rank)}` : "");
    return h("tr", {},
      h("th", { scope: "row" }, now.title, h("small", {}, now.game_title)),
      h("td", {}, words(now.mode)), h("td", {}, now.status, now.phase ? h("small", {}, words(now.phase)) : null),
      me?.person ? [h("td", { class: "number" }, now.round ?? "–"), h("td", { class: "number" }, money(now.staked ?? 0)), h("td", { class: "number" }, now.seated ?? "–"), h("td", { class: "wrong" }, alarm),
        h("td", {}, h("a", { class: "door", href: `/plain/console.html?table=${now.table}` }, "Console"))] : null);
  };
  const heads = ["Table", "Mode", "State", ...(me?.person ? ["Round", "At stake", "Seated", "Alarm", ""] : [])];
  return h("div", { class: "wide" }, h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, venue.tables.map(row))));
}

function desk() {
  const at = ["table", "Table", { options: venue.tables.map((one) => [one.table, one.title]) }];
  const order = (table, command) => ask(`/api/tables/${table}/commands`, { command: { request: newRequest(), ...command } });
  const amount = (text) => { const value = cents(text); if (!value) throw new Error(`${text} is no amount: write 100 or 12.50.`); return value; };
  return h("div", { class: "forms" },
    form("Credit a terminal", [at, ["seat", "Seat", { inputmode: "numeric", pattern: "[0-9]+" }], ["amount", "Amount"]], "Credit", async (given) => {
      await order(given.table, { type: "credit-terminal", seat: Number(given.seat), cents: amount(given.amount) });
      return `${money(amount(given.amount))} credited to seat ${given.seat}.`;
    }),
    form("Pay a voucher", [["number", "Number"], ["code", "Code"]], "Pay", async (given) => `Pay out ${money((await ask("/api/vouchers/pay", given)).cents)}.`),
    form("Pay credit by hand", [at, ["seat", "Seat", { inputmode: "numeric", pattern: "[0-9]+" }]], "Pay all of it", async (given) => {
      await order(given.table, { type: "hand-pay", seat: Number(given.seat) });
      return `The credit of seat ${given.seat} is paid.`;
    }));
}

function who() {
  const person = me?.person, device = me?.device;
  return [
    person && h("p", { class: "who" }, `${person.name}, ${words(person.role)} `,
      h("button", { onclick: async () => { await ask("/api/sign-out", {}); location.reload(); } }, "Sign out")),
    device && h("p", { class: "who" }, `This browser is ${device.kind === "terminal" ? `the terminal of seat ${device.seat} at ${device.table}` : `a ${device.kind}`}. `,
      device.kind === "reader" ? null : h("a", { class: "door", href: "/plain/terminal.html" }, "Go to it")),
  ];
}

function draw() {
  const may = me?.person?.may ?? [];
  show(
    h("header", {}, h("h1", {}, venue.name), h("p", { class: "quiet" }, `natural9 ${venue.version} · ${venue.currency} · ${venue.zone}`)),
    venue.demo && h("p", { class: "note" }, "A demonstration: no money here is real. The program that runs it printed a link for each role; each is good once."),
    note, ...who(), tables(),
    may.includes("redeem-voucher") && desk(),
    !me?.person && h("div", { class: "forms" }, signIn(), enrol(),
      h("details", {}, h("summary", {}, "Set a password by a one-time code"), newPassword()),
      h("details", {}, h("summary", {}, "Claim the first administrator account"), claim())));
}

let floor = null;
async function start() {
  me = await whoami();
  draw();
  if (!me?.person || floor) return;
  floor = new Line("/ws/floor", { changed: band, heard: (message) => {
    if (message.type !== "floor") return;
    for (const one of message.tables) live[one.table] = one;
    document.querySelector(".wide")?.replaceWith(tables());
  } });
}

try {
  venue = await ask("/api/venue");
  try {
    await useLink();
  } catch (error) {
    note = h("p", { class: "note wrong", role: "alert" }, error.message);
  }
  await start();
} catch (error) {
  show(h("p", { class: "note wrong", role: "alert" }, error.message), h("a", { href: "/plain/" }, "Try again"));
}
