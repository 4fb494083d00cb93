import { createHint, Failure, type FailureKind, nextStep } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { didYouMean, formatCount } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import { accounts } from '../../../contract/resources/accounts.ts';
import type { Resource } from '../../../contract/types.ts';
import { type Problem, problemsFailure } from '../../../engine/input/document.ts';
import { readInput } from '../../../engine/input/read-input.ts';
import type { Context, NamingContext } from '../../command/context.ts';
import { quotedAccount } from '../labels.ts';
import { findNamed, operationFor } from '../records/find-named.ts';

/** Accounts as a resource whose list includes all descendants, so that names are found at any depth. */
const anywhereBelow: Resource = {
  ...accounts,
  operations: [
    ...accounts.operations.filter(({ verb }) => verb !== 'list'),
    { ...operationFor(accounts, 'descendants'), verb: 'list' },
  ],
};

/** Returns the id of an account by id, name or realm, or of the current account. Throws like `findNamed`. */
export async function findAccount(context: NamingContext, word: string | undefined): Promise<string> {
  if (word === undefined) return context.accountId();
  if (isId(word)) return word;
  const { data } = await (await context.api()).call({ operation: operationFor(accounts, 'get') });
  const wanted = word.toLowerCase();
  const own = isObject(data) ? nameAndRealm(data) : [];
  if (own.some((each) => each.toLowerCase() === wanted)) return context.accountId();
  return (await findNamed(context, anywhereBelow, word, own)).id;
}

export interface ChosenAccount extends ListedAccount {
  readonly id: string;
}

const isId = (word: string): boolean => /^[0-9a-f]{32}$/.test(word);

/**
 * Resolves a list of ids, names and realms to accounts. Names and realms must be below the current account. Ids are
 * not looked up. Throws `Failure` with all lines that are unknown, ambiguous or duplicate, so that no work starts
 * with part of the list.
 */
export async function chooseAccounts(
  context: Context,
  listed: readonly ListedAccount[],
): Promise<readonly ChosenAccount[]> {
  const known = listed.every(({ label }) => isId(label)) ? [] : await accountsInReach(context);
  const names = known.flatMap(nameAndRealm);
  const where = known.length === 0 ? '' : ` below ${await quotedAccount(context)}`;
  const lines = new Map<string, number>();
  const troubles: { readonly kind: FailureKind; readonly text: string }[] = [];
  const chosen = listed.flatMap((one): readonly ChosenAccount[] => {
    const { label, file, line } = one;
    const ids = isId(label) ? [label] : idsNamed(known, label);
    const reportLine = (kind: FailureKind, text: string): readonly [] => {
      troubles.push({ kind, text: `${file}:${line}: ${text}` });
      return [];
    };
    const [id] = ids;
    if (id === undefined) {
      const near = findNearest(label, names);
      return reportLine(
        'not_found',
        `there is no account ${JSON.stringify(label)}${where}.${didYouMean(near)}`,
      );
    }
    if (ids.length > 1)
      return reportLine(
        'conflict',
        `${ids.length} accounts are called ${JSON.stringify(label)}: ${ids.join(', ')}.`,
      );
    const before = lines.get(id);
    if (before !== undefined)
      return reportLine('invalid', `${JSON.stringify(label)} is the same account as line ${before}.`);
    lines.set(id, line);
    return [{ ...one, id }];
  });
  const [first] = troubles;
  if (!first) return chosen;
  const more = troubles.length - 1;
  throw new Failure(first.kind, [...troubles.map(({ text }) => text), 'Nothing was sent.'], {
    sentence: [
      first.text,
      ...(more > 0 ? [`${more} more ${more === 1 ? 'line is' : 'lines are'} wrong.`] : []),
      'Nothing was sent.',
    ].join(' '),
    details: { lines: troubles.map(({ kind, text }) => ({ kind, message: text })) },
    hint: listed.some(({ label }) => label.includes(' #'))
      ? 'Write comments on separate lines.'
      : createHint`${nextStep`accounts tree`} shows the accounts.`,
  });
}

/** Includes the current account. */
async function accountsInReach(context: Context): Promise<readonly JsonObject[]> {
  const api = await context.api();
  const { data } = await api.call({ operation: operationFor(accounts, 'get') });
  return [...(isObject(data) ? [data] : []), ...(await listDescendants(api))];
}

const nameAndRealm = ({ name, realm }: JsonObject): readonly string[] =>
  [name, realm].filter((word) => typeof word === 'string');

const idsNamed = (known: readonly JsonObject[], word: string): readonly string[] => {
  const wanted = word.toLowerCase();
  const found = known.filter((account) =>
    nameAndRealm(account).some((each) => each.toLowerCase() === wanted),
  );
  return [...new Set(found.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])))];
};

export interface AccountInReach {
  readonly id: string;
  readonly name: string;
}

export async function accountWithDescendants(context: Context, api: Api): Promise<readonly AccountInReach[]> {
  const own = await context.accountId();
  const below = (await listDescendants(api)).flatMap(({ id, name }): readonly AccountInReach[] =>
    typeof id === 'string' ? [{ id, name: typeof name === 'string' ? name : id }] : [],
  );
  const { profile } = await context.session();
  const ownName = own === profile.accountId ? (profile.accountName ?? own) : own;
  return [{ id: own, name: ownName }, ...below];
}

/** Returns all descendants of the current account (Conventions, descendants). Throws `Failure` if the list fails. */
export async function listDescendants(api: Api): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const page of api.pages({ operation: operationFor(accounts, 'descendants') }))
    found.push(...page);
  return found;
}

/** Returns the descendants as chosen accounts, labeled by name, or by realm if the name is not unique. */
export async function chooseDescendants(context: Pick<Context, 'api'>): Promise<readonly ChosenAccount[]> {
  const found = await listDescendants(await context.api());
  const uses = Map.groupBy(found, ({ name }) => name);
  const below = found.flatMap(({ id, name, realm }): readonly ChosenAccount[] => {
    if (typeof id !== 'string') return [];
    const isAlone = uses.get(name)?.length === 1;
    const words = isAlone ? [name, realm] : [realm];
    const label = words.find((each) => typeof each === 'string' && each !== '');
    return [{ id, label: typeof label === 'string' ? label : id, vars: new Map(), file: '--below', line: 0 }];
  });
  return below.toSorted((a, b) => a.label.localeCompare(b.label));
}

export interface ListedAccount {
  /** Id, name or realm. */
  readonly label: string;
  /** Values of `${var.name}` in the manifest for this account. */
  readonly vars: ReadonlyMap<string, string>;
  readonly file: string;
  readonly line: number;
}

const variable = /^[A-Za-z_][\w-]*$/;

/**
 * Reads the file of `--accounts`: an id, name or realm per line, or CSV with a column `account` and columns for
 * variables of the manifest. Skips empty lines and lines that start with `#`. Throws `Failure`: `usage` if the file
 * cannot be opened, `invalid` if it is empty or has invalid lines.
 */
export async function readAccountList(
  host: Host,
  file: string,
  where: readonly string[] = [],
): Promise<readonly ListedAccount[]> {
  const { name, text } = await readInput(host, file);
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line) => (line.trim().startsWith('#') ? '' : line.trim()));
  const head = lines.find((line) => line !== '') ?? '';
  const { columns = [], found } = /(?:^|[,;\t])\s*"?account"?\s*(?:[,;\t]|$)/.test(head)
    ? await readAccountTable(name, lines.join('\n'))
    : {
        found: lines.flatMap((label, index) =>
          label === '' ? [] : [{ label, vars: new Map<string, string>(), file: name, line: index + 1 }],
        ),
      };
  if (where.length > 0) return filterRows(name, columns, found, where);
  if (found.length > 0) return found;
  throw new Failure('invalid', `${name} does not contain an account. Nothing was sent.`, {
    hint: 'Write one account per line: an id, a name or a realm.',
  });
}

/** Returns the accounts whose rows match. Throws `Failure`: `usage` for an unknown column, `not_found` for no match. */
function filterRows(
  name: string,
  columns: readonly string[],
  listed: readonly ListedAccount[],
  where: readonly string[],
): readonly ListedAccount[] {
  const wanted = where.map((text): readonly [string, string] => {
    const at = text.indexOf('=');
    const column = text.slice(0, at);
    if (at < 1) throw new Failure('usage', `--where takes COLUMN=VALUE, not ${JSON.stringify(text)}.`);
    if (!columns.includes('account'))
      throw new Failure(
        'usage',
        `${name} has no columns for --where. Its first line must contain "account".`,
      );
    if (!columns.includes(column))
      throw new Failure(
        'usage',
        `${name} has no column ${JSON.stringify(column)}.${didYouMean(findNearest(column, columns))}`,
        { hint: `The columns are ${columns.join(', ')}.` },
      );
    return [column, text.slice(at + 1)];
  });
  const found = listed.filter(({ label, vars }) =>
    wanted.every(([column, value]) => (column === 'account' ? label : vars.get(column)) === value),
  );
  if (found.length > 0) return found;
  throw new Failure('not_found', `No row of ${name} has ${where.join(' and ')}. Nothing was sent.`);
}

async function readAccountTable(file: string, text: string) {
  const problems: Problem[] = [];
  const problem = (line: number, message: string): void =>
    void problems.push({ place: `${file}:${line}`, file, line, column: undefined, message });
  const { parseCsv } = await import('../../../engine/manifest/parse-csv.ts');
  const found: ListedAccount[] = [];
  const { head, rows } = parseCsv({ name: file, text });
  const columns = head?.cells.map((cell) => cell.trim()) ?? [];
  for (const [index, column] of columns.entries())
    if (columns.indexOf(column) !== index)
      problem(head?.line ?? 1, `two columns are named ${JSON.stringify(column)}`);
    else if (!variable.test(column))
      problem(
        head?.line ?? 1,
        `${JSON.stringify(column)} is not a valid variable name; use letters, digits, _ and -`,
      );
  for (const { line, cells } of rows) {
    const vars = new Map(columns.map((column, index) => [column, cells[index]?.trim() ?? '']));
    const label = vars.get('account') ?? '';
    vars.delete('account');
    if (cells.length !== columns.length)
      problem(line, `has ${formatCount(cells.length, 'cell')}, but the header has ${columns.length}`);
    else if (label === '') problem(line, 'has no account');
    else found.push({ label, vars, file, line });
  }
  if (problems.length > 0) throw problemsFailure(problems);
  return { columns, found };
}
