import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Handler, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import type { Resource } from '../../contract/types.ts';
import { problemsFailure } from '../../manifest/input/problems.ts';
import { lostFields, wouldSend } from '../change.ts';
import { labelOf } from '../labels.ts';
import { recordIn, replyIfOffered } from '../read-if-offered.ts';
import { changedRecord, findRecord, operationFor, pathTo } from './find-record.ts';
import { readInputRecord } from './input.ts';
import { sentOrPutBack } from './put-back.ts';
import { storedRecord } from './stored-record.ts';

/** Makes the handler of `update`: replaces a record, after showing which of its fields would be lost. */
export function updateHandler(resource: Resource): Handler<ParsedInput> {
  return async (input, context) => {
    const stored = storedRecord(context, resource, String(input.id));
    const record = await readInputRecord(context, namedOutside(resource), 'update', input, stored);
    const { id } = await findRecord(context, resource, String(input.id));
    if (!carriesId(resource)) return replaceRecord(context, resource, id, record.value);
    const { id: written = id } = record.value;
    if (written !== id)
      throw problemsFailure([
        record.problem(
          'id',
          `"id" is ${JSON.stringify(written)}, and the ${resource.singular} to replace is ${JSON.stringify(id)}`,
        ),
      ]);
    return replaceRecord(context, resource, id, { ...record.value, id });
  };
}

/** Whether the body of an update has to say the id that its path says. */
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

/** Replaces a stored record as a whole, or shows what that would send. */
export async function replaceRecord(
  context: Context,
  resource: Resource,
  id: string,
  data: JsonObject,
): Promise<Result> {
  const api = await context.api();
  const path = pathTo(resource, id);
  const call = { operation: operationFor(resource, 'update'), path, data };
  const read = await replyIfOffered(
    context,
    api,
    { operation: operationFor(resource, 'get'), path },
    'what is stored now, and would be lost, is not known.',
  );
  const before = recordIn(read);
  const isKept = resource.keepsLeftOut === true && typeof read?.envelope.revision === 'string';
  const lost = before && !isKept ? lostFields(resource.schema, before, data) : [];
  if (context.options.dryRun) {
    const notes = lost.length > 0 ? [lostSentence(lost)] : [];
    return wouldSend(context, [
      { request: api.plan(call), schema: resource.schema, ...(before ? { before } : {}), notes },
    ]);
  }
  if (lost.length > 0) {
    context.notices.warn(lostSentence(lost));
    const agreed = await context.ask.confirm(
      `Replace ${labelOf(resource, { id, ...before })} without them?`,
      {
        option: '--yes',
      },
    );
    if (!agreed)
      throw new Failure('interrupted', 'Nothing was changed.', {
        hint: 'patch keeps the fields that are not given.',
      });
  }
  const changed = changedRecord(resource, (await sentOrPutBack(context, resource, call, before)).data);
  return {
    kind: 'done',
    message: `Replaced ${labelOf(resource, { id, ...before, ...changed })}.`,
    value: changed,
    resource: resource.name,
  };
}

const lostSentence = (lost: readonly string[]): string =>
  `Fields that the stored record has and the new one does not would be lost: ${lost.join(', ')}.`;
