import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { accounts } from '../../contract/resources/accounts.ts';
import { getRecord } from '../generic/find-record.ts';
import { readInputRecord } from '../generic/input.ts';
import { patchRecord } from '../generic/patch.ts';
import { storedRecord } from '../generic/stored-record.ts';
import { replaceRecord } from '../generic/update.ts';
import { findAccount } from './find-account.ts';

const wordOf = ({ id }: ParsedInput): string | undefined => (typeof id === 'string' ? id : undefined);

/** Shows an account: the named one, or the one acted on. */
export async function getAccount(input: ParsedInput, context: Context): Promise<Result> {
  const id = await findAccount(context, wordOf(input));
  return { kind: 'item', value: await getRecord(context, accounts, id), resource: 'accounts' };
}

const storedAccount = (input: ParsedInput, context: Context) => async () =>
  storedRecord(context, accounts, await findAccount(context, wordOf(input)))();

/** Replaces an account's record. */
export async function updateAccount(input: ParsedInput, context: Context): Promise<Result> {
  const { value } = await readInputRecord(context, accounts, 'update', input, storedAccount(input, context));
  return replaceRecord(context, accounts, await findAccount(context, wordOf(input)), value);
}

/** Changes fields of an account. */
export async function patchAccount(input: ParsedInput, context: Context): Promise<Result> {
  const { value } = await readInputRecord(context, accounts, 'patch', input, storedAccount(input, context));
  const id = await findAccount(context, wordOf(input));
  return patchRecord(context, accounts, { id, summary: undefined }, value, 'Changed');
}
