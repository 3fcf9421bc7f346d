// Where the reason belongs why a password was not changed: at one of the three fields, or under all of them.

import { ApiProblem } from '../../lib/api';
import { sentence } from '../../lib/sentence';

export type Place = 'present' | 'new' | 'again' | 'form';

export interface Reason {
  at: Place;
  says: string;
}

const AT: Record<string, Place> = {
  'wrong-password': 'present',
  'locked-out': 'present',
  'bad-password': 'new',
  'same-password': 'new',
};

export function reasonOf(error: unknown): Reason {
  if (error instanceof ApiProblem) return { at: AT[error.code] ?? 'form', says: error.text };
  return { at: 'form', says: sentence(error) };
}
