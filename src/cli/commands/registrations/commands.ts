import { contacts } from '../../../contract/resources/contacts.ts';
import { registrations } from '../../../contract/resources/registrations.ts';
import type { Command } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { callCommand, type OperationCommandFacts } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

const everywhere = {
  flag: 'everywhere',
  doc: 'Include all accounts, for the super administrator',
  into: 'nowhere',
} as const;

const calls: readonly OperationCommandFacts[] = [
  {
    operation: operationFor(registrations, 'list'),
    options: { everywhere },
    given: [{ when: { everywhere: true }, operation: operationFor(registrations, 'list-everywhere') }],
    examples: {
      'telctl registrations list': 'List phones with their addresses and models',
      'telctl registrations list -o csv': 'Export them for a spreadsheet',
    },
    shows: 'registrations',
    gives: { resource: 'registrations', noun: 'registrations', rows: 'pages' },
  },
  {
    operation: operationFor(registrations, 'count'),
    options: { everywhere },
    given: [{ when: { everywhere: true }, operation: operationFor(registrations, 'count-everywhere') }],
    examples: { 'telctl registrations count': 'Print only a number' },
    gives: { number: 'count' },
  },
  {
    path: ['registrations', 'end'],
    summary: 'End the registrations of one phone or all, which then register again',
    arguments: {
      username: {
        name: 'USERNAME',
        doc: 'SIP user name of the phone',
        optional: true,
        completes: { resource: 'registrations' },
        as: 'text',
      },
    },
    options: {
      all: { doc: 'End all registrations of the account', excludes: ['USERNAME'], into: 'nowhere' },
    },
    given: [
      {
        when: { username: true },
        operation: operationFor(registrations, 'end'),
        asks: 'End the registrations of {username}?',
        says: 'Ended the registrations of {username}.',
      },
      {
        when: { all: true },
        operation: operationFor(registrations, 'end-all'),
        asks: 'End all registrations of the account?',
        says: 'Ended all registrations of the account.',
      },
    ],
    examples: {
      'telctl registrations end user_anna1 --yes': 'End them without a question',
      'telctl registrations end --all --yes': 'End the registrations of all phones',
    },
  },
];

export const registrationsCommands: readonly Command[] = [
  ...genericCommands(registrations, ['registrations'], ['list']),
  ...calls.map(callCommand),
];

export const contactsCommands: readonly Command[] = [
  callCommand({
    path: ['contacts', 'list'],
    summary: 'List the contacts of the account',
    description: 'The service generates contacts from the callflows. You cannot create or change them.',
    operation: operationFor(contacts, 'get'),
    examples: { 'telctl contacts list -o csv': 'Export them for an address book' },
    gives: { resource: 'contacts', noun: 'contacts', rows: 'pages' },
  }),
];
