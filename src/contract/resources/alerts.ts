import { flag, freeObject, integer, list, object, text } from '../fields.ts';
import { collection, resource } from '../resource.ts';
import * as shared from '../structures.ts';

const made = { readOnly: true } as const;

const recipients = (doc: string) =>
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

export const alerts = resource({
  name: 'alerts',
  singular: 'alert',
  summary: 'Alerts of the service: low balances, pending ports, notes from its operator',
  order: 188,
  naturalKeys: ['title'],
  section: 'Conventions, Alerts',
  doc: 'An alert',
  fields: () => ({
    id: shared.id,
    title: text('Title', { option: true }),
    message: text('What it says', { option: true }),
    category: text('Category', { option: true, examples: ['low_balance', 'port_action_required'] }),
    level: text('How grave it is', { option: true }),
    metadata: freeObject('Facts about it'),
    from: recipients('Who says it'),
    to: recipients('Recipients'),
    clearable: flag('It can be removed', made),
    expiration_date: integer('Expiry, in Gregorian seconds', {
      option: true,
      shownAs: 'moment',
    }),
    created: integer('Time of creation, in Gregorian seconds', { ...made, shownAs: 'moment' }),
  }),
  required: [{ fields: ['title', 'message', 'from', 'to'], on: ['create'], source: 'convention' }],
  lines: [
    {
      flag: 'from',
      value: 'KIND:ID',
      fields: ['from'],
      doc: 'Sender: account:ID, user:ID, role:admin, all',
    },
    {
      flag: 'to',
      value: 'KIND:ID',
      fields: ['to'],
      doc: 'Recipients: account:ID, user:ID, role:admin, all',
    },
  ],
  columns: ['category', 'title', { header: 'MESSAGE', paths: ['message'], show: 'sentence' }, 'id'],
  absent: { manifests: 'An alert is not a setting', trial: 'only super administrators create them' },
  operations: [collection({ without: ['update', 'patch'], except: { create: { role: 'super' } } })],
});
