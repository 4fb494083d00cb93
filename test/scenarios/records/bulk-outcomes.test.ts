import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json.ts';
import type { Fault } from '../../support/faults.ts';
import { throughValidatingProxy } from '../../support/validating-proxy.ts';
import { openWorld, type World } from '../../support/world.ts';

throughValidatingProxy();

/** Faults of one request of a bulk operation. */
const faults: readonly Fault[] = [
  { kind: 'refuse' },
  { kind: 'lose-reply' },
  { kind: 'truncate', afterBytes: 5 },
  { kind: 'rewrite', change: () => '<html>gateway</html>' },
  { kind: 'answer', status: 502, headers: { 'content-type': 'text/html' }, body: '<html>bad</html>' },
  { kind: 'answer', status: 400, body: '{"status":"error","error":"400","message":"no","data":{}}' },
];

/** Collections with unique names and with names that can repeat. */
const collections: readonly {
  readonly noun: string;
  readonly named: string;
  readonly record: (name: string) => JsonObject;
}[] = [
  {
    noun: 'users',
    named: 'username',
    record: (name) => ({ username: name, first_name: 'A', last_name: 'B', password: 'Secret-1x' }),
  },
  { noun: 'menus', named: 'name', record: (name) => ({ name, retries: 3 }) },
];

async function listNames({ sandbox, seed }: World, noun: string, named: string): Promise<readonly string[]> {
  const token = await sandbox.adminToken();
  const { data } = await sandbox.call('GET', `/v2/accounts/${seed.accountId}/${noun}`, { token });
  const records: readonly unknown[] = Array.isArray(data) ? data : [];
  return records
    .filter(isObject)
    .map((each) => String(each[named]))
    .filter((name) => name !== 'admin')
    .sort();
}

interface BulkError {
  readonly error: {
    readonly kind: string;
    readonly details: {
      readonly ends: JsonObject;
      readonly failed: readonly { readonly index: number; readonly outcome: string }[];
    };
  };
}

const names = ['n0', 'n1', 'n2', 'n3'];

describe.each(collections)('a bulk create of $noun', ({ noun, named, record }) => {
  const line = `${noun} create -f many.json --concurrency 1 -o json`;
  const files = { 'many.json': JSON.stringify(names.map((name) => record(name))) };

  test.each(faults.flatMap((fault) => [0, 1, 3].map((position) => ({ fault, position }))))(
    'reports each record correctly after $fault.kind at $position, and can be repeated',
    async ({ fault, position }) => {
      const world = await openWorld();
      const rules = [
        { method: 'PUT', fault: { kind: 'pass' }, times: position },
        { method: 'PUT', fault, times: 1 },
      ] as const;
      const run = await world.telctl(line, { files, faults: rules });
      const there = await listNames(world, noun, named);
      const failed = run.code === 0 ? [] : (JSON.parse(run.stderr) as BulkError).error.details.failed;
      const done = run.stdout === '' ? [] : (JSON.parse(run.stdout) as readonly JsonObject[]);
      expect(done.map((each) => each[named])).toEqual(there);
      expect(failed.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
      // A request without a response does not stop the others.
      expect(names.filter((name) => !there.includes(name))).toEqual(
        failed.length === 0 ? [] : [names[position]],
      );
      for (const { index, outcome } of failed) expect([index, outcome]).toEqual([position, 'failed']);
      const repeated = await world.telctl(`${line} --existing skip`);
      expect(repeated.code, repeated.stderr).toBe(0);
      expect(await listNames(world, noun, named)).toEqual(names);
    },
  );

  test('reports unknown if the reply is lost and no lookup is possible', async () => {
    const world = await openWorld();
    const broken = new AbortController();
    const run = await world.telctl(line, {
      files,
      faults: [
        { method: 'PUT', fault: { kind: 'pass' }, times: 1 },
        { method: 'PUT', fault: { kind: 'lose-reply' }, met: () => broken.abort() },
        { fault: { kind: 'refuse' }, when: () => broken.signal.aborted },
      ],
    });
    const { error } = JSON.parse(run.stderr) as BulkError & { error: { hint: string } };
    expect(error).toMatchObject({
      kind: 'partial',
      details: {
        created: 1,
        ends: { done: 1, failed: 0, skipped: 0, unknown: 3 },
        failed: [
          {
            index: 1,
            outcome: 'unknown',
            error: { hint: expect.stringMatching(/^The request may have been/) },
          },
          { index: 2, outcome: 'unknown' },
          { index: 3, outcome: 'unknown' },
        ],
      },
    });
    expect(error.hint).toContain('--existing skip');
    expect(run.code).toBe(8);
  });

  test('does not adopt an older record when a reply is lost', async () => {
    const world = await openWorld();
    await world.service('PUT', noun, record('n1'));
    const faults = [{ method: 'PUT', fault: { kind: 'answer', status: 502, body: '' } }] as const;
    const run = await world.telctl(`${noun} create -f many.json -o json`, { files, faults });
    expect(run.stdout).toBe('');
    expect((JSON.parse(run.stderr) as BulkError).error.details.ends).toMatchObject({ done: 0, unknown: 0 });
    await world.service('PUT', noun, record('n2'));
    const plain = await world.telctl(`${noun} create -f older.json`, {
      files: { 'older.json': JSON.stringify([record('n1'), record('n2')]) },
    });
    expect(plain.code).toBe(6);
    expect(plain.stderr).toContain('Pass --existing skip to skip existing records');
  });

  test('lists once for any number of records', async () => {
    const world = await openWorld();
    const { requests } = await world.telctl(`${noun} create -f many.json`, { files });
    expect(requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
    const again = await world.telctl(`${noun} create -f many.json --existing skip`);
    expect(again.requests.map(({ method }) => method)).toEqual(['GET']);
    expect(again.stderr).toContain('4 there already');
  });
});

describe('one create', () => {
  const line = 'users create -f one.json';
  const files = {
    'one.json': JSON.stringify({ username: 'dora', first_name: 'D', last_name: 'D', password: 'Secret-1x' }),
  };

  test.each(faults)('reports the truth after $kind', async (fault) => {
    const world = await openWorld();
    const run = await world.telctl(line, { files, faults: [{ method: 'PUT', fault, times: 1 }] });
    const isThere = (await listNames(world, 'users', 'username')).includes('dora');
    expect(run.code === 0, run.stderr).toBe(isThere);
    expect(run.stderr).not.toMatch(/may have (?:been carried out|succeeded)/);
  });

  test('does not mistake an older record with the same name for the new one', async () => {
    const world = await openWorld();
    await world.service('PUT', 'menus', { name: 'Main' });
    const run = await world.telctl('menus create --name Main', {
      faults: [{ method: 'PUT', fault: { kind: 'answer', status: 502, body: '' } }],
    });
    expect(run.code).toBe(75);
    expect(run.stderr).toContain('may be from before, because names of');
  });
});

describe('a delete', () => {
  test.each(faults.filter(({ kind }) => kind !== 'answer'))(
    'reports the truth after $kind',
    async (fault) => {
      for (const [times, retries] of [
        [1, 2],
        [1, 0],
        [5, 0],
      ] as const) {
        const world = await openWorld();
        await world.addUser({ username: 'dora', first_name: 'D', last_name: 'D' });
        const run = await world.telctl(`users delete dora --yes --retries ${retries}`, {
          faults: [{ method: 'DELETE', fault, times }],
        });
        const isGone = !(await listNames(world, 'users', 'username')).includes('dora');
        expect(run.code === 0, run.stderr).toBe(isGone);
        const isSent = fault.kind !== 'refuse';
        const isLeft = isSent ? 'user dora is still there' : 'does not answer (connection refused)';
        expect(run.stderr).toContain(isGone ? 'Deleted user dora' : isLeft);
      }
    },
  );

  test('says if a lookup was not possible, and its repeat explains the missing record', async () => {
    const world = await openWorld();
    await world.addUser({ username: 'dora', first_name: 'D', last_name: 'D' });
    const broken = new AbortController();
    const run = await world.telctl('users delete dora --yes', {
      faults: [
        { method: 'DELETE', fault: { kind: 'lose-reply' }, met: () => broken.abort(), times: 1 },
        { fault: { kind: 'refuse' }, when: () => broken.signal.aborted },
      ],
    });
    expect(run.code).toBe(75);
    expect(run.stderr).toContain('The request may have succeeded.');
    const again = await world.telctl('users delete dora --yes');
    expect(again.code).toBe(5);
    expect(again.stderr).toContain('If an earlier delete had no response, it succeeded.');
  });
});
