import { integer, list, number, openObject, text, texts } from '../fields.ts';
import { collection, type OperationRow, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

const deck = [{ name: 'ratedeck_id', doc: 'Rate deck to search' }] as const;
const made = { readOnly: true } as const;

const price = (doc: string) => number(doc, { option: true, convention: { minimum: 0 } });
const seconds = (doc: string, minimum: number) =>
  integer(doc, { option: true, shownAs: 'seconds', convention: { minimum } });

const rateOfNumber = (path: `/${string}`, summary: string): OperationRow => ({
  route: `GET ${path}`,
  query: deck,
  nothingYet: [404, 500],
  reply: value(
    openObject(
      {
        'Base-Cost': number('Price of the shortest call'),
        'E164-Number': text('The number'),
        Prefix: text('Matched prefix'),
        Rate: number('Price per minute'),
        'Rate-Description': text('Description'),
        'Rate-Increment': integer('Billing increment, in seconds'),
        'Rate-Minimum': integer('Minimum billed seconds'),
        'Rate-Name': text('Name'),
        Surcharge: number('Price per call'),
      },
      'The rate of a number',
    ),
  ),
  summary,
});

export const rates = resource({
  name: 'rates',
  singular: 'rate',
  summary: 'Call prices by prefix (super administrators only)',
  order: 156,
  section: 'Conventions, Carriers',
  doc: 'A rate',
  fields: () => ({
    id: shared.id,
    prefix: integer('Prefix of the numbers, digits without +', { option: true }),
    rate_cost: price('Price per minute'),
    rate_name: text('Name', { option: true }),
    description: text('Description', { option: true }),
    direction: list(
      text('A direction', { convention: { enum: ['inbound', 'outbound'] } }),
      'Directions (default: both)',
    ),
    internal_rate_cost: price("Operator's cost per minute"),
    rate_surcharge: price('Price per call'),
    rate_minimum: seconds('Minimum billed seconds', 1),
    rate_increment: seconds('Billing increment, in seconds', 1),
    rate_nocharge_time: seconds('Calls up to this many seconds are free', 0),
    rate_suffix: text('Suffix'),
    rate_version: text('Version'),
    carrier: text('Carrier', { option: true }),
    caller_id_numbers: text("Prefixes of the callers' numbers, separated by colons"),
    iso_country_code: text('Country', { option: true }),
    options: texts('Options required of the account'),
    routes: texts('Regular expressions (default: derived from the prefix)'),
    ratedeck_id: text('Deck that it belongs to', { option: true }),
    account_id: text('Account of the rate'),
    weight: integer('Order among equal matches (1 is first)', {
      option: true,
      convention: { minimum: 1, maximum: 100 },
    }),
    name: text('Name, in lists', made),
    cost: number('Price per minute, in lists', made),
    surcharge: number('Price per call, in lists', made),
  }),
  required: [{ fields: ['prefix', 'rate_cost'], on: ['create', 'update'], source: 'convention' }],
  columns: [
    'prefix',
    'name',
    'cost',
    { header: 'SURCHARGE', paths: ['surcharge'], sparse: true },
    { header: 'CARRIER', paths: ['carrier'], sparse: true },
    'id',
  ],
  absent: { manifests: 'Belongs to the whole service', page: 'Belongs to the whole service' },
  listFields: ['name', 'cost', 'prefix', 'description', 'surcharge', 'carrier'],
  operations: [
    collection({
      path: '/rates',
      role: 'super',
      except: {
        list: { query: [...deck, { name: 'prefix', doc: 'Only full records of rates with this prefix' }] },
      },
    }),
    {
      ratedecks: {
        route: 'GET /rates/ratedecks',
        reply: value(
          openObject(
            { default_ratedeck: text('Default rate deck'), ratedecks: texts('All rate decks') },
            'Decks',
          ),
        ),
        role: 'super',
        summary: 'List the rate decks',
      },
      'of-number': rateOfNumber(
        '/accounts/{account_id}/rates/number/{phone_number}',
        'Show the price of a call to a number',
      ),
      'of-number-everywhere': rateOfNumber(
        '/rates/number/{phone_number}',
        'Show the price of a call to a number, without an account',
      ),
    },
  ],
});
