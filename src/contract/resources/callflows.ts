import { anything, either, flag, freeObject, list, object, text, texts } from '../fields.ts';
import { collection, resource } from '../resource.ts';
import * as shared from '../structures.ts';

const ours = { source: 'convention' } as const;
const made = { ...ours, readOnly: true } as const;
const featurecode = object(
  {
    name: text('Name of the feature', { convention: { minLength: 1, maxLength: 128 } }),
    number: text('Code to dial', { convention: { minLength: 1, maxLength: 30 } }),
  },
  'Feature code that the callflow is',
);

export const callflows = resource({
  name: 'callflows',
  singular: 'callflow',
  summary: 'What happens to a call, by the number dialled',
  order: 40,
  takesOwnId: true,
  naturalKeys: ['name', 'numbers'],
  section: 'Resources and their fields, Callflow',
  listedIn: 'Endpoints, Account resources',
  doc: 'A callflow',
  fields: () => ({
    id: shared.id,
    name: text('Name', { option: true }),
    numbers: list(
      anything({ type: 'string', minLength: 1, maxLength: 36 }),
      'Numbers and extensions that lead here',
      { dialled: true, convention: { uniqueItems: true } },
    ),
    patterns: list(
      anything({ type: 'string', minLength: 1 }),
      'Regular expressions for numbers that lead here',
    ),
    flow: shared.flowNode,
    featurecode,
    flags: shared.flags,
    metaflow: shared.metaflow,
    ringback: object(
      { early: text('Played while it rings'), transfer: text('Played during a transfer') },
      'What the caller hears',
    ),
    type: text('What the program that made it uses it for: mainUserCallflow, main, conference, …', {
      source: 'convention',
    }),
    owner_id: text('User whom it belongs to', { ...ours, ref: 'users' }),
    group_id: text('Group that it belongs to', { ...ours, ref: 'groups' }),
    modules: texts('Modules of the flow', made),
    metadata: freeObject('Names of the records that the flow refers to', made),
  }),
  unique: [
    { field: 'numbers', within: 'account' },
    { field: 'patterns', within: 'account' },
  ],
  late: ['flow'],
  lines: [
    {
      flag: 'numbers',
      value: 'NUMBER,NUMBER',
      fields: ['numbers'],
      doc: 'Numbers that it takes: 2001,+14155550100',
    },
    {
      flag: 'pattern',
      value: 'EXPRESSION',
      fields: ['patterns'],
      doc: 'Regular expression for the numbers that it takes: "^9(\\d+)$"',
    },
    {
      flag: 'answers',
      value: 'KIND:NAME',
      fields: ['flow'],
      doc: 'What answers: user:alice, group:Sales, menu:Main, vmbox:2001, faxbox:Office',
    },
  ],
  columns: [
    'name',
    'numbers',
    { header: 'PATTERNS', paths: ['patterns'], show: 'list', sparse: true },
    'modules',
    'id',
  ],
  sections: [{ order: 130 }],
  inLists: { featurecode: either(featurecode, flag('False for none')) },
  listFields: [
    'name',
    'type',
    'numbers',
    'patterns',
    'featurecode',
    'owner_id',
    'group_id',
    'modules',
    'flags',
  ],
  operations: [collection({ documented: ['create'] })],
});
