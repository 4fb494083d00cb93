import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { contacts } from '../../contract/resources/contacts.ts';
import { operationFor } from '../generic/find-record.ts';
import { flattened } from '../generic/list.ts';

/** Lists the contacts. The specification shows an empty object where compatible services answer with a list. */
export async function listContacts(_: unknown, context: Context): Promise<ListResult> {
  const pages = (await context.api()).pages({ operation: operationFor(contacts, 'get') });
  return { kind: 'list', items: flattened(pages), resource: 'contacts', noun: 'contacts' };
}
