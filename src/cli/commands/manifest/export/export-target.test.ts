import { expect, test } from 'vitest';
import { openWorld } from '../../../../../test/support/world.ts';

test('export lists unsupported records with the reason', async () => {
  const world = await openWorld();
  const plain = await world.telctl('export');
  expect(plain.code, plain.stderr).toBe(0);
  expect(plain.stderr).not.toContain('Left out: the brand');
  expect(plain.stderr).not.toContain('entries of lists');
  await world.service('PUT', 'whitelabel', { company_name: 'Acme', domain: 'portal.acme.example' });
  const list = await world.service('PUT', 'lists', { name: 'Customers' });
  const id = String((list as { readonly id?: unknown }).id);
  const empty = await world.telctl('export --portable');
  expect(empty.stderr).toContain('Left out: the brand. Manifests cannot contain the files of a brand.');
  expect(empty.stderr).not.toContain('entries of lists');
  await world.service('PUT', `lists/${id}/entries`, { number: '+12125550140', displayname: 'Ann' });
  const full = await world.telctl('export');
  expect(full.code).toBe(0);
  expect(full.stderr).toMatch(/Left out: entries of lists\. Import entries from a spreadsheet/);
  expect((await world.telctl('export --only menus')).stderr).not.toContain('Left out: the brand');
});
