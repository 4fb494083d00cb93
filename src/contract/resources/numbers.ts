import {
  anyList,
  anything,
  flag,
  freeObject,
  integer,
  mapOf,
  object,
  openObject,
  text,
  texts,
} from '../fields.ts';
import { collection, type OperationRow, type OperationRows, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

const ours = { source: 'convention' } as const;
const path = '/accounts/{account_id}/phone_numbers';
const moveOperation = (way: string, summary: string): OperationRow => ({
  route: `PUT ${path}/{phone_number}/${way}`,
  section: 'Conventions, states of phone numbers',
  body: { kind: 'partial' },
  summary,
});
const made = { ...ours, readOnly: true } as const;

/** See Conventions, states of phone numbers. */
export const numberStates: readonly string[] = [
  'aging',
  'available',
  'deleted',
  'discovery',
  'in_service',
  'port_in',
  'port_out',
  'released',
  'reserved',
];

const e911 = object(
  {
    activated_time: text('Time of activation'),
    caller_name: text('Name given to the emergency center', { convention: { minLength: 3 } }),
    extended_address: text('Floor, room'),
    latitude: text('Latitude'),
    legacy_data: object(
      {
        house_number: text('House number'),
        predirectional: text('Direction before the street'),
        streetname: text('Street'),
        suite: text('Suite'),
      },
      'Address in the older format',
    ),
    locality: text('Town'),
    location_id: text('Id of the location'),
    longitude: text('Longitude'),
    notification_contact_emails: anyList('E-mail addresses to notify of an emergency call', {
      outward: true,
    }),
    plus_four: text('Last four digits of a long postal code'),
    postal_code: text('Postal code'),
    region: text('Region, in two letters', { convention: { minLength: 2, maxLength: 2 } }),
    status: text('State of the address', {
      convention: { enum: ['INVALID', 'GEOCODED', 'PROVISIONED', 'REMOVED', 'ERROR'] },
    }),
    street_address: text('Street and number'),
  },
  'Address for emergency calls',
  { convention: { required: ['locality', 'postal_code', 'region', 'street_address'] } },
);

const porting = object(
  {
    billing_account_id: text('Account with the losing carrier', { secret: true }),
    billing_extended_address: text('Floor, room'),
    billing_locality: text('Town'),
    billing_name: text('Name on the bill'),
    billing_postal_code: text('Postal code'),
    billing_region: text('Region'),
    billing_street_address: text('Street and number'),
    billing_telephone_number: text('Number on the bill', { dialled: true }),
    comments: texts('Comments'),
    customer_contact: text('Whom to ask'),
    port_id: text('Port request', { ref: 'ports' }),
    requested_port_date: text('When to port'),
    service_provider: text('Losing carrier'),
  },
  'Porting of the number',
);

/** Query of a search for available numbers (Conventions, phone numbers, search). */
const searchQuery = [
  {
    name: 'prefix',
    doc: 'List available numbers that start with these digits, without the country code',
  },
  { name: 'quantity', doc: 'Number of results (default: 1)' },
  { name: 'offset', doc: 'Number of results to skip' },
  { name: 'country', doc: 'Country code of two letters (default: US)' },
] as const;

const look = { section: 'Conventions, phone numbers', effect: 'read', repeat: 'safe' } as const;

const severalNumbers = texts('Numbers', {
  source: 'convention',
  dialled: true,
  convention: { minItems: 1, uniqueItems: true },
});
const required = { convention: { required: ['numbers'] } } as const;

const several = {
  section: 'Conventions, phone numbers, several at once',
  repeat: 'never',
  body: value(
    openObject({ numbers: severalNumbers }, 'Numbers, and fields to set on each of them', required),
  ),
  reply: value(
    openObject(
      {
        success: mapOf(freeObject('The record'), 'Results, by number'),
        error: mapOf(anything(), 'Errors, by number'),
      },
      'Result for each number',
    ),
  ),
} as const;

/** Compatible services also have these operations. */
const conventional: OperationRows = {
  classifiers: {
    route: `GET ${path}/classifiers`,
    ...look,
    reply: value(
      mapOf(
        openObject(
          {
            friendly_name: text('Name for people'),
            regex: text('Regular expression for its numbers'),
            pretty_print: text('Display format'),
            emergency: flag('Emergency services'),
          },
          'A number class',
        ),
        'Number classes, by name',
      ),
    ),
    summary: 'List the number classes that restrictions use',
  },
  carriers: {
    route: `GET ${path}/carriers_info`,
    ...look,
    reply: value(
      openObject(
        {
          maximal_prefix_length: integer('Maximum number of digits in a search'),
          usable_carriers: texts('Carriers that can provide numbers'),
          usable_creation_states: texts('States in which the caller can create numbers'),
        },
        'Available sources of numbers',
      ),
    ),
    summary: 'Show the carriers and states available for new numbers',
  },
  check: {
    route: `POST ${path}/check`,
    ...look,
    body: value(openObject({ numbers: severalNumbers }, 'Numbers to ask carriers about', required)),
    reply: value(mapOf(text('available, unavailable, success or error'), 'By number')),
    summary: 'Check with carriers which numbers are available',
  },
  identify: {
    route: `GET ${path}/{phone_number}/identify`,
    ...look,
    reply: value(
      openObject(
        { account_id: text('Account that has it', { ref: 'accounts' }), number: text('The number') },
        'Whose it is',
      ),
    ),
    summary: 'Show the account that owns a number',
  },
  'create-many': { route: `PUT ${path}/collection`, ...several, summary: 'Add several numbers' },
  'update-many': {
    route: `POST ${path}/collection`,
    ...several,
    summary: 'Replace the fields of several numbers; missing fields are removed',
  },
  'patch-many': {
    route: `PATCH ${path}/collection`,
    ...several,
    summary: 'Change fields of several numbers',
  },
  'delete-many': { route: `DELETE ${path}/collection`, ...several, summary: 'Release several numbers' },
  buy: {
    route: `PUT ${path}/collection/activate`,
    ...several,
    does: ['costs'],
    summary: 'Buy numbers and put them into service',
  },
  fix: {
    route: `POST ${path}/fix`,
    section: look.section,
    reply: value(freeObject('The numbers of the account')),
    summary: 'Repair the number records of an account',
  },
  'fix-one': {
    route: `POST ${path}/fix/{phone_number}`,
    section: look.section,
    reply: { kind: 'empty' },
    summary: 'Repair the record of a number',
  },
};

export const numbers = resource({
  name: 'numbers',
  singular: 'number',
  summary: 'Phone numbers: caller names, emergency addresses, locations',
  order: 130,
  shownWithoutId: true,
  idParameter: 'phone_number',
  section: 'Resources and their fields, Phone number record',
  listedIn: 'Endpoints, Account resources',
  doc: 'A phone number',
  fields: () => ({
    id: shared.id,
    carrier_name: text('Carrier', { option: true, convention: { minLength: 1, maxLength: 30 } }),
    cnam: object(
      {
        display_name: text('Name shown to callees', {
          convention: { minLength: 1, maxLength: 15 },
        }),
        inbound_lookup: flag('Look up the names of callers'),
      },
      'Caller names',
    ),
    create_with_state: text('State of the new number', {
      option: true,
      convention: { enum: numberStates },
    }),
    e911,
    porting,
    state: text('State', made),
    used_by: text('What answers it', made),
    assigned_to: text('Account that has it', { ...made, ref: 'accounts' }),
    features: texts('Features', made),
  }),
  columns: [{ header: 'NUMBER', paths: ['id'] }, 'state', 'used_by', 'features'],
  sections: [{ order: 140 }],
  absent: {
    orphans: 'A number refers to its port request, which may be deleted',
    portable: 'A number belongs to one account',
    trial: 'a carrier might be asked for the number, and it may outlive the account',
  },
  keptIn: 'service',
  listFields: ['state', 'features', 'assigned_to', 'used_by'],
  operations: [
    collection({
      path,
      except: {
        list: {
          section: 'Conventions, listing',
          listed: { as: 'map', key: 'numbers' },
          query: searchQuery,
          reply: value(
            openObject(
              {
                numbers: freeObject('Numbers, each with its state and features'),
                cascade_quantity: integer('Numbers of the accounts below'),
              },
              'Number records by number; for a search, a list of available numbers',
              { convention: { alsoType: ['array'] } },
            ),
          ),
        },
        create: { route: `PUT ${path}/{phone_number}`, summary: 'Add a number' },
        delete: { summary: 'Release a number' },
      },
    }),
    {
      activate: moveOperation('activate', 'Put a number into service'),
      reserve: moveOperation('reserve', 'Reserve a number'),
      'port-in': moveOperation('port', 'Mark a number as being ported in'),
      locality: {
        route: `POST ${path}/locality`,
        source: 'specification',
        effect: 'read',
        repeat: 'safe',
        body: value(
          openObject({ numbers: texts('Numbers to look up', { ...ours, dialled: true }) }, 'What to look up'),
        ),
        summary: 'Look up the locations of numbers',
      },
      classify: {
        route: `GET ${path}/classifiers/{phone_number}`,
        source: 'specification',
        summary: 'Show the class of a number',
      },
    },
    conventional,
  ],
});
