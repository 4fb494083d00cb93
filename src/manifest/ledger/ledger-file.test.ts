import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seededRandom, turnedClock } from '../../../test/support/clock.ts';
import { failureOf } from '../../../test/support/failure-of.ts';
import { fakeHost } from '../../../test/support/fake-host.ts';
import { testFolders } from '../../../test/support/world.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Host } from '../../host/host.ts';
import type { KindName } from '../kinds.ts';
import { ledgerPlace, newLedger, readLedger, writeLedger } from './ledger-file.ts';
import { entryFor } from './make-entry.ts';
import { updateLedger } from './update-ledger.ts';

const origin = 'https://api.example:8443';
const accountId = 'ab'.repeat(16);

function machine(): Host {
  return fakeHost({ folders: testFolders(), clock: turnedClock(), random: seededRandom(9) }).host;
}

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
  test('that the user named says nothing of secrets that could be guessed, however they lie in the object', async () => {
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
    const named = ledgerPlace(host, { file: 'x.json', origin, accountId });
    await updateLedger(host, named, put);
    expect(readLedger(host, named)?.entries.map(({ fields, given }) => ({ fields, given }))).toEqual([
      { fields: { name: expect.stringMatching(/^[0-9a-f]{20}$/), flow: '' }, given: {} },
      { fields: { mailbox: expect.stringMatching(/^[0-9a-f]{20}$/), pin: '' }, given: { pin: '' } },
      { fields: { name: expect.stringMatching(/^[0-9a-f]{20}$/), 'custom_data.token': '' }, given: {} },
    ]);
    const own = ledgerPlace(host, { origin, accountId });
    await updateLedger(host, own, put);
    expect(readLedger(host, own)?.entries[1]?.fields.pin).toMatch(/^s:[0-9a-f]{20}$/);
  });

  test('lies in the state folder under host and account, or where --ledger says', () => {
    const host = machine();
    expect(ledgerPlace(host, { origin, accountId }).path).toMatch(
      /\/telctl\/ledgers\/api\.example-abababab-[0-9a-f]{6}\.json$/,
    );
    const other = ledgerPlace(host, { origin: 'https://api.example:8444', accountId }).path;
    expect(other).not.toBe(ledgerPlace(host, { origin, accountId }).path);
    expect(ledgerPlace(host, { file: 'x.json', origin, accountId }).path).toBe(join(host.cwd, 'x.json'));
    expect(ledgerPlace(host, { file: 'ledgers/', origin, accountId }).shown).toMatch(
      /^ledgers\/api\.example-/,
    );
  });

  test('comes back as it was written: private, an entry a line, in one order, without a value', async () => {
    const host = machine();
    const place = ledgerPlace(host, { origin, accountId });
    expect(readLedger(host, place)).toBeUndefined();
    const names = ['users.c', 'users.a', 'users.b'];
    for (const name of names)
      await updateLedger(host, place, ({ salt }) => ({
        put: [entry(salt, name), entry(salt, name, 'other')],
      }));
    const ledger = readLedger(host, place);
    expect(ledger?.entries.map(({ set, key }) => `${set} ${key}`)).toEqual([
      'office.yaml users.a',
      'office.yaml users.b',
      'office.yaml users.c',
      'other users.a',
      'other users.b',
      'other users.c',
    ]);
    expect(ledger?.salt).toMatch(/^[0-9a-f]{32}$/);
    const text = readFileSync(place.path, 'utf8');
    expect(text.split('\n').filter((line) => line.includes('"users.'))).toHaveLength(6);
    expect(text).not.toMatch(/canary/i);
    expect(statSync(place.path).mode & 0o777).toBe(0o600);
    if (ledger) writeLedger(host, place, ledger);
    expect(readFileSync(place.path, 'utf8')).toBe(text);
  });

  test.each([
    ['nothing', '', 'it is no JSON'],
    ['YAML', 'users:\n', 'it is no JSON'],
    ['a manifest', '{"users": {}}', 'it names no account and no service'],
    ['a list', '[]', 'it names no account and no service'],
    ['a later version', `{"version":2,"origin":"${origin}","accountId":"${accountId}"}`, 'its version is 2'],
    [
      'no salt',
      `{"version":1,"origin":"${origin}","accountId":"${accountId}","entries":[]}`,
      'it has no salt',
    ],
    [
      'a damaged entry',
      `{"version":1,"origin":"${origin}","accountId":"${accountId}","salt":"0123456789","entries":[{"key":"users.a"}]}`,
      'entry 1 is damaged',
    ],
  ])('with %s is refused and left as it is', async (_, text, why) => {
    const host = machine();
    const place = ledgerPlace(host, { file: 'x.json', origin, accountId });
    writeFileSync(place.path, text);
    const failure = await failureOf(Promise.resolve().then(() => readLedger(host, place)));
    expect(failure.kind).toBe('invalid');
    expect(failure.message).toContain(`x.json is no ledger of telctl: ${why}`);
    await failureOf(updateLedger(host, place, () => ({ put: [] })));
    expect(readFileSync(place.path, 'utf8')).toBe(text);
  });

  test.each([
    ['another account', { origin, accountId: 'cd'.repeat(16) }],
    ['another service', { origin: 'https://other.example', accountId }],
  ])('of %s is refused, naming both', async (_, other) => {
    const host = machine();
    const place = ledgerPlace(host, { file: 'x.json', origin, accountId });
    writeLedger(host, place, newLedger(host, place));
    const text = readFileSync(place.path, 'utf8');
    const elsewhere = ledgerPlace(host, { file: 'x.json', ...other });
    const failure = await failureOf(updateLedger(host, elsewhere, () => ({ put: [] })));
    expect(failure.kind).toBe('conflict');
    for (const word of [origin, accountId, other.origin, other.accountId])
      expect(failure.message).toContain(word);
    expect(readFileSync(place.path, 'utf8')).toBe(text);
  });

  test('that cannot be read or written says why', async () => {
    const host = machine();
    const folder = join(host.cwd, 'folder.json');
    const place = { ...ledgerPlace(host, { file: 'folder.json', origin, accountId }), path: folder };
    mkdirSync(folder);
    const read = await failureOf(Promise.resolve().then(() => readLedger(host, place)));
    expect([read.kind, read.message]).toEqual([
      'failed',
      'The ledger folder.json cannot be read (it is a folder).',
    ]);
    writeFileSync(join(host.cwd, 'file'), '');
    const below = ledgerPlace(host, { file: 'file/x.json', origin, accountId });
    const written = await failureOf(updateLedger(host, below, () => ({ put: [] })));
    expect(written.kind).toBe('failed');
    expect(written.message).toMatch(/^The ledger file\/x\.json cannot be written \(.+\)\.$/);
  });

  test('changed by several processes at once keeps what each of them wrote', async () => {
    const host = machine();
    const place = ledgerPlace(host, { origin, accountId });
    mkdirSync(host.folders.state, { recursive: true });
    const names = Array.from({ length: 8 }, (_, index) => `users.u${index}`);
    await Promise.all(
      names.map((name) => updateLedger(host, place, ({ salt }) => ({ put: [entry(salt, name)] }))),
    );
    expect(readLedger(host, place)?.entries.map(({ key }) => key)).toEqual(names);
  });
});
