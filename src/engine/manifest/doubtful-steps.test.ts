import { expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { Ledger, LedgerEntry } from '../state/ledger.ts';
import type { BeginLine } from '../state/log.ts';
import type { RunPart, RunStep } from '../state/runs.ts';
import type { Service } from './service.ts';
import { settlePart } from './undo-fold.ts';

const accountId = 'a'.repeat(32);
const part = (steps: readonly RunStep[]): RunPart => ({
  start: {
    ...{
      line: 'start',
      version: 2,
      run: '1',
      what: 'apply',
      atMs: 1,
      pid: 7,
      part: 1,
      parts: 1,
      set: 'office',
    },
    ...{ account: { id: accountId, name: 'acme', origin: 'https://api.example' }, user: 'admin', salt: 's' },
    ...{ inputs: [], options: {}, steps: [] },
  },
  steps,
  finish: undefined,
});

interface Given extends Partial<Pick<BeginLine, 'id' | 'after'>> {
  readonly action?: string;
  readonly kind?: string;
  readonly completes?: string;
}

/** A step that was begun, and of which the log does not say how it ended. */
const begun = (key: string, { action = 'create', kind = 'menus', completes, ...more }: Given): RunStep => ({
  planned: { key, kind, action, label: key, ...(completes === undefined ? {} : { completes }) },
  begin: { line: 'begin', key, action, ...more },
  end: undefined,
});

const nothingElse = { requestId: undefined, atSeconds: undefined };

/** A service that shows these records of any kind. */
function showing(records: readonly JsonObject[]): Service {
  const none = async (): Promise<never> => {
    throw new Error('Nothing is to be changed.');
  };
  return {
    ...{
      accountId,
      offers: () => true,
      create: none,
      patch: none,
      replace: none,
      remove: none,
      end: none,
      upload: none,
    },
    download: none,
    list: async () => ({ items: records, atSeconds: undefined }),
    get: async (_, id) => {
      const record = records.find((each) => each.id === id);
      return record ? { found: 'record', record, ...nothingElse } : { found: 'none' };
    },
  };
}

const entry = (id: string, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{
    set: 'office',
    key: 'menus.other',
    kind: 'menus',
    id,
    origin: 'created',
    protect: false,
    appliedMs: 1,
  },
  ...{ fields: {}, natural: {}, given: {}, seen: 0, ...more },
});

/** The id by which a step that was cut off counts as done, with these records at the service; `undefined` if it does not. */
async function doneId(
  step: RunStep,
  records: readonly JsonObject[],
  more: readonly RunStep[] = [],
  entries: readonly LedgerEntry[] = [],
) {
  const ledger: Ledger = { ...{ version: 1, origin: 'https://api.example', accountId, salt: 's' }, entries };
  const told: string[] = [];
  const settled = await settlePart(part([step, ...more]), {
    ...{ reader: showing(records), ledger, atOnce: 2, found: (_: RunStep, id: string) => told.push(id) },
  });
  const end = settled.steps[0]?.end;
  expect(told.slice(0, 1)).toEqual(end ? [end.id] : []);
  return end?.id;
}

const menu = { name: 'Main', retries: 2 };
const sent = { after: menu };

test.each([
  [
    'a create made the only object with the sent values',
    begun('menus.main', sent),
    [{ id: '1', ...menu, made: true }],
    '1',
  ],
  ['a create made no object if none exists', begun('menus.main', sent), [], undefined],
  [
    'a create did not make an object with other values',
    begun('menus.main', sent),
    [{ id: '1', ...menu, retries: 3 }],
    undefined,
  ],
  [
    'two identical objects are ambiguous',
    begun('menus.main', sent),
    [
      { id: '1', ...menu },
      { id: '2', ...menu },
    ],
    undefined,
  ],
  [
    'secrets are not compared',
    begun('menus.main', { after: { ...menu, record_pin: 'set' } }),
    [{ id: '1', ...menu, record_pin: '1234' }],
    '1',
  ],
  [
    'nested secrets are not compared',
    begun('menus.main', { after: { ...menu, hunt: { pin: 'set', on: true } } }),
    [{ id: '1', ...menu, hunt: { on: true } }],
    '1',
  ],
  [
    'other nested values are compared',
    begun('menus.main', { after: { ...menu, hunt: { on: true } } }),
    [{ id: '1', ...menu, hunt: { on: false } }],
    undefined,
  ],
  [
    'a create with a known id made that object',
    begun('menus.main', { ...sent, id: '2' }),
    [
      { id: '1', ...menu },
      { id: '2', ...menu },
    ],
    '2',
  ],
  [
    'a create without values made no object',
    begun('menus.main', { after: {} }),
    [{ id: '1', ...menu }],
    undefined,
  ],
  [
    'an update succeeded if the record has the sent values',
    begun('menus.main', { ...sent, action: 'update', id: '1' }),
    [{ id: '1', ...menu }],
    '1',
  ],
  [
    'an update did not succeed if the record has other values',
    begun('menus.main', { ...sent, action: 'update', id: '1' }),
    [{ id: '1', ...menu, retries: 1 }],
    undefined,
  ],
  [
    'an update did not succeed if the record is gone',
    begun('menus.main', { ...sent, action: 'update', id: '1' }),
    [],
    undefined,
  ],
  [
    'an update without an id did not succeed',
    begun('menus.main', { ...sent, action: 'update' }),
    [{ id: '1', ...menu }],
    undefined,
  ],
  [
    'a delete succeeded if the record is gone',
    begun('menus.main', { action: 'delete', id: '1' }),
    [{ id: '2', ...menu }],
    '1',
  ],
  [
    'a delete did not succeed if the record exists',
    begun('menus.main', { action: 'delete', id: '1' }),
    [{ id: '1', ...menu }],
    undefined,
  ],
  ['a delete without an id did not succeed', begun('menus.main', { action: 'delete' }), [], undefined],
  [
    'another action is not settled',
    begun('menus.main', { ...sent, action: 'reset', id: '1' }),
    [{ id: '1', ...menu }],
    undefined,
  ],
  [
    'a kind unknown to manifests is not settled',
    begun('menus.main', { ...sent, kind: 'nonsense' }),
    [{ id: '1', ...menu }],
    undefined,
  ],
  [
    'a step that completes another is not settled',
    begun('menus.main', { ...sent, completes: 'menus.other' }),
    [{ id: '1', ...menu }],
    undefined,
  ],
] as const)('%s', async (_, step, records, id) => {
  expect(await doneId(step, records)).toBe(id);
});

test('does not attribute an object to a step if another step or another ledger name has it', async () => {
  const records = [
    { id: '1', ...menu },
    { id: '2', ...menu },
  ];
  const step = begun('menus.main', sent);
  const other = begun('menus.other', sent);
  const made: RunStep = { ...other, end: { line: 'end', key: 'menus.other', ok: true, id: '1' } };
  expect(await doneId(step, records, [made])).toBe('2');
  expect(await doneId(step, records, [], [entry('1')])).toBe('2');
  expect(await doneId(step, records, [], [entry('1', { set: 'shop', key: 'menus.main' })])).toBe('2');
  // What the ledger has of this very step, or of another one that is open, tells nothing.
  expect(await doneId(step, records, [], [entry('1', { key: 'menus.main' })])).toBeUndefined();
  expect(await doneId(step, records, [other], [entry('1')])).toBeUndefined();
});

test('sends no requests for a part without open steps', async () => {
  const closed: RunStep = {
    ...begun('menus.main', sent),
    end: { line: 'end', key: 'menus.main', ok: false },
  };
  const asks: Service = { ...showing([]), list: async () => expect.unreachable() };
  const whole = part([closed]);
  expect(
    await settlePart(whole, { reader: asks, ledger: undefined, atOnce: 1, found: () => undefined }),
  ).toBe(whole);
});
