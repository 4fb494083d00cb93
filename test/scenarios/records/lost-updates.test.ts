import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../support/faults.ts';
import { openWorld, type World } from '../../support/world.ts';

/** Changes of a menu that read it first, so that another client can change it in between. */
const changes: Readonly<Record<string, readonly [line: string, stdin: string]>> = {
  update: ['menus update Main -f - --yes', '{"name": "Main", "retries": 4}'],
  apply: ['apply --yes -f -', 'menus: { Main: { name: Main, retries: 4 } }'],
};

const changeMeanwhile = (does: () => Promise<unknown>): readonly FaultRule[] =>
  ['PATCH', 'POST'].map((method) => ({
    fault: { kind: 'meanwhile', does },
    method,
    path: /menus\//,
    times: 1,
  }));

const readMenu = async (world: World, id: unknown) => world.service('GET', `menus/${id}`);

describe('a service with ETags', () => {
  it.each(['update', 'apply'])('receives a conditional change from %s', async (way) => {
    const world = await openWorld({ like: 'kazoo' });
    const { id } = await world.service('PUT', 'menus', { name: 'Main', retries: 3 });
    const [line, stdin] = changes[way] ?? ['', ''];
    const faults = changeMeanwhile(() => world.service('PATCH', `menus/${id}`, { retries: 9 }));
    const run = await world.telctl(line, { stdin, faults });
    expect(run.code, run.stderr).toBe(6);
    expect(run.stdout + run.stderr).toContain('was changed by somebody else since it was read');
    expect((await readMenu(world, id)).retries).toBe(9);
    const sent = run.requests.filter(({ method }) => /PATCH|POST/.test(method));
    expect(sent.map(({ headers }) => headers['if-match'])).toEqual([
      expect.stringMatching(/^"\d+-[0-9a-f]{32}"$/),
    ]);
    const again = await world.telctl(line, { stdin });
    expect(again.code, again.stderr).toBe(0);
    expect((await readMenu(world, id)).retries).toBe(4);
  });

  it('receives conditional changes from an apply to many accounts', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const { id } = await world.service('PUT', 'menus', { name: 'Main', retries: 3 });
    const faults = changeMeanwhile(() => world.service('PATCH', `menus/${id}`, { retries: 9 }));
    const run = await world.telctl('apply --yes -f m.yaml --accounts list.txt --max-change-percent 100', {
      files: { 'm.yaml': 'menus: { Main: { name: Main, retries: 4 } }', 'list.txt': world.seed.accountId },
      faults,
    });
    expect(run.code, run.stderr).not.toBe(0);
    expect((await readMenu(world, id)).retries).toBe(9);
    const sent = run.requests.filter(({ method }) => /PATCH|POST/.test(method));
    expect(sent.map(({ headers }) => headers['if-match'])).toEqual([
      expect.stringMatching(/^"\d+-[0-9a-f]{32}"$/),
    ]);
  });

  it('shows the current record without secrets after a conflict', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const { id } = await world.service('PUT', 'menus', { name: 'Main', retries: 3, record_pin: '1234' });
    const faults = changeMeanwhile(() =>
      world.service('PATCH', `menus/${id}`, { retries: 9, record_pin: '9876' }),
    );
    const stdin = '{"name": "Main", "retries": 4, "record_pin": "5555"}';
    const run = await world.telctl('menus update Main -f - --yes -o json', { stdin, faults });
    const { error } = JSON.parse(run.stderr.split('\n').find((line) => line.startsWith('{')) ?? '');
    expect(error).toMatchObject({ kind: 'conflict', status: 412, details: { current: { retries: 9 } } });
    expect(error.message).toContain('retries: 9');
    expect(run.stderr).not.toMatch(/1234|9876|5555/);
  });

  it('receives the change again if visible fields are unchanged', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const { id } = await world.service('PUT', 'menus', { name: 'Main', retries: 3 });
    const faults = changeMeanwhile(() => world.service('PATCH', `menus/${id}`, { retries: 3 }));
    const run = await world.telctl('menus update Main -f - --yes', {
      stdin: '{"name": "Main", "retries": 4}',
      faults,
    });
    expect(run.code, run.stderr).toBe(0);
    expect((await readMenu(world, id)).retries).toBe(4);
  });

  it('does not report a change of its own with a lost reply as a conflict', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const { id } = await world.service('PUT', 'menus', { name: 'Main', retries: 3 });
    const faults: readonly FaultRule[] = [
      { fault: { kind: 'lose-reply' }, method: 'POST', path: /menus\//, times: 1 },
    ];
    const run = await world.telctl('menus update Main -f - --yes', {
      stdin: '{"name": "Main", "retries": 4}',
      faults,
    });
    expect(run.code, run.stderr).toBe(0);
    expect((await readMenu(world, id)).retries).toBe(4);
  });

  it('receives a change again after a conflict in its store, but not forever', async () => {
    const world = await openWorld();
    const { id } = await world.service('PUT', 'menus', { name: 'Main', retries: 3 });
    const body = '{"status":"error","error":"409","message":"datastore_conflict","data":{}}';
    const conflictRules = (times: number): readonly FaultRule[] => [
      { fault: { kind: 'answer', status: 409, body }, method: 'PATCH', path: /menus\//, times },
    ];
    const patched = await world.telctl('menus patch Main --set-json retries=4', { faults: conflictRules(1) });
    expect(patched.code, patched.stderr).toBe(0);
    expect((await readMenu(world, id)).retries).toBe(4);
    expect(
      (await world.telctl('menus patch Main --set-json retries=5', { faults: conflictRules(99) })).code,
    ).toBe(6);
  });
});

it('a service without ETags receives no conditions', async () => {
  const world = await openWorld();
  await world.service('PUT', 'menus', { name: 'Main', retries: 3 });
  const run = await world.telctl('menus update Main -f - --yes', { stdin: '{"name": "Main", "retries": 4}' });
  expect(run.code, run.stderr).toBe(0);
  expect(run.requests.filter(({ headers }) => 'if-match' in headers)).toEqual([]);
});

describe('metaflows, which KAZOO stores in the account record', () => {
  it.each([
    ['kazoo', [200, 409]],
    [undefined, [200, 200]],
  ] as const)('are written while the account is written: like %s, %j', async (like, statuses) => {
    const { sandbox } = await openWorld({ like });
    const token = await sandbox.adminToken();
    const path = `/v2/accounts/${sandbox.seed.accountId}`;
    const both = await Promise.all([
      sandbox.call('PATCH', path, { token, data: { language: 'de-de' } }),
      sandbox.call('POST', `${path}/metaflows`, { token, data: { binding_digit: '2' } }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(statuses);
    const refused = both.find(({ status }) => status === 409);
    if (refused) expect(refused.at('message')).toBe('datastore_conflict');
  });

  const files = { 'a.yaml': "account_settings: { language: de-de }\nmetaflows: { binding_digit: '2' }\n" };
  const isWrite = ({ method }: { readonly method: string }): boolean => method !== 'GET' && method !== 'PUT';

  it('are applied after the account, each with its latest revision', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const run = await world.telctl('apply --yes -f a.yaml', { files });
    expect(run.code, run.stderr).toBe(0);
    expect(run.requests.filter(isWrite).map(({ method }) => method)).toEqual(['PATCH', 'POST']);
    expect((await world.telctl('plan --exit-code -f a.yaml')).code).toBe(0);
  });

  it('are sent once more if the account was written at the same time', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const body = '{"status":"error","error":"409","message":"datastore_conflict","data":{}}';
    const faults: readonly FaultRule[] = [
      { fault: { kind: 'answer', status: 409, body }, method: 'POST', path: /metaflows/, times: 1 },
    ];
    const run = await world.telctl('apply --yes -f a.yaml', { files, faults });
    expect(run.code, run.stderr).toBe(0);
    expect(run.requests.filter(isWrite).map(({ method }) => method)).toEqual(['PATCH', 'POST', 'POST']);
    expect(await world.service('GET', 'metaflows')).toMatchObject({ binding_digit: '2' });
  });
});
