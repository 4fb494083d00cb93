import {
  either,
  flag,
  freeObject,
  integer,
  mapOf,
  object,
  openObject,
  required,
  text,
  texts,
} from '../fields.ts';
import {
  collection,
  listOperation,
  type OperationRow,
  type OperationRows,
  resource,
  value,
} from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/devices';
const ofUser = '/accounts/{account_id}/users/{user_id}';

const off = { convention: { default: false } } as const;
const on = { convention: { default: true } } as const;

/** A programmable key of a phone. The value depends on the type. */
const keys = (doc: string) =>
  mapOf(
    openObject(
      {
        type: text('Type of the key', {
          convention: { enum: ['line', 'parking', 'personal_parking', 'presence', 'speed_dial'] },
        }),
      },
      'A key with its type and its value: a text, a number, or a label with a value',
      { convention: { required: ['type'] } },
    ),
    doc,
    { convention: { keyPattern: '^[0-9]+$' } },
  );

const provision = openObject(
  {
    combo_keys: keys('Programmable keys, by position'),
    endpoint_brand: text('Maker, such as yealink'),
    endpoint_family: text('Series, such as t4x'),
    endpoint_model: text('Model, such as t46s', { convention: { alsoType: ['array'] } }),
    feature_keys: keys('Feature keys, by position'),
    id: text('Template of the provisioner'),
  },
  'Settings for provisioning the phone',
);

const headers = (doc: string) => mapOf(text('Value of the header'), doc);

const sip = openObject(
  {
    custom_sip_headers: openObject(
      {
        in: headers('Headers added to calls from the device'),
        out: headers('Headers added to calls to the device'),
      },
      'SIP headers by name, for calls from and to the device',
    ),
    custom_sip_interface: text('Interface of the switch to send through'),
    expire_seconds: integer('Seconds between registrations', {
      shownAs: 'seconds',
      convention: { default: 300 },
    }),
    forward: text('Address of a proxy to send through'),
    ignore_completed_elsewhere: flag('Do not count calls answered elsewhere as missed'),
    invite_format: text('Format of the called address', {
      convention: {
        enum: ['username', 'npan', '1npan', 'e164', 'route', 'strip_plus', 'contact'],
        default: 'contact',
      },
    }),
    ip: text('Source address of the device (with method ip)'),
    method: text('Authentication method', { convention: { enum: ['password', 'ip'], default: 'password' } }),
    number: text('Number to show if invite_format is a number format', { dialled: true }),
    password: text('Password to register with', {
      secret: true,
      convention: { minLength: 5, maxLength: 32 },
    }),
    proxy: text('Proxy for calls to the device'),
    realm: text("Realm, if it differs from the account's", {
      convention: { minLength: 4, maxLength: 253, pattern: '^[.\\w_-]+$' },
    }),
    route: text('Address to call (device type sip_uri)'),
    static_invite: text('Number shown for all calls to the device'),
    static_route: text('Number dialed for all calls from the device'),
    transport: text('Transport: udp, tcp or tls'),
    username: text('User name to register with, unique in its realm', {
      convention: { minLength: 2, maxLength: 32 },
    }),
  },
  'Registration and addresses',
);

const sentText = value(text('Confirmation that it was sent'));

/** Content of a SIP NOTIFY request. */
const notice = object(
  {
    data: openObject(
      {
        event: text('Event, such as check-sync'),
        body: openObject(
          { content_type: text('Content type of the text'), data: text('Text to send') },
          'Text to send',
          { convention: { required: ['content_type', 'data'] } },
        ),
      },
      'Event and text',
      { convention: { required: ['event'] } },
    ),
  },
  'Message to the device',
  { convention: { required: ['data'] } },
);

const callQuery = [
  { name: 'number_filter', doc: 'true to remove punctuation from the number, false to keep it' },
  { name: 'auto_answer', doc: 'true to ask the phone to answer automatically' },
  { name: 'timeout', doc: 'Seconds to wait for an answer (default: 30)' },
  { name: 'cid-name', doc: 'Name shown to the callee' },
  { name: 'cid-number', doc: 'Number shown to the callee' },
] as const;

/** Calls ring the phones of a device or a user first, and then a number. POST waits for the outcome. */
const quickcalls = (suffix: '' | '-of-user', whose: string, of: `/${string}`): OperationRows => {
  const row = (method: 'POST' | 'GET', more: string): OperationRow => ({
    route: `${method} ${of}/quickcall/{number}`,
    query: callQuery,
    effect: 'write',
    repeat: 'never',
    reply: value(freeObject('The new call')),
    summary: `Ring the phone of a ${whose} and then call a number${more}`,
  });
  return {
    [`quickcall${suffix}`]: row('POST', ', and wait for it'),
    [`start-quickcall${suffix}`]: row('GET', ''),
  };
};

export const devices = resource({
  name: 'devices',
  singular: 'device',
  summary: 'Phones: SIP credentials, owners, forwarding, registration',
  order: 25,
  takesOwnId: true,
  naturalKeys: ['name', 'mac_address'],
  pricedAs: { category: 'devices', field: 'device_type', item: 'sip_device' },
  section: 'Conventions, Devices',
  doc: 'A device',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    device_type: text('Type of the device, fixed after creation', {
      option: 'type',
      examples: [
        'sip_device',
        'softphone',
        'smartphone',
        'cellphone',
        'landline',
        'fax',
        'ata',
        'sip_uri',
        'mobile',
        'application',
        'teammate',
      ],
    }),
    owner_id: text('User who owns it', {
      option: 'owner',
      ref: 'users',
      convention: { minLength: 32, maxLength: 32 },
    }),
    mac_address: text('Hardware address, stored as twelve hexadecimal digits', {
      option: 'mac',
      keptAs: 'hex digits',
    }),
    enabled: flag('Allow the device to register, call and be called', { option: true, ...on }),
    sip,
    call_forward: shared.callForward,
    call_recording: shared.userCallRecording,
    call_restriction: shared.callRestriction,
    call_waiting: shared.toggle('Call waiting'),
    caller_id: shared.callerId,
    caller_id_options: shared.callerIdOptions,
    contact_list: openObject({ exclude: flag('Leave the device out') }, 'Place in the contact list'),
    dial_plan: shared.dialPlan,
    do_not_disturb: shared.toggle('Do not disturb: refuse every call as busy'),
    exclude_from_queues: flag('Do not ring for calls of a queue', off),
    flags: shared.flagWords,
    formatters: shared.formatters,
    hotdesk: openObject(
      { users: mapOf(freeObject('Free object'), 'Users signed in on it', { keyRef: 'users' }) },
      'Hot desking',
    ),
    language: text('Language of the prompts, such as en-US', { option: true, names: 'language' }),
    media: shared.mediaField,
    metaflows: shared.metaflow,
    mobile: openObject({ mdn: text('Mobile number (device type mobile)', { dialled: true }) }, 'Mobile line'),
    music_on_hold: shared.musicOnHold(2048),
    mwi_unsolicited_updates: flag('Send message-waiting updates without a subscription', on),
    outbound_flags: either(
      texts('Flags that select carriers'),
      object(
        { dynamic: texts('Call properties whose values are flags'), static: texts('Words') },
        'Flags that select carriers, by type',
      ),
    ),
    presence_id: text('Presence id (default: the SIP user name)', { option: true }),
    provision,
    register_overwrite_notify: flag('Notify when another phone takes over the registration', off),
    ringtones: shared.ringtones,
    suppress_unregister_notifications: flag('Do not notify when the registration expires', off),
    timezone: text('Time zone, such as Europe/Zurich', { option: true, names: 'time-zone' }),
    username: text('SIP user name, in lists', { readOnly: true }),
    hotdesked: flag('The user is signed in on it by hotdesking (only in lists of a user)', {
      readOnly: true,
    }),
  }),
  required: [{ fields: ['name'], on: ['create', 'update'], source: 'convention' }],
  unique: [
    { field: 'mac_address', within: 'account', hexDigits: true },
    { field: 'sip.username', within: 'account', ignoreCase: true },
  ],
  columns: [
    'name',
    { header: 'TYPE', paths: ['device_type'] },
    'username',
    { header: 'MAC', paths: ['mac_address'] },
    'owner_id',
    'enabled',
    'id',
  ],
  sections: [{ order: 75 }],
  listFields: [
    'name',
    'username',
    'mac_address',
    'owner_id',
    'enabled',
    'device_type',
    'mobile',
    'call_recording',
    'flags',
  ],
  operations: [
    collection(),
    {
      status: {
        route: `GET ${path}/status`,
        reply: {
          kind: 'list',
          items: required(
            {
              device_id: text('Id of the device'),
              registered: flag('Always true: only registered devices are listed'),
            },
            'A registered device',
          ),
        },
        summary: 'List registered devices',
      },
      sync: {
        route: `POST ${path}/{device_id}/sync`,
        body: value(freeObject('Nothing')),
        bodyOptional: true,
        reply: sentText,
        summary: 'Ask a device to reload its settings; it may restart',
      },
      notify: {
        route: `PUT ${path}/{device_id}`,
        body: { kind: 'action', action: 'notify', data: notice },
        reply: sentText,
        summary: 'Send a NOTIFY to a device',
      },
    },
    quickcalls('', 'device', `${path}/{device_id}`),
    quickcalls('-of-user', 'user', ofUser),
    {
      'list-of-user': listOperation(
        `${ofUser}/devices`,
        'List the devices of a user, including those where the user is signed in',
      ),
      'create-below-user': {
        route: `PUT ${ofUser}/devices`,
        body: { kind: 'record' },
        summary: 'Create a device; the owner comes from the body, not from the path',
      },
    },
  ],
});
