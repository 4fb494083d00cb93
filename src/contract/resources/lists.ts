import { text } from '../fields.ts';
import { collection } from '../operations.ts';
import { resource } from '../resource.ts';
import * as shared from '../structures.ts';

/** Named sets of numbers and patterns, by which callflows tell callers apart (Conventions, Lists). */
export const lists = resource({
  name: 'lists',
  singular: 'match_list',
  summary: 'Lists of callers, by which callflows tell them apart',
  order: 72,
  idParameter: 'list_id',
  takesOwnId: true,
  naturalKeys: ['name'],
  section: 'Conventions, lists and blacklists',
  doc: 'A list of callers',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    description: text('Description', { option: true, convention: { minLength: 1, maxLength: 128 } }),
    org: text('Company, for vCards', { option: true }),
    list_type: text('Type, any word', { option: true }),
  }),
  required: [{ fields: ['name'], on: ['create', 'update'], source: 'convention' }],
  columns: [
    { header: 'NAME', paths: ['name'] },
    { header: 'DESCRIPTION', paths: ['description'] },
    { header: 'TYPE', paths: ['list_type'], sparse: true },
    { header: 'ID', paths: ['id'], show: 'id' },
  ],
  sections: [{ order: 14 }],
  listFields: ['name', 'description', 'list_type'],
  operations: [collection({ singular: 'list' })],
});
