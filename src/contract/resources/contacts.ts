import { either, freeObject, list, object, text } from '../fields.ts';
import { resource, showOperation } from '../resource.ts';

const ours = { source: 'convention' } as const;
const schema = object(
  {
    name: text('Name', { ...ours, readOnly: true }),
    external_number: text('Number to dial from outside', { ...ours, readOnly: true }),
    internal_number: text('Extension', { ...ours, readOnly: true }),
  },
  'A contact',
);

/** The specification shows an empty object. Compatible services return an array. */
export const contacts = resource({
  name: 'contacts',
  singular: 'contact',
  summary: 'The contact list, generated from callflows',
  kind: 'singleton',
  order: 150,
  section: 'Resources and their fields, Service plans and overrides, contact list',
  listedIn: 'Endpoints, Account resources',
  schema: () => schema,
  columns: [
    'name',
    { header: 'EXTERNAL', paths: ['external_number'] },
    { header: 'INTERNAL', paths: ['internal_number'] },
  ],
  absent: {
    manifests: 'The contact list is generated from callflows and users',
    page: 'The contact list is generated from callflows and users',
  },
  operations: [
    {
      get: showOperation(
        '/accounts/{account_id}/contact_list',
        'Show the contact list',
        either(freeObject('Nothing'), list(schema, 'Contacts')),
        { source: 'specification' },
      ),
    },
  ],
});
