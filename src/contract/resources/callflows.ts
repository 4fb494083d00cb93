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
  'Feature code of the callflow',
);

export const callflows = resource({
  name: 'callflows',
  singular: 'callflow',
  summary: 'Call routing, by dialed number',
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
      'Numbers and extensions that reach this callflow',
      { dialled: true, convention: { uniqueItems: true } },
    ),
    patterns: list(
      anything({ type: 'string', minLength: 1 }),
      'Regular expressions for numbers that reach this callflow',
    ),
    flow: shared.flowNode,
    featurecode,
    flags: shared.flagWords,
    metaflow: shared.metaflow,
    ringback: object(
      { early: text('Media played while the call rings'), transfer: text('Media played during a transfer') },
      'Ringback media for the caller',
    ),
    type: text('Purpose set by the program that created it: mainUserCallflow, main, conference, …', {
      source: 'convention',
    }),
    owner_id: text('User who owns it', { ...ours, ref: 'users' }),
    group_id: text('Group that owns it', { ...ours, ref: 'groups' }),
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
      doc: 'Numbers that reach it: 2001,+14155550100',
    },
    {
      flag: 'pattern',
      value: 'EXPRESSION',
      fields: ['patterns'],
      doc: 'Regular expression for numbers that reach it: "^9(\\d+)$"',
    },
    {
      flag: 'answers',
      value: 'KIND:NAME',
      fields: ['flow'],
      doc: 'Target that answers: user:alice, group:Sales, menu:Main, vmbox:2001, faxbox:Office',
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
