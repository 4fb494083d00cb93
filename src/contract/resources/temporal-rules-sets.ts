import { list, text, texts } from '../fields.ts';
import { collection } from '../operations.ts';
import { resource } from '../resource.ts';
import * as shared from '../structures.ts';

export const temporal_rules_sets = resource({
  name: 'temporal_rules_sets',
  singular: 'temporal rule set',
  plural: 'temporal rule sets',
  summary: 'Temporal rules that callflows test together, such as all holidays',
  order: 64,
  idParameter: 'set_id',
  takesOwnId: true,
  naturalKeys: ['name'],
  section: 'Conventions, Temporal rules',
  doc: 'A set of temporal rules',
  fields: () => ({
    id: shared.id,
    name: text('Name', { option: true, convention: { minLength: 1, maxLength: 128 } }),
    temporal_rules: list(
      text('Id of a rule', { ref: 'temporal_rules' }),
      'Its rules, in the order in which they are tested',
      { convention: { minItems: 1 } },
    ),
    flags: shared.flags,
    rules: texts('Its rules, as lists name them', { readOnly: true }),
  }),
  required: [{ fields: ['name'], on: ['create', 'update'], source: 'convention' }],
  columns: [
    { header: 'NAME', paths: ['name'] },
    { header: 'RULES', paths: ['rules'], show: 'count' },
    { header: 'ID', paths: ['id'], show: 'id' },
  ],
  commandWords: ['temporal-rule-sets'],
  sections: [{ order: 124 }],
  listFields: ['name', 'rules', 'flags'],
  operations: [collection({ plural: 'temporal rule sets' })],
});
