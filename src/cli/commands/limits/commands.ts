import { createHint, Failure, isLost, nextStep, withFacts } from '../../../base/failure.ts';
import { isEqualJson, type Json, type JsonObject } from '../../../base/json.ts';
import { carriesAcceptance } from '../../../client/api/build-request.ts';
import { isPrivateKey } from '../../../contract/name-lists.ts';
import { limits } from '../../../contract/resources/limits.ts';
import { type Command, defineCommand, type ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ItemResult, Result } from '../../command/result.ts';
import { changeResult, dryRunResult } from '../change.ts';
import { readInputRecord } from '../generic/input.ts';
import { inputOptions } from '../generic/input-options.ts';
import { asRecord, operationFor } from '../records/find-named.ts';

const get = defineCommand({
  path: ['limits', 'get'],
  summary: 'Show the call limits of an account',
  effect: 'read',
  examples: { 'telctl limits get': 'Show trunks and hard limits' },
  operations: ['limits.get'],
  load: async () => getLimits,
});

export const limitsCommands: readonly Command[] = [
  get,
  {
    path: ['limits', 'set'],
    summary: 'Change call limits, which can add charges',
    description:
      'Keeps limits that you do not name. Sends the change first without accepting charges. If it adds charges, telctl shows them. You accept them at the terminal or with one of the two options, which count only added charges. --yes never accepts charges.',
    arguments: {},
    get options() {
      return inputOptions(limits);
    },
    effect: 'charges',
    examples: [
      { line: 'telctl limits set --inbound-trunks 4', doc: 'Show the charges and ask' },
      {
        line: 'telctl limits set -f limits.yaml --accept-charges-up-to 25',
        doc: 'Accept charges in a script, up to a budget',
      },
    ],
    operations: ['limits.get', 'limits.set'],
    load: async () => setLimits,
  },
];

const operation = operationFor(limits, 'set');

async function setLimits(input: ParsedInput, context: Context): Promise<Result> {
  const readStoredLimits = async () => [await readLimits(context)];
  const { value: wanted } = await readInputRecord(context, limits, 'patch', input, readStoredLimits);
  const before = await readLimits(context);
  const data = fullRecord(before, wanted);
  const api = await context.api();
  if (context.options.dryRun) {
    const notes = ['may add charges, which are known only when it is sent'];
    return dryRunResult(context, [{ call: { operation, data }, before, notes }]);
  }
  const changes = Object.keys(wanted).filter((key) => !isEqualJson(before[key] ?? null, wanted[key]));
  if (changes.length === 0)
    return changeResult(limits, 'Nothing to change: the limits already have these values.', before);
  const sent = await api.call({ operation, data }).then(
    (reply) => ({ ...reply, record: asRecord(limits, reply.data) }),
    (error: unknown) => {
      if (!(error instanceof Failure) || !isLost(error)) throw error;
      return readAfterLostReply(context, before, wanted, error);
    },
  );
  const lines = changes.map(
    (key) => `${key} ${valueInWords(before[key])} → ${valueInWords(sent.record[key])}`,
  );
  const request = sent.requestId === undefined ? '' : `, request ${sent.requestId}`;
  const charges = sent.charges === undefined ? '' : ` Charges accepted${request}.`;
  return changeResult(limits, `Limits updated: ${lines.join(', ')}.${charges}`, sent.record);
}

/** The service replaces the record, so all fields are sent. */
function fullRecord(before: JsonObject, wanted: JsonObject): JsonObject {
  const entries = Object.entries({ ...before, ...wanted });
  return Object.fromEntries(
    entries.filter(
      ([key, value]) => key !== 'id' && !isPrivateKey(key) && value !== null && value !== undefined,
    ),
  );
}

async function readAfterLostReply(context: Context, before: JsonObject, wanted: JsonObject, lost: Failure) {
  context.notices.warn('The response was lost. Reading the limits back.');
  const record = await readLimits(context).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    throw withFacts(lost, {
      lines: `${lost.message.replace(/\.?$/, '.')} Reading the limits back also failed: ${error.message}`,
    });
  });
  const hasValueIn =
    (values: JsonObject) =>
    ([key, value]: readonly [string, Json | undefined]) =>
      isEqualJson(values[key] ?? null, value ?? null);
  if (Object.entries(wanted).every(hasValueIn(record)))
    return { record, requestId: lost.requestId, charges: lost.accepted };
  const isAsBefore = Object.keys(wanted).every((key) => hasValueIn(record)([key, before[key]]));
  const found = isAsBefore ? 'have not changed' : 'differ from the sent values';
  throw withFacts(lost, {
    lines: `${lost.message.replace(/\.?$/, '.')} The limits were read back and ${found}.`,
    hint:
      lost.cause instanceof Failure
        ? createHint`The change may still be in progress. Before you repeat it: ${nextStep`limits get`}.`
        : (lost.hint ?? 'Repeat the command.'),
  });
}

const valueInWords = (value: Json | undefined): string =>
  value === undefined || value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);

export async function readLimits(context: Context): Promise<JsonObject> {
  const { data } = await (await context.api()).call({ operation: operationFor(limits, 'get') });
  return asRecord(limits, data);
}

async function getLimits(_: unknown, context: Context): Promise<ItemResult> {
  const value = await readLimits(context);
  const stored = storedAcceptance(value);
  if (stored) context.notices.warn(`${stored.finding} ${stored.remedy}`);
  return { kind: 'item', value, resource: 'limits' };
}

/** Finds a stored acceptance of charges, because sending the record back would accept further charges. */
export const storedAcceptance = (record: JsonObject) =>
  carriesAcceptance(record)
    ? {
        finding: `The service has stored an acceptance of charges with the limits: a program that sends them back accepts any charges.`,
        remedy: `The next change by telctl clears it, such as: ${nextStep`limits set --calls N`}`,
      }
    : undefined;
