import { cdrs } from '../../../contract/resources/cdrs.ts';
import { users } from '../../../contract/resources/users.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import { describeNames, genericCommands, sortOptions } from '../generic/commands.ts';
import { callCommand } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

export const rangeOptions = {
  since: {
    value: 'AGO|TIME',
    doc: 'Start of the range: 2h, 7d, a time, or a date in the account’s time zone (default: 31d)',
    into: 'nowhere',
  },
  until: {
    value: 'AGO|TIME',
    doc: 'End of the range, where a date means the start of that day (default: now)',
    into: 'nowhere',
  },
  user: {
    value: 'USER',
    doc: `Only records of this user: ${describeNames(users.naturalKeys).toLowerCase()}`,
    completes: { resource: 'users' },
    into: { path: 'user_id' },
  },
} as const;

/** For lists that are read by time. */
export const filterOptions = {
  filters: {
    flag: 'filter',
    value: 'KEY=VALUE',
    repeat: true,
    doc: 'Only records with this value, with a key such as a.b for nested fields',
    into: 'nowhere',
  },
} as const;

const directions = ['inbound', 'outbound'] as const;

export const cdrOptions = {
  ...rangeOptions,
  direction: {
    value: 'WORD',
    choices: directions,
    doc: 'Only legs of this direction, as seen by the service',
  },
  cause: { value: 'CAUSE', doc: 'Only legs that ended for this reason, such as NO_ANSWER' },
} as const;

const numberOption = {
  number: { value: 'NUMBER', doc: 'Only calls from or to this number' },
} as const;

export const listOptions = {
  ...cdrOptions,
  ...numberOption,
  ...sortOptions,
  calls: { doc: 'Show one row per call instead of one per leg' },
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
    doc: 'Group calls by this, with hours and weekdays in the time zone of the account (default: day)',
  },
  missed: { doc: 'Only calls that neither a person nor a service answered' },
  unansweredOver: {
    value: 'DURATION',
    doc: 'Only calls that rang longer than this and were not answered by a person: 20s',
  },
  top: { value: 'N', type: 'integer', minimum: 1, doc: 'Show at most this many rows' },
} as const;

const groupings = ['user', 'direction', 'cause', 'day', 'carrier'] as const;

export const summaryOptions = {
  ...cdrOptions,
  by: {
    value: 'WORD',
    choices: groupings,
    doc: 'Group legs by this; carrier shows the totals of the service for calls from and to carriers (default: user)',
  },
} as const;

// Legs are whole records, whose names differ from those of lists.
export const cdrsCommands: readonly Command[] = [
  defineCommand({
    path: ['cdrs', 'list'],
    summary: 'List call records, leg by leg or call by call, oldest first',
    description:
      'A service accepts ranges of at most 31 days, so telctl reads longer ranges in parts. Each page is printed as it arrives, so long lists do not need more memory.',
    options: listOptions,
    effect: 'read',
    examples: {
      'telctl cdrs list --since 24h': 'All legs of the last day',
      'telctl cdrs list --since 2026-01-01 --until 2026-04-01 -o csv': 'Export a quarter for a spreadsheet',
      'telctl cdrs list --sort billing_seconds:desc --limit 10': 'The longest calls',
      'telctl cdrs list --number +14155550100 --since 7d': 'Calls from and to this number',
      'telctl cdrs list --user alice --cause NO_ANSWER --calls': 'Unanswered calls',
    },
    operations: ['cdrs.list', 'cdrs.of-user', 'cdrs.interactions', 'cdrs.interactions-of-user'],
    shows: 'cdrs',
    load: async () => (await import('./list.ts')).listCdrs,
  }),
  ...genericCommands(cdrs, ['cdrs'], ['list']),
  callCommand({
    summary: 'List all legs of a call, ordered by start time',
    operation: operationFor(cdrs, 'legs'),
    arguments: { id: { name: 'ID', doc: 'Id of the call (interaction_id), or of one of its records' } },
    examples: { 'telctl cdrs legs 202611-0b3f7c1e': 'Show the other legs of the same call' },
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
      'Counts each leg as answered, message, service or missed, as defined by `telctl cdrs report`. If several phones ring and one is answered, the legs of the others are missed.',
    options: summaryOptions,
    effect: 'read',
    examples: {
      'telctl cdrs summary --since 7d': 'Talk time per user in the last week',
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
      'Counts calls instead of legs, with talk time, the longest ringing time and the cost. Each call has one of four outcomes. ANSWERED: a person or a number outside talked with the caller. MESSAGES: the caller left a message that a mailbox still holds. SERVICE: the call reached voicemail, a menu, a queue, a conference or another service. Call records do not say which, and deleted messages are counted here. MISSED: no person and no service answered. UNKNOWN counts calls without a record of the caller’s leg. Records are read page by page and not kept. -o html is one page with charts, to read, print or send.',
    options: reportOptions,
    effect: 'read',
    documents: ['html'],
    examples: {
      'telctl cdrs report --by hour --since 7d': 'Find the busiest hours',
      'telctl cdrs report --missed --by user': 'Missed calls per user',
      'telctl cdrs report --unanswered-over 20s --by day': 'Callers who waited without an answer',
      'telctl cdrs report --by destination --top 10': 'The most frequent destinations',
      'telctl cdrs report -o html > calls.html': 'Save a report of the last 31 days as HTML',
    },
    operations: ['cdrs.list', 'accounts.get', 'users.list', 'vmboxes.list', 'messages.list'],
    load: async () => (await import('./report.ts')).reportCalls,
  }),
];
