import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../base/json.ts';
import { callflowModules } from '../../../contract/callflow-modules.ts';
import { type FlowSet, flowsOfAccount } from '../../../engine/callflows/flow-set.ts';
import { kindByName } from '../../../engine/manifest/kinds.ts';
import { lint } from './lint.ts';
import { type TraceStep, trace } from './trace.ts';

const ids = ['a', 'b', 'c', 'd'];

/** Flows of every known module and of nonsense, which refer to one another. */
const { flow: anyFlow } = fc.letrec<{ flow: JsonObject }>((tie) => ({
  flow: fc.record(
    {
      module: fc.oneof(fc.constantFrom('callflow', 'menu', ...callflowModules.keys()), fc.string()),
      data: fc.oneof(fc.record({ id: fc.constantFrom(...ids) }), fc.jsonValue({ maxDepth: 2 })),
      children: fc.oneof(
        { depthSize: 'small' },
        fc.constant({}),
        fc.dictionary(
          fc.oneof(fc.constantFrom('_', '1', '2', 'timeout', '__proto__'), fc.string()),
          tie('flow'),
        ),
        fc.jsonValue({ maxDepth: 1 }),
      ),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>,
}));

const setOf = (records: readonly JsonObject[]): FlowSet =>
  flowsOfAccount([{ kind: kindByName('callflows'), records }]);

const anySet = fc
  .array(
    fc.record({
      flow: fc.oneof(anyFlow, fc.jsonValue({ maxDepth: 1 })),
      numbers: fc.oneof(fc.array(fc.constantFrom('100', '101', 'no_match')), fc.jsonValue({ maxDepth: 1 })),
      patterns: fc.array(fc.oneof(fc.string(), fc.constantFrom('(', '^1', '(?i)x'))),
    }),
    { maxLength: 4 },
  )
  .map((records) => setOf(records.map((record, index) => ({ ...record, id: ids[index] }) as JsonObject)));

test('lint never throws, even for malformed flows', () => {
  fc.assert(fc.property(anySet, (set) => Array.isArray(lint(set))));
});

const sizeOf = ({ branches }: TraceStep): number => branches.reduce((sum, { step }) => sum + sizeOf(step), 1);

test('a trace always ends', () => {
  fc.assert(
    fc.property(anySet, (set) => set.callflows.every((callflow) => sizeOf(trace(set, callflow).first) >= 1)),
  );
});

test('a trace follows a shared callflow only once', () => {
  const records = Array.from({ length: 40 }, (_, index) => {
    const child = { module: 'callflow', data: { id: `f${index + 1}` } };
    return {
      id: `f${index}`,
      flow: { module: 'temporal_route', data: {}, children: { one: child, _: child } },
    };
  });
  const set = setOf(records);
  const [first] = set.callflows;
  if (first) expect(sizeOf(trace(set, first).first)).toBeLessThan(400);
});

test('lint and trace accept a flow deeper than the stack', () => {
  let flow: JsonObject = { module: 'hangup' };
  for (let depth = 0; depth < 3000; depth += 1)
    flow = { module: 'user', data: { id: 'u' }, children: { _: flow } };
  expect(lint(setOf([{ id: 'a', numbers: ['1'], flow }]))).toEqual([]);
});

const rulesOf = (records: readonly JsonObject[]): readonly string[] =>
  lint(setOf(records)).map(({ rule, path }) => `${path} ${rule}`);
const to = (id: string): JsonObject => ({ module: 'callflow', data: { id } });

test('distinguishes endless loops from loops that callers choose', () => {
  const other = { id: 'b', numbers: ['2'], flow: to('a') };
  expect(rulesOf([{ id: 'a', numbers: ['1'], flow: to('b') }, other])).toEqual(['flow loop']);
  const menu = { module: 'menu', data: { id: 'm' }, children: { 1: to('b'), _: { module: 'hangup' } } };
  expect(rulesOf([{ id: 'a', numbers: ['1'], flow: menu }, other])).toEqual(['flow/1 way-round']);
});

test('knows the data and branches of each module', () => {
  const rules = (step: JsonObject) => rulesOf([{ id: 'a', numbers: ['1'], flow: step }]);
  expect(rules({ module: 'usr' })).toEqual(['flow unknown-module']);
  expect(rules({ module: 'voicemail', data: {} })).toEqual(['flow missing-data']);
  expect(rules({ module: 'voicemail', data: { action: 'check' } })).toEqual([]);
  expect(rules({ module: 'user', data: { id: 'u', timout: 2 } })).toEqual([
    'flow unknown-data',
    'flow dead-end',
  ]);
  expect(rules({ module: 'hangup', children: { _: { module: 'hangup' } } })).toEqual(['flow no-such-branch']);
  expect(rules({ module: 'park', data: { action: 'parc' } })).toEqual(['flow bad-value']);
  expect(rules({ module: 'callflow', data: { id: 'nobody' } })).toEqual(['flow missing-object']);
  expect(rules({ module: 'check_cid', children: { match: { module: 'hangup' } } })).toEqual([
    'flow dead-end',
  ]);
});

test('finds numbers that two callflows share, in any format', () => {
  const flow = { module: 'hangup' };
  const [finding] = lint(
    setOf([
      { id: 'a', name: 'Main', numbers: ['+15551230009'], flow },
      { id: 'b', name: 'Old', numbers: ['5551230009'], flow },
    ]),
  );
  expect(finding).toMatchObject({ rule: 'number-twice', path: 'numbers', callflow: { name: 'Old' } });
  expect(finding?.message).toBe('+15551230009 also belongs to "Main"');
});

const code = (start: string, module: string, data: JsonObject, children: JsonObject = {}): JsonObject => ({
  name: module,
  ...(start.startsWith('^') ? { patterns: [start] } : { numbers: [start] }),
  featurecode: { name: `${module}[${String(data.action ?? '')}]`, number: '1' },
  flow: { module, data, children },
});

/** The feature codes that web interfaces of compatible services create. */
const featureCodes = [
  code('^\\*72([0-9]*)$', 'call_forward', { action: 'activate' }),
  code('*73', 'call_forward', { action: 'deactivate' }),
  code('^\\*74([0-9]*)$', 'call_forward', { action: 'toggle' }),
  code('^\\*56([0-9]*)$', 'call_forward', { action: 'update' }),
  code('*11', 'hotdesk', { action: 'login' }),
  code('*12', 'hotdesk', { action: 'logout' }),
  code('*13', 'hotdesk', { action: 'toggle' }),
  code('*97', 'voicemail', { action: 'check' }),
  code('^\\*\\*([0-9]*)$', 'voicemail', { action: 'compose' }),
  code('*4', 'park', { action: 'park' }),
  code('^\\*5([0-9]*)$', 'park', { action: 'retrieve' }),
  code('^\\*3([0-9]*)$', 'park', { action: 'auto' }),
  code('*78', 'do_not_disturb', { action: 'activate' }),
  code('*79', 'do_not_disturb', { action: 'deactivate' }),
  code('^\\*0([0-9]*)$', 'intercom', {}),
  code('^\\*67([0-9]*)$', 'privacy', { mode: 'full' }),
  code('*6683', 'move', {}),
];

test.each(featureCodes.map((record, index) => [index, record] as const))(
  'feature code %i of web interfaces has no finding',
  (_, record) => {
    expect(lint(setOf([{ ...record, id: 'a' }]))).toEqual([]);
  },
);

test('a step needs a mailbox unless callers dial it', () => {
  const record = { id: 'a', numbers: ['100'], flow: { module: 'voicemail', data: { action: 'compose' } } };
  expect(lint(setOf([record]))).toMatchObject([{ rule: 'missing-data' }]);
});
