import {
  anything,
  either,
  flag,
  freeObject,
  integer,
  list,
  object,
  openObject,
  text,
  texts,
} from '../fields.ts';
import { collection, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

const ours = { source: 'convention' } as const;
const off = { convention: { default: false } } as const;
const on = { convention: { default: true } } as const;

export const vmboxes = resource({
  name: 'vmboxes',
  singular: 'vmbox',
  summary: 'Voicemail boxes: numbers, PINs, notifications',
  order: 100,
  idParameter: 'vm_box_id',
  takesOwnId: true,
  naturalKeys: ['mailbox', 'name'],
  pricedAs: { category: 'voicemails', item: 'mailbox' },
  section: 'Resources and their fields, Voicemail box',
  listedIn: 'Endpoints, Account resources',
  doc: 'A voicemail box',
  fields: () => ({
    id: shared.id,
    mailbox: text('Number of the mailbox', {
      option: true,
      keptAs: 'number',
      dialled: 'extension',
      convention: { minLength: 1, maxLength: 30 },
    }),
    name: shared.name,
    announcement_only: flag('Play a greeting without taking messages', off),
    check_if_owner: flag("Owner's call goes to the messages", on),
    delete_after_notify: flag('Delete a message after it is sent', off),
    flags: shared.flagWords,
    include_message_on_notify: flag('Attach the recording', on),
    include_transcription_on_notify: flag('Attach the transcription', on),
    is_setup: flag('The owner has set up the mailbox', off),
    is_voicemail_ff_rw_enabled: flag('Allow the owner to fast-forward and rewind', off),
    media: openObject(
      {
        unavailable: text('Media id of the greeting', {
          ...ours,
          ref: 'media',
          convention: { minLength: 32, maxLength: 32 },
        }),
      },
      'Greetings',
    ),
    media_extension: text('File format of the messages', {
      convention: { enum: ['mp3', 'mp4', 'wav'], default: 'mp3' },
    }),
    not_configurable: flag('Prevent the owner from changing settings', off),
    notify: shared.notify,
    notify_email_addresses: list(
      anything({ type: 'string', format: 'email' }),
      'E-mail addresses to notify of a new message',
    ),
    oldest_message_first: flag('Play the oldest message first', off),
    operator_number: integer('Number of the operator that callers can reach instead', {
      dialled: true,
      convention: { alsoType: ['string'] },
    }),
    owner_id: shared.ownerId,
    pin: text('PIN of the box', { secret: true, convention: { minLength: 4, maxLength: 6 } }),
    require_pin: flag('Ask for the PIN', { option: true, convention: { default: false } }),
    save_after_notify: flag('Save a message after it is sent', off),
    seek_duration_ms: integer('Length of a fast-forward or rewind, in milliseconds', {
      shownAs: 'milliseconds',
      convention: { minimum: 0, default: 10_000 },
    }),
    skip_envelope: flag('Skip the date and the number', off),
    skip_greeting: flag('Skip the greeting', off),
    skip_instructions: flag('Skip the instructions', off),
    timezone: text('Time zone, such as Europe/Zurich', {
      option: true,
      names: 'time-zone',
      convention: { minLength: 5, maxLength: 32 },
    }),
    transcribe: flag('Transcribe messages', { option: true, convention: { default: false } }),
    messages: integer('Number of messages', { ...ours, readOnly: true }),
    folders: freeObject('Number of new and saved messages', { ...ours, readOnly: true }),
  }),
  required: [
    { fields: ['mailbox', 'name'], on: ['update'], source: 'specification' },
    { fields: ['mailbox', 'name'], on: ['create'], source: 'convention' },
  ],
  unique: [{ field: 'mailbox', within: 'account', countsDigits: true }],
  columns: ['mailbox', 'name', 'owner_id', 'messages', 'id'],
  sections: [{ order: 80 }],
  listOrder: ['name'],
  listFields: ['name', 'mailbox', 'owner_id', 'messages', 'folders', 'flags'],
  operations: [collection({ documented: ['update'] })],
});

const messagesPath = '/accounts/{account_id}/vmboxes/{vm_box_id}/messages';
const made = { ...ours, readOnly: true } as const;
export const messageFolders = ['new', 'saved', 'deleted'] as const;
const folder = text('Folder of the message', { ...ours, option: true, convention: { enum: messageFolders } });

/** Results of a change of many messages. */
const outcome = object(
  {
    succeeded: texts('Ids of the changed messages', ours),
    failed: either(
      list(freeObject('The reason, by id'), 'Messages that failed, with the reason', ours),
      freeObject('The reasons, by id', ours),
    ),
  },
  'Result',
);

const chosen = object(
  { messages: texts('Ids of the messages (default: all messages of the mailbox)', ours), folder },
  'Messages to move, and the target folder',
);

/** The specification has no messages. The operations are conventions. */
export const messages = resource({
  name: 'messages',
  singular: 'message',
  summary: 'Messages in a voicemail box',
  order: 110,
  idElsewhere: 'media_id',
  section: 'Conventions, voicemail boxes',
  doc: 'A voicemail message',
  fields: () => ({
    id: shared.id,
    media_id: text('Id of the recording, and of the message', made),
    folder,
    timestamp: integer('Time of the message, in Gregorian seconds', { ...ours, shownAs: 'moment' }),
    from: text('Address of the caller', ours),
    to: text('Address of the callee', ours),
    caller_id_name: text('Name of the caller', { ...ours, option: true, convention: { maxLength: 35 } }),
    caller_id_number: text('Number of the caller', {
      ...ours,
      option: true,
      dialled: true,
      convention: { maxLength: 35 },
    }),
    call_id: text('Call id of the message', ours),
    length: integer('Length, in milliseconds', {
      ...ours,
      shownAs: 'milliseconds',
      convention: { minimum: 0 },
    }),
    transcription: object(
      {
        result: text('Result of the transcription', {
          ...ours,
          convention: { enum: ['success', 'error'] },
        }),
        text: text('What is said', ours),
      },
      'Transcription of the message',
      ours,
    ),
  }),
  columns: [
    'folder',
    { header: 'LEFT', paths: ['timestamp'], show: 'time', sparse: true },
    { header: 'FROM', paths: ['caller_id_number'] },
    { header: 'NAME', paths: ['caller_id_name'] },
    'length',
    'id',
  ],
  commandWords: ['vmboxes', 'messages'],
  absent: { manifests: 'A message is not a setting', page: 'Messages are shown with their mailbox' },
  listOrder: 'created',
  listFields: [
    'media_id',
    'folder',
    'timestamp',
    'from',
    'to',
    'caller_id_name',
    'caller_id_number',
    'call_id',
    'length',
    'transcription',
  ],
  operations: [
    collection({
      path: messagesPath,
      section: 'Conventions, voicemail boxes',
      without: ['patch'],
      except: {
        create: { summary: 'Leave a message in a box' },
        update: { body: { kind: 'partial' }, summary: 'Move a message' },
      },
    }),
    {
      'move-all': {
        route: `POST ${messagesPath}`,
        body: value(chosen),
        reply: value(outcome),
        summary: 'Move several messages to a folder',
      },
      'delete-all': {
        route: `DELETE ${messagesPath}`,
        query: [{ name: 'folder', doc: 'Only the messages in this folder' }],
        reply: value(outcome),
        summary: 'Delete the messages of a box',
      },
    },
  ],
});
