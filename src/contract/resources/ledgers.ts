import { freeObject, integer, list, mapOf, number, object, openObject, text, texts } from '../fields.ts';
import { listing, resource, showing, timeRange, value } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/ledgers';
const made = { readOnly: true } as const;
const usage = object(
  { quantity: integer('How many'), type: text('Of what'), unit: text('In which unit') },
  'What was used',
  { convention: { required: ['quantity', 'type', 'unit'] } },
);
const total = object({ amount: number('Balance; debits count below 0') }, 'The balance');

const booked = {
  amount: number('Amount in the currency of the account, above 0 in both directions', {
    option: true,
    convention: { minimum: 1 },
  }),
  description: text('What it is for', { option: true }),
  source: object(
    {
      id: text('Id; with service and period it names the entry'),
      service: text('Ledger that it stands in: adjustments, payments …'),
    },
    'Where it comes from',
    { convention: { required: ['id', 'service'] } },
  ),
  usage,
  period: object(
    {
      start: integer('From, in Gregorian seconds', { shownAs: 'moment' }),
      end: integer('To, in Gregorian seconds', { shownAs: 'moment' }),
    },
    'The time that it is for',
  ),
  metadata: freeObject('Facts of the program that booked it'),
};
const body = value(object(booked, 'An entry', { convention: { required: ['source', 'usage'] } }));

export const ledgers = resource({
  name: 'ledgers',
  singular: 'ledger',
  summary: 'Money of an account by what it was for: usage, payments, adjustments',
  order: 182,
  idParameter: 'entry_id',
  section: 'Conventions, Ledgers',
  schema: () =>
    openObject(
      {
        id: shared.id,
        ...booked,
        account: object({ id: text('Id'), name: text('Name') }, 'The account', made),
        type: text('credit or debit', made),
        executor: freeObject('Who booked it', made),
      },
      'An entry of a ledger',
    ),
  columns: [
    'type',
    'amount',
    'description',
    { header: 'FOR', paths: ['usage.type'] },
    { header: 'ID', paths: ['id'] },
  ],
  absent: {
    manifests: 'What was booked is no setting',
    page: 'What was booked is listed by its source',
    trial: 'money would be booked',
  },
  writes: ['costs'],
  operations: [
    {
      sums: showing(
        path,
        'Show the sums of an account by source',
        mapOf(freeObject('Amount and usage'), 'Sums by source; debits below 0'),
        { query: timeRange },
      ),
      available: {
        route: `GET ${path}/available`,
        reply: value(
          list(
            object(
              {
                name: text('Name'),
                friendly_name: text('Name for people'),
                markup_type: texts('Kinds of markup'),
              },
              'A source',
            ),
            'Sources',
          ),
        ),
        summary: 'List the sources that entries can have',
      },
      total: showing(`${path}/total`, 'Show the balance of an account', total),
      summary: {
        route: `GET ${path}/summary/{month}`,
        reply: value(
          openObject(
            {
              summary: mapOf(freeObject('Amount and usage'), 'Sums by source; debits below 0'),
              breakdown: list(
                openObject(
                  {
                    account: openObject(
                      { id: text('Id', { ref: 'accounts' }), name: text('Name') },
                      'The account',
                    ),
                    ledgers: mapOf(freeObject('Amount and usage'), 'Sums by source'),
                    total: number('Sum of them'),
                  },
                  'An account',
                ),
                'By account: this one and those below',
              ),
            },
            'A month',
          ),
        ),
        summary: 'Show the sums of a month, of an account and those below',
      },
      list: listing(`${path}/{source_service}`, 'List the entries of one source', { query: timeRange }),
      get: { route: `GET ${path}/{source_service}/{entry_id}`, summary: 'Show one entry' },
      credit: {
        route: `PUT ${path}/credit`,
        effect: 'destructive',
        body,
        role: 'super',
        summary: 'Credit an account, as its reseller',
      },
      debit: {
        route: `PUT ${path}/debit`,
        effect: 'destructive',
        body,
        role: 'super',
        summary: 'Debit an account, as its reseller',
      },
    },
  ],
});
