// A link may bring a one-time code behind the #, which browsers keep to themselves. It is taken out of the address bar at
// once, so that it stands in no history and on no photograph; nothing is done with it before a button is pressed.

export interface Brought {
  what: 'code' | 'enrol';
  code: string;
}

/** What the fragment of an address brings: `#code=…` to set a password, `#enrol=…` to enrol this browser. */
export function brought(hash: string): Brought | null {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  for (const what of ['code', 'enrol'] as const) {
    const code = given.get(what)?.trim() ?? '';
    if (code && code.length <= 100) return { what, code };
  }
  return null;
}

/** Read it once, and leave a clean address. */
export function takeBrought(): Brought | null {
  const found = brought(location.hash);
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  return found;
}

/** Where an enrolled device belongs. */
export function homeOf(device: { kind: string; table: string }): string {
  if (device.kind === 'terminal') return '/terminal';
  if (device.kind === 'display') return device.table ? `/display/${device.table}` : '/display';
  return '/';
}
