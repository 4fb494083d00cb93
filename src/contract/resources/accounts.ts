import { apiKey } from '../envelope.ts';
import { flag, freeObject, integer, list, number, object, openObject, text, texts } from '../fields.ts';
import { collection, listOperation, resource, showOperation, value } from '../resource.ts';
import * as shared from '../structures.ts';

const ours = { source: 'convention' } as const;
const path = '/accounts/{account_id}';
const made = { ...ours, readOnly: true } as const;
const threshold = integer('Amount', { convention: { alsoType: ['number'] } });

export const accounts = resource({
  name: 'accounts',
  singular: 'account',
  summary: 'Customers: names, realms, defaults for their users and devices, API keys',
  order: 10,
  keepsLeftOut: true,
  refusesTag: ['POST'],
  storesRefused: true,
  naturalKeys: ['name', 'realm'],
  section: 'Resources and their fields, Account',
  listedIn: 'Endpoints, Account resources',
  doc: 'An account',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    realm: text('SIP realm, unique across the service', {
      option: true,
      keptAs: 'lower case',
      convention: { minLength: 4, maxLength: 253, pattern: '^[.\\w-]+$' },
    }),
    org: text('Organization', { option: true }),
    language: text('Language, such as en-US', { option: true, names: 'language' }),
    timezone: text('Time zone, such as Europe/Zurich', {
      option: true,
      names: 'time-zone',
      convention: { minLength: 5, maxLength: 32 },
    }),
    enabled: flag('Allow users to sign in and place calls', {
      option: true,
      signIn: true,
      convention: { default: true },
    }),
    blacklists: list(text('Id of a blacklist', { ref: 'blacklists' }), 'Active blacklists', {
      source: 'convention',
    }),
    call_recording: shared.accountCallRecording,
    call_restriction: shared.callRestriction,
    call_waiting: shared.toggle('Call waiting'),
    caller_id: shared.callerId,
    caller_id_options: shared.accountCallerIdOptions,
    dial_plan: shared.dialPlan,
    do_not_disturb: shared.toggle('Do not disturb'),
    flags: shared.flagWords,
    formatters: shared.formatters,
    metaflows: shared.metaflow,
    music_on_hold: shared.musicOnHold(2048),
    notifications: object(
      {
        first_occurrence: object(
          {
            sent_initial_call: flag('The notification about the first call was sent', {
              convention: { default: false },
            }),
            sent_initial_registration: flag('Notice of the first registration was sent', {
              convention: { default: false },
            }),
          },
          'Notifications about first events',
        ),
        low_balance: object(
          {
            enabled: flag('Send notices'),
            last_notification: integer('Time of the last notification'),
            sent_low_balance: flag('A notification was sent'),
            threshold,
          },
          'Notifications about a low balance',
        ),
      },
      'Notifications to the account',
    ),
    preflow: openObject(
      { always: text('Callflow that handles every call first', { ...ours, ref: 'callflows' }) },
      'Callflow that runs before all others',
      { convention: { additionalProperties: false } },
    ),
    ringtones: shared.ringtones,
    topup: object({ threshold }, 'Automatic top-up'),
    voicemail: object({ notify: shared.notify }, 'Voicemail settings'),
    zones: freeObject('Zones: home'),
    descendants_count: integer('Number of accounts below it', made),
    tree: texts('Accounts above it, from the top', made),
    created: integer('Time of creation, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    is_reseller: flag('Sells to the accounts below it', made),
    reseller_id: text('Account of its reseller', { ...made, ref: 'accounts' }),
    superduper_admin: flag('The account of the super administrator', made),
    wnm_allow_additions: flag('May add numbers', made),
    billing_mode: text('Billing mode', made),
    notification_preference: text('Way in which notifications are created', made),
    trial_time_left: number('Seconds until the trial ends', { ...made, shownAs: 'seconds' }),
  }),
  required: [
    { fields: ['name'], on: ['update'], source: 'specification' },
    { fields: ['name'], on: ['create'], source: 'convention' },
  ],
  unique: [
    { field: 'realm', within: 'service', ignoreCase: true },
    { field: 'name', within: 'service', ignoreCase: true, lettersAndDigits: true },
  ],
  columns: ['name', 'realm', { header: 'BELOW', paths: ['descendants_count'] }, 'id'],
  sections: [
    { order: 10 },
    {
      name: 'account_settings',
      shape: 'one',
      order: 20,
      calls: { get: 'get', patch: 'patch', replace: 'update' },
    },
  ],
  absent: {
    portable: 'Names and realms of accounts are unique across the service',
    page: 'Each account has its own page',
  },
  listOrder: ['name'],
  listFields: ['name', 'realm', 'descendants_count', 'flags'],
  operations: [
    {
      list: listOperation(`${path}/children`, 'List the accounts directly below an account'),
      descendants: listOperation(`${path}/descendants`, 'List all accounts below an account'),
      tree: listOperation(
        `${path}/tree`,
        "List the accounts from the caller's account to the parent of an account",
      ),
      parents: listOperation(`${path}/parents`, 'List the accounts above an account, from the top'),
      promote: {
        route: `PUT ${path}/reseller`,
        repeat: 'idempotent',
        does: ['privileges'],
        role: 'super',
        summary: 'Make an account a reseller of the accounts below it',
      },
      demote: {
        route: `DELETE ${path}/reseller`,
        does: ['privileges'],
        role: 'super',
        summary: 'Demote a reseller; its customers move to the reseller above it',
      },
    },
    collection({
      path: '/accounts',
      documented: ['update'],
      without: ['list'],
      except: {
        create: { route: `PUT ${path}`, summary: 'Create an account below another' },
        delete: { asks: { name: 'account' }, does: ['privileges'] },
      },
    }),
    {
      'api-key': showOperation(`${path}/api_key`, "Show the account's API key", apiKey, {
        source: 'specification',
        section: 'Endpoints, Authentication and tokens',
        errors: 'legacy',
        does: ['shows-secrets'],
        role: 'admin',
      }),
      'rotate-api-key': {
        route: `POST ${path}/api_key`,
        source: 'specification',
        section: 'Endpoints, Authentication and tokens',
        errors: 'legacy',
        does: ['sign-in', 'shows-secrets'],
        effect: 'destructive',
        repeat: 'never',
        body: value(freeObject('Nothing')),
        bodyOptional: true,
        reply: value(apiKey),
        role: 'admin',
        summary: "Replace the account's API key; the old one stops working immediately",
      },
      'put-api-key': {
        route: `PUT ${path}/api_key`,
        errors: 'legacy',
        does: ['sign-in', 'shows-secrets'],
        effect: 'destructive',
        repeat: 'never',
        body: value(freeObject('Nothing')),
        reply: value(apiKey),
        role: 'admin',
        summary:
          "Replace the account's API key by PUT, if the service expects that; the old one stops working immediately",
      },
    },
  ],
});
