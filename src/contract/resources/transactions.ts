import { freeObject, integer, number, object, text } from '../fields.ts';
import { listing, resource, timeRange, value } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/transactions';
const made = { readOnly: true } as const;
const paid = {
  amount: number('Amount in the currency of the account', { option: true }),
  description: text('What it is for', { option: true }),
  order_id: text('Order that it belongs to', { option: true }),
  metadata: freeObject('Facts of the program that made it'),
};
const body = value(object(paid, 'A payment'));

export const transactions = resource({
  name: 'transactions',
  singular: 'transaction',
  summary: 'Payments of an account, and what came back',
  order: 184,
  section: 'Conventions, Ledgers',
  doc: 'A payment; what came back is below 0',
  fields: () => ({
    id: shared.id,
    ...paid,
    status: text('pending, completed, failed …', made),
    executor: freeObject('Who made it', made),
    bookkeeper: freeObject('Answer of the bookkeeper', made),
    created: integer('When it was made, in Gregorian seconds', { ...made, shownAs: 'moment' }),
  }),
  columns: ['created', 'amount', 'status', 'description', { header: 'ID', paths: ['id'] }],
  absent: {
    manifests: 'A payment is a deed, no setting',
    page: 'The sandbox has no bookkeeper to ask',
    trial: 'money would be paid',
  },
  writes: ['costs'],
  operations: [
    {
      list: listing(path, 'List payments', { query: timeRange }),
      get: { route: `GET ${path}/{transaction_id}`, summary: 'Show one payment' },
      sale: {
        route: `PUT ${path}/sale`,
        effect: 'destructive',
        body,
        role: 'super',
        summary: 'Take a payment from an account, as its reseller',
      },
      refund: {
        route: `PUT ${path}/refund`,
        effect: 'destructive',
        body,
        role: 'super',
        summary: 'Give money back to an account, as its reseller',
      },
    },
  ],
});
