import { integer, mapOf, object, text, texts } from '../fields.ts';
import { resource, timeRangeFilters, value } from '../resource.ts';

const path = '/accounts/{account_id}/allotments';

export const allotments = resource({
  name: 'allotments',
  singular: 'allotment',
  summary: 'Free call seconds, by direction and class of number',
  kind: 'singleton',
  order: 185,
  section: 'Conventions, Ledgers',
  schema: () =>
    mapOf(
      object(
        {
          amount: integer('Free seconds', { convention: { minimum: 0 } }),
          cycle: text('For how long', {
            convention: { enum: ['minutely', 'hourly', 'daily', 'weekly', 'monthly'] },
          }),
          group_consume: texts('Other buckets whose usage also counts'),
          increment: integer('Billing increment, in seconds', { convention: { minimum: 1 } }),
          minimum: integer('Minimum billed seconds', { convention: { minimum: 0 } }),
          no_consume_time: integer('Calls up to this many seconds do not count', {
            convention: { minimum: 0 },
          }),
        },
        'A bucket',
        { convention: { required: ['amount', 'cycle'] } },
      ),
      'By direction and class of number, such as outbound_did_us',
      { convention: { keyPattern: '^\\w+$' } },
    ),
  columns: [],
  leftOutAs: 'free seconds of calls',
  absent: { manifests: 'Only resellers can set them' },
  operations: [
    {
      get: { route: `GET ${path}`, nothingYet: [400], summary: 'Show the free call seconds of an account' },
      update: {
        route: `POST ${path}`,
        body: { kind: 'record' },
        summary: 'Replace the free call seconds of an account, as its reseller',
      },
      consumed: {
        route: `GET ${path}/consumed`,
        query: timeRangeFilters,
        reply: value(
          mapOf(
            object(
              {
                cycle: text('Length of the cycle, or manual if the request named a range'),
                consumed: integer('Used seconds'),
                consumed_from: integer('Start, in Gregorian seconds', { shownAs: 'moment' }),
                consumed_to: integer('End, in Gregorian seconds', { shownAs: 'moment' }),
              },
              'Usage of a bucket',
            ),
            'Usage by bucket; unused buckets are missing',
          ),
        ),
        summary: 'Show the used free seconds',
      },
    },
  ],
});
