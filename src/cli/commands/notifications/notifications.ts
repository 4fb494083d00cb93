import { resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { troubleWith } from '../../../base/system-trouble.ts';
import { counted } from '../../../base/wording.ts';
import { accounts } from '../../../contract/resources/accounts.ts';
import { mails } from '../../../contract/resources/mails.ts';
import { largestTemplate, notifications, templateTypes } from '../../../contract/resources/notifications.ts';
import type { Resource } from '../../../contract/types.ts';
import type { InputOf, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { act } from '../act.ts';
import { recordsOfTime } from '../cdrs/list.ts';
import { wouldSend } from '../change.ts';
import { asRecord, findNamed, operationFor, pathTo, refuseUnnamed } from '../generic/find-named.ts';
import { readBody } from '../generic/input.ts';
import type {
  customerMailOptions,
  mailOptions,
  previewOptions,
  showOptions,
  templateArguments,
} from './commands.ts';

type None = Record<never, never>;
type Texts = readonly (readonly [type: string, bytes: Uint8Array])[];

/** The texts that files give, by content type. Throws `Failure` for a file that cannot be read. */
function textsOf({ html, text }: ParsedInput, { host: { files, cwd } }: Context): Texts {
  const given = [
    [templateTypes.html, html],
    [templateTypes.text, text],
  ] as const;
  return given.flatMap(([type, path]) => {
    if (typeof path !== 'string') return [];
    try {
      return [[type, files.readBytes(resolve(cwd, path), largestTemplate)] as const];
    } catch (error) {
      throw new Failure('usage', `${path} cannot be read: ${troubleWith(error)}.`, { cause: error });
    }
  });
}

/** Texts as they stand in the data of one mail. */
const asData = (texts: Texts): JsonObject =>
  Object.fromEntries(
    texts.map(([type, bytes]) =>
      type === templateTypes.html
        ? ['html', Buffer.from(bytes).toString('base64')]
        : ['plain', Buffer.from(bytes).toString()],
    ),
  );

/** Prints a text of a template. */
export const templateText =
  (resource: Resource) =>
  async (
    { id, html }: InputOf<typeof showOptions, typeof templateArguments>,
    context: Context,
  ): Promise<Result> => {
    refuseUnnamed(resource, id);
    const accept = html ? templateTypes.html : templateTypes.text;
    const api = await context.api();
    const call = { operation: operationFor(resource, 'get'), path: pathTo(resource, id), accept };
    const { text, bytes } = await api.call(call);
    const found = text ?? (bytes === undefined ? undefined : Buffer.from(bytes).toString());
    if (found === undefined) throw new Failure('not_found', `Template ${id} has no text of type ${accept}.`);
    return { kind: 'document', foreign: true, text: found, value: { id, type: accept, text: found } };
  };

/** Fields of a template that only the service makes. */
const made = new Set(
  Object.entries(notifications.schema.properties ?? {}).flatMap(([field, { readOnly }]) =>
    readOnly === true ? [field] : [],
  ),
);

/** Makes or changes a template, the account's own or that of the whole service: facts first, then each text. */
export const customise =
  (resource: Resource) =>
  async (input: ParsedInput, context: Context): Promise<Result> => {
    const id = String(input.id);
    refuseUnnamed(resource, id);
    const change = operationFor(resource, 'change');
    const { html: _, text: __, id: ___, ...facts } = input;
    const given = await readBody(context, resource, change, facts);
    const texts = textsOf(input, context);
    if (Object.keys(given).length === 0 && texts.length === 0)
      throw new Failure('usage', 'Nothing to change was given.', {
        hint: 'Give --subject, --from, --html FILE, --text FILE or a file with -f.',
      });
    const api = await context.api();
    const path = pathTo(resource, id);
    const isOfAll = resource !== notifications;
    const found = await api
      .call({ operation: operationFor(resource, 'get'), path })
      .catch((error: unknown) => {
        if (isOfAll && error instanceof Failure && error.kind === 'not_found') return undefined;
        throw error;
      });
    const before = found ? asRecord(resource, found.data) : {};
    const isOwn = isOfAll
      ? found !== undefined
      : before.account_overridden === true || before.account_defined === true;
    const kept = Object.entries(before).filter(([field]) => !made.has(field) && field !== 'id');
    const merged = { ...Object.fromEntries(kept), ...given };
    const call = isOwn
      ? { operation: change, path, data: merged }
      : { operation: operationFor(resource, 'customise'), data: { id, ...merged } };
    const calls = isOwn && Object.keys(given).length === 0 ? [] : [call];
    const uploads = texts.map(([type, bytes]) => ({
      ...{ operation: operationFor(resource, 'upload'), path, file: { type, bytes } },
    }));
    if (context.options.dryRun) {
      const { schema } = resource;
      return wouldSend(context, [
        ...calls.map((each) => ({ request: api.plan(each), schema, before })),
        ...uploads.map((each) => ({ request: api.plan(each), schema })),
      ]);
    }
    for (const each of [...calls, ...uploads]) await api.call(each);
    const parts = [
      ...(calls.length > 0 ? ['its facts'] : []),
      ...texts.map(([type]) => `the text of type ${type}`),
    ];
    return {
      kind: 'done',
      message: `Template ${id} of ${isOfAll ? 'the service' : 'the account'} has ${parts.join(' and ')} now.`,
      value: { id },
    };
  };

async function agreed(context: Context, question: string): Promise<void> {
  if (context.options.dryRun || (await context.ask.confirm(question, { option: '--yes' }))) return;
  throw new Failure('interrupted', 'Nothing was changed.');
}

/** Removes the account's own version of a template. */
export async function restore(
  { id }: InputOf<None, typeof templateArguments>,
  context: Context,
): Promise<Result> {
  refuseUnnamed(notifications, id);
  await agreed(context, `Remove the account's own version of template ${id}?`);
  return act(context, {
    call: { operation: operationFor(notifications, 'restore'), path: pathTo(notifications, id) },
    message: () => `Template ${id} is the service's again.`,
    resource: 'notifications',
  });
}

/** Removes, or replaces by copies, all of the account's own templates. */
export const forAll =
  (verb: 'restore-all' | 'use-system') =>
  async (_: unknown, context: Context): Promise<Result> => {
    const isRemoval = verb === 'restore-all';
    await agreed(
      context,
      isRemoval
        ? "Remove all of the account's own templates?"
        : "Replace all of the account's own templates?",
    );
    return act(context, {
      call: { operation: operationFor(notifications, verb) },
      message: (data) =>
        `${isRemoval ? 'Removed' : 'Replaced'} ${counted(isObject(data) ? Object.keys(data).length : 0, 'template')}.`,
    });
  };

/** Sends a mail with sample values. */
export async function preview(
  input: InputOf<typeof previewOptions, typeof templateArguments>,
  context: Context,
): Promise<Result> {
  const { id, to = [], subject } = input;
  refuseUnnamed(notifications, id);
  const data = {
    ...asData(textsOf(input, context)),
    ...(to.length === 0 ? {} : { to: { type: 'specified', email_addresses: [...to] } }),
    ...(subject === undefined ? {} : { subject }),
  };
  return act(context, {
    call: { operation: operationFor(notifications, 'preview'), path: pathTo(notifications, id), data },
    message: () => `A mail of template ${id} is on its way; see telctl notifications mails list.`,
  });
}

/** Sends a mail to customers. */
export async function mailCustomers(
  input: InputOf<typeof customerMailOptions>,
  context: Context,
): Promise<Result> {
  const { subject, from, to, allUsers } = input;
  const texts = asData(textsOf(input, context));
  const recipient = to === undefined ? undefined : (await findNamed(context, accounts, to)).id;
  await agreed(context, `Send this mail to the people of ${to ?? 'all accounts right below'}?`);
  return act(context, {
    call: {
      operation: operationFor(notifications, 'tell-customers'),
      data: {
        ...{ subject, ...texts },
        ...(from === undefined ? {} : { from }),
        ...(recipient === undefined ? {} : { recipient_id: recipient }),
        ...(allUsers ? { user_type: 'all_users' } : {}),
      },
    },
    message: () => 'The mails are on their way.',
  });
}

/** Lists mails of a range of time. */
export async function listMails(input: InputOf<typeof mailOptions>, context: Context): Promise<ListResult> {
  const { since, until } = input;
  const items = recordsOfTime(context, mails, { verb: 'list', range: { since, until }, query: {} });
  return { kind: 'list', items, resource: 'mails', noun: 'mails' };
}
