import { type Command, defineCommand } from '../../command/command.ts';
import { registrations } from '../../contract/resources/registrations.ts';
import { genericCommands } from '../generic/commands.ts';

export const endArguments = {
  username: {
    name: 'USERNAME',
    doc: 'SIP user name of the phone',
    optional: true,
    completes: { resource: 'registrations' },
  },
} as const;

export const endOptions = {
  all: { flag: 'all', doc: 'End all registrations of the account', excludes: ['USERNAME'] },
} as const;

export const everywhereOptions = {
  everywhere: { flag: 'everywhere', doc: 'Of all accounts, for the super administrator' },
} as const;

const list = defineCommand({
  path: ['registrations', 'list'],
  summary: 'List the phones that are registered',
  arguments: {},
  options: everywhereOptions,
  effect: 'read',
  examples: [
    { line: 'telctl registrations list', doc: 'Who is there, from where, and with which phone' },
    { line: 'telctl registrations list -o csv', doc: 'For a spreadsheet' },
  ],
  operations: ['registrations.list', 'registrations.list-everywhere'],
  shows: 'registrations',
  load: async () => (await import('./registrations.ts')).listRegistrations,
});

const count = defineCommand({
  path: ['registrations', 'count'],
  summary: 'Count the phones that are registered',
  arguments: {},
  options: everywhereOptions,
  effect: 'read',
  examples: [{ line: 'telctl registrations count', doc: 'A number alone' }],
  operations: ['registrations.count', 'registrations.count-everywhere'],
  load: async () => (await import('./registrations.ts')).countRegistrations,
});

const end = defineCommand({
  path: ['registrations', 'end'],
  summary: 'End the registrations of a phone, which then registers anew, or all',
  arguments: endArguments,
  options: endOptions,
  effect: 'destructive',
  examples: [
    { line: 'telctl registrations end user_anna1 --yes', doc: 'Without being asked' },
    { line: 'telctl registrations end --all --yes', doc: 'All phones of the account' },
  ],
  operations: ['registrations.end', 'registrations.end-all'],
  load: async () => (await import('./registrations.ts')).endRegistrations,
});

/** Everything under `telctl registrations`. */
export const registrationsCommands: readonly Command[] = [
  ...genericCommands(registrations, ['registrations'], ['list']),
  list,
  count,
  end,
];
