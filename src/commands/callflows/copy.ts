import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { textsIn } from '../../callflows/step-label.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { flowTargets } from '../../contract/record-references.ts';
import { callflows } from '../../contract/resources/callflows.ts';
import { findAccount } from '../accounts/find-account.ts';
import { wouldSend } from '../change.ts';
import { afterLostReply } from '../generic/create.ts';
import { changedRecord, getRecord, operationFor } from '../generic/find-record.ts';
import { labelOf } from '../labels.ts';
import { readParts } from '../read-account.ts';
import { copiedRecord, type Mapping, mapReferences } from './copied-flow.ts';
import type { copyArguments, copyOptions } from './copy-command.ts';

/** Kinds that a flow can refer to, by which a copy names the same in another account. */
export const referred = [...flowTargets];

/** Handler of `callflows copy`. */
export async function copyCallflow(
  input: InputOf<typeof copyOptions, typeof copyArguments>,
  context: Context,
): Promise<Result> {
  const here = await context.accountId();
  const there = await findAccount(context, input.toAccount);
  const numbers = input.numbers
    .flatMap((each) => each.split(','))
    .map((each) => each.trim())
    .filter(Boolean);
  if (there === here) refuseSame(input.toName, numbers);
  const record = await getRecord(context, callflows, input.id);
  const copy = there === here ? sameAccount(context, record) : await otherAccount(context, record, there);
  const data = {
    ...copy,
    ...(input.toName === undefined ? {} : { name: input.toName }),
    ...(numbers.length === 0 ? {} : { numbers }),
  };
  const call = { operation: operationFor(callflows, 'create'), path: { account_id: there }, data };
  const api = await context.api();
  if (context.options.dryRun)
    return wouldSend(context, [{ request: api.plan(call), schema: callflows.schema }]);
  let created: JsonObject;
  try {
    created = changedRecord(callflows, (await api.call(call)).data);
  } catch (error) {
    if (!(error instanceof Failure) || !error.inDoubt || there !== here) throw error;
    return afterLostReply(context, callflows, data, error);
  }
  const where = there === here ? '' : ` in ${input.toAccount ?? there}`;
  return {
    kind: 'done',
    message: `Copied ${labelOf(callflows, record)} to ${labelOf(callflows, created)}${where}  ${String(created.id)}`,
    value: created,
    resource: 'callflows',
  };
}

function refuseSame(name: string | undefined, numbers: readonly string[]): void {
  if (name === undefined)
    throw new Failure('usage', 'A copy in the same account needs a name of its own: --to-name NAME.');
  if (numbers.length === 0)
    throw new Failure('usage', 'Numbers are unique in an account: give the copy its own with --numbers.', {
      hint: "telctl callflows copy 'Main line' --to-name 'Second line' --numbers +15551230009",
    });
}

/** In the same account ids mean the same; what leads to the callflow stays where it is. */
function sameAccount(context: Context, record: JsonObject): JsonObject {
  const { patterns, featurecode, ...rest } = copiedRecord(record, new Map());
  const left = [
    ...textsIn(patterns).map((pattern) => `pattern ${pattern}`),
    ...(featurecode === undefined ? [] : ['feature code']),
  ];
  if (left.length > 0) context.notices.warn(`Not copied, since an account has it once: ${left.join(', ')}`);
  return rest;
}

async function otherAccount(context: Context, record: JsonObject, there: string): Promise<JsonObject> {
  const [own, other] = await Promise.all([
    readParts(context, { whole: [], listed: referred }),
    readParts(context, { whole: [], listed: referred }, there),
  ]);
  const mapping = mapReferences(record, own.sections, other.sections);
  refuseUnmapped(mapping);
  for (const { path, word, id } of mapping.unknown)
    context.notices.warn(`${path}: the ${word} ${id} means nothing in another account; set it there`);
  return copiedRecord(record, mapping.ids);
}

function refuseUnmapped({ missing, unclear }: Mapping): void {
  const lines = [
    ...missing.map(
      ({ path, word, name }) => `${path}: ${word} ${JSON.stringify(name)} is not in the other account`,
    ),
    ...unclear.map(
      ({ path, word, name, among }) =>
        `${path}: ${among.length} of the other account are called ${word} ${JSON.stringify(name)}: ${among.join(', ')}`,
    ),
  ];
  if (lines.length === 0) return;
  throw new Failure(missing.length > 0 ? 'not_found' : 'conflict', [...lines, 'Nothing was sent.'], {
    hint: 'Make them there first, or export the callflow and change what it refers to.',
    details: {
      missing: missing.map(({ path, word, name }) => ({ path, kind: word, name })),
      unclear: unclear.map(({ path, word, name, among }) => ({ path, kind: word, name, ids: among })),
    },
  });
}
