import { expect, test } from 'vitest';
import common from '../languages/zh/common';
import { ROLES } from './protocol';
import { person, roleTitle } from './roles';

test('a role is called as the casino writes it, and a rank of the pit has its Chinese', () => {
  expect(ROLES.slice(0, 4).map(roleTitle)).toEqual(['Dealer', 'Pit Supervisor', 'Pit Manager', 'Shift Manager']);
  for (const role of ROLES.slice(0, 4)) expect(common[roleTitle(role)], role).toBeDefined();
});

test('somebody who acted in a rank is told by it', () => {
  expect([person('mei', 'dealer'), person('rosa', ''), person('system', 'dealer')]).toEqual(['mei (Dealer)', 'rosa', 'system (Dealer)']);
});
