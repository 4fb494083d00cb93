import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';
import type { JsonObject } from '../../../base/json.ts';
import { referencesIn } from '../../../engine/manifest/desired.ts';
import { ExportBuilder } from '../../../engine/manifest/export-builder.ts';
import { kindByName } from '../../../engine/manifest/kinds.ts';
import { findEverywhere } from './commands.ts';

async function office() {
  const world = await openWorld();
  const { service, addUser } = world;
  const { id: alice = '' } = await addUser({
    username: 'alice',
    first_name: 'Alice',
    last_name: 'Archer',
    email: 'alice@acme.example',
  });
  await service('PUT', 'groups', { name: 'Sales', endpoints: { [String(alice)]: { type: 'user' } } });
  await service('PUT', 'callflows', {
    name: 'Main line',
    numbers: ['+15551230000'],
    flow: {
      module: 'menu',
      data: {},
      children: { 1: { module: 'user', data: { id: alice }, children: {} } },
    },
  });
  await service('PUT', 'vmboxes', { name: 'alice and bob', mailbox: '2001', pin: '482913' });
  return world;
}

test('finds a person and every reference to them', async () => {
  const { telctl } = await office();
  const run = await telctl('find ALICE -o json');
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const found = JSON.parse(run.stdout).map(({ kind, name, path, match }: Record<string, string>) =>
    [match, kind, name, path].join(' '),
  );
  expect(found).toEqual([
    'exact user alice username',
    'exact user alice first_name',
    'refers group Sales endpoints',
    'refers callflow Main line flow/1 data.id',
    'contains user alice email',
    'contains vmbox alice and bob name',
  ]);
  expect((await telctl('find alice --exact -o json')).stdout).not.toContain('contains');
});

test('finds a phone number in any notation', async () => {
  const { telctl } = await office();
  const run = await telctl('find (555)123-0000');
  expect(run.code).toBe(0);
  expect(run.stdout).toMatch(/Main line {2,}callflow {2,}numbers\.0 {2,}\+15551230000 {2,}exact/);
  expect(run.stderr).toMatch(/^1 place in acme\n$/);
});

test('does not search secrets, and exits with code 5 if nothing matches', async () => {
  const { telctl } = await office();
  expect(await telctl('find 482913')).toMatchObject({ code: 5, stdout: '', stderr: 'No places in acme\n' });
  expect(await telctl(['find', ' '])).toMatchObject({ code: 2 });
});

const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(32));
const id = fc.constantFrom(...ids);
const anyText = fc.oneof(
  id,
  fc.tuple(fc.string(), id).map(([text, each]) => `${text} ${each}`),
  fc.string(),
);
const anyData = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    anyText,
    fc.array(tie('value')),
    fc.dictionary(anyText, tie('value')),
  ),
})).value as fc.Arbitrary<JsonObject[string]>;

test('finds every reference that an export would write', () => {
  fc.assert(
    fc.property(fc.array(anyData, { minLength: 3, maxLength: 3 }), anyData, (datas, endpoints) => {
      const flows = datas.map((data, index) => ({
        id: ids[index] ?? '',
        name: `flow ${index}`,
        numbers: [String(index)],
        owner_id: ids[(index + 1) % 3] ?? '',
        flow: { module: 'user', data: { extra: data ?? null }, children: {} },
      }));
      const groups = [{ id: 'd'.repeat(32), name: 'group', endpoints: endpoints ?? null }];
      const sections = [
        { kind: kindByName('groups'), records: groups },
        { kind: kindByName('callflows'), records: flows },
      ];
      const account = { id: 'e'.repeat(32), name: 'acme', realm: 'acme', origin: 'http://127.0.0.1' };
      const maker = new ExportBuilder(
        { account, exported: sections, others: [] },
        { reveal: false, taken: new Map(), defaults: false, allFields: false },
      );
      for (const { kind, records } of sections) for (const record of records) maker.addRecord(kind, record);
      const exported = maker.finish(new Map());
      for (const object of exported.sections.flatMap((section) => section.objects))
        for (const key of referencesIn(object.fields)) {
          const referred = exported.sections
            .flatMap((section) => section.objects)
            .find((each) => each.key === key);
          const hits = findEverywhere(sections, referred?.id ?? '', false);
          expect(hits.some((hit) => hit.id === object.id)).toBe(true);
        }
    }),
    { numRuns: 60 },
  );
});

test('reports unreadable records, and exits with code 8', async () => {
  const { telctl } = await office();
  const answer = {
    kind: 'answer',
    status: 403,
    body: '{"status":"error","message":"forbidden","data":{}}',
  } as const;
  const faults = [{ path: /\/menus$/, fault: answer }];
  const run = await telctl('find alice --exact -o name', { faults });
  expect(run.code).toBe(8);
  expect(run.stdout).toContain('alice\n');
  expect(run.stderr).toMatch(/The menus were not all read: /);
  expect(await telctl('orphans', { faults })).toMatchObject({ code: 8 });
  expect(await telctl('callflows lint --disable missing-data', { faults })).toMatchObject({ code: 8 });
});

test('finds an id by its prefix, but not by text inside it', async () => {
  const { telctl } = await office();
  const [alice] = JSON.parse((await telctl('users list --filter username=alice -o json')).stdout);
  const id: string = alice.id;
  const found = async (text: string): Promise<readonly string[]> =>
    JSON.parse((await telctl(['find', text, '-o', 'json'])).stdout || '[]').map(
      ({ value }: { value: string }) => value,
    );
  for (const part of [id.slice(0, 2), id.slice(3, 9), `${id.slice(0, 6)} `.slice(2)])
    expect((await found(part)).filter((value) => value.includes(id))).toEqual([]);
  expect(await found(id.slice(0, 8))).toContain(id);
});

test('left-aligns phone numbers', async () => {
  const { telctl, service } = await office();
  const flow = { module: 'hangup', data: {}, children: {} };
  await service('PUT', 'callflows', { name: '77', numbers: ['771', '77100'], flow });
  const run = await telctl('find 77');
  expect(run.stdout).toMatch(/^77 {2,}callflow {2,}numbers\.0 {2,}771 {2,}contains/m);
  const fields = await telctl('find 77 --fields value,match');
  expect(fields.stdout).toMatch(/^771 {2,}contains/m);
});

test('lists duplicates even if an unrelated list fails', async () => {
  const { telctl, service } = await office();
  await service('PUT', 'groups', { name: 'Sales', endpoints: {} });
  const fault = { kind: 'answer', status: 503, body: '{"status":"error","error":"503","data":{}}' } as const;
  const run = await telctl('find --doubles', {
    faults: [{ method: 'GET', path: /resource_selectors$/, fault }],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout.match(/^Sales .*group/gm)).toHaveLength(2);
});
