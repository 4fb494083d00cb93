import { objectsIn, valueAt } from '../../../base/json.ts';
import { ledgers } from '../../../contract/resources/ledgers.ts';
import type { Command } from '../../command/command.ts';
import { type CallFacts, callCommand } from '../call-command.ts';
import { operationFor } from '../generic/find-named.ts';
import { readingCommand } from '../generic/reading.ts';
import { bookingCommand } from './booking.ts';

const source = {
  name: 'SOURCE',
  doc: 'What it is for: payments, adjustments … (telctl ledgers sources)',
} as const;

const month = ['created_from', 'created_to'] as const;

const calls: readonly CallFacts[] = [
  {
    operation: operationFor(ledgers, 'sums'),
    range: month,
    examples: { 'telctl ledgers sums --from 30d': 'Of the last month' },
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
    examples: { 'telctl ledgers sources': 'For telctl ledgers list' },
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
    examples: { 'telctl ledgers total': 'Debits count below 0' },
    gives: {},
  },
  {
    operation: operationFor(ledgers, 'list'),
    arguments: { source },
    range: month,
    examples: { 'telctl ledgers list payments --from 30d': 'Of the last month' },
    gives: { resource: 'ledgers', noun: 'entries', rows: 'pages' },
  },
  {
    operation: operationFor(ledgers, 'get'),
    arguments: { source, entry: { name: 'ENTRY', doc: 'Its id' } },
    examples: { 'telctl ledgers get payments ID -o yaml': 'All that is known of it' },
    gives: { resource: 'ledgers' },
  },
];

const bookings = [
  bookingCommand(ledgers, 'credit', {
    summary: 'Credit an account, as its reseller; asks first',
    examples: { 'telctl ledgers credit -f entry.yaml': 'Amount, source and usage' },
    asks: 'Credit # to',
    says: 'Credited # to',
  }),
  bookingCommand(ledgers, 'debit', {
    summary: 'Debit an account, as its reseller; asks first',
    examples: { 'telctl ledgers debit -f entry.yaml': 'Amount, source and usage' },
    asks: 'Debit # from',
    says: 'Debited # from',
  }),
];

const summary = readingCommand(ledgers, {
  verb: 'summary',
  arguments: { month: { name: 'MONTH', doc: 'Year and month, such as 202611' } },
  examples: { 'telctl ledgers summary 202611': 'Of the account and each one below' },
  table: {
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
