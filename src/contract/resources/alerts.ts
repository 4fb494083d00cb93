import { flag, freeObject, integer, list, object, text } from '../fields.ts';
import { collection, resource } from '../resource.ts';
import * as shared from '../structures.ts';

const made = { readOnly: true } as const;

const whom = (doc: string) =>
  list(
    object(
      {
        type: text('account, user, role or all', {
          convention: { enum: ['account', 'user', 'role', 'all'] },
        }),
        value: text('Id of the account or user, or the role'),
      },
      'Somebody',
    ),
    doc,
  );

/** Alerts of the service: what is due, what is blocked, what its operator says (Conventions, Alerts). */
export const alerts = resource({
  name: 'alerts',
  singular: 'alert',
  summary: 'News of the service: low balances, ports that wait, notes of its operator',
  order: 188,
  naturalKeys: ['title'],
  section: 'Conventions, Alerts',
  doc: 'News',
  fields: () => ({
    id: shared.id,
    title: text('Title', { option: true }),
    message: text('What it says', { option: true }),
    category: text('Category', { option: true, examples: ['low_balance', 'port_action_required'] }),
    level: text('How grave it is', { option: true }),
    metadata: freeObject('Facts about it'),
    from: whom('Who says it'),
    to: whom('Who is to read it'),
    clearable: flag('It may be removed', made),
    expiration_date: integer('When it ends by itself, in Gregorian seconds', {
      option: true,
      shownAs: 'moment',
    }),
    created: integer('When it was made, in Gregorian seconds', { ...made, shownAs: 'moment' }),
  }),
  required: [{ fields: ['title', 'message', 'from', 'to'], on: ['create'], source: 'convention' }],
  lines: [
    {
      flag: 'from',
      value: 'KIND:ID',
      fields: ['from'],
      doc: 'Who says it: account:ID, user:ID, role:admin, all',
    },
    {
      flag: 'to',
      value: 'KIND:ID',
      fields: ['to'],
      doc: 'Who is to read it: account:ID, user:ID, role:admin, all',
    },
  ],
  columns: ['category', 'title', { header: 'MESSAGE', paths: ['message'], show: 'sentence' }, 'id'],
  absent: { manifests: 'News are no settings', trial: 'only super administrators make them' },
  operations: [collection({ without: ['update', 'patch'], except: { create: { role: 'super' } } })],
});
