import { freeObject, integer, number, object, text } from '../fields.ts';
import { listOperation, resource, timeRangeFilters, value } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/transactions';
const made = { readOnly: true } as const;
const paid = {
  amount: number('Amount in the currency of the account', { option: true }),
  description: text('Purpose', { option: true }),
  order_id: text('Order that it belongs to', { option: true }),
  metadata: freeObject('Data of the program that created it'),
};
const body = value(object(paid, 'A payment'));

export const transactions = resource({
  name: 'transactions',
  singular: 'transaction',
  summary: 'Payments and refunds of an account',
  order: 184,
  section: 'Conventions, Ledgers',
  doc: 'A payment; refunds are negative',
  fields: () => ({
    id: shared.id,
    ...paid,
    status: text('pending, completed, failed …', made),
    executor: freeObject('Who made it', made),
    bookkeeper: freeObject('Response of the bookkeeper', made),
    created: integer('Time of creation, in Gregorian seconds', { ...made, shownAs: 'moment' }),
  }),
  columns: ['created', 'amount', 'status', 'description', { header: 'ID', paths: ['id'] }],
  absent: {
    manifests: 'A payment is an action, not a setting',
    page: 'The sandbox has no bookkeeper',
    trial: 'it would cost money',
  },
  writes: ['costs'],
  operations: [
    {
      list: listOperation(path, 'List payments', { query: timeRangeFilters }),
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
        summary: 'Refund a payment to an account, as its reseller',
      },
    },
  ],
});
