import { integer, list, mapOf, openObject, text, texts } from '../fields.ts';
import { listing, type OperationRow, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

const made = { readOnly: true } as const;

/** Ways to search: views of the service. */
export const searchedBy = ['name', 'number', 'name_and_number', 'realm', 'id'] as const;

const kind = {
  name: 't',
  doc: 'Kind of records: account, user, callflow, device …',
  required: true,
} as const;
const one = [
  kind,
  { name: 'q', doc: 'By what: name, number, name_and_number; accounts name, realm, id', required: true },
  { name: 'v', doc: 'How it begins; true finds everything', required: true },
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

const multi = (path: `/${string}`, what: string): OperationRow => ({
  route: `GET ${path}`,
  query: [
    kind,
    ...searchedBy.map((by) => ({ name: `by_${by}`, doc: `How the ${by.replaceAll('_', ' ')} begins` })),
  ],
  reply: value(
    mapOf(list(openObject(hitFields(), 'A record that was found'), 'What was found'), 'By what was searched'),
  ),
  summary: `Find ${what} in several ways at once`,
});

export const search = resource({
  name: 'search',
  singular: 'search hit',
  summary: 'Records by the beginning of their name or number, as the service finds them',
  order: 300,
  idParameter: 'hit_id',
  section: 'Conventions, Search',
  doc: 'A record that was found',
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
    manifests: 'What is found is held where it belongs',
    find: 'What is found is searched where it belongs',
    orphans: 'What is found is looked at where it belongs',
    page: 'The page has a search of its own',
    trial: 'it makes nothing',
  },
  operations: [
    {
      'of-account': listing('/accounts/{account_id}/search', 'Find records of an account', { query: one }),
      multi: multi('/accounts/{account_id}/search/multi', 'records of an account'),
      'multi-everywhere': multi('/search/multi', 'accounts below the one of the token'),
      everywhere: listing('/search', 'Find accounts below the one of the token', { query: one }),
    },
  ],
});
