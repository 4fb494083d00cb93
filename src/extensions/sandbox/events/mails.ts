import { isObject, type JsonObject, objectsIn, textAt, textsIn, valueAt } from '../../../base/json.ts';
import { templateTypes } from '../../../contract/resources/notifications.ts';
import { readAttachedFile } from '../attached-files.ts';
import { pick, textsAt } from '../fields.ts';
import { gregorianSeconds, newId } from '../ids-and-secrets.ts';
import { buildPut } from '../placement.ts';
import type { Services } from '../services.ts';
import { newRecord, type Put, type Store, type StoreChange, type StoredRecord } from '../store/store.ts';
import type { Event } from './event.ts';

export interface Template {
  readonly id: string;
  readonly body: JsonObject;
  readonly texts: Readonly<Record<string, string>>;
  readonly own: StoredRecord | undefined;
}

export const systemScope = '';

type Reading = Pick<Services, 'store' | 'behaviour'>;

async function ownTexts({ store }: Reading, scope: string, id: string): Promise<Template['texts']> {
  const files = Object.values(templateTypes).map(async (type) => {
    const file = await readAttachedFile(store, { kind: 'notifications', scope, id }, type);
    return file ? [[type, Buffer.from(file.bytes).toString()] as const] : [];
  });
  return Object.fromEntries((await Promise.all(files)).flat());
}

/** Returns an inherited template, as shipped or as changed by the administrator. */
export async function systemTemplate(id: string, services: Reading): Promise<Template | undefined> {
  const { store, behaviour } = services;
  const shipped = behaviour.mails.mailer === 'kept' ? shippedTemplates.get(id) : undefined;
  const own = await store.get({ kind: 'notifications', scope: systemScope, id });
  if (!shipped && !own) return undefined;
  const texts = {
    ...(shipped ? shippedTexts(id) : {}),
    ...(own ? await ownTexts(services, systemScope, id) : {}),
  };
  return { id, body: { ...own?.body, ...(own ? pick(shipped ?? {}, givenFields) : shipped) }, texts, own };
}

/** Fields of a template that accounts cannot change. */
const givenFields = ['category', 'friendly_name', 'macros'];

/** Returns the template of an account, of its nearest ancestor with a template, or of the service. */
export async function findTemplate(
  account: StoredRecord,
  id: string,
  services: Reading,
): Promise<Template | undefined> {
  const system = await systemTemplate(id, services);
  let found: StoredRecord | undefined;
  let texts = system?.texts ?? {};
  for (const scope of [...textsAt(account.hidden, 'tree'), account.id]) {
    const record = await services.store.get({ kind: 'notifications', scope, id });
    if (!record) continue;
    found = record;
    texts = { ...texts, ...(await ownTexts(services, scope, id)) };
  }
  if (!found && !system) return undefined;
  const own = found?.scope === account.id ? found : undefined;
  return { id, body: { ...(found ?? system)?.body, ...pick(system?.body ?? {}, givenFields) }, texts, own };
}

async function administrators(store: Store, scope: string): Promise<readonly string[]> {
  const key = { field: 'administers', value: 'yes' };
  const users = await store.list({ kind: 'users', scope, key, limit: 100 });
  return users.flatMap(({ body }) => textAt(body, 'email') ?? []);
}

export interface Mail {
  readonly account: StoredRecord;
  readonly template: Template;
  /** Fields that replace those of the template in this mail. */
  readonly changes?: JsonObject;
  readonly user?: StoredRecord | undefined;
  /** Addresses of the event. They replace the user's address. */
  readonly addresses?: readonly string[] | undefined;
  /** Values of macros, in addition to those of account and user. */
  readonly values?: JsonObject;
  readonly atMs?: number;
}

/** Stores a mail as sent. No mail leaves the machine. Mails without recipients are not stored. */
export async function storeMail(
  { account, template, changes = {}, user, addresses, values = {}, atMs }: Mail,
  { store, clock, random }: Pick<Services, 'store' | 'clock' | 'random'>,
): Promise<readonly Put[]> {
  const body: JsonObject = { ...template.body, ...changes };
  const receivers = async (field: string): Promise<readonly string[]> => {
    const said = isObject(body[field]) ? body[field] : {};
    if (said.type === 'specified') return textsAt(said, 'email_addresses');
    if (said.type === 'admins') return administrators(store, account.id);
    if (said.type === 'original' && addresses !== undefined) return addresses;
    return said.type === 'original' && user
      ? [user].flatMap(({ body: { email } }) => (typeof email === 'string' ? [email] : []))
      : [];
  };
  const emails = { to: await receivers('to'), cc: await receivers('cc'), bcc: await receivers('bcc') };
  const [to] = emails.to;
  if (to === undefined) return [];
  const macros: JsonObject = {
    account: pick(account.body, ['name', 'realm']),
    user: pick(user?.body ?? {}, ['first_name', 'last_name', 'email', 'username']),
    system: { hostname: 'sandbox' },
    ...values,
  };
  const plain = textAt(changes, 'plain');
  const html = textAt(changes, 'html');
  const texts = {
    ...template.texts,
    ...(plain === undefined ? {} : { [templateTypes.text]: plain }),
    ...(html === undefined ? {} : { [templateTypes.html]: Buffer.from(html, 'base64').toString() }),
  };
  const now = atMs === undefined ? gregorianSeconds(clock) : gregorianSeconds({ ...clock, now: () => atMs });
  const month = new Date(atMs ?? clock.now()).toISOString().slice(0, 7).replace('-', '');
  const facts = {
    template_id: template.id,
    from: renderTemplate(textAt(body, 'from') ?? '', macros),
    to,
    subject: renderTemplate(textAt(body, 'subject') ?? '', macros),
    created: now,
    receipt: '250 kept',
    emails: { to: [...emails.to], cc: [...emails.cc], bcc: [...emails.bcc] },
    macros,
    account_id: account.id,
    rendered_templates: Object.fromEntries(
      Object.entries(texts).map(([type, text]) => [type, renderTemplate(text, macros)]),
    ),
  };
  const name = { kind: 'mails', scope: account.id, id: `${month}-${newId(random)}` };
  return [buildPut(newRecord(name, facts, now), 'mails')];
}

/** Returns the mails of events: one for each notification with an enabled template. */
export async function createMails(
  events: readonly Event[],
  services: Pick<Services, 'store' | 'clock' | 'random' | 'behaviour'>,
): Promise<readonly StoreChange[]> {
  const { store, behaviour } = services;
  if (behaviour.mails.mailer === 'none') return [];
  const sent: StoreChange[] = [];
  for (const { hook, accountId, modifiers = {}, payload, atMs } of events) {
    if (hook !== 'notifications' || modifiers.type === undefined) continue;
    const account = await store.get({ kind: 'accounts', scope: '', id: accountId });
    const named = modifiers.type === 'cf_notification' ? textAt(payload, 'template_id') : undefined;
    const type = named ?? otherNames.get(modifiers.type) ?? modifiers.type;
    const template = account && (await findTemplate(account, type, services));
    if (!account || !template || template.body.enabled === false) continue;
    const user = await userOfEvent(payload, accountId, store);
    const values = { [String(template.body.category)]: pick(payload, Object.keys(payload)) };
    const addresses = await namedAddresses(payload, accountId, store);
    const letter = { account, template, user, addresses, values, ...(atMs ? { atMs } : {}) };
    sent.push(...(await storeMail(letter, services)));
  }
  return sent;
}

/** Returns the email addresses of a callflow step. Returns `undefined` if the event has none. */
async function namedAddresses(
  { recipients }: JsonObject,
  scope: string,
  store: Store,
): Promise<readonly string[] | undefined> {
  if (!Array.isArray(recipients)) return undefined;
  const found: string[] = [];
  for (const { type, id } of objectsIn(recipients))
    for (const each of Array.isArray(id) ? textsIn(id) : textsIn([id ?? null])) {
      const user = type === 'user' ? await store.get({ kind: 'users', scope, id: each }) : undefined;
      const address = type === 'user' ? textAt(user?.body ?? {}, 'email') : each;
      if (address !== undefined) found.push(address);
    }
  return found;
}

/** Returns the user that an event is about: the user in the event, or the owner of its mailbox or fax box. */
async function userOfEvent(
  payload: JsonObject,
  scope: string,
  store: Store,
): Promise<StoredRecord | undefined> {
  const readById = async (kind: string, id: unknown): Promise<StoredRecord | undefined> =>
    typeof id === 'string' ? store.get({ kind, scope, id }) : undefined;
  const box =
    (await readById('vmboxes', payload.voicemail_box)) ??
    (await readById('faxboxes', valueAt(payload, 'faxbox_id')));
  return (
    (await readById('users', payload.user_id ?? payload.owner_id)) ?? readById('users', box?.body.owner_id)
  );
}

type Receiver = 'original' | 'admins' | 'specified';

/** Templates that services ship, by category and recipients (Conventions, template ids). */
const shipped: Readonly<Record<string, Readonly<Partial<Record<Receiver, readonly string[]>>>>> = {
  account: {
    original: ['number_feature_manual_action', 'topup'],
    admins: [
      'account_zone_change',
      'bill_reminder',
      'cnam_request',
      'denied_emergency_bridge',
      'emergency_bridge',
      'low_balance',
      'new_account',
      'service_added',
      'transaction',
      'transaction_failed',
    ],
  },
  user: { original: ['customer_update', 'new_user', 'password_recovery'] },
  fax: {
    original: [
      'fax_inbound_error_to_email_filtered',
      'fax_inbound_to_email',
      'fax_outbound_error_to_email',
      'fax_outbound_smtp_error_to_email',
      'fax_outbound_to_email',
    ],
    specified: ['fax_inbound_error_to_email'],
  },
  port_request: {
    original: [
      'port_cancel',
      'port_comment',
      'port_pending',
      'port_rejected',
      'port_request',
      'port_scheduled',
      'port_unconfirmed',
      'ported',
    ],
  },
  sip: { original: ['missed_call'], admins: ['first_occurrence'] },
  registration: { admins: ['deregister'] },
  voicemail: { original: ['voicemail_deleted', 'voicemail_full', 'voicemail_to_email'] },
  webhook: { admins: ['webhook_disabled'] },
};

/** Notification types whose template has a different name. */
const otherNames = new Map([
  ['voicemail_new', 'voicemail_to_email'],
  ['voicemail_saved', 'voicemail_to_email'],
  ['inbound_fax', 'fax_inbound_to_email'],
  ['outbound_fax', 'fax_outbound_to_email'],
  ['inbound_fax_error', 'fax_inbound_error_to_email'],
  ['outbound_fax_error', 'fax_outbound_error_to_email'],
]);

/** Groups of macros that all templates have, with their descriptions. */
const macros = {
  'account.name': 'Name of the account',
  'account.realm': 'Realm of the account',
  'user.first_name': 'First name of the user',
  'user.last_name': 'Last name of the user',
  'system.hostname': 'Host that sends the mail',
};

const friendlyName = (id: string): string =>
  id.replace(/^./, (first) => first.toUpperCase()).replaceAll('_', ' ');

export const shippedTemplates: ReadonlyMap<string, JsonObject> = new Map(
  Object.entries(shipped).flatMap(([category, byReceiver]) =>
    Object.entries(byReceiver).flatMap(([type, ids]) =>
      ids.map((id): readonly [string, JsonObject] => [
        id,
        {
          category,
          friendly_name: friendlyName(id),
          enabled: true,
          template_charset: 'utf-8',
          from: 'no_reply@sandbox.example',
          subject: `{{account.name}}: ${friendlyName(id)}`,
          to: { type },
          macros: Object.fromEntries(
            Object.entries(macros).map(([name, doc]) => [name, { friendly_name: doc, description: doc }]),
          ),
        },
      ]),
    ),
  ),
);

const shippedTexts = (id: string): Readonly<Record<string, string>> => ({
  [templateTypes.text]: `${friendlyName(id)}, for {{user.first_name}} of {{account.name}}.\n`,
  [templateTypes.html]: `<p>${friendlyName(id)}, for {{user.first_name}} of {{account.name}}.</p>\n`,
});

/** Fills in macros. Macros without a value become empty. */
const renderTemplate = (template: string, values: JsonObject): string =>
  template.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => {
    const found = valueAt(values, name);
    return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
  });
