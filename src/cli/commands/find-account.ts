import { isObject } from '../../base/json.ts';
import { accounts } from '../../contract/resources/accounts.ts';
import type { Resource } from '../../contract/types.ts';
import type { Naming } from '../command/context.ts';
import { findNamed, operationFor } from './generic/find-named.ts';

/** Names are looked for among all accounts below, not only those directly below. */
const anywhereBelow: Resource = {
  ...accounts,
  operations: [
    ...accounts.operations.filter(({ verb }) => verb !== 'list'),
    { ...operationFor(accounts, 'descendants'), verb: 'list' },
  ],
};

/**
 * The id of an account by id, name or realm; without a word, of the account acted on. Throws `Failure` as
 * `findNamed` does.
 */
export async function findAccount(context: Naming, word: string | undefined): Promise<string> {
  if (word === undefined) return context.accountId();
  if (/^[0-9a-f]{32}$/.test(word)) return word;
  const { data } = await (await context.api()).call({ operation: operationFor(accounts, 'get') });
  const wanted = word.toLowerCase();
  const own = isObject(data) ? [data.name, data.realm].filter((each) => typeof each === 'string') : [];
  if (own.some((each) => each.toLowerCase() === wanted)) return context.accountId();
  return (await findNamed(context, anywhereBelow, word, own)).id;
}
