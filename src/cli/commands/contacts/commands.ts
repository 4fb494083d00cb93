import { contacts } from '../../../contract/resources/contacts.ts';
import type { Command } from '../../command/command.ts';
import { callCommand } from '../call-command.ts';
import { operationFor } from '../generic/find-named.ts';

export const contactsCommands: readonly Command[] = [
  callCommand({
    path: ['contacts', 'list'],
    summary: 'List the contacts of the account',
    description: 'The service makes them from the callflows; there is nothing to create or change here.',
    operation: operationFor(contacts, 'get'),
    examples: { 'telctl contacts list -o csv': 'For an address book' },
    gives: { resource: 'contacts', noun: 'contacts', rows: 'pages' },
  }),
];
