// What an administrator does with one-time codes, and devices as a list of tables.

import type { CodeView, DeviceView } from '../../lib/protocol';

export function asText(codes: readonly CodeView[]): string {
  return codes.map((one) => `${one.id}\t${one.code}`).join('\n');
}

/** Behind the #, which browsers keep to themselves. */
export function linkOf(origin: string, what: 'code' | 'enrol', code: string): string {
  return `${origin}/#${what}=${encodeURIComponent(code)}`;
}

export interface TableDevices {
  table: string; // '' for all tables
  devices: DeviceView[];
  counts: Record<DeviceView['status'], number>;
}

const KINDS: readonly DeviceView['kind'][] = ['display', 'reader', 'terminal'];

/** By table, terminals in the order of their seats; revoked ones only where they are asked for. */
export function byTable(devices: readonly DeviceView[], revoked: boolean): TableDevices[] {
  const tables = new Map<string, TableDevices>();
  for (const one of devices) {
    const at = tables.get(one.table) ?? { table: one.table, devices: [], counts: { enrolled: 0, waiting: 0, revoked: 0 } };
    tables.set(one.table, at);
    at.counts[one.status] += 1;
    if (revoked || one.status !== 'revoked') at.devices.push(one);
  }
  for (const at of tables.values()) {
    at.devices.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.seat ?? 0) - (b.seat ?? 0) || a.id.localeCompare(b.id));
  }
  return [...tables.values()].filter((at) => at.devices.length).sort((a, b) => a.table.localeCompare(b.table));
}

/** Why these seats cannot be asked for; '' where they can. The server checks it again. */
export function badSeats(first: number | null, last: number | null, seats: number): string {
  if (first === null || !Number.isInteger(first) || first < 1 || first > seats) return 'A seat from 1 to {seats}.';
  if (last !== null && (!Number.isInteger(last) || last < first || last > seats)) return 'The last seat comes after the first, up to {seats}.';
  return '';
}
