import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import { pluralIn } from '../../../contract/resource.ts';
import { accounts } from '../../../contract/resources/accounts.ts';
import { listSections, type Section } from '../../../engine/manifest/account-reader.ts';
import { kinds } from '../../../engine/manifest/kinds.ts';
import { createService } from '../../../engine/manifest/service.ts';
import type { InputOf, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ReportRow, Result } from '../../command/result.ts';
import { findAccount, listDescendants } from '../bulk/choose-accounts.ts';
import { dryRunResult } from '../change.ts';
import { deleteRecord, removalResult } from '../generic/delete.ts';
import { readInputRecord } from '../generic/input.ts';
import { patchNamed, recordToReplace, replaceRecord } from '../generic/update.ts';
import { listed, namedAtMost, refuseProtectedRequest } from '../guards/protection.ts';
import { describeRecord, labelOf, nameOf } from '../labels.ts';
import { getRecord, operationFor, pathTo } from '../records/find-named.ts';
import type { deleteArguments, deleteOptions } from './commands.ts';

const idArgument = ({ id }: ParsedInput): string | undefined => (typeof id === 'string' ? id : undefined);

export async function getAccount(input: ParsedInput, context: Context): Promise<Result> {
  const id = await findAccount(context, idArgument(input));
  return { kind: 'item', value: await getRecord(context, accounts, id), resource: 'accounts' };
}

const accountFinder = (input: ParsedInput, context: Context) => async () => ({
  id: await findAccount(context, idArgument(input)),
  summary: undefined,
});

export async function updateAccount(input: ParsedInput, context: Context): Promise<Result> {
  const named = recordToReplace(context, accounts, accountFinder(input, context));
  const { value } = await readInputRecord(context, accounts, 'update', input, named.stored);
  return replaceRecord(context, accounts, named, value);
}

export const patchAccount = (input: ParsedInput, context: Context): Promise<Result> =>
  patchNamed(context, accounts, input, accountFinder(input, context));

interface Branch {
  readonly account: JsonObject;
  readonly children: readonly Branch[];
}

/** Shows the accounts below the current one as a tree. Accounts whose parent is unknown are at the top level. */
export async function showAccountTree(_: unknown, context: Context): Promise<Result> {
  const api = await context.api();
  const [{ data }, all] = await Promise.all([
    api.call({ operation: operationFor(accounts, 'get') }),
    listDescendants(api),
  ]);
  const top = isObject(data) ? data : {};
  const known = new Set(all.map(({ id }) => id));
  const byParent = Map.groupBy(all, (each) => parentOf(each, known));
  const below = (id: Json | undefined): readonly Branch[] =>
    (byParent.get(id) ?? [])
      .toSorted((a, b) => accountLabel(a).localeCompare(accountLabel(b)))
      .map((account) => ({ account, children: below(account.id) }));
  const root = { account: top, children: below(undefined) };
  return { kind: 'text', text: treeLines(root), value: branchValue(root) };
}

function parentOf({ id, tree }: JsonObject, known: ReadonlySet<Json | undefined>): Json | undefined {
  return Array.isArray(tree) ? tree.findLast((each) => each !== id && known.has(each)) : undefined;
}

const accountLabel = ({ name, id }: JsonObject): string => String(name ?? id ?? '');

function accountLine(account: JsonObject): string {
  const name = typeof account.name === 'string' ? account.name : labelOf(accounts, account);
  return typeof account.realm === 'string' ? `${name}  ${account.realm}` : name;
}

function treeLines({ account, children }: Branch): readonly string[] {
  return [
    accountLine(account),
    ...children.flatMap((child, index) => {
      const isLast = index === children.length - 1;
      return treeLines(child).map((line, depth) =>
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

/**
 * Deletes an account with its contents, after listing them and asking for the name of the account. `--yes` does not
 * answer the question. Throws `refused` if the account or a record in it is protected. Throws `conflict` if it has
 * accounts below it, because the service would refuse the request.
 */
export async function deleteAccount(
  { id: word }: InputOf<typeof deleteOptions, typeof deleteArguments>,
  context: Context,
): Promise<Result> {
  const id = await findAccount(context, word);
  const { record, label, rows } = await askToDeleteAccount(context, id);
  if (context.options.dryRun) {
    const operation = operationFor(accounts, 'delete');
    const path = pathTo(accounts, id);
    const contentLines = rows.map(({ text, right }) => `  ${[text, right].filter(Boolean).join(': ')}`);
    const notes = [`deletes ${describeRecord(accounts, record)}, which contains:`, ...contentLines];
    return dryRunResult(context, [{ call: { operation, path }, notes }]);
  }
  const whole = `${label} and everything in it`;
  return removalResult(whole, await deleteRecord(context, accounts, id, label), accounts);
}

/** Lists the contents of an account and asks for its name. Throws `Failure` if no contents can be read. */
export async function askToDeleteAccount(context: Context, id: string) {
  const record = await getRecord(context, accounts, id);
  const label = labelOf(accounts, record);
  const request = {
    operation: operationFor(accounts, 'delete'),
    path: { account_id: id },
    data: undefined,
    record,
  };
  await refuseProtectedRequest(context, request);
  const service = createService(await context.api(), id);
  const many = kinds.filter(({ calls }) => calls.list !== undefined);
  const held = await listSections(service, many, context.settings.concurrency.value);
  refuseParent(label, held);
  const rows = contentRows(held);
  if (context.options.dryRun) return { record, label, rows };
  const title = rows.length === 0 ? 'is empty.' : 'is deleted with its contents:';
  await context.notices.report([[{ text: `${describeRecord(accounts, record)} ${title}` }], ...rows]);
  await context.guard(request);
  return { record, label, rows };
}

function refuseParent(label: string, held: readonly Section[]): void {
  const children = held.find(({ kind }) => kind.name === 'accounts')?.records ?? [];
  if (children.length === 0) return;
  const names = children.map((child) => nameOf(accounts, child) ?? '');
  throw new Failure(
    'conflict',
    `${label} has ${formatCount(children.length, 'account')} below it: ${listed(names)}. The service does not delete an account that has others below it. Nothing was deleted.`,
    {
      hint: createHint`Delete those first: ${nextStep`accounts delete NAME`}`,
      code: 'account_has_descendants',
      details: { children: children.map((child) => ({ id: child.id, name: nameOf(accounts, child) })) },
    },
  );
}

function contentRows(held: readonly Section[]): readonly ReportRow[] {
  return held.flatMap(({ kind: { resource, name }, records, missing }): readonly ReportRow[] => {
    if (missing !== undefined) return [{ text: name, right: `unknown: ${missing}` }];
    if (records.length === 0) return [];
    const names = records.slice(0, namedAtMost).map((each) => nameOf(resource, each) ?? resource.singular);
    const more = records.length > namedAtMost ? ', …' : '';
    const text = formatCount(records.length, resource.singular, pluralIn(resource));
    return [{ text, right: `${names.join(', ')}${more}` }];
  });
}
