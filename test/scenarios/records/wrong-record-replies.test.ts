import { expect, test } from 'vitest';
import { isObject } from '../../../src/base/json.ts';
import type { FaultRule } from '../../support/faults.ts';
import { openWorld } from '../../support/world.ts';

const foreign = 'f'.repeat(32);

/** Returns rules that replace replies with a record of another menu with the same name. */
const swapRecords = (method: string): readonly FaultRule[] => [
  {
    method,
    path: /\/menus(?:\/[0-9a-f]{32})?$/,
    fault: {
      kind: 'rewrite',
      change(body) {
        const { data, ...envelope } = JSON.parse(body);
        if (!isObject(data)) return body;
        return JSON.stringify({ ...envelope, data: { ...data, id: foreign, name: 'somebodyelse' } });
      },
    },
  },
];

test.each([
  ['GET', 'menus get main'],
  ['PATCH', 'menus patch main --menu-retries 2'],
  ['POST', 'menus update main --name main --menu-retries 2 --yes'],
  ['DELETE', 'menus delete main --yes'],
  ['PUT', 'menus create --name night'],
])(
  'a reply to %s about another record fails, names both, and is not logged as done',
  async (method, line) => {
    const world = await openWorld();
    await world.service('PUT', 'menus', { name: 'main' });
    const run = await world.telctl(`${line} -o json`, { faults: swapRecords(method) });
    expect(run.code, run.stderr).toBe(1);
    const { error } = JSON.parse(run.stderr.trim().split('\n').at(-1) ?? '');
    expect(error).toMatchObject({ kind: 'failed', details: { asked: expect.any(String) } });
    expect(error.details.answered).toContain('somebodyelse');
    expect(run.stdout).toBe('');
    if (method === 'GET') return;
    const log = await world.telctl('log show 1');
    expect(log.stdout, log.stderr).toMatch(/menu (?:main|night) {2}unknown/);
  },
);

test('apply does not count a reply about another record or keep it in the ledger', async () => {
  const world = await openWorld();
  const files = { 'a.yaml': 'menus: { night: { name: night } }\n' };
  const run = await world.telctl('apply --yes -f a.yaml', { files, faults: swapRecords('PUT') });
  expect(run.code, run.stderr).toBe(1);
  expect(run.stderr).toContain('somebodyelse');
  expect(run.stderr).not.toContain('Created 1');
  expect(JSON.stringify(world.filesWritten())).not.toContain(foreign);
});

test('a record of the ledger that a list omits is read by id, used or created again', async () => {
  const world = await openWorld();
  const files = { 'a.yaml': 'menus: { day: { name: day }, night: { name: night } }\n' };
  expect((await world.telctl('apply --yes -f a.yaml', { files })).code).toBe(0);
  const empty: FaultRule = {
    method: 'GET',
    path: /\/menus$/,
    fault: { kind: 'rewrite', change: (body) => JSON.stringify({ ...JSON.parse(body), data: [] }) },
  };
  const again = await world.telctl('apply --yes -f a.yaml', { faults: [empty] });
  expect(again.code, again.stderr).toBe(0);
  expect(again.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(again.stderr).toContain('does not contain 2 menus that telctl manages. telctl found them by id.');
  const [gone] = (await world.sandbox.store.allOfKind('menus')).filter(({ body }) => body.name === 'day');
  await world.service('DELETE', `menus/${gone?.id}`);
  const anew = await world.telctl('apply --yes -f a.yaml', { faults: [empty] });
  expect(anew.code, anew.stderr).toBe(0);
  expect((await world.sandbox.store.allOfKind('menus')).map(({ body }) => body.name).sort()).toEqual([
    'day',
    'night',
  ]);
});

test('list, export and find show a record that moved between pages once, and report the change', async () => {
  const world = await openWorld();
  for (const name of ['a', 'b', 'c']) await world.service('PUT', 'menus', { name });
  const doubling: FaultRule = {
    method: 'GET',
    path: /\/menus$/,
    fault: {
      kind: 'rewrite',
      change(body) {
        const { data, ...envelope } = JSON.parse(body);
        return JSON.stringify({ ...envelope, data: [...data, ...data.slice(0, 1)] });
      },
    },
  };
  for (const line of ['menus list -o name', 'export', 'find a']) {
    const run = await world.telctl(line, { faults: [doubling] });
    expect(run.code, run.stderr).toBe(0);
    if (line !== 'find a') expect(run.stdout.match(/(?<=name: |^)[abc]$/gm)?.sort()).toEqual(['a', 'b', 'c']);
    expect(run.stderr).toContain('The list of menus changed while telctl read it');
  }
});
