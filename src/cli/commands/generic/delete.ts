import { Failure, type Hint, leadsOn, nextStep, withFacts, withHint } from '../../../base/failure.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import type { Resource } from '../../../contract/types.ts';
import type { Use } from '../../../engine/manifest/used-by.ts';
import type { Handler, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { lookupApi } from '../bulk/bulk.ts';
import { changeResult, confirmed, wouldSend } from '../change.ts';
import { describe, labelOf, nameOf, quotedAccount } from '../labels.ts';
import { asRecord, findNamed, operationFor, pathTo } from '../records/find-named.ts';
import { recordIfThere } from '../records/listed-records.ts';
import { findUses, usedFailure, usedIn, useRows, withMemberships } from './use-report.ts';

/** Makes the handler of `delete`: asks with the record's name and what refers to it. */
export function deleteHandler(resource: Resource): Handler<ParsedInput> {
  return async (input, context) => {
    try {
      const { id } = await findNamed(context, resource, String(input.id));
      const { label, record, uses } = await askToDelete(context, resource, id, input.force === true);
      if (!context.options.dryRun)
        return removal(label, await removed(context, resource, id, label), resource);
      const call = { operation: operationFor(resource, 'delete'), path: pathTo(resource, id) };
      const used = useRows(uses).map(({ text, right }) => `  ${text}: ${right}`);
      const notes = [
        `deletes ${describe(resource, record)}`,
        ...(uses.length === 0 ? [] : [`${usedIn(uses)}, so that --force is needed:`, ...used]),
      ];
      return await wouldSend(context, [{ call, notes }]);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'not_found') throw error;
      throw withHint(error, error.hint ?? goneAlready);
    }
  };
}

const goneAlready = 'Where an earlier delete of it got no reply, it was carried out.';

/**
 * Asks what is asked before a record is deleted, whoever sends that, and sends nothing; a dry run is asked nothing.
 * Gives the record with what refers to it, as far as that was looked for. Throws `Failure`: `refused` where a
 * manifest protects it, or where other records refer to it and nobody is asked about that; `force` leaves unasked
 * what is not protected.
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
  // A name that was given has passed the guard, and says more than a yes.
  const isAgreed = options.yes || options.confirm !== undefined;
  // Where nobody can answer, the refusal needs no list of what refers to it.
  const isLooked = !force && (isAgreed || options.dryRun || ask.available);
  const uses = isLooked ? await findUses(context, { resource: resource.name, id }) : [];
  if (options.dryRun || force) return { label, record, uses };
  const moving = movingHint(resource, record);
  if (uses.length > 0 && isAgreed)
    throw withFacts(usedFailure(label, uses, moving ? leadsOn`${forced} ${moving}` : forced), {
      open: { question: `${label} ${usedIn(uses)}. Delete it all the same?`, flags: ['--force'] },
    });
  if (isAgreed) return { label, record, uses };
  const target = { resource: resource.name, id };
  const all = ask.available ? await withMemberships(context, target, record, uses) : uses;
  await confirmDelete(context, resource, describe(resource, record), all, moving);
  return { label, record, uses };
}

/** Says how the places of a user go to somebody else instead. */
const movingHint = (resource: Resource, record: JsonObject): Hint | undefined =>
  resource.name === 'users'
    ? leadsOn`To move the places to somebody else instead: ${nextStep`users offboard ${nameOf(resource, record) ?? String(record.id)} --to NAME`}.`
    : undefined;

const forced = 'Delete it all the same: --force.';

/** Says that a record was deleted; `data` is what `removed` gave. */
export const removal = (label: string, data: Json | undefined, resource: Pick<Resource, 'name'>): Result => {
  const how = data === undefined ? ': no proper reply came, and it is gone' : '';
  return changeResult(resource, `Deleted ${label}${how}.`, data ?? {});
};

/**
 * Asks, after a list of what refers to the record. Throws `Failure` of kind `interrupted` if the answer is no.
 */
async function confirmDelete(
  context: Context,
  resource: Resource,
  described: string,
  uses: readonly Use[],
  moving: Hint | undefined,
): Promise<void> {
  const isPart = operationFor(resource, 'delete').path.includes('{account_id}/');
  const from = isPart ? ` from ${await quotedAccount(context)}` : '';
  const anyway = uses.length === 0 ? '' : ' all the same';
  if (uses.length > 0)
    await context.notices.report([
      [{ text: `${described} ${usedIn(uses)}:` }],
      ...useRows(uses),
      ...(moving === undefined ? [] : [[{ text: moving.text }]]),
    ]);
  await confirmed(context, `Delete ${described}${from}${anyway}?`, 'Nothing was deleted.');
}

/**
 * Deletes a record that was just read and gives the reply; `undefined` where none came that tells, and the record is
 * gone. Throws `Failure`, after a lost reply with the word whether the record is still there.
 */
export async function removed(
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
    const isThere = await stillThere(context, resource, id);
    if (isThere === false) return undefined;
    throw withHint(
      error,
      isThere
        ? `It was looked up: ${label} is still there. Repeat the command.`
        : `The request may have been carried out. Repeat the command: that there is no ${label} then says that it was deleted.`,
    );
  }
}

/** Tells whether a record is there; `undefined` if the service does not tell. */
async function stillThere(context: Context, resource: Resource, id: string): Promise<boolean | undefined> {
  try {
    return (await recordIfThere(await lookupApi(context), resource, id)) !== undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
