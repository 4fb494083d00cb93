import { type Command, defineCommand } from '../../command/command.ts';

const list = defineCommand({
  path: ['contacts', 'list'],
  summary: 'List the contacts of the account',
  description: 'The service makes them from the callflows; there is nothing to create or change here.',
  arguments: {},
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl contacts list -o csv', doc: 'For an address book' }],
  operations: ['contacts.get'],
  load: async () => (await import('./list.ts')).listContacts,
});

/** Everything under `telctl contacts`. */
export const contactsCommands: readonly Command[] = [list];
