import { integer, list, number, object, text, texts } from '../fields.ts';
import { collectionOperations } from '../operations.ts';
import { resource } from '../resource.ts';
import * as shared from '../structures.ts';

const section = 'Conventions, Carriers';
const made = { readOnly: true } as const;
const forSuper = { role: 'super' } as const;

const price = (doc: string) => number(doc, { option: true, convention: { minimum: 0 } });
const seconds = (doc: string, minimum: number) =>
  integer(doc, { option: true, shownAs: 'seconds', convention: { minimum } });

/** Prices of calls, for super administrators (Conventions, Carriers). */
export const rates = resource({
  name: 'rates',
  singular: 'rate',
  summary: 'Prices of calls by prefix, for super administrators',
  kind: 'collection',
  order: 156,
  idParameter: 'rate_id',
  naturalKeys: [],
  section,
  schema: () =>
    object(
      {
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
      },
      'A rate',
    ),
  required: [{ fields: ['prefix', 'rate_cost'], on: ['create', 'update'], source: 'convention' }],
  unique: [],
  columns: [
    { header: 'PREFIX', paths: ['prefix'] },
    { header: 'NAME', paths: ['name'] },
    { header: 'COST', paths: ['cost'] },
    { header: 'SURCHARGE', paths: ['surcharge'], sparse: true },
    { header: 'CARRIER', paths: ['carrier'], sparse: true },
    { header: 'ID', paths: ['id'], show: 'id' },
  ],
  absent: {
    manifests: 'They belong to the whole service',
    page: 'They belong to the whole service',
  },
  listFields: ['name', 'cost', 'prefix', 'description', 'surcharge', 'carrier'],
  operations: collectionOperations({
    resource: 'rates',
    section,
    errors: 'reference',
    path: '/rates',
    idParameter: 'rate_id',
    singular: 'rate',
    documented: [],
    except: {
      ...{ list: forSuper, get: forSuper, create: forSuper },
      ...{ update: forSuper, patch: forSuper, delete: forSuper },
    },
  }),
});
