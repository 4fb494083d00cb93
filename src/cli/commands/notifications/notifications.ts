import { resolve } from 'node:path';
import { Failure, ignoreMissing } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { readOrFail } from '../../../base/read-errors.ts';
import { largestTemplate, notifications, templateTypes } from '../../../contract/resources/notifications.ts';
import type { Resource } from '../../../contract/types.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { dryRunResult } from '../change.ts';
import { readInputBody } from '../generic/input.ts';
import type { Request } from '../operations/operation-command.ts';
import { asRecord, operationFor, pathTo, refuseUnnamed } from '../records/find-named.ts';

type Texts = readonly (readonly [type: string, bytes: Uint8Array])[];

/** Reads texts from files, by content type. Throws `Failure` if a file cannot be read. */
function readTexts({ html, text }: ParsedInput, { host: { files, cwd } }: Context): Texts {
  const given = [
    [templateTypes.html, html],
    [templateTypes.text, text],
  ] as const;
  return given.flatMap(([type, path]) =>
    typeof path === 'string'
      ? [[type, readOrFail(path, () => files.readBytes(resolve(cwd, path), largestTemplate))] as const]
      : [],
  );
}

const bodyOfTexts = (texts: Texts): JsonObject =>
  Object.fromEntries(
    texts.map(([type, bytes]) =>
      type === templateTypes.html
        ? ['html', Buffer.from(bytes).toString('base64')]
        : ['plain', Buffer.from(bytes).toString()],
    ),
  );

/** Only the service sets these fields. */
const serviceFields = new Set(
  Object.entries(notifications.schema.properties ?? {}).flatMap(([field, { readOnly }]) =>
    readOnly === true ? [field] : [],
  ),
);

/** Creates or changes a template of the account or the whole service: first fields, then each text. */
export const customise =
  (resource: Resource) =>
  async (input: ParsedInput, context: Context): Promise<Result> => {
    const id = String(input.id);
    refuseUnnamed(resource, id);
    const change = operationFor(resource, 'change');
    const { html: _, text: __, id: ___, ...facts } = input;
    const given = await readInputBody(context, resource, change, facts);
    const texts = readTexts(input, context);
    if (Object.keys(given).length === 0 && texts.length === 0)
      throw new Failure('usage', 'No change was given.', {
        hint: 'Pass --subject, --from, --html FILE, --text FILE or a file with -f.',
      });
    const api = await context.api();
    const path = pathTo(resource, id);
    const isOfAll = resource !== notifications;
    const read = api.call({ operation: operationFor(resource, 'get'), path });
    const found = await (isOfAll ? ignoreMissing(read) : read);
    const before = found ? asRecord(resource, found.data) : {};
    const isOwn = isOfAll
      ? found !== undefined
      : before.account_overridden === true || before.account_defined === true;
    const kept = Object.entries(before).filter(([field]) => !serviceFields.has(field) && field !== 'id');
    const merged = { ...Object.fromEntries(kept), ...given };
    const call = isOwn
      ? { operation: change, path, data: merged }
      : { operation: operationFor(resource, 'customise'), data: { id, ...merged } };
    const calls = isOwn && Object.keys(given).length === 0 ? [] : [call];
    const uploads = texts.map(([type, bytes]) => ({
      operation: operationFor(resource, 'upload'),
      path,
      file: { type, bytes },
    }));
    if (context.options.dryRun)
      return dryRunResult(context, [
        ...calls.map((each) => ({ call: each, before })),
        ...uploads.map((each) => ({ call: each })),
      ]);
    for (const each of [...calls, ...uploads]) await api.call(each);
    const parts = [
      ...(calls.length > 0 ? ['new fields'] : []),
      ...texts.map(([type]) => `a new text of type ${type}`),
    ];
    return {
      kind: 'done',
      message: `Template ${id} of ${isOfAll ? 'the service' : 'the account'} now has ${parts.join(' and ')}.`,
      value: { id },
    };
  };

/** Returns the body of one mail: its texts, recipients and typed fields. */
export async function mailOf({ data }: Request, context: Context, input: ParsedInput): Promise<JsonObject> {
  const { to, allUsers } = input;
  return {
    ...bodyOfTexts(readTexts(input, context)),
    ...(isObject(data) ? data : {}),
    ...(Array.isArray(to) && to.length > 0 ? { to: { type: 'specified', email_addresses: [...to] } } : {}),
    ...(allUsers === true ? { user_type: 'all_users' } : {}),
  };
}
