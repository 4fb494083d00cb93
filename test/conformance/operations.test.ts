import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/base/failure.ts';
import { isObject } from '../../src/base/json.ts';
import type { Charging } from '../../src/client/api/accept-charges.ts';
import type { Reply } from '../../src/client/api/api.ts';
import { operations } from '../../src/contract/catalogue.ts';
import type { Operation } from '../../src/contract/types.ts';
import { behaviourOf } from '../../src/extensions/sandbox/behaviour.ts';
import { operationsWithoutHandler } from '../../src/extensions/sandbox/handlers.ts';
import { assertReply } from '../../src/extensions/sandbox/requests/envelope.ts';
import { calledSandbox } from '../support/called-sandbox.ts';
import { isTriedHere } from '../support/command-lines.ts';
import { acceptsCharges, clientOf } from '../support/contract-client.ts';
import { isServedHere, mode } from '../support/mode.ts';
import { createPlace, type Input, operationRows, type Place, type Row } from './operation-rows.ts';
import { operationRow } from './rows-in-mode.ts';

const unserved = new Set(operationsWithoutHandler());

/** Opens a sandbox and a client for the caller of a row. */
async function openClient({ as }: Row, charges?: Charging) {
  const sandbox = await calledSandbox({ like: mode });
  const token = as === 'super' ? sandbox.superToken : sandbox.adminToken;
  const client = clientOf(sandbox, token, sandbox.seed.accountId, charges ? { charges } : {});
  return { place: createPlace(sandbox), client };
}

async function callOperation(
  operation: Operation,
  row: Row,
  inputOf: (place: Place) => Input | Promise<Input>,
): Promise<Reply> {
  const { place, client } = await openClient(row, acceptsCharges);
  return client.call({ operation, ...(await inputOf(place)) });
}

/** Returns true for an operation whose KAZOO response is the plans or overrides after the change. */
const returnsPlans = ({ resource }: Operation): boolean =>
  resource === 'services' && behaviourOf(mode).services.shape === 'plans';

/** Compares a reply with the contract. */
function expectReply(operation: Operation, reply: Reply, input: string): void {
  expect(reply.status, input).toBe(operation.method === 'PUT' ? 201 : 200);
  expect(JSON.stringify(reply), input).not.toContain('auth_token');
  if (reply.text !== undefined) expect(operation.accepts, input).toBeDefined();
  else if (operation.reply.kind === 'empty' && !returnsPlans(operation))
    expect(reply.data, input).toEqual({});
  else assertReply(operation, reply.data, behaviourOf(mode));
}

function refusedFields({ details }: Failure): readonly unknown[] {
  const fields = isObject(details) && Array.isArray(details.fields) ? details.fields : [];
  return fields.map((each) => (isObject(each) ? each.field : undefined));
}

/** Expects that a refusal names the field. Errors with only the three standard keys name it in their message. */
function expectFieldNamed({ errors }: Operation, failure: Failure, field: string): void {
  if (errors === 'reference' && behaviourOf(mode).replies.referenceErrors === 'alone')
    expect(failure.message).toContain(`${field}: `);
  else expect(refusedFields(failure), failure.message).toContain(field);
}

test('every operation of the contract has a row, and every row an operation', () => {
  const ids = operations.map(({ id }) => id);
  const missing = ids.filter((id) => !operationRows.has(id));
  expect(missing, 'Add a row for each to test/conformance/operation-rows.ts').toEqual([]);
  const left = [...operationRows.keys()].filter((id) => !ids.includes(id));
  expect(left, 'Remove these rows from test/conformance/operation-rows.ts').toEqual([]);
});

test('every operation with data is tried with all fields', () => {
  const takes = operations.filter(({ body }) => body !== undefined && body.kind !== 'action');
  // Some operations cannot succeed in a sandbox, so only their refusals are tested.
  const done = takes.filter(({ id }) => operationRows.get(id)?.minimal !== undefined);
  const partial = done.filter(({ id }) => operationRows.get(id)?.full === undefined).map(({ id }) => id);
  expect(partial, 'Add `full` to their rows in test/conformance/operation-rows.ts').toEqual([]);
});

for (const operation of operations.filter(({ resource, verb }) => isTriedHere(resource, verb))) {
  const { id } = operation;
  const row = operationRow(id);
  if (!row) continue;
  const { minimal, full, wrong } = row;

  if (!isServedHere(operation)) {
    test(`${id} is not available`, async () => {
      const { place, client } = await openClient(row, acceptsCharges);
      const input = (await minimal?.(place)) ?? (await wrong(place));
      const failure = await client.call({ operation, ...input }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Failure);
      if (failure instanceof Failure) expect([404, 405], failure.message).toContain(failure.status);
    });
    continue;
  }

  if (unserved.has(operation)) {
    test(`${id} returns 501 until the sandbox implements it`, async () => {
      const { client } = await openClient(row);
      const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const path = Object.fromEntries(
        names.filter((name) => name !== 'account_id').map((name) => [name, 'x']),
      );
      await expect(client.call({ operation, path })).rejects.toMatchObject({ status: 501 });
    });
    continue;
  }

  describe(id, () => {
    if (minimal)
      test('accepts the smallest valid request', async () => {
        expectReply(operation, await callOperation(operation, row, minimal), 'minimal');
      });

    if (full)
      test('accepts the largest valid request', async () => {
        expectReply(operation, await callOperation(operation, row, full), 'full');
      });

    test('refuses invalid requests and names the field', async () => {
      const { place, client: known } = await openClient(row);
      const { status, field, invalidToken, ...input } = await wrong(place);
      const { sandbox } = place;
      const client = invalidToken ? clientOf(sandbox, async () => 'x.y.z', sandbox.seed.accountId) : known;
      const failure = await client.call({ operation, ...input }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Failure);
      if (!(failure instanceof Failure)) return;
      expect(failure.status, failure.message).toBe(status);
      if (field !== undefined) expectFieldNamed(operation, failure, field);
    });
  });
}
