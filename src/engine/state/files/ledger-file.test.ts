import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seededRandom, turnedClock } from '../../../../test/support/clock.ts';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { fakeHost } from '../../../../test/support/fake-host.ts';
import { testFolders } from '../../../../test/support/world.ts';
import type { Host } from '../../../base/host/host.ts';
import type { JsonObject } from '../../../base/json.ts';
import { type KindName, kindOfSection } from '../../manifest/kinds.ts';
import { entryFor } from '../../manifest/ledger-entries.ts';
import { openState } from '../open-state.ts';
import type { LedgerStore } from '../state.ts';

const origin = 'https://api.example:8443';
const accountId = 'ab'.repeat(16);

function machine(): Host {
  return fakeHost({ folders: testFolders(), clock: turnedClock(), random: seededRandom(9) }).host;
}

const storeOf = (host: Host, file?: string, account = { origin, accountId }): LedgerStore =>
  openState({
    host,
    folder: host.folders.state,
    knows: (kind) => kindOfSection(kind) !== undefined,
    keepMs: 1,
  }).ledger(account, file);

const entry = (salt: string, key: string, set = 'office.yaml') =>
  entryFor(salt, {
    set,
    key,
    kind: 'users',
    id: key.padEnd(32, '0'),
    origin: 'created',
    protect: false,
    fields: { username: 'alice', password: 'canary-secret', first_name: 'Canary' },
    record: { username: 'alice', first_name: 'Canary' },
    atSeconds: 63_900_000_000,
    nowMs: 1,
  });

describe('a ledger file', () => {
  test('at a path chosen by the user contains no guessable hashes of secrets, at any depth', async () => {
    const host = machine();
    const flow = { module: 'disa', data: { pin: '4711', use_account_caller_id: true }, children: {} };
    const put = ({ salt }: { readonly salt: string }) => {
      const common = { set: 's', origin: 'created', protect: false, atSeconds: 1, nowMs: 1 } as const;
      const of = (kind: KindName, fields: JsonObject, record = fields) =>
        entryFor(salt, { ...common, key: `${kind}.a`, kind, id: 'f'.repeat(32), fields, record });
      return {
        put: [
          of('vmboxes', { mailbox: '100', pin: '4711' }, { mailbox: '100', pin: '4712' }),
          of('callflows', { name: 'A', flow }),
          of('webhooks', { name: 'A', custom_data: { token: '1' } }),
        ],
      };
    };
    const named = storeOf(host, 'x.json');
    await named.update(put);
    expect((await named.read())?.entries.map(({ fields, given }) => ({ fields, given }))).toEqual([
      { fields: { name: expect.stringMatching(/^[0-9a-f]{20}$/), flow: '' }, given: {} },
      { fields: { mailbox: expect.stringMatching(/^[0-9a-f]{20}$/), pin: '' }, given: { pin: '' } },
      { fields: { name: expect.stringMatching(/^[0-9a-f]{20}$/), 'custom_data.token': '' }, given: {} },
    ]);
    const own = storeOf(host);
    await own.update(put);
    expect((await own.read())?.entries[1]?.fields.pin).toMatch(/^s:[0-9a-f]{20}$/);
  });

  test('is in the state folder under host and account, or where --ledger says', () => {
    const host = machine();
    expect(storeOf(host).shown).toMatch(/\/telctl\/ledgers\/api\.example-abababab-[0-9a-f]{6}\.json$/);
    const other = storeOf(host, undefined, { origin: 'https://api.example:8444', accountId }).shown;
    expect(other).not.toBe(storeOf(host).shown);
    expect(storeOf(host, 'x.json').file).toBe(join(host.cwd, 'x.json'));
    expect(storeOf(host, 'ledgers/').shown).toMatch(/^ledgers\/api\.example-/);
  });

  test('is private, has one entry per line and contains no values', async () => {
    const host = machine();
    const store = storeOf(host);
    const names = ['users.c', 'users.a', 'users.b'];
    for (const name of names)
      await store.update(({ salt }) => ({
        put: [entry(salt, name), entry(salt, name, 'other')],
      }));
    const text = readFileSync(store.file ?? store.shown, 'utf8');
    expect(text.split('\n').filter((line) => line.includes('"users.'))).toHaveLength(6);
    expect(text).not.toMatch(/canary/i);
    expect(statSync(store.file ?? store.shown).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['no content', '', 'it is not JSON'],
    ['YAML', 'users:\n', 'it is not JSON'],
    ['a manifest', '{"users": {}}', 'it has no account or no service'],
    ['a list', '[]', 'it has no account or no service'],
    ['a later version', `{"version":3,"origin":"${origin}","accountId":"${accountId}"}`, 'its version is 3'],
    [
      'a missing salt',
      `{"version":1,"origin":"${origin}","accountId":"${accountId}","entries":[]}`,
      'it has no salt',
    ],
    [
      'a damaged entry',
      `{"version":1,"origin":"${origin}","accountId":"${accountId}","salt":"0123456789","entries":[{"key":"users.a"}]}`,
      'entry 1 is damaged',
    ],
  ])('with %s is rejected and left unchanged', async (_, text, why) => {
    const host = machine();
    const store = storeOf(host, 'x.json');
    writeFileSync(join(host.cwd, 'x.json'), text);
    const failure = await failureOf(store.read());
    expect(failure.kind).toBe('invalid');
    expect(failure.message).toContain(`x.json is not a ledger of telctl: ${why}`);
    await failureOf(store.update(() => ({ put: [] })));
    expect(readFileSync(store.file ?? store.shown, 'utf8')).toBe(text);
  });

  test.each([
    ['another account', { origin, accountId: 'cd'.repeat(16) }],
    ['another service', { origin: 'https://other.example', accountId }],
  ])('of %s is rejected, and the error names both', async (_, other) => {
    const host = machine();
    const store = storeOf(host, 'x.json');
    await store.update(() => ({ put: [] }));
    const text = readFileSync(store.file ?? store.shown, 'utf8');
    const elsewhere = storeOf(host, 'x.json', other);
    const failure = await failureOf(elsewhere.update(() => ({ put: [] })));
    expect(failure.kind).toBe('conflict');
    for (const word of [origin, accountId, other.origin, other.accountId])
      expect(failure.message).toContain(word);
    expect(readFileSync(store.file ?? store.shown, 'utf8')).toBe(text);
  });

  test('has a unique salt', async () => {
    const host = machine();
    const accounts = ['ab', 'cd'].map((id) => ({ origin, accountId: id.repeat(16) }));
    const salts = new Set<string>();
    for (const account of accounts)
      salts.add((await storeOf(host, undefined, account).update(() => ({ put: [] }))).salt);
    expect(salts.size).toBe(2);
  });

  test('loses deleted objects only in their set, and is not written without changes', async () => {
    const host = machine();
    const store = storeOf(host, 'x.json');
    await store.update(({ salt }) => ({
      put: [entry(salt, 'users.a'), entry(salt, 'users.b'), entry(salt, 'users.a', 'other')],
    }));
    const { entries } = await store.update(() => ({
      put: [],
      removed: [{ set: 'office.yaml', key: 'users.a' }],
    }));
    expect(entries.map(({ set, key }) => `${set} ${key}`)).toEqual(['office.yaml users.b', 'other users.a']);
    const path = join(host.cwd, 'x.json');
    const text = `${readFileSync(path, 'utf8')}\n`;
    writeFileSync(path, text);
    await store.update(() => ({ put: [], removed: [] }));
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('is not written while another process holds its lock', async () => {
    const host = machine();
    const store = storeOf(host, 'x.json');
    const release = await host.files.lock(join(host.cwd, 'x.json'));
    let isRead = false;
    const waiting = store.update(() => {
      isRead = true;
      return { put: [] };
    });
    await new Promise((resolve) => void setImmediate(resolve));
    expect(isRead).toBe(false);
    await release();
    await waiting;
    expect(isRead).toBe(true);
  });

  test('that cannot be read or written causes an error with the reason', async () => {
    const host = machine();
    const store = storeOf(host, 'folder.json');
    mkdirSync(join(host.cwd, 'folder.json'));
    const read = await failureOf(store.read());
    expect([read.kind, read.message]).toEqual([
      'failed',
      'The ledger folder.json cannot be read (it is a folder).',
    ]);
    writeFileSync(join(host.cwd, 'file'), '');
    const below = storeOf(host, 'file/x.json');
    const written = await failureOf(below.update(() => ({ put: [] })));
    expect(written.kind).toBe('failed');
    expect(written.message).toMatch(/^The ledger file\/x\.json cannot be written \(.+\)\.$/);
  });
});
