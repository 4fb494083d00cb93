import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject, objectsIn, valueAt } from '../../../base/json.ts';
import type { Api } from '../../../client/api/api.ts';
import { allotments } from '../../../contract/resources/allotments.ts';
import { ledgers } from '../../../contract/resources/ledgers.ts';
import { transactions } from '../../../contract/resources/transactions.ts';
import type { Resource } from '../../../contract/types.ts';
import type { Command } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { callCommand, type OperationCommandFacts, type Request } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

async function earlierBookings(
  api: Api,
  resource: Resource,
  { data }: Request,
): Promise<readonly JsonObject[]> {
  const source = isObject(data) ? data.source : undefined;
  const operation = operationFor(resource, 'list');
  const path = isObject(source) ? { source_service: String(source.service) } : {};
  const found: JsonObject[] = [];
  try {
    for await (const page of api.pages({ operation, path })) found.push(...page);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'not_found') throw error;
  }
  return found;
}

/** Makes a command that moves an account's money after a question. */
const bookingCommand = (
  resource: Resource,
  verb: string,
  {
    asks,
    says,
    ...words
  }: Pick<OperationCommandFacts, 'summary' | 'examples'> & { asks: string; says: string },
): Command =>
  callCommand({
    ...words,
    path: [resource.name, verb],
    operation: operationFor(resource, verb),
    body: resource,
    async data({ data }) {
      if (isObject(data) && typeof data.amount === 'number') return data;
      throw new Failure('usage', 'The amount is missing. Pass it as --amount 25, or in the file.');
    },
    asks: `${asks.replace('#', '{data.amount}')} {account}?`,
    says: `${says.replace('#', '{data.amount}')} {account}.`,
    // Two bookings may have equal values.
    beside: {
      records: (api, request) => earlierBookings(api, resource, request),
      isIt: ({ amount }, request) => Math.abs(Number(amount)) === valueAt(request.data, 'amount'),
    },
  });

const source = {
  name: 'SOURCE',
  doc: 'Source of the entry, such as payments or adjustments (telctl ledgers sources)',
} as const;

const month = ['created_from', 'created_to'] as const;

const calls: readonly OperationCommandFacts[] = [
  {
    operation: operationFor(ledgers, 'sums'),
    range: month,
    examples: { 'telctl ledgers sums --from 30d': 'Show sums of the last month' },
    gives: {
      noun: 'sources',
      rows: { keyed: 'source' },
      columns: [
        { header: 'SOURCE', paths: ['source'] },
        { header: 'AMOUNT', paths: ['amount'] },
        { header: 'USED', paths: ['usage.quantity', 'usage.unit'] },
      ],
    },
  },
  {
    path: ['ledgers', 'sources'],
    operation: operationFor(ledgers, 'available'),
    examples: { 'telctl ledgers sources': 'List sources for telctl ledgers list' },
    gives: {
      noun: 'sources',
      rows: (data) => objectsIn(data),
      columns: [
        { header: 'NAME', paths: ['name'] },
        { header: 'CALLED', paths: ['friendly_name'] },
      ],
    },
  },
  {
    operation: operationFor(ledgers, 'total'),
    examples: { 'telctl ledgers total': 'Show the balance, where debits are negative' },
    gives: {},
  },
  {
    operation: operationFor(ledgers, 'list'),
    arguments: { source },
    range: month,
    examples: { 'telctl ledgers list payments --from 30d': 'List payments of the last month' },
    gives: { resource: 'ledgers', noun: 'entries', rows: 'pages' },
  },
  {
    operation: operationFor(ledgers, 'get'),
    arguments: { source, entry: { name: 'ENTRY', doc: 'Its id' } },
    examples: { 'telctl ledgers get payments ID -o yaml': 'Show all fields of an entry' },
    gives: { resource: 'ledgers' },
  },
];

const bookings = [
  bookingCommand(ledgers, 'credit', {
    summary: 'Credit an account, as its reseller',
    examples: { 'telctl ledgers credit -f entry.yaml': 'Read amount, source and usage from a file' },
    asks: 'Credit # to',
    says: 'Credited # to',
  }),
  bookingCommand(ledgers, 'debit', {
    summary: 'Debit an account, as its reseller',
    examples: { 'telctl ledgers debit -f entry.yaml': 'Read amount, source and usage from a file' },
    asks: 'Debit # from',
    says: 'Debited # from',
  }),
];

const summary = callCommand({
  operation: operationFor(ledgers, 'summary'),
  arguments: { month: { name: 'MONTH', doc: 'Year and month, such as 202611' } },
  examples: { 'telctl ledgers summary 202611': 'Show the account and each one below' },
  gives: {
    noun: 'accounts',
    columns: [
      { header: 'ACCOUNT', paths: ['account.name'] },
      { header: 'TOTAL', paths: ['total'] },
      { header: 'SOURCES', paths: ['ledgers'], show: 'count' },
      { header: 'ID', paths: ['account.id'], show: 'id' },
    ],
    rows: (data) => objectsIn(valueAt(data, 'breakdown')),
  },
});

export const ledgersCommands: readonly Command[] = [...calls.map(callCommand), summary, ...bookings];

export const transactionsCommands: readonly Command[] = [
  ...genericCommands(transactions, ['transactions']),
  bookingCommand(transactions, 'sale', {
    summary: 'Charge a payment to an account, as its reseller',
    examples: [
      {
        line: 'telctl transactions sale --amount 25 --description Top-up',
        doc: 'Use the currency of the account',
      },
    ],
    asks: 'Take a payment of # from',
    says: 'Took # from',
  }),
  bookingCommand(transactions, 'refund', {
    summary: 'Refund money to an account, as its reseller',
    examples: [
      {
        line: 'telctl transactions refund --amount 25 --description Top-up',
        doc: 'Use the currency of the account',
      },
    ],
    asks: 'Refund # to',
    says: 'Refunded # to',
  }),
];

export const allotmentsCommands: readonly Command[] = [
  ...genericCommands(allotments, ['allotments']),
  callCommand({
    operation: operationFor(allotments, 'consumed'),
    range: month,
    examples: { 'telctl allotments consumed': 'Show the current cycles' },
    gives: {
      noun: 'buckets',
      rows: { keyed: 'bucket' },
      columns: [
        { header: 'BUCKET', paths: ['bucket'] },
        { header: 'CYCLE', paths: ['cycle'] },
        { header: 'SECONDS', paths: ['consumed'] },
        { header: 'FROM', paths: ['consumed_from'], show: 'time' },
        { header: 'TO', paths: ['consumed_to'], show: 'time' },
      ],
    },
  }),
];
