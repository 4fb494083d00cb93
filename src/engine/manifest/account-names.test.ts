// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { expect, test } from 'vitest';
import { openWorld } from '../../../test/support/world.ts';

const flow = (reference: string) => `callflows:
  main:
    name: Main line
    numbers: ["2000"]
    flow: { module: user, data: { id: "${reference}" }, children: {} }
`;

test('a manifest can refer to objects that exist only in the account', async () => {
  const world = await openWorld();
  const user = await world.addUser({ username: 'Alice.Archer', first_name: 'Alice', last_name: 'Archer' });
  const files = {
    'office.yaml': flow('${account.users.alice.archer}'),
    'near.yaml': flow('${account.users.alice.archr}'),
    'section.yaml': flow('${account.user.alice.archer}'),
    'bare.yaml': flow('${account.users}'),
  };
  const planned = await world.telctl('plan -f office.yaml -o json', { files });
  expect(planned.stdout).toContain(String(user.id));
  expect((await world.telctl('validate -f office.yaml')).code).toBe(0);
  expect((await world.telctl('apply -f office.yaml --yes')).code).toBe(0);
  expect((await world.telctl('plan -f office.yaml --exit-code')).code).toBe(0);
  const shown = JSON.parse((await world.telctl(['callflows', 'get', 'Main line', '-o', 'json'])).stdout);
  expect(shown.flow.data.id).toBe(user.id);
  for (const [file, words] of [
    ['near.yaml', 'did you mean ${account.users.alice.archer}?'],
    ['section.yaml', 'did you mean ${account.users.alice.archer}?'],
    ['bare.yaml', 'does not name an object of the account, such as ${account.users.alice}'],
  ] as const) {
    const run = await world.telctl(`apply -f ${file} --yes`);
    expect(run.code, run.stderr).toBe(10);
    expect(run.stderr).toContain(words);
    expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  }
});
