import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { accounts } from '../../../contract/resources/accounts.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { descendants } from '../choose-accounts.ts';
import { findAccount } from '../find-account.ts';
import { getRecord, operationFor } from '../generic/find-named.ts';
import { readInputRecord } from '../generic/input.ts';
import { patchNamed, recordToReplace, replaceRecord } from '../generic/update.ts';
import { labelOf } from '../labels.ts';

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

export async function updateAccount(input: ParsedInput, context: Context): Promise<Result> {
  const named = recordToReplace(context, accounts, lookFor(input, context));
  const { value } = await readInputRecord(context, accounts, 'update', input, named.stored);
  return replaceRecord(context, accounts, named, value);
}

export const patchAccount = (input: ParsedInput, context: Context): Promise<Result> =>
  patchNamed(context, accounts, input, lookFor(input, context));

/** An account with those directly below it. */
interface Branch {
  readonly account: JsonObject;
  readonly children: readonly Branch[];
}

/**
 * Shows the accounts below the one acted on, each under its parent. The service says of each account which are above
 * it; one that says nothing, or whose parent is not shown, stands directly below.
 */
export async function showAccountTree(_: unknown, context: Context): Promise<Result> {
  const api = await context.api();
  const [{ data }, all] = await Promise.all([
    api.call({ operation: operationFor(accounts, 'get') }),
    descendants(api),
  ]);
  const top = isObject(data) ? data : {};
  const known = new Set(all.map(({ id }) => id));
  const byParent = Map.groupBy(all, (each) => parentOf(each, known));
  const below = (id: Json | undefined): readonly Branch[] =>
    (byParent.get(id) ?? [])
      .toSorted((a, b) => accountLabel(a).localeCompare(accountLabel(b)))
      .map((account) => ({ account, children: below(account.id) }));
  const root = { account: top, children: below(undefined) };
  return { kind: 'text', text: linesOf(root), value: branchValue(root) };
}

/** The nearest account above that is shown itself. */
function parentOf({ id, tree }: JsonObject, known: ReadonlySet<Json | undefined>): Json | undefined {
  return Array.isArray(tree) ? tree.findLast((each) => each !== id && known.has(each)) : undefined;
}

const accountLabel = ({ name, id }: JsonObject): string => String(name ?? id ?? '');

/** Name and realm of an account, the same word only once. */
function lineOf(account: JsonObject): string {
  const name = typeof account.name === 'string' ? account.name : labelOf(accounts, account);
  return typeof account.realm === 'string' ? `${name}  ${account.realm}` : name;
}

function linesOf({ account, children }: Branch): readonly string[] {
  return [
    lineOf(account),
    ...children.flatMap((child, index) => {
      const isLast = index === children.length - 1;
      return linesOf(child).map((line, depth) =>
        depth === 0 ? `${isLast ? '└─' : '├─'} ${line}` : `${isLast ? '  ' : '│ '} ${line}`,
      );
    }),
  ];
}

const branchValue = ({ account: { id = null, name = null, realm = null }, children }: Branch): Json => ({
  id,
  name,
  realm,
  children: children.map(branchValue),
});
