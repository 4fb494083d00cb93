import { freeObject, integer, list, mapOf, number, object, openObject, text, texts } from '../fields.ts';
import { listOperation, resource, showOperation, timeRangeFilters, value } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/ledgers';
const made = { readOnly: true } as const;
const usage = object(
  { quantity: integer('Count'), type: text('Of what'), unit: text('In which unit') },
  'What was used',
  { convention: { required: ['quantity', 'type', 'unit'] } },
);
const total = object({ amount: number('Balance; debits are negative') }, 'The balance');

const booked = {
  amount: number('Amount in the currency of the account, positive for credits and debits', {
    option: true,
    convention: { minimum: 1 },
  }),
  description: text('Purpose', { option: true }),
  source: object(
    {
      id: text('Id; identifies the entry together with service and period'),
      service: text('Ledger: adjustments, payments, …'),
    },
    'Source',
    { convention: { required: ['id', 'service'] } },
  ),
  usage,
  period: object(
    {
      start: integer('Start, in Gregorian seconds', { shownAs: 'moment' }),
      end: integer('End, in Gregorian seconds', { shownAs: 'moment' }),
    },
    'Period of the entry',
  ),
  metadata: freeObject('Data of the program that created it'),
};
const body = value(object(booked, 'An entry', { convention: { required: ['source', 'usage'] } }));

export const ledgers = resource({
  name: 'ledgers',
  singular: 'ledger',
  summary: 'Money of an account, by source: usage, payments, adjustments',
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
    manifests: 'A ledger entry is not a setting',
    page: 'Entries are listed by source',
    trial: 'money would be booked',
  },
  writes: ['costs'],
  operations: [
    {
      sums: showOperation(
        path,
        'Show the totals of an account by source',
        mapOf(freeObject('Amount and usage'), 'Totals by source; debits are negative'),
        { query: timeRangeFilters },
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
        summary: 'List the sources of entries',
      },
      total: showOperation(`${path}/total`, 'Show the balance of an account', total),
      summary: {
        route: `GET ${path}/summary/{month}`,
        reply: value(
          openObject(
            {
              summary: mapOf(freeObject('Amount and usage'), 'Totals by source; debits are negative'),
              breakdown: list(
                openObject(
                  {
                    account: openObject(
                      { id: text('Id', { ref: 'accounts' }), name: text('Name') },
                      'The account',
                    ),
                    ledgers: mapOf(freeObject('Amount and usage'), 'Totals by source'),
                    total: number('Sum of them'),
                  },
                  'An account',
                ),
                'By account, including accounts below',
              ),
            },
            'A month',
          ),
        ),
        summary: 'Show the totals of a month, for an account and those below',
      },
      list: listOperation(`${path}/{source_service}`, 'List the entries of one source', {
        query: timeRangeFilters,
      }),
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
