import { anyReference, flag, integer, list, openValue, text } from '../fields.ts';
import { collection, resource } from '../resource.ts';
import * as shared from '../structures.ts';

export const directories = resource({
  name: 'directories',
  singular: 'directory',
  summary: 'Dial by name',
  order: 70,
  takesOwnId: true,
  naturalKeys: ['name'],
  section: 'Resources and their fields, Directory',
  listedIn: 'Endpoints, Account resources',
  doc: 'A directory',
  fields: () => ({
    id: shared.id,
    name: text('Name', { option: true, convention: { minLength: 1 } }),
    confirm_match: flag('Ask before connecting', { option: true, convention: { default: true } }),
    flags: shared.flagWords,
    max_dtmf: integer('Maximum number of keys that a caller presses (0 for unlimited)', {
      convention: { minimum: 0, default: 0 },
    }),
    min_dtmf: integer('Minimum number of keys that a caller presses', {
      convention: { minimum: 1, default: 3 },
    }),
    search_fields: text('Names to search', {
      option: true,
      convention: { enum: ['first_name', 'last_name', 'both'] },
    }),
    sort_by: text('Sort order of the matches', {
      option: true,
      convention: { enum: ['first_name', 'last_name'], default: 'last_name' },
    }),
    users: list(
      openValue({
        user_id: anyReference('users', 'User'),
        callflow_id: anyReference('callflows', 'Callflow that reaches the user'),
      }),
      'Users in the directory, each with the callflow that reaches the user',
      { workedOut: true },
    ),
  }),
  required: [{ fields: ['name'], on: ['create', 'update'], source: 'convention' }],
  columns: ['name', 'flags', 'id'],
  sections: [{ order: 110 }],
  listFields: ['name', 'flags'],
  operations: [collection({ documented: ['patch'] })],
});
