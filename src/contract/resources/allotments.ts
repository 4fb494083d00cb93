import { integer, mapOf, object, text, texts } from '../fields.ts';
import { resource, timeRange, value } from '../resource.ts';

const path = '/accounts/{account_id}/allotments';

export const allotments = resource({
  name: 'allotments',
  singular: 'allotment',
  summary: 'Free seconds of calls, by direction and kind of number',
  kind: 'singleton',
  order: 185,
  section: 'Conventions, Ledgers',
  schema: () =>
    mapOf(
      object(
        {
          amount: integer('Seconds that are free', { convention: { minimum: 0 } }),
          cycle: text('For how long', {
            convention: { enum: ['minutely', 'hourly', 'daily', 'weekly', 'monthly'] },
          }),
          group_consume: texts('Other buckets whose use counts as well'),
          increment: integer('Seconds that are counted at a time', { convention: { minimum: 1 } }),
          minimum: integer('Seconds that are counted at least', { convention: { minimum: 0 } }),
          no_consume_time: integer('Calls of up to so many seconds do not count', {
            convention: { minimum: 0 },
          }),
        },
        'A bucket',
        { convention: { required: ['amount', 'cycle'] } },
      ),
      'By direction and kind of number, such as outbound_did_us',
      { convention: { keyPattern: '^\\w+$' } },
    ),
  columns: [],
  leftOutAs: 'free seconds of calls',
  absent: { manifests: 'Only resellers may set them' },
  operations: [
    {
      get: { route: `GET ${path}`, nothingYet: [400], summary: 'Show the free seconds of an account' },
      update: {
        route: `POST ${path}`,
        body: { kind: 'record' },
        summary: 'Replace the free seconds of an account, as its reseller',
      },
      consumed: {
        route: `GET ${path}/consumed`,
        query: timeRange,
        reply: value(
          mapOf(
            object(
              {
                cycle: text('For how long; manual where a range was asked for'),
                consumed: integer('Seconds that were used'),
                consumed_from: integer('From, in Gregorian seconds', { shownAs: 'moment' }),
                consumed_to: integer('To, in Gregorian seconds', { shownAs: 'moment' }),
              },
              'What was used of a bucket',
            ),
            'By bucket; those alone of which something was used',
          ),
        ),
        summary: 'Show how many free seconds were used',
      },
    },
  ],
});
