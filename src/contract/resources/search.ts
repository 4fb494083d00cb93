import { integer, list, mapOf, openObject, text, texts } from '../fields.ts';
import { listOperation, type OperationRow, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

const made = { readOnly: true } as const;

/** Views of the service. */
export const searchedBy = ['name', 'number', 'name_and_number', 'realm', 'id'] as const;

const kind = {
  name: 't',
  doc: 'Record type: account, user, callflow, device, …',
  required: true,
} as const;
const one = [
  kind,
  {
    name: 'q',
    doc: 'Search key: name, number, name_and_number (for accounts: name, realm, id)',
    required: true,
  },
  { name: 'v', doc: 'Prefix of the value, or true to find all records', required: true },
] as const;
const hitFields = () => ({
  id: shared.id,
  name: text('Name', made),
  first_name: text('First name', made),
  last_name: text('Last name', made),
  numbers: texts('Numbers of a callflow', made),
  realm: text('Realm of an account', made),
  descendants_count: integer('Accounts below an account', made),
});

const searchOperation = (path: `/${string}`, what: string): OperationRow => ({
  route: `GET ${path}`,
  query: [
    kind,
    ...searchedBy.map((by) => ({ name: `by_${by}`, doc: `How the ${by.replaceAll('_', ' ')} begins` })),
  ],
  reply: value(
    mapOf(list(openObject(hitFields(), 'A matching record'), 'Matching records'), 'By search key'),
  ),
  summary: `Find ${what} in several ways at once`,
});

export const search = resource({
  name: 'search',
  singular: 'search hit',
  summary: 'Search by prefix of a name or number, performed by the service',
  order: 300,
  idParameter: 'hit_id',
  section: 'Conventions, Search',
  doc: 'A matching record',
  fields: () => hitFields(),
  columns: [
    'name',
    { header: 'FIRST', paths: ['first_name'], sparse: true },
    { header: 'LAST', paths: ['last_name'], sparse: true },
    { header: 'NUMBERS', paths: ['numbers'], show: 'list', sparse: true },
    { header: 'REALM', paths: ['realm'], sparse: true },
    'id',
  ],
  absent: {
    manifests: 'Search results belong to other resources',
    find: 'Search results belong to other resources',
    orphans: 'Search results belong to other resources',
    page: 'The page has its own search',
    trial: 'it makes nothing',
  },
  operations: [
    {
      'of-account': listOperation('/accounts/{account_id}/search', 'Find records of an account', {
        query: one,
      }),
      multi: searchOperation('/accounts/{account_id}/search/multi', 'records of an account'),
      'multi-everywhere': searchOperation('/search/multi', 'accounts below the one of the token'),
      everywhere: listOperation('/search', 'Find accounts below the account of the token', { query: one }),
    },
  ],
});
