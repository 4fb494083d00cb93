import { expect, test } from 'vitest';
import { openWorld } from '../../../test/support/world.ts';

const office = `
users:
  alice: { username: alice, first_name: Alice, last_name: Archer, password: first-sign-in }
menus:
  main: { name: Main menu, retries: 3 }
callflows:
  main-line:
    name: Main line
    numbers: ["+15551230000"]
    flow:
      module: menu
      data: { id: "\${menus.main}" }
      children:
        "1": { module: user, data: { id: "\${users.alice}", timeout: 20 }, children: {} }
webhooks:
  crm: { name: CRM, uri: "https://crm.example/hook", hook: channel_create, http_verb: post, format: json }
`;

test('an apply makes what is missing, and a second one sends nothing', async () => {
  const world = await openWorld();
  const run = await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': office } });
  expect(run.stderr).toContain('Created 4, updated 0, unchanged 0, failed 0, skipped 0');
  expect(run.code).toBe(0);
  const again = await world.telctl('apply -f office.yaml --yes');
  expect(again.stderr).toContain('Nothing to do: acme is as the manifest says.');
  expect(again.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(again.code).toBe(0);
});
