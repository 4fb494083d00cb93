import { describe, expect, it } from 'vitest';
import { isObject } from '../../../src/base/json.ts';
import { openWorld, type World } from '../../support/world.ts';

async function createTwoAccounts(world: World) {
  const first = await world.service('PUT', '', { name: 'First', realm: 'first.example.com' });
  await world.service('PUT', '', { name: 'Second', realm: 'second.example.com' });
  const token = await world.sandbox.adminToken();
  const readRealm = async () => {
    const { data } = await world.sandbox.call('GET', `/v2/accounts/${first.id}`, { token });
    return isObject(data) ? data.realm : undefined;
  };
  return { id: String(first.id), realm: readRealm };
}

describe('an account change that the service refuses but stores', () => {
  it('is reported, and reverted with consent', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const { id, realm } = await createTwoAccounts(world);
    const run = await world.telctl(`accounts patch ${id} --set realm=second.example.com`);
    expect(run.code, run.stderr).toBe(6);
    expect(run.stderr).toContain(
      'The service still stored the change: the account now has realm "second.example.com"',
    );
    expect(await realm()).toBe('second.example.com');
    await world.sandbox.call('PATCH', `/v2/accounts/${id}`, {
      token: await world.sandbox.adminToken(),
      data: { realm: 'first.example.com' },
    });
    for (const line of ['patch', 'update']) {
      const input = line === 'patch' ? '--set realm=second.example.com' : '-f -';
      const stdin = '{"name": "First", "realm": "second.example.com"}';
      const back = await world.telctl(`accounts ${line} ${id} ${input} --yes`, { stdin });
      expect(back.code, back.stderr).toBe(6);
      expect(back.stderr).toContain('The old value was restored: realm "first.example.com".');
      expect(await realm()).toBe('first.example.com');
    }
  });

  it('is reported by apply', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const { id } = await createTwoAccounts(world);
    const stdin = 'account_settings: { realm: second.example.com }';
    const run = await world.telctl(`apply --account ${id} --yes -f -`, { stdin });
    expect(run.code, run.stderr).toBe(6);
    expect(run.stdout + run.stderr).toContain('still stored the change');
  });
});

it('reports a change as refused if the service stored nothing', async () => {
  const world = await openWorld();
  const { id, realm } = await createTwoAccounts(world);
  const run = await world.telctl(`accounts patch ${id} --set realm=second.example.com --yes`);
  expect(run.code, run.stderr).toBe(6);
  expect(run.stderr).not.toContain('stored');
  expect(await realm()).toBe('first.example.com');
});

it.each([
  [undefined, 2, 'would be lost: org'],
  ['kazoo', 0, 'Replaced account'],
] as const)(
  'a replacement of an account (like %s) warns only about fields that would be lost',
  async (like, code, said) => {
    const world = await openWorld({ like });
    const { id } = await createTwoAccounts(world);
    const token = await world.sandbox.adminToken();
    await world.sandbox.call('PATCH', `/v2/accounts/${id}`, { token, data: { org: 'Acme' } });
    const stdin = '{"name": "First", "realm": "first.example.com", "timezone": "Europe/Zurich"}';
    const run = await world.telctl(`accounts update ${id} -f -`, { stdin });
    expect(run.code, run.stderr).toBe(code);
    expect(run.stderr).toContain(said);
    expect(await world.sandbox.call('GET', `/v2/accounts/${id}`, { token })).toMatchObject({
      data: { org: 'Acme' },
    });
  },
);
