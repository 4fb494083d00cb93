import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { accounts } from '../../contract/resources/accounts.ts';
import { getRecord } from '../generic/find-record.ts';
import { readInputRecord } from '../generic/input.ts';
import { patchNamed } from '../generic/patch.ts';
import { recordToReplace, replaceRecord } from '../generic/update.ts';
import { findAccount } from './find-account.ts';

const wordOf = ({ id }: ParsedInput): string | undefined => (typeof id === 'string' ? id : undefined);

/** Shows an account: the named one, or the one acted on. */
export async function getAccount(input: ParsedInput, context: Context): Promise<Result> {
  const id = await findAccount(context, wordOf(input));
  return { kind: 'item', value: await getRecord(context, accounts, id), resource: 'accounts' };
}

/** Makes a function that finds the account of the input. */
const lookFor = (input: ParsedInput, context: Context) => async () => ({
  id: await findAccount(context, wordOf(input)),
  summary: undefined,
});

/** Replaces an account's record. */
export async function updateAccount(input: ParsedInput, context: Context): Promise<Result> {
  const named = recordToReplace(context, accounts, lookFor(input, context));
  const { value } = await readInputRecord(context, accounts, 'update', input, named.stored);
  return replaceRecord(context, accounts, named, value);
}

/** Changes fields of an account. */
export const patchAccount = (input: ParsedInput, context: Context): Promise<Result> =>
  patchNamed(context, accounts, input, lookFor(input, context));
