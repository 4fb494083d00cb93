import { anyReference, flag, list, mapOf, object, openObject, text, texts } from '../fields.ts';
import { collection, resource } from '../resource.ts';
import * as shared from '../structures.ts';

const ours = { source: 'convention' } as const;
const path = '/accounts/{account_id}/users';
const addressTypes = ['dom', 'postal', 'intl', 'parcel', 'home', 'work', 'pref'];
const mediaId = text('Media id', { ref: 'media', convention: { maxLength: 128 } });

export const users = resource({
  name: 'users',
  singular: 'user',
  summary: 'People: names, passwords, forwarding, voicemail settings',
  order: 20,
  naturalKeys: ['username'],
  pricedAs: { category: 'users', field: 'priv_level', item: 'user' },
  refusesTag: ['POST'],
  section: 'Resources and their fields, User',
  listedIn: 'Endpoints, Account resources',
  doc: 'A user',
  fields: () => ({
    id: shared.id,
    username: text('Name to sign in with, stored in lowercase', {
      option: true,
      keptAs: 'lower case',
      signIn: true,
      convention: { minLength: 1, maxLength: 256, pattern: '^([+@.\\w_-]+)$' },
    }),
    password: text('Password; a change ends all tokens of the user', { secret: true, writeOnly: true }),
    first_name: text('Given name', { option: true, convention: { minLength: 1, maxLength: 128 } }),
    last_name: text('Family name', { option: true, convention: { minLength: 1, maxLength: 128 } }),
    email: text('E-mail address', {
      option: true,
      signIn: true,
      convention: { minLength: 3, maxLength: 254, format: 'email' },
    }),
    priv_level: text('Role in the account', {
      option: true,
      does: 'privileges',
      convention: { enum: ['user', 'admin'], default: 'user' },
    }),
    enabled: flag('Allow the user to sign in and place calls', {
      option: true,
      signIn: true,
      convention: { default: true },
    }),
    timezone: text('Time zone, such as Europe/Zurich', { option: true, names: 'time-zone' }),
    language: text('Language, such as en-US', { option: true, names: 'language' }),
    presence_id: text('Number or name under which the user publishes presence', { option: true }),
    feature_level: text('Feature level of the user'),
    require_password_update: flag('Require a new password at the next sign-in', {
      does: 'sign-in',
      convention: { default: false },
    }),
    verified: flag('E-mail address was verified', { convention: { default: false } }),
    vm_to_email_enabled: flag('Send voicemail by e-mail', { option: true, convention: { default: true } }),
    call_forward: shared.callForward,
    call_recording: shared.userCallRecording,
    call_restriction: shared.callRestriction,
    call_waiting: shared.toggle('Call waiting'),
    caller_id: shared.callerId,
    caller_id_options: shared.callerIdOptions,
    contact_list: openObject({ exclude: flag('Leave the user out', ours) }, 'Place in the contact list'),
    dial_plan: shared.dialPlan,
    directories: mapOf(anyReference('callflows'), 'Directories the user is in: directory id to callflow id', {
      keyRef: 'directories',
    }),
    do_not_disturb: shared.toggle('Do not disturb'),
    flags: shared.flagWords,
    formatters: shared.formatters,
    hotdesk: openObject(
      {
        enabled: flag('Allow signing in on any phone', { ...ours, convention: { default: false } }),
        id: text('Number to sign in with', { ...ours, convention: { maxLength: 15 } }),
        keep_logged_in_elsewhere: flag('Stay signed in on other phones', {
          ...ours,
          convention: { default: false },
        }),
        pin: text('PIN to sign in with', {
          ...ours,
          secret: true,
          convention: { minLength: 4, maxLength: 15 },
        }),
        require_pin: flag('Ask for the PIN', { ...ours, convention: { default: false } }),
      },
      'Hot desking',
    ),
    media: shared.mediaField,
    metaflows: shared.metaflow,
    music_on_hold: shared.musicOnHold(128),
    queues: list(
      text('Id of a queue', { ...ours, ref: 'queues' }),
      'Queues whose calls the user answers',
      ours,
    ),
    profile: object(
      {
        addresses: list(
          object(
            {
              address: text('Address'),
              types: list(
                text('A kind', { convention: { enum: addressTypes } }),
                'Types: home, work, postal, …',
              ),
            },
            'An address',
          ),
          'Addresses',
        ),
        assistant: text('Assistant'),
        birthday: text('Birthday'),
        nicknames: texts('Nicknames'),
        note: text('Note'),
        role: text('Role'),
        'sort-string': text('Sort by this'),
        title: text('Title'),
      },
      'Personal details, as in a vCard',
    ),
    pronounced_name: object({ media_id: mediaId }, 'Recording of the name'),
    ringtones: shared.ringtones,
    voicemail: object({ notify: shared.notify }, 'Voicemail settings'),
    features: texts('Enabled features', { ...ours, readOnly: true }),
  }),
  required: [{ fields: ['first_name', 'last_name'], on: ['create', 'update'], source: 'convention' }],
  // The service stores only digests of username and password (Conventions, users).
  together: [{ fields: ['username', 'password'], source: 'convention' }],
  unique: [
    { field: 'username', within: 'account', ignoreCase: true },
    { field: 'hotdesk.id', within: 'account' },
  ],
  late: ['directories'],
  columns: [
    'username',
    { header: 'NAME', paths: ['first_name', 'last_name'] },
    'email',
    { header: 'ROLE', paths: ['priv_level'] },
    'enabled',
    'id',
  ],
  sections: [{ order: 70 }],
  listOrder: ['last_name', 'first_name'],
  listFields: [
    'features',
    'username',
    'email',
    'first_name',
    'last_name',
    'priv_level',
    'feature_level',
    'presence_id',
    'timezone',
    'call_recording',
    'flags',
    'enabled',
  ],
  operations: [
    collection({
      documented: ['patch'],
      except: { patch: { section: 'Endpoints, Authentication and tokens' } },
    }),
    {
      vcard: {
        route: `GET ${path}/{user_id}/vcard`,
        source: 'specification',
        accepts: ['text/x-vcard', 'text/directory'],
        summary: "Show a user's vCard",
      },
    },
  ],
});
