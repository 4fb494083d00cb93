import { flag, integer, openObject, text } from '../fields.ts';
import { collection, resource } from '../resource.ts';
import * as shared from '../structures.ts';

const ours = { source: 'convention' } as const;
const expression = { convention: { minLength: 1, maxLength: 256 } } as const;
const prompt = (doc: string) =>
  text(doc, { ...ours, ref: 'media', convention: { alsoType: ['boolean'], minLength: 3, maxLength: 2048 } });

export const menus = resource({
  name: 'menus',
  singular: 'menu',
  summary: 'Menus that callers choose from',
  order: 60,
  takesOwnId: true,
  naturalKeys: ['name'],
  section: 'Resources and their fields, Menu',
  listedIn: 'Endpoints, Account resources',
  doc: 'A menu',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    allow_record_from_offnet: flag('Allow recording the greeting from outside', {
      convention: { default: false },
    }),
    flags: shared.flagWords,
    hunt: flag('Allow callers to dial extensions', { option: true, convention: { default: true } }),
    hunt_allow: text('Regular expression for allowed extensions', expression),
    hunt_deny: text('Regular expression for refused extensions', expression),
    interdigit_timeout: integer('Wait for the next digit, in milliseconds', {
      shownAs: 'milliseconds',
      convention: { minimum: 1, maximum: 10_000 },
    }),
    max_extension_length: integer('Maximum number of digits in an extension', {
      option: true,
      convention: { minimum: 1, maximum: 6, default: 4 },
    }),
    media: openObject(
      {
        greeting: text('Media id of the greeting', {
          ...ours,
          ref: 'media',
          convention: { minLength: 3, maxLength: 2048 },
        }),
        exit_media: prompt('Media played when the caller leaves'),
        invalid_media: prompt('Media played on an invalid choice'),
        transfer_media: prompt('Media played before a transfer'),
      },
      'Media of the menu',
    ),
    record_pin: text('PIN to record the greeting', {
      secret: true,
      convention: { minLength: 3, maxLength: 6 },
    }),
    retries: integer('Number of attempts for a caller', {
      option: true,
      convention: { minimum: 1, maximum: 10, default: 3 },
    }),
    suppress_media: flag('Play nothing', { convention: { default: false } }),
    timeout: integer('Wait for the first digit, in milliseconds', {
      shownAs: 'milliseconds',
      option: true,
      convention: { minimum: 1, maximum: 60_000 },
    }),
  }),
  required: [
    { fields: ['name'], on: ['update'], source: 'specification' },
    { fields: ['name'], on: ['create'], source: 'convention' },
  ],
  columns: ['name', 'flags', 'id'],
  sections: [{ order: 90 }],
  listFields: ['name', 'flags'],
  operations: [collection({ documented: ['update'] })],
});
