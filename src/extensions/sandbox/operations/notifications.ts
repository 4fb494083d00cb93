import { isObject, type JsonObject, textAt } from '../../../base/json.ts';
import { templateTypes } from '../../../contract/resources/notifications.ts';
import { attachFile, removeAttachedFile } from '../attached-files.ts';
import { answerList, createdInRange, removeRecord, wholeList } from '../collections/collection.ts';
import { shownAnswer, validateRecord, writableFields, write } from '../collections/records.ts';
import {
  findTemplate,
  shippedTemplates,
  storeMail,
  systemScope,
  systemTemplate,
  type Template,
} from '../events/mails.ts';
import { pick, withoutKeys } from '../fields.ts';
import { invalid, missingFields, Refusal, serviceFault, unknownId } from '../refusal.ts';
import { filterOfQuery } from '../requests/query.ts';
import {
  accountOf,
  pathParameter,
  type RequestHandler,
  type RequestHandlers,
  recordIn,
  recordsIn,
  type ServiceRequest,
  storedDescendants,
} from '../requests/service-request.ts';
import type { RecordName, StoredRecord } from '../store/store.ts';

const types = Object.values(templateTypes);
const hasMailer = ({ services }: ServiceRequest): boolean => services.behaviour.mails.mailer === 'kept';
const notificationId = (call: ServiceRequest): string => pathParameter(call, 'notification_id');

/** Returns the name of a template in responses that use stored names. */
const storedName = (id: string, { services }: ServiceRequest): string =>
  services.behaviour.mails.storedNames ? `notification.${id}` : id;

const ownTemplates = (call: ServiceRequest, scope = accountOf(call).id): Promise<readonly StoredRecord[]> =>
  call.services.store.list({ kind: 'notifications', scope });

/** Returns the template in the path. Refuses an unknown template. Without a mailer, this is a server error. */
async function namedTemplate(call: ServiceRequest): Promise<Template> {
  const template = await findTemplate(accountOf(call), notificationId(call), call.services);
  if (template) return template;
  throw hasMailer(call) ? unknownId(notificationId(call)) : serviceFault('init failed');
}

const overrideMark = ({ id, own }: Template, call: ServiceRequest): JsonObject => {
  if (!own) return {};
  return hasMailer(call) && shippedTemplates.has(id)
    ? { account_overridden: true }
    : { account_defined: true };
};

async function systemIds(call: ServiceRequest): Promise<readonly string[]> {
  const own = (await ownTemplates(call, systemScope)).map(({ id }) => id);
  return [...(hasMailer(call) ? shippedTemplates.keys() : []), ...own];
}

function templateList(
  call: ServiceRequest,
  templates: readonly Template[],
  shownWith: (template: Template) => JsonObject,
) {
  const wants = filterOfQuery(call.query, call.services.behaviour);
  const items = templates.flatMap((template): readonly JsonObject[] => {
    const item = pick(template.body, ['category', 'friendly_name', 'macros', 'enabled']);
    return wants(item) ? [{ id: template.id, ...item, ...shownWith(template) }] : [];
  });
  return wholeList(items);
}

const list: RequestHandler = async (call) => {
  const own = (await ownTemplates(call)).map(({ id }) => id);
  const ids = [...new Set([...(await systemIds(call)), ...own])].toSorted();
  const found = await Promise.all(ids.map((id) => findTemplate(accountOf(call), id, call.services)));
  const templates = found.filter((template) => template !== undefined);
  return templateList(call, templates, (template) =>
    pick(overrideMark(template, call), ['account_overridden']),
  );
};

/** Returns the accepted text of a template, or its fields. */
function shownTemplate(call: ServiceRequest, { id, body, texts, own }: Template, marks: JsonObject) {
  const wanted = call.accept.split(',').map((each) => each.trim().split(';')[0] ?? '');
  const type = types.find((each) => wanted.includes(each));
  if (type !== undefined) {
    const text = hasMailer(call) || own ? texts[type] : undefined;
    if (text === undefined)
      throw new Refusal(406, 'not_acceptable', 'The template has no text of this type.');
    return { data: {}, text: { type, body: text } };
  }
  const sizes = Object.entries(texts).map(([each, text]) => [each, { length: Buffer.byteLength(text) }]);
  const data = { id, ...body, ...marks, templates: Object.fromEntries(sizes) };
  return own ? { data, record: own } : { data };
}

const get: RequestHandler = async (call) => {
  const template = await namedTemplate(call);
  return shownTemplate(call, template, overrideMark(template, call));
};

const saveTemplate = async (call: ServiceRequest, place: RecordName | StoredRecord, body: JsonObject) =>
  shownAnswer(call, 'notifications', await write(call, 'notifications', place, body));

/** Returns the sent template with its id. Refuses (400) an invalid template. */
function newTemplate(call: ServiceRequest): { readonly id: string; readonly sent: JsonObject } {
  const sent = writableFields(call, 'notifications');
  validateRecord(call, 'notifications', sent, 'create');
  const id = textAt(call.data, 'id');
  if (!id) throw missingFields(['id'], call.services.behaviour);
  return { id, sent };
}

const customise: RequestHandler = async (call) => {
  const { action } = call.envelope;
  if (typeof action === 'string')
    throw invalid([{ path: action, rule: 'forbidden', message: 'is not an action', cause: action }]);
  const { id, sent } = newTemplate(call);
  const name = { kind: 'notifications', scope: accountOf(call).id, id };
  if (await call.services.store.get(name))
    throw new Refusal(409, 'datastore_conflict', 'The account already has its own version of this template.');
  return { ...(await saveTemplate(call, name, sent)), created: storedName(id, call) };
};

/** Writes the account's version of the template in the path. Without `data`, it copies the inherited template. */
async function writeOwn(call: ServiceRequest, data: JsonObject | undefined) {
  const { id, body, own } = await namedTemplate(call);
  const inherited = withoutKeys(body, (field) => ['category', 'friendly_name', 'macros'].includes(field));
  const name = own ?? { kind: 'notifications', scope: accountOf(call).id, id };
  return saveTemplate(call, name, data ?? inherited);
}

const change: RequestHandler = (call) => writeOwn(call, writableFields(call, 'notifications'));

async function keepText(call: ServiceRequest, record: StoredRecord): Promise<void> {
  const { file } = call;
  const type = types.find((each) => each === file?.type);
  if (!file || type === undefined)
    throw new Refusal(415, 'unsupported_media_type', `A template text must be one of ${types.join(', ')}.`);
  const kept = { type, name: `${record.id}.${type.split('/')[1]}`, bytes: file.bytes };
  await attachFile(call, record, kept, type);
}

const upload: RequestHandler = async (call) => {
  const { data, record } = await writeOwn(call, undefined);
  await keepText(call, record);
  return { data: { ...data, id: storedName(record.id, call) }, record };
};

function removeTexts(call: ServiceRequest, record: StoredRecord): void {
  for (const type of types) removeAttachedFile(call, record, type);
}

async function remove(call: ServiceRequest, record: StoredRecord) {
  removeTexts(call, record);
  return removeRecord(call, 'notifications', record);
}

const restore: RequestHandler = async (call) => {
  const id = notificationId(call);
  const own = await recordIn(call, 'notifications', id);
  if (!own) throw unknownId(storedName(id, call));
  return remove(call, own);
};

const restoreAll: RequestHandler = async (call) => {
  const own = await ownTemplates(call);
  for (const record of own) await remove(call, record);
  return { data: Object.fromEntries(own.map(({ id }) => [id, 'deleted'])) };
};

const useSystem: RequestHandler = async (call) => {
  const own = (await ownTemplates(call)).filter(({ id }) => shippedTemplates.has(id));
  for (const before of own) {
    const body = shippedTemplates.get(before.id) ?? {};
    await saveTemplate(call, before, writableFields(call, 'notifications', body));
    removeTexts(call, before);
  }
  return { data: Object.fromEntries(own.map(({ id }) => [id, 'replaced'])) };
};

const noMailer = () => serviceFault('The service has no mailer.');

const preview: RequestHandler = async (call) => {
  if (!hasMailer(call)) throw noMailer();
  const template = await namedTemplate(call);
  const mail = { account: accountOf(call), template, changes: call.data, user: call.principal?.user };
  call.changes.push(...(await storeMail(mail, call.services)));
  return { data: 'Notification processing' };
};

const mailCustomers: RequestHandler = async (call) => {
  if (!hasMailer(call)) throw noMailer();
  const wanted = textAt(call.data, 'recipient_id');
  const changes = { ...call.data, to: isObject(call.data.to) ? call.data.to : { type: 'original' } };
  const userType = textAt(call.data, 'user_type') ?? 'admins_only';
  for (const account of await storedDescendants(call, 'parent')) {
    if (wanted !== undefined && account.id !== wanted) continue;
    const template = await findTemplate(account, 'customer_update', call.services);
    const users = await recordsIn({ ...call, account }, 'users');
    const isRecipient = ({ id: each, body }: StoredRecord): boolean =>
      userType === 'all_users' ||
      each === userType ||
      (userType === 'admins_only' && body.priv_level === 'admin');
    for (const user of users.filter(isRecipient))
      if (template)
        call.changes.push(...(await storeMail({ account, template, changes, user }, call.services)));
  }
  return { data: 'Notification processing' };
};

const systemId = (call: ServiceRequest): string => pathParameter(call, 'system_notification_id');

async function namedSystemTemplate(call: ServiceRequest): Promise<Template> {
  const template = await systemTemplate(systemId(call), call.services);
  if (template) return template;
  throw unknownId(systemId(call));
}

const writeSystem = (call: ServiceRequest, id: string, body: JsonObject, own?: StoredRecord) =>
  saveTemplate(call, own ?? { kind: 'notifications', scope: systemScope, id }, body);

/** Templates that all accounts inherit (Conventions, Notifications). */
const systemHandlers: RequestHandlers = {
  'system_notifications.list': async (call) => {
    const ids = [...new Set(await systemIds(call))].toSorted();
    if (ids.length === 0 && !hasMailer(call))
      throw new Refusal(503, 'datastore_fault', 'The service could not read its store.', {});
    const found = await Promise.all(ids.map((id) => systemTemplate(id, call.services)));
    return templateList(
      call,
      found.filter((template) => template !== undefined),
      () => ({}),
    );
  },
  'system_notifications.get': async (call) => shownTemplate(call, await namedSystemTemplate(call), {}),
  'system_notifications.customise': async (call) => {
    const { id, sent } = newTemplate(call);
    if (await systemTemplate(id, call.services))
      throw new Refusal(409, 'datastore_conflict', 'The template already exists.');
    return { ...(await writeSystem(call, id, sent)), created: storedName(id, call) };
  },
  'system_notifications.change': async (call) => {
    const { id, own } = await namedSystemTemplate(call);
    return writeSystem(call, id, writableFields(call, 'notifications'), own);
  },
  'system_notifications.upload': async (call) => {
    const { id, own, body } = await namedSystemTemplate(call);
    const record = own ?? (await writeSystem(call, id, writableFields(call, 'notifications', body))).record;
    await keepText(call, record);
    return shownAnswer(call, 'notifications', record);
  },
};

export const notificationHandlers: RequestHandlers = {
  // Templates of emails (Conventions, Notifications).
  ...systemHandlers,
  'notifications.list': list,
  'notifications.get': get,
  'notifications.customise': customise,
  'notifications.change': change,
  'notifications.upload': upload,
  'notifications.restore': restore,
  'notifications.restore-all': restoreAll,
  'notifications.use-system': useSystem,
  'notifications.preview': preview,
  'notifications.tell-customers': mailCustomers,
  // Sent emails (Conventions, SMTP log).
  'mails.list': async (call) => answerList(call, 'mails', { has: createdInRange(call) }),
};
