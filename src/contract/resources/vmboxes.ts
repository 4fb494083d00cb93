import { anything, flag, freeObject, integer, list, openObject, text } from '../fields.ts';
import { collection } from '../operations.ts';
import { resource } from '../resource.ts';
import * as shared from '../structures.ts';

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
    mailbox: text('Number of the box', {
      option: true,
      keptAs: 'number',
      convention: { minLength: 1, maxLength: 30 },
    }),
    name: shared.name,
    announcement_only: flag('Plays a greeting, takes no message', off),
    check_if_owner: flag("Owner's call goes to the messages", on),
    delete_after_notify: flag('Delete a message once it was sent', off),
    flags: shared.flags,
    include_message_on_notify: flag('Send the recording along', on),
    include_transcription_on_notify: flag('Send the transcription along', on),
    is_setup: flag('Owner has set it up', off),
    is_voicemail_ff_rw_enabled: flag('Owner may wind forward and back', off),
    media: openObject(
      {
        unavailable: text('Media id of the greeting', {
          source: 'convention',
          ref: 'media',
          convention: { minLength: 32, maxLength: 32 },
        }),
      },
      'Greetings',
    ),
    media_extension: text('File format of the messages', {
      convention: { enum: ['mp3', 'mp4', 'wav'], default: 'mp3' },
    }),
    not_configurable: flag('Owner may not change it', off),
    notify: shared.notify,
    notify_email_addresses: list(
      anything({ type: 'string', format: 'email' }),
      'Addresses told of a new message',
    ),
    oldest_message_first: flag('Play the oldest message first', off),
    operator_number: integer('Number that callers reach instead', { convention: { alsoType: ['string'] } }),
    owner_id: shared.ownerId,
    pin: text('PIN of the box', { secret: true, convention: { minLength: 4, maxLength: 6 } }),
    require_pin: flag('Ask for the PIN', { option: true, convention: { default: false } }),
    save_after_notify: flag('Save a message once it was sent', off),
    seek_duration_ms: integer('How far to wind, in milliseconds', {
      shownAs: 'milliseconds',
      convention: { minimum: 0, default: 10_000 },
    }),
    skip_envelope: flag('Say no date and number', off),
    skip_greeting: flag('Play no greeting', off),
    skip_instructions: flag('Play no instructions', off),
    timezone: text('Time zone, such as Europe/Zurich', {
      option: true,
      names: 'time-zone',
      convention: { minLength: 5, maxLength: 32 },
    }),
    transcribe: flag('Transcribe messages', { option: true, convention: { default: false } }),
    messages: integer('How many messages there are', { source: 'convention', readOnly: true }),
    folders: freeObject('How many messages are new and saved', { source: 'convention', readOnly: true }),
  }),
  required: [
    { fields: ['mailbox', 'name'], on: ['update'], source: 'specification' },
    { fields: ['mailbox', 'name'], on: ['create'], source: 'convention' },
  ],
  unique: [{ field: 'mailbox', within: 'account', countsDigits: true }],
  columns: [
    { header: 'MAILBOX', paths: ['mailbox'] },
    { header: 'NAME', paths: ['name'] },
    { header: 'OWNER', paths: ['owner_id'], show: 'id', refers: 'users' },
    { header: 'MESSAGES', paths: ['messages'] },
    { header: 'ID', paths: ['id'], show: 'id' },
  ],
  sections: [{ order: 80 }],
  listOrder: ['name'],
  listFields: ['name', 'mailbox', 'owner_id', 'messages', 'folders', 'flags'],
  operations: [collection({ documented: ['update'] })],
});
