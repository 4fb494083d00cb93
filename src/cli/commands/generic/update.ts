import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { asReplacement } from '../../../client/api/revisions.ts';
import type { Resource } from '../../../contract/types.ts';
import { problemsFailure } from '../../../engine/input/document.ts';
import type { Handler, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { changeResult, lostFields, wouldSend } from '../change.ts';
import { labelOf } from '../labels.ts';
import { changedRecord, type Found, findNamed, operationFor, pathTo } from './find-named.ts';
import { readInputRecord } from './input.ts';
import { namedRecord, readIfOffered, recordIn, sentOrPutBack } from './stored-record.ts';

/** Makes the handler of `update`: replaces a record, after showing which of its fields would be lost. */
export function updateHandler(resource: Resource): Handler<ParsedInput> {
  return async (input, context) => {
    const named = recordToReplace(context, resource, () => findNamed(context, resource, String(input.id)));
    const record = await readInputRecord(context, namedOutside(resource), 'update', input, named.stored);
    if (!carriesId(resource)) return replaceRecord(context, resource, named, record.value);
    const { id } = await named.find();
    const { id: written = id } = record.value;
    if (written !== id)
      throw problemsFailure([
        record.problem(
          'id',
          `"id" is ${JSON.stringify(written)}, and the ${resource.singular} to replace is ${JSON.stringify(id)}`,
        ),
      ]);
    return replaceRecord(context, resource, named, { ...record.value, id });
  };
}

/** True when the body of an update has to carry the id that its path carries. */
const carriesId = ({ required }: Resource): boolean =>
  required.some(({ fields, on }) => fields.includes('id') && on.includes('update'));

/** A resource whose input need not name the id: it is filled in. */
const namedOutside = (resource: Resource): Resource => ({
  ...resource,
  required: resource.required.map((rule) => ({
    ...rule,
    fields: rule.fields.filter((field) => field !== 'id'),
  })),
});

export const recordToReplace = (context: Context, resource: Resource, look: () => Promise<Found>) =>
  namedRecord(context, resource, look, 'what is stored now, and would be lost, is not known.');

/** Replaces a stored record as a whole, or shows what that would send. */
export async function replaceRecord(
  context: Context,
  resource: Resource,
  named: ReturnType<typeof namedRecord>,
  data: JsonObject,
): Promise<Result> {
  const { id } = await named.find();
  const read = await named.read();
  const before = recordIn(read);
  const call = {
    operation: operationFor(resource, 'update'),
    path: pathTo(resource, id),
    data,
    record: before,
  };
  const isKept = resource.keepsLeftOut === true && typeof read?.envelope.revision === 'string';
  const lost = before && !isKept ? lostFields(resource.schema, before, data) : [];
  if (context.options.dryRun) {
    const notes = lost.length > 0 ? [lostSentence(lost)] : [];
    return wouldSend(context, [{ call, ...(before ? { before } : {}), notes }]);
  }
  if (lost.length > 0) {
    context.notices.warn(lostSentence(lost));
    const agreed = await context.ask.confirm(
      `Replace ${labelOf(resource, { id, ...before })} without them?`,
      { option: '--yes' },
    );
    if (!agreed)
      throw new Failure('interrupted', 'Nothing was changed.', {
        hint: 'patch keeps the fields that are not given.',
      });
  }
  const changed = changedRecord(resource, (await sentOrPutBack(context, resource, call, before)).data);
  return changeResult(resource, `Replaced ${labelOf(resource, { id, ...before, ...changed })}.`, changed);
}

const lostSentence = (lost: readonly string[]): string =>
  `Fields that the stored record has and the new one does not would be lost: ${lost.join(', ')}.`;

/** Makes the handler of `patch`: sends the given fields and no others. */
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
  look: () => Promise<Found>,
): Promise<Result> {
  const named = namedRecord(context, resource, look, 'which other fields it has is not known.');
  const { value } = await readInputRecord(context, resource, 'patch', input, named.stored);
  return patchRecord(context, resource, await named.find(), value, 'Changed');
}

/** Merges fields into a stored record, or shows what that would send. `done` begins the message: `Enabled`. */
export async function patchRecord(
  context: Context,
  resource: Resource,
  { id, summary }: Found,
  data: JsonObject,
  done: string,
): Promise<Result> {
  const api = await context.api();
  const path = pathTo(resource, id);
  const call = { operation: operationFor(resource, 'patch'), path, data };
  if (context.options.dryRun) {
    const before = await readIfOffered(
      context,
      api,
      { operation: operationFor(resource, 'get'), path },
      'what the fields are now is not known.',
    );
    return wouldSend(context, [before ? { call: asReplacement(call, before), before } : { call }]);
  }
  // What a refusal may have changed all the same is known only to those who have read it before.
  const before = resource.storesRefused
    ? await readIfOffered(
        context,
        api,
        { operation: operationFor(resource, 'get'), path },
        'it cannot be set back.',
      )
    : undefined;
  const changed = changedRecord(resource, (await sentOrPutBack(context, resource, call, before)).data);
  // A service may answer a patch with nothing.
  return changeResult(resource, `${done} ${labelOf(resource, { id, ...summary, ...changed })}.`, changed);
}

/** Values of `enabled` by verb, and the word for what was done. */
const switches = {
  enable: [true, 'Enabled'],
  disable: [false, 'Disabled'],
  reset: [null, 'Reset'],
} as const;

/** Makes the handler that turns a record on or off, or leaves that open again. */
export function switchHandler(resource: Resource, verb: keyof typeof switches): Handler<ParsedInput> {
  return async ({ id }, context) => {
    const found = await findNamed(context, resource, String(id));
    const [enabled, done] = switches[verb];
    return patchRecord(context, resource, found, { enabled }, done);
  };
}
