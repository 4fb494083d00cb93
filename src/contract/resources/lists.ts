import { integer, object, text } from '../fields.ts';
import { collection, resource } from '../resource.ts';
import * as shared from '../structures.ts';

/** Callflows distinguish callers by these sets of numbers and patterns (Conventions, Lists). */
export const lists = resource({
  name: 'lists',
  singular: 'match_list',
  summary: 'Lists of callers that callflows match against',
  order: 72,
  idParameter: 'list_id',
  takesOwnId: true,
  naturalKeys: ['name'],
  section: 'Conventions, lists and blacklists',
  doc: 'A list of callers',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    description: text('Description', { ...option, ...named }),
    org: text('Company, for vCards', { option: true }),
    list_type: text('Type, any word', { option: true }),
  }),
  required: [{ fields: ['name'], on: ['create', 'update'], source: 'convention' }],
  columns: ['name', 'description', { header: 'TYPE', paths: ['list_type'], sparse: true }, 'id'],
  sections: [{ order: 14 }],
  listFields: ['name', 'description', 'list_type'],
  operations: [collection({ singular: 'list' })],
});

const option = { option: true } as const;
const named = { convention: { minLength: 1, maxLength: 128 } } as const;
const entriesPath = '/accounts/{account_id}/lists/{list_id}/entries';

export const list_entries = resource({
  name: 'list_entries',
  singular: 'list_entry',
  summary: 'Entries of a list of callers',
  order: 73,
  idParameter: 'entry_id',
  section: 'Conventions, lists and blacklists',
  doc: 'An entry of a list',
  fields: () => ({
    id: shared.id,
    list_id: text('List of the entry', { ref: 'lists' }),
    number: text("First digits of the caller's number", {
      ...option,
      dialled: 'extension',
    }),
    prefix: text("First digits of the caller's number, like number", { ...option, dialled: 'extension' }),
    pattern: text('Regular expression for the whole number', option),
    regexp: text('Regular expression that takes precedence over pattern'),
    name: text('Name to show for the caller', option),
    displayname: text('Nickname', named),
    firstname: text('First name', named),
    lastname: text('Last name', named),
    middlename: text('Middle name'),
    type: text('Type, any word', { ...option, ...named }),
    capture_group_key: text('Code that a caller dials to select the entry'),
    capture_group_length: integer('Length of the code, in digits'),
    profile: object({ note: text('Note') }, 'Profile', { convention: { default: {} } }),
  }),
  columns: [
    'number',
    { header: 'PREFIX', paths: ['prefix'], sparse: true },
    { header: 'PATTERN', paths: ['pattern'], sparse: true },
    'name',
    'id',
  ],
  commandWords: ['lists', 'entries'],
  leftOutAs: 'entries of lists',
  absent: {
    manifests: 'Import entries from a spreadsheet with lists entries import',
    page: 'Entries belong to their list',
  },
  listFields: [
    'list_id',
    'capture_group_key',
    'capture_group_length',
    'name',
    'number',
    'pattern',
    'prefix',
    'regexp',
    'type',
  ],
  operations: [
    collection({
      path: entriesPath,
      singular: 'entry of a list',
      except: { list: { summary: 'List the entries of a list' } },
    }),
    {
      clear: {
        route: `DELETE ${entriesPath}`,
        reply: { kind: 'list' },
        summary: 'Remove all entries of a list',
      },
    },
  ],
});
