import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { changedLedger, type LedgerEntry, withoutGuessable } from '../../state/ledger.ts';
import { kindByName } from '../kinds.ts';
import { entryFor, renamedEntries } from '../ledger-entries.ts';
import { fieldHashes, findDrift, isAsApplied, listLeaves } from './hashing.ts';

const salt = '5a'.repeat(16);
const id = '7'.repeat(32);
const users = kindByName('users');
const callflows = kindByName('callflows');
const hashesOf = (fields: JsonObject, kind = users) => fieldHashes({ salt, kind, id }, fields);

test('hashes fields that are named like Object.prototype members', () => {
  for (const name of ['constructor', 'toString', '__proto__']) {
    const [one, other] = ['A', 'a'].map((text) => hashesOf(Object.fromEntries([[name, text]])));
    expect(Object.keys(one ?? {})).toEqual([name]);
    expect(one).not.toEqual(other);
    expect(hashesOf(Object.fromEntries([[name, 'A']]))).toEqual(one);
  }
});

const reversed = (value: Json): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => reversed(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, inner === undefined ? inner : reversed(inner)]),
  );
};

const entryOf = (fields: JsonObject, record: JsonObject | undefined, kind = users): LedgerEntry =>
  entryFor(salt, {
    set: 's',
    key: `${kind.name}.a`,
    kind: kind.name,
    id,
    origin: 'created',
    protect: false,
    fields,
    record,
    atSeconds: 1,
    nowMs: 1,
  });

describe('hashes of managed values', () => {
  test('cover each value that is managed as a whole', () => {
    const paths = (fields: JsonObject, kind = users) =>
      listLeaves(kind.schema, fields).map(({ path }) => path);
    expect(
      paths({
        username: 'alice',
        caller_id: { internal: { name: 'A', number: null }, external: {} },
        flags: ['b', 'a'],
        directories: { x: 'y' },
        'odd.name': { deep: 1 },
      }),
    ).toEqual([
      'username',
      'caller_id.internal.name',
      'caller_id.internal.number',
      'flags',
      expect.stringMatching(/^directories/),
      'odd%2Ename.deep',
    ]);
    expect(paths({ name: 'M', flow: { module: 'menu', data: {}, children: {} } }, callflows)).toEqual([
      'name',
      'flow',
    ]);
  });

  test('do not depend on the order of keys or of set members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 6 }), (fields) => {
        const value = fields as JsonObject;
        const other = reversed(value);
        expect(hashesOf(isObject(other) ? other : {})).toEqual(hashesOf(value));
      }),
    );
    expect(hashesOf({ flags: ['b', 'a'] })).toEqual(hashesOf({ flags: ['a', 'b'] }));
    expect(hashesOf({ username: 'Alice' })).toEqual(hashesOf({ username: 'alice' }));
  });

  test('differ for different values, salts, objects and paths', () => {
    const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    fc.assert(
      fc.property(scalar, scalar, (one, other) => {
        fc.pre(one !== other);
        expect(hashesOf({ zz: one })).not.toEqual(hashesOf({ zz: other }));
      }),
    );
    const of = (kind = users, at = id, with_ = salt) =>
      fieldHashes({ salt: with_, kind, id: at }, { zz: 'x', yy: 'x' });
    const { zz, yy } = of();
    const all = [zz, yy, of(users, 'other').zz, of(users, id, 'other').zz];
    expect(new Set(all).size).toBe(4);
    for (const hash of all) expect(hash).toMatch(/^[0-9a-f]{20}$/);
  });
});

describe('drift', () => {
  test('is absent if the service stores the value in another form', () => {
    const fields = { username: 'Alice', first_name: 'Alice', password: 'secret-1', timezone: null };
    const record = { id, username: 'alice', first_name: 'ALICE', enabled: true, vm_to_email_enabled: true };
    const entry = entryOf(fields, record);
    expect(findDrift(entry, users, record, salt)).toEqual([]);
    expect(Object.keys(entry.given)).toEqual(['first_name', 'password']);
    expect(isAsApplied(entry, users, fields, salt)).toBe(true);
  });

  test('contains only managed values that others changed', () => {
    const fields = { username: 'alice', call_forward: { enabled: true }, flags: ['a', 'b'], timezone: null };
    const record = { username: 'alice', call_forward: { enabled: true, number: '1' }, flags: ['a', 'b'] };
    const entry = entryOf(fields, record);
    const now = {
      ...record,
      call_forward: { enabled: true, number: '2' },
      flags: ['b', 'a'],
      email: 'x@y.example',
    };
    expect(findDrift(entry, users, now, salt)).toEqual([]);
    expect(
      findDrift(entry, users, { ...now, call_forward: { enabled: false }, timezone: 'UTC' }, salt),
    ).toEqual(['call_forward.enabled', 'timezone']);
  });

  test('includes a readable secret only if its hash is stored', () => {
    const vmboxes = kindByName('vmboxes');
    const entry = entryOf({ mailbox: '100', pin: '4711' }, { mailbox: '100', pin: '4711' }, vmboxes);
    expect(entry.given).toEqual({});
    expect(findDrift(entry, vmboxes, { mailbox: '100', pin: '1174' }, salt)).toEqual(['pin']);
    expect(isAsApplied(entry, vmboxes, { pin: '4711' }, salt)).toBe(true);
    const shared = withoutGuessable(entry);
    expect(shared).not.toHaveProperty('whole');
    expect(findDrift(shared, vmboxes, { mailbox: '100', pin: '1174' }, salt)).toEqual([]);
    expect(isAsApplied(shared, vmboxes, { pin: '4711' }, salt)).toBe(false);
  });

  test('is absent if the service returned no record', () => {
    const entry = entryOf({ username: 'alice' }, undefined);
    expect(entry).toMatchObject({ seen: 0, given: { username: '' } });
    expect(findDrift(entry, users, { username: 'other' }, salt)).toEqual([]);
  });

  test('a manifest with more fields or other values is not as applied', () => {
    const entry = entryOf({ username: 'alice', first_name: 'A' }, { username: 'alice', first_name: 'A' });
    const isSame = (fields: JsonObject) => isAsApplied(entry, users, fields, salt);
    expect(isSame({ first_name: 'A' })).toBe(true);
    expect(isSame({ first_name: 'B' })).toBe(false);
    expect(isSame({ username: 'alice', first_name: 'A', last_name: 'X' })).toBe(false);
  });
});

describe('an object with a new local name', () => {
  const entry = entryOf({ username: 'alice' }, { username: 'alice' });
  const ledger = { version: 1, origin: 'x', accountId: 'y', salt, entries: [entry] } as const;

  test('keeps its ledger entry and loses the former name', () => {
    const put = renamedEntries(ledger, 's', new Map([['users.alice', { id }]]));
    expect(put).toEqual([{ ...entry, key: 'users.alice' }]);
    expect(changedLedger(ledger, { put }).entries).toEqual(put);
  });

  test('changes no entry without a rename or in other sets and kinds', () => {
    expect(renamedEntries(ledger, 's', new Map([['users.a', { id }]]))).toEqual([]);
    expect(renamedEntries(ledger, 'other', new Map([['users.alice', { id }]]))).toEqual([]);
    expect(renamedEntries(ledger, 's', new Map([['menus.alice', { id }]]))).toEqual([]);
  });
});
