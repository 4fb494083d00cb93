import { describe, expect, test } from 'vitest';
import { isObject, type Json } from '../../src/base/json.ts';
import { operations } from '../../src/contract/catalogue.ts';
import { createPlace } from '../conformance/operation-rows.ts';
import { operationRow } from '../conformance/rows-in-mode.ts';
import { calledSandbox } from '../support/called-sandbox.ts';
import { acceptsCharges, clientOf } from '../support/contract-client.ts';
import { isServedHere, mode } from '../support/mode.ts';
import { throughValidatingProxy } from '../support/validating-proxy.ts';
import { jobs, notOffered } from './calls.ts';

throughValidatingProxy();

const formatOperation = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
const known = Map.groupBy(operations, formatOperation);

/** Returns true if a path does not exist in a response. Empty lists and maps contain every path. */
function lacksPath(value: Json | undefined, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return value === undefined;
  if (key === '[]') return !Array.isArray(value) || value.some((each) => lacksPath(each, rest));
  if (!isObject(value)) return true;
  if (key === '*') return Object.values(value).some((each) => lacksPath(each, rest));
  return lacksPath(value[key], rest);
}

describe.each(Object.entries(jobs))('%s', (_, calls) => {
  test.each(Object.entries(calls))('%s returns the fields that an interface reads', async (line, keys) => {
    // Operations with the same path differ by their action. Any of them is sufficient.
    const operation = known.get(line)?.find(({ id }) => operationRow(id)?.minimal !== undefined);
    if (operation === undefined) throw new Error(`The sandbox does not offer ${line}.`);
    const row = operationRow(operation.id);
    const sandbox = await calledSandbox({ like: mode });
    const token = row?.as === 'super' ? sandbox.superToken : sandbox.adminToken;
    const client = clientOf(sandbox, token, sandbox.seed.accountId, { charges: acceptsCharges });
    if (!isServedHere(operation)) {
      // A module that the recorded KAZOO had not loaded.
      await expect(client.call({ operation })).rejects.toMatchObject({ status: 404 });
      return;
    }
    const input = await row?.minimal?.(createPlace(sandbox));
    const query = operation.method === 'GET' ? { ...input?.query, _: '1764000000000' } : input?.query;
    const { status, data } = await client.call({ operation, ...input, ...(query ? { query } : {}) });
    expect([200, 201]).toContain(status);
    expect(keys.filter((path) => lacksPath(data, path.split('.')))).toEqual([]);
  });
});

test('an unavailable resource returns 404, which interfaces expect', async () => {
  const sandbox = await calledSandbox({ like: mode });
  const token = await sandbox.adminToken();
  for (const line of Object.keys(notOffered)) {
    const [method = '', path = ''] = line.split(' ');
    const url = `/v2${path.replace('{}', sandbox.seed.accountId)}`;
    const data = method === 'GET' ? {} : { data: { ui_metadata: { ui: 'web' } } };
    expect((await sandbox.call(method, url, { token, ...data })).status, line).toBe(404);
  }
});

test('every write keeps the marker of the interface, and lists can be filtered by it', async () => {
  const sandbox = await calledSandbox({ like: mode });
  const token = await sandbox.adminToken();
  const path = `/v2/accounts/${sandbox.seed.accountId}/callflows`;
  const mark = { version: '5.0', ui: 'web', origin: 'callflows' };
  for (const [number, ui_metadata] of [
    ['100', mark],
    ['101', undefined],
  ] as const) {
    const data = {
      numbers: [number],
      flow: { module: 'hangup', data: {} },
      ...(ui_metadata ? { ui_metadata } : {}),
    };
    expect((await sandbox.call('PUT', path, { token, data })).status).toBe(201);
  }
  const marked = await sandbox.call('GET', `${path}?filter_ui_metadata.origin=callflows`, { token });
  expect(Array.isArray(marked.data) && marked.data.length).toBe(1);
});
