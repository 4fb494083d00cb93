import { createHint, Failure, type Hint, nextStep, withFacts, withHint } from '../../../base/failure.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import type { Resource } from '../../../contract/types.ts';
import type { Use } from '../../../engine/manifest/find-references.ts';
import type { Handler, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { lookupApi } from '../bulk/bulk.ts';
import { changeResult, confirmChange, dryRunResult } from '../change.ts';
import { describeRecord, labelOf, nameOf, quotedAccount } from '../labels.ts';
import { asRecord, findNamed, operationFor, pathTo } from '../records/find-named.ts';
import { recordIfThere } from '../records/listed-records.ts';
import { findUses, inUseFailure, usageCount, useRows, withMemberships } from './use-report.ts';

/** Shows the record and its references, and asks before deleting. */
export function deleteHandler(resource: Resource): Handler<ParsedInput> {
  return async (input, context) => {
    try {
      const { id } = await findNamed(context, resource, String(input.id));
      const { label, record, uses } = await askToDelete(context, resource, id, input.force === true);
      if (!context.options.dryRun)
        return removalResult(label, await deleteRecord(context, resource, id, label), resource);
      const call = { operation: operationFor(resource, 'delete'), path: pathTo(resource, id) };
      const used = useRows(uses).map(({ text, right }) => `  ${text}: ${right}`);
      const notes = [
        `deletes ${describeRecord(resource, record)}`,
        ...(uses.length === 0 ? [] : [`${usageCount(uses)}, so --force is required:`, ...used]),
      ];
      return await dryRunResult(context, [{ call, notes }]);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'not_found') throw error;
      throw withHint(error, error.hint ?? alreadyDeletedHint);
    }
  };
}

const alreadyDeletedHint = 'If an earlier delete had no response, it succeeded.';

/**
 * Asks before a record is deleted, except in a dry run. Returns the record and its references, if they were searched.
 * Throws `refused` if a manifest protects the record, or if other records refer to it and telctl cannot ask. `force`
 * skips questions about unprotected records.
 */
export async function askToDelete(context: Context, resource: Resource, id: string, force: boolean) {
  const { options, ask } = context;
  const api = await context.api();
  const operation = operationFor(resource, 'delete');
  const path = pathTo(resource, id);
  const { data: stored } = await api.call({ operation: operationFor(resource, 'get'), path });
  const record = asRecord(resource, stored);
  const label = labelOf(resource, record);
  await context.guard({
    operation,
    data: undefined,
    path: { account_id: await context.accountId(), ...path },
    record,
  });
  // A confirmed name has passed the guard and is stronger than a yes.
  const isAgreed = options.yes || options.confirm !== undefined;
  // Without a terminal, the refusal does not need the list of references.
  const isLooked = !force && (isAgreed || options.dryRun || ask.available);
  const uses = isLooked ? await findUses(context, { resource: resource.name, id }) : [];
  if (options.dryRun || force) return { label, record, uses };
  const moving = movingHint(resource, record);
  if (uses.length > 0 && isAgreed)
    throw withFacts(inUseFailure(label, uses, moving ? createHint`${forceHint} ${moving}` : forceHint), {
      open: { question: `${label} ${usageCount(uses)}. Delete it anyway?`, flags: ['--force'] },
    });
  if (isAgreed) return { label, record, uses };
  const target = { resource: resource.name, id };
  const all = ask.available ? await withMemberships(context, target, record, uses) : uses;
  await confirmDelete(context, resource, describeRecord(resource, record), all, moving);
  return { label, record, uses };
}

/** Users can transfer their places to another user. */
const movingHint = (resource: Resource, record: JsonObject): Hint | undefined =>
  resource.name === 'users'
    ? createHint`To transfer these references to another user: ${nextStep`users offboard ${nameOf(resource, record) ?? String(record.id)} --to NAME`}.`
    : undefined;

const forceHint = 'To delete it anyway, pass --force.';

/** `data`: the result of `removed`. */
export const removalResult = (
  label: string,
  data: Json | undefined,
  resource: Pick<Resource, 'name'>,
): Result => {
  const how = data === undefined ? ': there was no valid response, but it no longer exists' : '';
  return changeResult(resource, `Deleted ${label}${how}.`, data ?? {});
};

/** Lists the references to the record and asks. Throws `interrupted` if the answer is no. */
async function confirmDelete(
  context: Context,
  resource: Resource,
  described: string,
  uses: readonly Use[],
  moving: Hint | undefined,
): Promise<void> {
  const isPart = operationFor(resource, 'delete').path.includes('{account_id}/');
  const from = isPart ? ` from ${await quotedAccount(context)}` : '';
  const anyway = uses.length === 0 ? '' : ' anyway';
  if (uses.length > 0)
    await context.notices.report([
      [{ text: `${described} ${usageCount(uses)}:` }],
      ...useRows(uses),
      ...(moving === undefined ? [] : [[{ text: moving.text }]]),
    ]);
  await confirmChange(context, `Delete ${described}${from}${anyway}?`, 'Nothing was deleted.');
}

/**
 * Deletes a record that was just read. Returns the response, or `undefined` if it was lost and the record no longer
 * exists. Otherwise throws `Failure`, which reports whether the record still exists after a lost response.
 */
export async function deleteRecord(
  context: Context,
  resource: Resource,
  id: string,
  label: string,
): Promise<Json | undefined> {
  const api = await context.api();
  const call = { operation: operationFor(resource, 'delete'), path: pathTo(resource, id) };
  try {
    return (await api.call(call)).data;
  } catch (error) {
    if (!(error instanceof Failure) || resource.kind === 'singleton' || !error.inDoubt) throw error;
    const isThere = await exists(context, resource, id);
    if (isThere === false) return undefined;
    throw withHint(
      error,
      isThere
        ? `telctl checked: ${label} still exists. Repeat the command.`
        : `The request may have succeeded. Repeat the command. If it does not find ${label}, it was deleted.`,
    );
  }
}

async function exists(context: Context, resource: Resource, id: string): Promise<boolean | undefined> {
  try {
    return (await recordIfThere(await lookupApi(context), resource, id)) !== undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
