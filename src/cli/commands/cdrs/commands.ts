import { cdrs } from '../../../contract/resources/cdrs.ts';
import { users } from '../../../contract/resources/users.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import { alternatives, genericCommands, sortOptions } from '../generic/commands.ts';
import { callCommand } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

/** Options that say of which time, and of whom. */
export const rangeOptions = {
  since: {
    value: 'AGO|TIME',
    doc: 'Start of the range: 2h, 7d, a time, or a date in the account’s time zone (default: 31d)',
    into: 'nowhere',
  },
  until: {
    value: 'AGO|TIME',
    doc: 'End of the range; a date ends it when that day begins (default: now)',
    into: 'nowhere',
  },
  user: {
    value: 'USER',
    doc: `Only of this user: ${alternatives(users.naturalKeys).toLowerCase()}`,
    completes: { resource: 'users' },
    into: { path: 'user_id' },
  },
} as const;

/** `--filter` of a list that is read by time. */
export const filterOptions = {
  filters: {
    flag: 'filter',
    value: 'KEY=VALUE',
    repeat: true,
    doc: 'Only records with this value; the key may be dotted',
    into: 'nowhere',
  },
} as const;

const directions = ['inbound', 'outbound'] as const;

export const cdrOptions = {
  ...rangeOptions,
  direction: { value: 'WORD', choices: directions, doc: 'Only legs that came in, or that the service made' },
  cause: { value: 'CAUSE', doc: 'Only legs that ended for this reason, such as NO_ANSWER' },
} as const;

const numberOption = {
  number: { value: 'NUMBER', doc: 'Only where this number called or was called' },
} as const;

export const listOptions = {
  ...cdrOptions,
  ...numberOption,
  ...sortOptions,
  calls: { doc: 'A call in each line, instead of each of its legs' },
  ...filterOptions,
} as const;

const reportGroupings = [
  ...(['hour', 'weekday', 'day', 'user', 'number', 'cause', 'carrier', 'destination'] as const),
] as const;

export const reportOptions = {
  ...rangeOptions,
  ...numberOption,
  by: {
    value: 'WORD',
    choices: reportGroupings,
    doc: 'What calls are counted by: days by default; hours and weekdays by the clocks of the account',
  },
  missed: { doc: 'Only calls that no person and no service answered' },
  unansweredOver: { value: 'DURATION', doc: 'Only calls that no person answered and that rang longer: 20s' },
  top: { value: 'N', type: 'integer', minimum: 1, doc: 'Only so many rows' },
} as const;

const groupings = ['user', 'direction', 'cause', 'day', 'carrier'] as const;

export const summaryOptions = {
  ...cdrOptions,
  by: {
    value: 'WORD',
    choices: groupings,
    doc: 'Sums by user (the default), direction, cause or day; carrier: what the service sums up of calls from and to carriers',
  },
} as const;

// Legs are whole records, whose names differ from those of lists.
export const cdrsCommands: readonly Command[] = [
  defineCommand({
    path: ['cdrs', 'list'],
    summary: 'List call records, leg by leg or call by call, oldest first',
    description:
      'A service answers a range of 31 days at most; a longer one is read piece by piece. Records come page by page and are written at once, so a list of any length needs no more memory than a page.',
    options: listOptions,
    effect: 'read',
    examples: {
      'telctl cdrs list --since 24h': 'Every leg of the last day',
      'telctl cdrs list --since 2026-01-01 --until 2026-04-01 -o csv': 'A quarter, for a spreadsheet',
      'telctl cdrs list --sort billing_seconds:desc --limit 10': 'The longest talks',
      'telctl cdrs list --number +14155550100 --since 7d': 'Who called this number, or was called by it',
      'telctl cdrs list --user alice --cause NO_ANSWER --calls': 'Calls that nobody answered',
    },
    operations: ['cdrs.list', 'cdrs.of-user', 'cdrs.interactions', 'cdrs.interactions-of-user'],
    shows: 'cdrs',
    load: async () => (await import('./list.ts')).listCdrs,
  }),
  ...genericCommands(cdrs, ['cdrs'], ['list']),
  callCommand({
    summary: 'List all legs of a call, in the order of their start',
    operation: operationFor(cdrs, 'legs'),
    arguments: { id: { name: 'ID', doc: 'Id of the call (interaction_id), or of one of its records' } },
    examples: { 'telctl cdrs legs 202611-0b3f7c1e': 'The legs of the call of this record' },
    gives: {
      resource: 'cdrs',
      noun: 'legs',
      rows: 'pages',
      columns: [
        { header: 'END', paths: ['timestamp'], show: 'time' },
        { header: 'DIRECTION', paths: ['call_direction'] },
        { header: 'FROM', paths: ['caller_id_number'] },
        { header: 'TO', paths: ['callee_id_number'] },
        { header: 'LENGTH', paths: ['duration_seconds'] },
        { header: 'BILLED', paths: ['billing_seconds'] },
        { header: 'CAUSE', paths: ['hangup_cause'] },
        { header: 'ID', paths: ['id'], show: 'id' },
      ],
    },
  }),
  defineCommand({
    path: ['cdrs', 'summary'],
    summary: 'Count legs of calls and their seconds by user, direction, cause or day',
    description:
      'Counts legs, each as answered, message, service or missed by the definitions of `telctl cdrs report`. A phone that rang while another one was answered has a missed leg.',
    options: summaryOptions,
    effect: 'read',
    examples: {
      'telctl cdrs summary --since 7d': 'Who talked how long in a week',
      'telctl cdrs summary --by cause --since 24h': 'Why calls ended',
    },
    operations: ['cdrs.list', 'cdrs.of-user', 'cdrs.summary', 'vmboxes.list', 'messages.list'],
    load: async () => (await import('./list.ts')).summariseCdrs,
  }),
  defineCommand({
    path: ['cdrs', 'report'],
    summary:
      'Count calls by hour, weekday, day, user, number, cause, carrier or destination, and by how they ended',
    description:
      'Counts calls, not legs, with the seconds that people talked, the longest ringing and the cost. Each call ended in one of four ways. ANSWERED: a person or a number outside talked with the caller. MESSAGES: the caller left a message that a mailbox still holds. SERVICE: the call reached voicemail, a menu, a queue, a conference or another service. Call records do not say which, and deleted messages are counted here. MISSED: no person and no service answered. UNKNOWN counts calls without a record of the caller’s leg. Records are read page by page and not kept. -o html is one page with charts, to read, print or send.',
    options: reportOptions,
    effect: 'read',
    documents: ['html'],
    examples: {
      'telctl cdrs report --by hour --since 7d': 'When the phones ring',
      'telctl cdrs report --missed --by user': 'Whose calls were missed',
      'telctl cdrs report --unanswered-over 20s --by day': 'Callers who waited in vain',
      'telctl cdrs report --by destination --top 10': 'Where most calls went',
      'telctl cdrs report -o html > calls.html': 'The last 31 days as a page',
    },
    operations: ['cdrs.list', 'accounts.get', 'users.list', 'vmboxes.list', 'messages.list'],
    load: async () => (await import('./report.ts')).reportCalls,
  }),
];
