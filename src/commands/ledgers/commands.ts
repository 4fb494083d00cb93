import { isObject } from '../../base/json.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import { ledgers } from '../../contract/resources/ledgers.ts';
import { operationFor } from '../generic/find-named.ts';
import { bodyOptions } from '../generic/input-options.ts';
import { readingCommand } from '../generic/reading.ts';
import { rangeOptions } from '../generic/time-range.ts';

const source = {
  name: 'SOURCE',
  doc: 'What it is for: payments, adjustments … (telctl ledgers sources)',
} as const;

/** Arguments that name a source, and one of its entries. */
export const sourceArguments = { source } as const;
export const entryArguments = { source, entry: { name: 'ENTRY', doc: 'Its id' } } as const;

const sums = defineCommand({
  path: ['ledgers', 'sums'],
  summary: 'Show the sums of an account by source',
  arguments: {},
  options: rangeOptions,
  effect: 'read',
  examples: [{ line: 'telctl ledgers sums --from 30d', doc: 'Of the last month' }],
  operations: ['ledgers.sums'],
  load: async () => (await import('./ledgers.ts')).showSums,
});

const sources = defineCommand({
  path: ['ledgers', 'sources'],
  summary: 'List the sources that entries can have',
  arguments: {},
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl ledgers sources', doc: 'For telctl ledgers list' }],
  operations: ['ledgers.available'],
  load: async () => (await import('./ledgers.ts')).listSources,
});

const total = defineCommand({
  path: ['ledgers', 'total'],
  summary: 'Show the balance of an account',
  arguments: {},
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl ledgers total', doc: 'Debits count below 0' }],
  operations: ['ledgers.total'],
  load: async () => (await import('./ledgers.ts')).showTotal,
});

const list = defineCommand({
  path: ['ledgers', 'list'],
  summary: 'List the entries of one source',
  arguments: sourceArguments,
  options: rangeOptions,
  effect: 'read',
  examples: [{ line: 'telctl ledgers list payments --from 30d', doc: 'Of the last month' }],
  operations: ['ledgers.list'],
  load: async () => (await import('./ledgers.ts')).listEntries,
});

const get = defineCommand({
  path: ['ledgers', 'get'],
  summary: 'Show one entry',
  arguments: entryArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl ledgers get payments ID -o yaml', doc: 'All that is known of it' }],
  operations: ['ledgers.get'],
  load: async () => (await import('./ledgers.ts')).getEntry,
});

const bookings = (['credit', 'debit'] as const).map(
  (verb): Command => ({
    path: ['ledgers', verb],
    summary: `${verb === 'credit' ? 'Credit' : 'Debit'} an account, as its reseller; asks first`,
    arguments: {},
    get options() {
      return bodyOptions(ledgers, operationFor(ledgers, verb));
    },
    effect: 'destructive',
    examples: [{ line: `telctl ledgers ${verb} -f entry.yaml`, doc: 'Amount, source and usage' }],
    operations: [`ledgers.${verb}`],
    load: async () => (await import('./ledgers.ts')).book(ledgers, verb),
  }),
);

const summary = readingCommand(ledgers, {
  path: ['ledgers', 'summary'],
  verb: 'summary',
  arguments: { month: { name: 'MONTH', doc: 'Year and month, such as 202611' } },
  examples: [{ line: 'telctl ledgers summary 202611', doc: 'Of the account and each one below' }],
  table: {
    noun: 'accounts',
    columns: [
      { header: 'ACCOUNT', paths: ['account.name'] },
      { header: 'TOTAL', paths: ['total'] },
      { header: 'SOURCES', paths: ['ledgers'], show: 'count' },
      { header: 'ID', paths: ['account.id'], show: 'id' },
    ],
    rows: (data) => (isObject(data) && Array.isArray(data.breakdown) ? data.breakdown.filter(isObject) : []),
  },
});

/** Everything under `telctl ledgers`. */
export const ledgersCommands: readonly Command[] = [sums, summary, total, sources, list, get, ...bookings];
