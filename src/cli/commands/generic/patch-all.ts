import { bounded } from '../../../base/bounded.ts';
import type { JsonObject } from '../../../base/json.ts';
import { counted, inWords } from '../../../base/wording.ts';
import { asReplacement } from '../../../client/api/revisions.ts';
import { holdsRights, lossOf } from '../../../contract/guards.ts';
import { pluralIn } from '../../../contract/resource.ts';
import type { Resource } from '../../../contract/types.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { keptFailure, keptOf } from '../administrators.ts';
import { bulkFailure, endsOf, inBulk, type Outcome } from '../bulk.ts';
import { changedFields, changeResult, confirmed, differs, wouldSend } from '../change.ts';
import { accountName, labelOf } from '../labels.ts';
import { asRecord, operationFor, pathTo } from './find-named.ts';
import { recordIfThere } from './listed-records.ts';
import { type Change, ownOfEach, sameForAll } from './patch-choice.ts';

/** Records that are named where many change alike. */
const namedAtMost = 3;
/** Changes that are said before the question; the records of more are counted. */
const shownAtMost = 20;

/**
 * Merges fields into many records: the same ones into every record of an account, or those that filters choose, or into
 * each what its own record of a file says. Reads all of them first, says what would change in each, asks once, and
 * leaves alone those that have these values already. Filters are held against the records themselves, since compatible
 * services may ignore them. Throws `Failure`: `interrupted` if the answer is no, and what the list and the input throw,
 * before anything is sent.
 */
export async function patchMany(resource: Resource, input: ParsedInput, context: Context): Promise<Result> {
  const found = await (input.all === true ? sameForAll : ownOfEach)(resource, input, context);
  const changing = found.filter(({ before, data }) => differs(before, data));
  const { name } = resource;
  const callFor = ({ before, data }: Change) => ({
    operation: operationFor(resource, 'patch'),
    path: pathTo(resource, String(before.id)),
    data,
  });
  if (context.options.dryRun)
    return wouldSend(
      context,
      changing.map((change) => ({
        call: asReplacement(callFor(change), change.before),
        before: change.before,
        notes: [`of ${labelOf(resource, change.before)}`],
      })),
    );
  if (changing.length === 0) {
    const message =
      found.length === 0
        ? `There are no ${inWords(name)} to change.`
        : `Nothing to change: ${countOf(resource, found)} looked at.`;
    return { kind: 'done', message, value: [], resource: name };
  }
  if (holdsRights(resource)) await refuseLockout(context, changing);
  await askToChange(context, resource, { found, changing });
  const outcomes = await inBulk(context, changing, {
    doing: `change ${inWords(name)}`,
    send: async (bulk, change) => asRecord(resource, (await bulk.call(callFor(change))).data),
    lookUp: async (looking, lost) =>
      bounded(lost, context.settings.concurrency.value, async ({ before, data }) => {
        const record = await recordIfThere(looking, resource, String(before.id));
        return record && !differs(record, data) ? { end: 'done', result: record } : { end: 'not done' };
      }),
  });
  return resultOf(resource, { found, changing, outcomes });
}

/** Throws `Failure` (`refused`) where the change takes rights from the last administrator or from oneself. */
async function refuseLockout(context: Context, changing: readonly Change[]): Promise<void> {
  const losers = changing.flatMap(({ before, data }) => {
    const loss = lossOf('patch', data);
    return loss === undefined ? [] : [{ id: String(before.id), record: before, loss }];
  });
  if (losers.length === 0) return;
  const [api, accountId, { profile }] = await Promise.all([
    context.api(),
    context.accountId(),
    context.session(),
  ]);
  const failure = keptFailure(await keptOf({ api, accountId, ownId: profile.ownerId }, losers));
  if (failure) throw failure;
}

const countOf = (resource: Resource, { length }: readonly unknown[]): string =>
  counted(length, resource.singular, pluralIn(resource));

/** Records that change alike, each by its name where they are few. */
function namesOf(resource: Resource, records: readonly JsonObject[]): string {
  const names = records.slice(0, namedAtMost).map((record) => labelOf(resource, record));
  const more = records.length - names.length;
  return more > 0 ? `${countOf(resource, records)} (${names.join(', ')}, … ${more} more)` : names.join(', ');
}

/**
 * Says what would change in each record and asks once. Throws `Failure` of kind `interrupted` if the answer is
 * no.
 */
async function askToChange(
  context: Context,
  resource: Resource,
  facts: {
    readonly found: readonly Change[];
    readonly changing: readonly Change[];
  },
): Promise<void> {
  const { found, changing } = facts;
  const alike = new Map<string, JsonObject[]>();
  for (const { before: record, data } of changing) {
    const changes = changedFields(resource.schema, record, data)
      .map((line) => line.trim())
      .join(', ');
    const known = alike.get(changes);
    if (known) known.push(record);
    else alike.set(changes, [record]);
  }
  for (const [changes, records] of [...alike].slice(0, shownAtMost))
    context.notices.say(`${namesOf(resource, records)}: ${changes}`);
  const more = [...alike.values()].slice(shownAtMost).flat().length;
  if (more > 0) context.notices.say(`… and ${more} more`);
  const { profile } = await context.session();
  if (changing.some(({ before }) => before.id === profile.ownerId))
    context.notices.warn('The user who is signed in is among them.');
  const question = `Change ${changing.length} of ${countOf(resource, found)} in ${await accountName(context)}?`;
  await confirmed(context, question);
}

/** Returns the result of the changes. Throws `Failure` if nothing was changed. */
function resultOf(
  resource: Resource,
  facts: {
    readonly found: readonly Change[];
    readonly changing: readonly Change[];
    readonly outcomes: readonly Outcome<JsonObject>[];
  },
): Result {
  const { found, changing, outcomes } = facts;
  const changed = outcomes.flatMap((outcome) => (outcome.end === 'done' ? [outcome.result] : []));
  const failure = bulkFailure(changing, outcomes, {
    label: ({ before }) => labelOf(resource, before),
    ...(changing.some(({ place }) => place !== undefined) ? { place: ({ place = '' }) => place } : {}),
    noun: resource.name,
    done: 'changed',
    hint: () => 'Repeat the same command: records that are changed already are left alone.',
  });
  if (failure && changed.length === 0) throw failure;
  const before = found.length - changing.length;
  const { failed, skipped, unknown } = endsOf(outcomes);
  const parts = [
    `Changed ${countOf(resource, changed)}`,
    ...(before === 0 ? [] : [`${before} unchanged`]),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped === 0 ? [] : [`${skipped} never sent`]),
    ...(unknown === 0 ? [] : [`${unknown} unknown`]),
  ];
  return changeResult(resource, `${parts.join(', ')}.`, changed, failure);
}
