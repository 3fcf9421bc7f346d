import { afterEach, expect, test, vi } from 'vitest';
import { ApiProblem } from '../../lib/api';
import type { Action, Me } from '../../lib/protocol';
import { reasonOf } from './changing';
import { access, SCREENS, workOf } from './screens';
import { brought, homeOf, takeBrought } from './fragment';

afterEach(() => history.replaceState(null, '', '/'));

test('a fragment brings a code to set a password or to enrol by, and nothing else', () => {
  expect(brought('#code=ABCD-EFGH')).toEqual({ what: 'code', code: 'ABCD-EFGH' });
  expect(brought('#enrol=7K%2D9')).toEqual({ what: 'enrol', code: '7K-9' });
  for (const nothing of ['', '#', '#code=', '#other=1', `#code=${'x'.repeat(200)}`]) expect(brought(nothing)).toBeNull();
});

test('the code leaves the address bar when it is read', () => {
  history.replaceState(null, '', '/?a=1#code=SECRET');
  expect(takeBrought()?.code).toBe('SECRET');
  expect(location.href).not.toContain('SECRET');
  expect(location.search).toBe('?a=1');
  expect(takeBrought()).toBeNull();
});

test('an enrolled device goes home', () => {
  expect(homeOf({ kind: 'terminal', table: 'a' })).toBe('/terminal');
  expect(homeOf({ kind: 'display', table: '' })).toBe('/display');
  expect(homeOf({ kind: 'display', table: 'a' })).toBe('/display/a');
});

const screen = (path: string) => SCREENS.find((one) => one.path === path)!;
const me = (may: Action[], device: Me['device'] = null): Me => ({
  csrf: '',
  expires_ms: null,
  person: may.length ? { id: 'x', name: 'X', role: 'dealer', may, ranks: ['dealer'] } : null,
  device,
});

test('each screen is open to whoever may, and says what it takes otherwise', () => {
  expect(access(screen('/odds'), null)).toBe('open');
  expect(access(screen('/pit'), null)).toBe('sign-in');
  expect(access(screen('/pit'), me(['pause-table']))).toBe('open');
  expect(access(screen('/admin'), me(['deal']))).toBe('other');
  expect(access(screen('/terminal'), me(['deal']))).toBe('enrol');
  expect(access(screen('/terminal'), me([], { id: 't', kind: 'terminal', table: 'a', seat: 1 }))).toBe('open');
});

test('everybody’s work is where what they may do is done', () => {
  const pit: Action[] = ['see-table', 'deal', 'pause-table', 'credit-terminal', 'recall-round'];
  expect(workOf({ may: ['see-table', 'deal', 'report-irregularity'] })).toBe('/console');
  expect(workOf({ may: pit })).toBe('/pit');
  expect(workOf({ may: ['see-table', 'credit-terminal', 'redeem-voucher', 'see-drawer'] })).toBe('/cashier');
  expect(workOf({ may: ['see-table', 'see-money', 'recall-round', 'see-reports', 'see-events'] })).toBe('/audit');
  expect(workOf({ may: ['see-table', 'see-events', 'manage-staff', 'manage-devices'] })).toBe('/admin');
  expect(workOf({ may: ['see-table'] })).toBe('/display'); // a role of tomorrow that only looks
  expect(workOf({ may: [] })).toBe('/');
});

test('why a password was not changed stands at the field that it is about', () => {
  const at = (code: string): string => reasonOf(new ApiProblem(403, code, 'Because.')).at;
  expect(['wrong-password', 'locked-out', 'bad-password', 'same-password'].map(at)).toEqual(['present', 'present', 'new', 'new']);
  expect(reasonOf(new ApiProblem(429, 'too-often', 'Later.'))).toEqual({ at: 'form', says: 'Later.' });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(reasonOf(new TypeError('broken'))).toEqual({ at: 'form', says: 'This screen has a fault. Load it again.' });
  expect(console.error).toHaveBeenCalled(); // for whoever looks there
  vi.restoreAllMocks();
});
