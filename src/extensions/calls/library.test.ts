import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { connect } from '../../library/client.ts';
import { apply } from '../../library/manifest.ts';
import { type Sandbox, startSandbox } from '../sandbox/library.ts';
import { CallTestError, callResults, testCalls } from './library.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const office = { cwd: 'examples', files: ['small-office.yaml'], env: { ALICE_PASSWORD: 'a-first-password' } };

test('each case becomes a test, which fails if the call ends differently', async () => {
  const registered = new Map<string, () => void>();
  await testCalls((name, run) => registered.set(name, run), {
    ...office,
    cases: ['calls/small-office.yaml'],
  });
  expect(registered.size).toBeGreaterThan(1);
  for (const run of registered.values()) run();
});

test('a failed case reports expected and actual results, the reason and its place', async () => {
  const tests: (() => void)[] = [];
  const text = 'callflows: { main: { numbers: ["2001"], flow: { module: hangup, data: {} } } }';
  const options = { text, cases: ['test/support/calls.yaml'] };
  await testCalls((_, run) => tests.push(run), options);
  expect(tests).toHaveLength(1);
  expect(tests[0]).toThrow(CallTestError);
  expect(tests[0]).toThrow(/calls\.yaml:\d+/);
  const [result] = await callResults(options);
  expect(result).toMatchObject({ result: 'fail', expected: expect.any(String), got: expect.any(String) });
});

test('without a manifest, the cases call the account of a client with reads only', async () => {
  const client = connect({ baseUrl: sandbox.baseUrl, apiKey: sandbox.admin.apiKey });
  await apply(client, {
    text: 'set: x\ncallflows: { main: { numbers: ["2001"], flow: { module: hangup, data: {} } } }',
  });
  const readOnly = connect({ baseUrl: sandbox.baseUrl, apiKey: sandbox.admin.apiKey, readOnly: true });
  const [result] = await callResults({ client: readOnly, cases: ['test/support/calls.yaml'] });
  expect(result?.result).toBe('fail');
});

test('throws without a manifest and a client, and for invalid cases', async () => {
  expect((await failureOf(callResults({ cases: ['test/support/calls.yaml'] }))).kind).toBe('usage');
  expect((await failureOf(callResults({ ...office, cases: ['small-office.yaml'] }))).kind).toBe('invalid');
});
