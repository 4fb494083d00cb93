import { type Command, defineCommand } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { contacts } from '../../contract/resources/contacts.ts';
import { operationFor } from '../generic/find-named.ts';
import { flattened } from '../generic/list.ts';

const list = defineCommand({
  path: ['contacts', 'list'],
  summary: 'List the contacts of the account',
  description: 'The service makes them from the callflows; there is nothing to create or change here.',
  arguments: {},
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl contacts list -o csv', doc: 'For an address book' }],
  operations: ['contacts.get'],
  load: async () => listContacts,
});

export const contactsCommands: readonly Command[] = [list];

/** Lists the contacts. The specification shows an empty object where compatible services answer with a list. */
async function listContacts(_: unknown, context: Context): Promise<ListResult> {
  const pages = (await context.api()).pages({ operation: operationFor(contacts, 'get') });
  return { kind: 'list', items: flattened(pages), resource: 'contacts', noun: 'contacts' };
}
