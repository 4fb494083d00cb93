import { memoize } from '../../../base/concurrency.ts';
import { clearDoubt, Failure, withFacts } from '../../../base/failure.ts';
import { isObject, type JsonObject, omitUndefined } from '../../../base/json.ts';
import type { Api, ApiRequest, Reply } from '../../../client/api/api.ts';
import { storedFields } from '../../../client/api/doubtful-replies.ts';
import { toReplacement } from '../../../client/api/revisions.ts';
import type { Resource } from '../../../contract/types.ts';
import { problemsFailure } from '../../../engine/input/document.ts';
import { holdsSent } from '../../../engine/manifest/canonical.ts';
import { isNotOffered } from '../../../engine/manifest/service.ts';
import type { Handler, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { lookupApi } from '../bulk/bulk.ts';
import { changeResult, dryRunResult, lostFields } from '../change.ts';
import { labelOf } from '../labels.ts';
import { changedRecord, type FoundRecord, findNamed, operationFor, pathTo } from '../records/find-named.ts';
import { warnIgnoredFields } from './ignored-fields.ts';
import { readInputRecord } from './input.ts';

/** Reads the stored records of the input records. Skips records that the service cannot show. */
export type ReadStored = (input: readonly JsonObject[]) => Promise<readonly JsonObject[]>;

/** Returns a record that is read once, when first needed. If that fails, warns with `without`. */
export function recordByInput(
  context: Context,
  resource: Resource,
  look: () => Promise<FoundRecord>,
  without: string,
) {
  const find = memoize(look);
  const read = memoize(async (): Promise<Reply | undefined> => {
    const { id } = await find();
    const call = { operation: operationFor(resource, 'get'), path: pathTo(resource, id) };
    try {
      return await replyIfOffered(context, await context.api(), call, without);
    } catch (error) {
      // A record that exists once per account may not be set yet. Services then respond as for an unknown id, or as
      // for an invalid request (allotments).
      const isUnset = error instanceof Failure && (error.code === 'bad_identifier' || error.status === 400);
      if (isUnset && resource.kind === 'singleton') return undefined;
      throw error;
    }
  });
  return {
    find,
    read,
    stored: async (): Promise<readonly JsonObject[]> => {
      const record = recordOfReply(await read());
      return record ? [record] : [];
    },
  };
}

/** Sends a change. If the service refuses but stores it, offers to restore `before`. Throws the refusal. */
export async function sendOrRestore(
  context: Context,
  resource: Resource,
  call: ApiRequest,
  before: JsonObject | undefined,
): Promise<Reply> {
  const api = await context.api();
  try {
    return await api.call(call);
  } catch (error) {
    if (error instanceof Failure && error.accepted !== undefined && error.inDoubt)
      return readAfterCharges(context, resource, call, error);
    const stored = storedFields(error);
    if (!(error instanceof Failure) || stored.length === 0 || before === undefined) throw error;
    if (!(await askToRestore(context, error, stored))) throw error;
    const sent = Object.keys(call.data ?? {}).filter((field) => field !== 'id');
    const data = Object.fromEntries(sent.map((field) => [field, before[field] ?? null]));
    const operation = operationFor(resource, 'patch');
    await api.call({ operation, path: call.path ?? {}, data });
    const old = stored.map((field) => `${field} ${JSON.stringify(before[field] ?? null)}`).join(', ');
    throw withFacts(error, {
      lines: [...error.lines, `The old value was restored: ${old}.`],
      hint: 'Choose another value.',
    });
  }
}

/** Reads a record after a charged change with an unclear response. Throws `lost` if the change is missing. */
async function readAfterCharges(
  context: Context,
  resource: Resource,
  { path = {}, data }: ApiRequest,
  lost: Failure,
): Promise<Reply> {
  const api = await lookupApi(context);
  const reply = await api.call({ operation: operationFor(resource, 'get'), path }).catch((error: unknown) => {
    throw error instanceof Failure ? lost : error;
  });
  if (!isObject(reply.data) || !isObject(data) || !holdsSent(resource, reply.data, data))
    throw clearDoubt(lost);
  context.notices.warn(`${lost.message} telctl read the record, and it has the sent values.`);
  return { ...reply, ...omitUndefined({ charges: lost.accepted }) };
}

/** Without a terminal, the answer is no. */
async function askToRestore(
  { ask, notices }: Context,
  { lines }: Failure,
  stored: readonly string[],
): Promise<boolean> {
  for (const line of lines) notices.warn(line);
  try {
    return await ask.confirm(`Set ${stored.join(' and ')} back?`, { option: '--yes' });
  } catch (error) {
    if (error instanceof Failure && error.kind === 'usage') return false;
    throw error;
  }
}

/** Reads an optional record. If the service does not support the read, warns and returns `undefined`. */
export async function readIfOffered(
  context: Pick<Context, 'notices'>,
  api: Api,
  call: ApiRequest,
  without: string,
): Promise<JsonObject | undefined> {
  return recordOfReply(await replyIfOffered(context, api, call, without));
}

export const recordOfReply = (reply: Reply | undefined): JsonObject | undefined =>
  isObject(reply?.data) ? reply.data : undefined;

/** Like `readIfOffered`, but returns the complete response. */
async function replyIfOffered(
  { notices }: Pick<Context, 'notices'>,
  api: Api,
  call: ApiRequest,
  without: string,
): Promise<Reply | undefined> {
  try {
    return await api.call(call);
  } catch (error) {
    if (!isNotOffered(error, call.operation)) throw error;
    notices.warn(`This service does not offer "${call.operation.summary}": ${without}`);
    return undefined;
  }
}

/** Replaces a record after showing the fields that would be lost. */
export function updateHandler(resource: Resource): Handler<ParsedInput> {
  return async (input, context) => {
    const named = recordToReplace(context, resource, () => findNamed(context, resource, String(input.id)));
    const record = await readInputRecord(context, withoutIdRule(resource), 'update', input, named.stored);
    if (!needsIdInBody(resource)) return replaceRecord(context, resource, named, record.value);
    const { id } = await named.find();
    const { id: written = id } = record.value;
    if (written !== id)
      throw problemsFailure([
        record.problem(
          'id',
          `"id" is ${JSON.stringify(written)}, but the ${resource.singular} to replace is ${JSON.stringify(id)}`,
        ),
      ]);
    return replaceRecord(context, resource, named, { ...record.value, id });
  };
}

const needsIdInBody = ({ required }: Resource): boolean =>
  required.some(({ fields, on }) => fields.includes('id') && on.includes('update'));

const withoutIdRule = (resource: Resource): Resource => ({
  ...resource,
  required: resource.required.map((rule) => ({
    ...rule,
    fields: rule.fields.filter((field) => field !== 'id'),
  })),
});

export const recordToReplace = (context: Context, resource: Resource, look: () => Promise<FoundRecord>) =>
  recordByInput(context, resource, look, 'the stored fields that would be lost are unknown.');

/** Replaces a stored record, or shows the request in a dry run. */
export async function replaceRecord(
  context: Context,
  resource: Resource,
  named: ReturnType<typeof recordByInput>,
  data: JsonObject,
): Promise<Result> {
  const { id } = await named.find();
  const read = await named.read();
  const before = recordOfReply(read);
  const call = {
    operation: operationFor(resource, 'update'),
    path: pathTo(resource, id),
    data,
    record: before,
  };
  const isKept = resource.keepsLeftOut === true && typeof read?.envelope.revision === 'string';
  const lost = before && !isKept ? lostFields(resource.schema, before, data) : [];
  if (context.options.dryRun) {
    const notes = lost.length > 0 ? [lostFieldsNotice(lost)] : [];
    return dryRunResult(context, [{ call, ...(before ? { before } : {}), notes }]);
  }
  if (lost.length > 0) {
    context.notices.warn(lostFieldsNotice(lost));
    const agreed = await context.ask.confirm(
      `Replace ${labelOf(resource, { id, ...before })} without them?`,
      { option: '--yes' },
    );
    if (!agreed)
      throw new Failure('interrupted', 'Nothing was changed.', {
        hint: 'To keep fields that you do not pass, use patch.',
      });
  }
  const changed = changedRecord(resource, (await sendOrRestore(context, resource, call, before)).data);
  warnIgnoredFields(context, resource, data, changed);
  return changeResult(resource, `Replaced ${labelOf(resource, { id, ...before, ...changed })}.`, changed);
}

const lostFieldsNotice = (lost: readonly string[]): string =>
  `These fields of the stored record would be lost: ${lost.join(', ')}.`;

/** Sends only the given fields. */
export function patchHandler(resource: Resource): Handler<ParsedInput> {
  return async (input, context) => {
    const namesNone = resource.kind === 'collection' && input.id === undefined;
    if (input.all === true || namesNone)
      return (await import('./patch-all.ts')).patchMany(resource, input, context);
    const look = () => findNamed(context, resource, String(input.id));
    return patchNamed(context, resource, input, look);
  };
}

/** Merges the fields of the input into the record that `look` finds. */
export async function patchNamed(
  context: Context,
  resource: Resource,
  input: ParsedInput,
  look: () => Promise<FoundRecord>,
): Promise<Result> {
  const named = recordByInput(context, resource, look, 'its other fields are unknown.');
  const { value } = await readInputRecord(context, resource, 'patch', input, named.stored);
  return patchRecord(context, resource, await named.find(), value, 'Changed');
}

/** Merges fields into a stored record, or shows the request in a dry run. `done` starts the message: `Enabled`. */
export async function patchRecord(
  context: Context,
  resource: Resource,
  { id, summary }: FoundRecord,
  data: JsonObject,
  done: string,
): Promise<Result> {
  const api = await context.api();
  const path = pathTo(resource, id);
  const call = { operation: operationFor(resource, 'patch'), path, data };
  const { dryRun } = context.options;
  const without = dryRun ? 'the current values are unknown.' : 'the old values cannot be restored.';
  const get = { operation: operationFor(resource, 'get'), path };
  // A refusal may still have changed the record, which only an earlier read can show.
  const before =
    dryRun || resource.storesRefused ? await readIfOffered(context, api, get, without) : undefined;
  if (dryRun)
    return dryRunResult(context, [before ? { call: toReplacement(call, before), before } : { call }]);
  const changed = changedRecord(resource, (await sendOrRestore(context, resource, call, before)).data);
  // A service may respond to a patch without a record.
  const label = labelOf(resource, { id, ...summary, ...changed });
  return warnIgnoredFields(context, resource, data, changed)
    ? changeResult(resource, `Nothing changed: the service accepted none of the fields of ${label}.`, changed)
    : changeResult(resource, `${done} ${label}.`, changed);
}

const switches = {
  enable: [true, 'Enabled'],
  disable: [false, 'Disabled'],
  reset: [null, 'Reset'],
} as const;

/** Enables or disables a record, or resets it to the default. */
export function switchHandler(resource: Resource, verb: keyof typeof switches): Handler<ParsedInput> {
  return async ({ id }, context) => {
    const found = await findNamed(context, resource, String(id));
    const [enabled, done] = switches[verb];
    return patchRecord(context, resource, found, { enabled }, done);
  };
}
