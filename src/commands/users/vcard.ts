import { Failure } from '../../base/failure.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { DocumentResult } from '../../command/result.ts';
import { accounts } from '../../contract/resources/accounts.ts';
import { users } from '../../contract/resources/users.ts';
import { redact } from '../../contract/secrets.ts';
import { asRecord, findRecord, getRecord, operationFor, pathTo } from '../generic/find-record.ts';
import type { userArguments } from './commands.ts';
import { vcardText } from './vcard-text.ts';

// The record of the specification first; whatever else there is from services that have no JSON here.
const accept = 'application/json, */*;q=0.1';

/**
 * Shows a user's vCard. The specification answers with the user's record, of which the vCard is made here; a
 * service that answers with a vCard has its text passed on, and for one that answers with nothing the record is read.
 */
export async function showVcard(
  { id: word }: InputOf<Record<never, never>, typeof userArguments>,
  context: Context,
): Promise<DocumentResult> {
  const api = await context.api();
  const { id } = await findRecord(context, users, word);
  const operation = operationFor(users, 'vcard');
  const reply = await api.call({ operation, path: pathTo(users, id), accept });
  const shown = (user: JsonObject) => redact(users.schema, user);
  if (reply.text !== undefined) {
    if (!isVcard(reply.text))
      throw new Failure('failed', 'The service answered with something that is no vCard.', {
        requestId: reply.requestId,
      });
    return { kind: 'document', text: reply.text, value: shown(await getRecord(context, users, id)) };
  }
  const told = asRecord(users, reply.data);
  // Some services answer with nothing at all.
  const user = Object.keys(told).length === 0 ? await getRecord(context, users, id) : told;
  return { kind: 'document', text: vcardText(user, await organization(context)), value: shown(user) };
}

/** Properties, and continuations of their lines that begin with a blank (RFC 6350, 3.2 and 3.3). */
const isVcard = (text: string): boolean =>
  /^BEGIN:VCARD\r?\n(?:(?:[\w.-]+[:;]|[ \t]).*\r?\n)*END:VCARD\s*$/i.test(text);

/** The account's organization; none where the account may not be read. */
async function organization(context: Context): Promise<string> {
  try {
    const { data } = await (await context.api()).call({ operation: operationFor(accounts, 'get') });
    return isObject(data) && typeof data.org === 'string' ? data.org : '';
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'interrupted') return '';
    throw error;
  }
}
