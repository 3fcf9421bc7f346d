// What the server would say, for tests.

import type { Sentence } from './protocol';

export function said(template: string, values: Sentence['values'] = {}): Sentence {
  return { template, values };
}
