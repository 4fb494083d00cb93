import { type JsonObject, valueAt } from '../../base/json.ts';
import { templateTypes } from '../../contract/resources/notifications.ts';

type Receiver = 'original' | 'admins' | 'specified';

/** Templates that services ship, by category and by whom the mails go to (Conventions, template ids). */
const shipped: Readonly<Record<string, Readonly<Partial<Record<Receiver, readonly string[]>>>>> = {
  account: {
    original: ['number_feature_manual_action', 'topup'],
    admins: [
      ...['account_zone_change', 'bill_reminder', 'cnam_request', 'denied_emergency_bridge'],
      ...['emergency_bridge', 'low_balance', 'new_account', 'service_added', 'transaction'],
      'transaction_failed',
    ],
  },
  user: { original: ['customer_update', 'new_user', 'password_recovery'] },
  fax: {
    original: [
      ...['fax_inbound_error_to_email_filtered', 'fax_inbound_to_email', 'fax_outbound_error_to_email'],
      ...['fax_outbound_smtp_error_to_email', 'fax_outbound_to_email'],
    ],
    specified: ['fax_inbound_error_to_email'],
  },
  port_request: {
    original: [
      ...['port_cancel', 'port_comment', 'port_pending', 'port_rejected', 'port_request'],
      ...['port_scheduled', 'port_unconfirmed', 'ported'],
    ],
  },
  sip: { original: ['missed_call'], admins: ['first_occurrence'] },
  registration: { admins: ['deregister'] },
  voicemail: { original: ['voicemail_deleted', 'voicemail_full', 'voicemail_to_email'] },
  webhook: { admins: ['webhook_disabled'] },
};

/** Types of notifications whose mails have a template of another name. */
const otherNames = new Map([
  ['voicemail_new', 'voicemail_to_email'],
  ['voicemail_saved', 'voicemail_to_email'],
  ['inbound_fax', 'fax_inbound_to_email'],
  ['outbound_fax', 'fax_outbound_to_email'],
  ['inbound_fax_error', 'fax_inbound_error_to_email'],
  ['outbound_fax_error', 'fax_outbound_error_to_email'],
]);

/** Groups of macros that all templates have, and what they stand for. */
const macros = {
  'account.name': 'Name of the account',
  'account.realm': 'Realm of the account',
  'user.first_name': 'First name of the user',
  'user.last_name': 'Last name of the user',
  'system.hostname': 'Host that sends the mail',
};

const wordsOf = (id: string): string => id.replace(/^./, (first) => first.toUpperCase()).replaceAll('_', ' ');

/** The templates of the service, by their ids. */
export const shippedTemplates: ReadonlyMap<string, JsonObject> = new Map(
  Object.entries(shipped).flatMap(([category, byReceiver]) =>
    Object.entries(byReceiver).flatMap(([type, ids]) =>
      ids.map((id): readonly [string, JsonObject] => [
        id,
        {
          ...{ category, friendly_name: wordsOf(id), enabled: true, template_charset: 'utf-8' },
          ...{ from: 'no_reply@sandbox.example', subject: `{{account.name}}: ${wordsOf(id)}`, to: { type } },
          macros: Object.fromEntries(
            Object.entries(macros).map(([name, doc]) => [name, { friendly_name: doc, description: doc }]),
          ),
        },
      ]),
    ),
  ),
);

/** The texts of a template of the service, by content type. */
export const shippedTexts = (id: string): Readonly<Record<string, string>> => ({
  [templateTypes.text]: `${wordsOf(id)}, for {{user.first_name}} of {{account.name}}.\n`,
  [templateTypes.html]: `<p>${wordsOf(id)}, for {{user.first_name}} of {{account.name}}.</p>\n`,
});

export const templateOf = (type: string): string => otherNames.get(type) ?? type;

/** A text with its macros filled in; those without a value become nothing. */
export const rendered = (template: string, values: JsonObject): string =>
  template.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (_, name: string) => {
    const found = valueAt(values, name);
    return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
  });
