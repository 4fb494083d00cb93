import { integer, list, number, openObject, text, texts } from '../fields.ts';
import { collection, type OperationRow, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

const deck = [{ name: 'ratedeck_id', doc: 'Deck to look in' }] as const;
const made = { readOnly: true } as const;

const price = (doc: string) => number(doc, { option: true, convention: { minimum: 0 } });
const seconds = (doc: string, minimum: number) =>
  integer(doc, { option: true, shownAs: 'seconds', convention: { minimum } });

/** The rate of a number, asked for in an account or in the whole service. */
const ofNumber = (path: `/${string}`, summary: string): OperationRow => ({
  route: `GET ${path}`,
  query: deck,
  nothingYet: [404, 500],
  reply: value(
    openObject(
      {
        'Base-Cost': number('Price of the shortest call'),
        'E164-Number': text('The number'),
        Prefix: text('Beginning by which it was found'),
        Rate: number('Price of a minute'),
        'Rate-Description': text('Description'),
        'Rate-Increment': integer('Seconds that are counted at a time'),
        'Rate-Minimum': integer('Seconds that are paid at least'),
        'Rate-Name': text('Name'),
        Surcharge: number('Price of each call'),
      },
      'The rate of a number',
    ),
  ),
  summary,
});

export const rates = resource({
  name: 'rates',
  singular: 'rate',
  summary: 'Prices of calls by prefix, for super administrators',
  order: 156,
  section: 'Conventions, Carriers',
  doc: 'A rate',
  fields: () => ({
    id: shared.id,
    prefix: integer('Beginning of the numbers, digits without +', { option: true }),
    rate_cost: price('Price of a minute'),
    rate_name: text('Name', { option: true }),
    description: text('Description', { option: true }),
    direction: list(
      text('A direction', { convention: { enum: ['inbound', 'outbound'] } }),
      'Directions; both if left out',
    ),
    internal_rate_cost: price('What the operator pays for a minute'),
    rate_surcharge: price('Price of each call'),
    rate_minimum: seconds('Seconds that are paid at least', 1),
    rate_increment: seconds('Seconds that are counted at a time', 1),
    rate_nocharge_time: seconds('Calls of up to so many seconds are free', 0),
    rate_suffix: text('Suffix'),
    rate_version: text('Version'),
    carrier: text('Carrier', { option: true }),
    caller_id_numbers: text('Beginnings of the numbers of callers that it is for, with : between them'),
    iso_country_code: text('Country', { option: true }),
    options: texts('Options that the account must have'),
    routes: texts('Expressions; made of the prefix if left out'),
    ratedeck_id: text('Deck that it belongs to', { option: true }),
    account_id: text('Account that it is for'),
    weight: integer('Order among rates that fit equally; 1 first', {
      option: true,
      convention: { minimum: 1, maximum: 100 },
    }),
    name: text('Name, in lists', made),
    cost: number('Price of a minute, in lists', made),
    surcharge: number('Price of each call, in lists', made),
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
  absent: { manifests: 'They belong to the whole service', page: 'They belong to the whole service' },
  listFields: ['name', 'cost', 'prefix', 'description', 'surcharge', 'carrier'],
  operations: [
    collection({
      path: '/rates',
      role: 'super',
      except: { list: { query: [...deck, { name: 'prefix', doc: 'Whole rates of this prefix' }] } },
    }),
    {
      ratedecks: {
        route: 'GET /rates/ratedecks',
        reply: value(
          openObject(
            { default_ratedeck: text('Deck where none is named'), ratedecks: texts('All decks') },
            'Decks',
          ),
        ),
        role: 'super',
        summary: 'List the decks that rates lie in',
      },
      'of-number': ofNumber(
        '/accounts/{account_id}/rates/number/{phone_number}',
        'Show what a call to a number costs',
      ),
      'of-number-everywhere': ofNumber(
        '/rates/number/{phone_number}',
        'Show what a call to a number costs, without an account',
      ),
    },
  ],
});
