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
const moved = (way: string, summary: string): OperationRow => ({
  route: `PUT ${path}/{phone_number}/${way}`,
  section: 'Conventions, states of phone numbers',
  body: { kind: 'partial' },
  summary,
});
const made = { ...ours, readOnly: true } as const;

/** States of a phone number (Conventions, states of phone numbers). */
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
    activated_time: text('When it was activated'),
    caller_name: text('Name told to the emergency centre', { convention: { minLength: 3 } }),
    extended_address: text('Floor, room'),
    latitude: text('Latitude'),
    legacy_data: object(
      {
        house_number: text('House number'),
        predirectional: text('Direction before the street'),
        streetname: text('Street'),
        suite: text('Suite'),
      },
      'Address in the older form',
    ),
    locality: text('Town'),
    location_id: text('Id of the location'),
    longitude: text('Longitude'),
    notification_contact_emails: anyList('Addresses told of an emergency call', { outward: true }),
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

/** What a search for numbers that can be bought takes (Conventions, phone numbers, search). */
const searchQuery = [
  {
    name: 'prefix',
    doc: 'First digits, without those of the country: numbers that can be bought are listed',
  },
  { name: 'quantity', doc: 'How many of them; one by default' },
  { name: 'offset', doc: 'How many to pass over' },
  { name: 'country', doc: 'Country, in two letters; US by default' },
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
    openObject({ numbers: severalNumbers }, 'Numbers, and fields that each of them gets', required),
  ),
  reply: value(
    openObject(
      {
        success: mapOf(freeObject('The record'), 'What was done, by number'),
        error: mapOf(anything(), 'Why not, by number'),
      },
      'What became of each number',
    ),
  ),
} as const;

/** Operations that compatible services have for numbers beside the specification's: looks, several at once, repair. */
const conventional: OperationRows = {
  classifiers: {
    route: `GET ${path}/classifiers`,
    ...look,
    reply: value(
      mapOf(
        openObject(
          {
            friendly_name: text('Name for people'),
            regex: text('Expression that its numbers match'),
            pretty_print: text('Form in which they are written'),
            emergency: flag('Emergency services'),
          },
          'A kind of number',
        ),
        'Kinds of numbers, by name',
      ),
    ),
    summary: 'List the kinds of numbers that restrictions name',
  },
  carriers: {
    route: `GET ${path}/carriers_info`,
    ...look,
    reply: value(
      openObject(
        {
          maximal_prefix_length: integer('Most digits that a search takes'),
          usable_carriers: texts('Carriers that numbers may be of'),
          usable_creation_states: texts('States that the caller may make numbers in'),
        },
        'What numbers can be got',
      ),
    ),
    summary: 'Show where numbers come from, and in which states they can be made',
  },
  check: {
    route: `POST ${path}/check`,
    ...look,
    body: value(openObject({ numbers: severalNumbers }, 'Numbers to ask carriers about', required)),
    reply: value(mapOf(text('available, unavailable, success or error'), 'By number')),
    summary: 'Ask carriers whether numbers can be bought',
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
    summary: 'Find out which account has a number',
  },
  'create-many': { route: `PUT ${path}/collection`, ...several, summary: 'Add several numbers' },
  'update-many': {
    route: `POST ${path}/collection`,
    ...several,
    summary: 'Replace the fields of several numbers: what is not sent is lost',
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
    summary: 'Buy numbers: they are put into service',
  },
  fix: {
    route: `POST ${path}/fix`,
    section: look.section,
    reply: value(freeObject('The numbers of the account')),
    summary: 'Let the service repair what it keeps of the numbers of an account',
  },
  'fix-one': {
    route: `POST ${path}/fix/{phone_number}`,
    section: look.section,
    reply: { kind: 'empty' },
    summary: 'Let the service repair what it keeps of a number',
  },
};

export const numbers = resource({
  name: 'numbers',
  singular: 'number',
  summary: 'Phone numbers: caller names, emergency addresses, where they are',
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
        display_name: text('Name shown to those who are called', {
          convention: { minLength: 1, maxLength: 15 },
        }),
        inbound_lookup: flag('Look up the names of callers'),
      },
      'Caller names',
    ),
    create_with_state: text('State that a new number is given', {
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
    orphans: 'A number names the port request by which it came, which may be gone since',
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
              'Numbers by number; of a search, a list of numbers that can be bought',
              { convention: { alsoType: ['array'] } },
            ),
          ),
        },
        create: { route: `PUT ${path}/{phone_number}`, summary: 'Add a number' },
        delete: { summary: 'Release a number' },
      },
    }),
    {
      activate: moved('activate', 'Put a number into service'),
      reserve: moved('reserve', 'Reserve a number'),
      'port-in': moved('port', 'Note that a number is being ported in'),
      locality: {
        route: `POST ${path}/locality`,
        source: 'specification',
        effect: 'read',
        repeat: 'safe',
        body: value(
          openObject({ numbers: texts('Numbers to look up', { ...ours, dialled: true }) }, 'What to look up'),
        ),
        summary: 'Find out where numbers are',
      },
      classify: {
        route: `GET ${path}/classifiers/{phone_number}`,
        source: 'specification',
        summary: 'Find out what kind of number it is',
      },
    },
    conventional,
  ],
});
