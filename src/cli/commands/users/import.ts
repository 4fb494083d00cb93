import { Failure } from '../../../base/failure.ts';
import { type Json, valueAt } from '../../../base/json.ts';
import { counted } from '../../../base/wording.ts';
import {
  type Chosen,
  chooseSteps,
  type Existing,
  type Found,
  isSettled,
  type RowResult,
} from '../../../engine/manifest/import-results.ts';
import { kindOf } from '../../../engine/manifest/kinds.ts';
import { delimiters } from '../../../engine/manifest/parse-csv.ts';
import { type Import, type ImportRow, readImport } from '../../../engine/manifest/read-import.ts';
import { isWholeStep } from '../../../engine/state/log.ts';
import type { InputOf } from '../../command/command.ts';
import type { Consent, Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { lockoutOf } from '../administrators.ts';
import { confirmed } from '../change.ts';
import { agreeToPrices } from '../charges/plan-of-money.ts';
import { accountLocks } from '../manifest/apply/account-locks.ts';
import { listedPrices } from '../manifest/plan/price-list.ts';
import { type AccountPlanning, noPlanningOptions, planAccount } from '../planning.ts';
import type { importArguments, importOptions } from './commands.ts';
import { existingFailure, importResult, runImport } from './import-end.ts';
import {
  checkPasswords,
  givePasswords,
  keepPasswords,
  type ResultsFile,
  resultsFile,
} from './import-files.ts';

type ImportInput = InputOf<typeof importOptions, typeof importArguments>;

const shownAtMost = 20;

/** Creates the users of a CSV file, with what a template adds, through a plan as `apply` does. */
export async function importUsers(input: ImportInput, context: Context): Promise<Result> {
  checkOptions(input);
  const { host, notices, options } = context;
  const read = await readImport(host, {
    file: input.file,
    delimiter: input.delimiter === undefined ? undefined : delimiters.get(input.delimiter),
    map: mapOf(input.map),
    template: input.template,
    allowFiles: input.allowFiles,
    lenient: input.lenient ?? false,
    mayExist: input.existing === 'update',
  });
  for (const { place, message } of read.warnings.slice(0, shownAtMost)) notices.warn(`${place}: ${message}`);
  if (read.warnings.length > shownAtMost)
    notices.warn(`… and ${read.warnings.length - shownAtMost} more of that kind`);
  if (read.leftOut.length > 0)
    notices.say(
      `Left out, since the service makes it: ${read.leftOut.map((title) => `"${title}"`).join(', ')}.`,
    );
  const results = resultsFile(context, input);
  const before = input.resume ? results.before().filter(({ status }) => isSettled(status)) : [];
  const part = without(read, before);
  if (part.rows.length === 0)
    return {
      kind: 'done',
      message:
        read.rows.length === 1
          ? 'Nothing to do: the row was sent.'
          : `Nothing to do: all ${read.rows.length} rows were sent.`,
      value: resultRows(before),
    };

  const locks = accountLocks(context);
  try {
    const planning = await planOf(context, part, options.dryRun ? undefined : locks.hold);
    const existing: Existing =
      input.resume && input.existing !== 'update' ? 'complete' : (input.existing ?? 'fail');
    const chosen = chooseSteps(planning.plan, part.rows, planning.observed, existing);
    if (existing === 'fail' && chosen.found.length > 0)
      throw existingFailure(read.name, chosen.found, results.isUnfinished(read.rows.length));
    if (!input.generatePasswords) checkPasswords(context, read, chosen, input.lenient ?? false);
    const facts = { read, planning, chosen, changes: existing === 'update' };
    if (options.dryRun || (!options.yes && context.ask.available)) showPreview(notices, facts);
    notices.say(summaryOf(facts));
    const idle = idleResults(chosen);
    if (options.dryRun) return dryRun(chosen, idle);
    if (chosen.busy.length === 0) return endIdle(results, before, idle);
    const locksOut = await lockoutOf(context, chosen.plan, planning.observed);
    if (locksOut) throw locksOut;
    const count = counted(chosen.busy.length, 'user');
    const verb = existing === 'update' ? 'Create or change' : 'Create';
    await confirmed(context, `${verb} ${count} in ${planning.plan.account.name}?`, 'Nothing was sent.');
    const isAsked = context.ask.available && options.consent.kind === 'ask';
    const money = isAsked ? await listedPrices(context, chosen.plan) : undefined;
    const consent = money && (await agreeToPrices(context, [{ plan: chosen.plan, ...money }]));
    const first = [...before, ...idle];
    return await send(context, input, { part, planning, chosen, results, first, consent });
  } finally {
    await locks.release();
  }
}

interface Sending {
  readonly part: Import;
  readonly planning: AccountPlanning;
  readonly chosen: Chosen;
  readonly results: ResultsFile;
  /** Rows that are settled already. */
  readonly first: readonly RowResult[];
  readonly consent: Consent | undefined;
}

async function send(
  context: Context,
  input: ImportInput,
  { part, planning, chosen, results, first, consent }: Sending,
): Promise<Result> {
  const { passwordsOut } = input;
  const given =
    input.generatePasswords && passwordsOut !== undefined
      ? givePasswords(context, chosen.plan, passwordsOut, input.resume ?? false)
      : undefined;
  const writing = results.begin(first);
  const plan = given?.plan ?? chosen.plan;
  try {
    const ended = await runImport(context, {
      part,
      planning,
      plan,
      rows: chosen.busy,
      told: writing.add,
      consent,
    });
    const { all, trouble } = writing.end(ended.rows);
    if (given && passwordsOut !== undefined)
      keepPasswords(context, passwordsOut, given.passwords, ended.rows);
    const result = importResult(ended, all, {
      name: input.file,
      results: trouble ? undefined : results.name,
    });
    if (trouble && result.failure) context.notices.warn(trouble.message);
    return trouble && !result.failure ? { ...result, failure: trouble } : result;
  } finally {
    writing.close();
  }
}

function checkOptions({ file, results, resume }: ImportInput): void {
  if (resume && file === '-' && results === undefined)
    throw new Failure('usage', '--resume needs the results file of standard input: --results FILE.');
}

function mapOf(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((text) => {
      const at = text.lastIndexOf('=');
      if (at < 1 || at === text.length - 1)
        throw new Failure('usage', `--map takes COLUMN=FIELD, not ${JSON.stringify(text)}.`, {
          hint: 'For example: --map "Mail address=email"; --map "Notes=-" leaves a column out.',
        });
      return [text.slice(0, at), text.slice(at + 1)] as const;
    }),
  );
}

/** The part of an import that an earlier run has not settled. */
function without(read: Import, settled: readonly RowResult[]): Import {
  if (settled.length === 0) return read;
  const done = new Set(settled.map(({ username }) => username.toLowerCase()));
  const [gone, rows] = split(read.rows, ({ username }) => done.has(username.toLowerCase()));
  const keys = new Set(gone.flatMap((row) => row.keys));
  const objects = read.desired.objects.filter(({ key }) => !keys.has(key));
  return { ...read, rows, desired: { ...read.desired, objects } };
}

function split<T>(all: readonly T[], test: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

async function planOf(
  context: Context,
  { name, desired, inputs }: Import,
  opened: Parameters<typeof planAccount>[4]['opened'],
): Promise<AccountPlanning> {
  const set = `import:${name.split(/[/\\]/).at(-1)}`;
  const whole = { set, inputs, accounts: [desired] };
  // Passwords of the file are meant, also for users that are there.
  const input = { ...noPlanningOptions, maxChangePercent: 100, sendUnreadable: true };
  return planAccount(context, input, whole, desired, { before: [], ...(opened ? { opened } : {}) });
}

function idleResults({ idle, found }: Chosen): readonly RowResult[] {
  const ids = new Map<ImportRow, Found>(
    found.toReversed().map((each): [ImportRow, Found] => [each.row, each]),
  );
  return idle.map((row) => ({
    row: row.line,
    username: row.username,
    status: 'exists',
    id: ids.get(row)?.id ?? '',
    error: '',
  }));
}

const resultRows = (results: readonly RowResult[]) => results.map((result) => ({ ...result }));

function dryRun({ busy }: Chosen, idle: readonly RowResult[]): Result {
  const value = [
    ...busy.map(({ line, username }) => ({ row: line, username, status: 'would be sent' })),
    ...idle.map(({ row, username, status, id }) => ({ row, username, status, id })),
  ].toSorted((one, other) => one.row - other.row);
  return { kind: 'done', message: 'Nothing was sent.', value };
}

function endIdle(results: ResultsFile, before: readonly RowResult[], idle: readonly RowResult[]): Result {
  const writing = results.begin([...before, ...idle]);
  const { all, trouble } = writing.end([]);
  writing.close();
  return {
    kind: 'done',
    message:
      all.length === 1
        ? 'Nothing to do: the user is there.'
        : `Nothing to do: all ${all.length} users are there.`,
    value: resultRows(all),
    ...(trouble ? { failure: trouble } : {}),
  };
}

interface ImportFacts {
  readonly read: Import;
  readonly planning: AccountPlanning;
  readonly chosen: Chosen;
  /** Users that are there are changed, so that those left over are as the file says. */
  readonly changes: boolean;
}

const shownRows = 5;
const shownColumns = 6;
const widest = 24;

/** The first rows as a table: what will be in which field. */
function showPreview(notices: Context['notices'], { read, planning, chosen }: ImportFacts): void {
  const objects = new Map(planning.desired.objects.map((object) => [object.key, object]));
  const filled = read.columns.flatMap(({ keys, shape }) => (keys ? [{ path: keys.join('.'), shape }] : []));
  const columns = filled.slice(0, shownColumns);
  const rows = chosen.busy.slice(0, shownRows).map((row) => {
    const fields = objects.get(row.user)?.fields;
    return [
      String(row.line),
      ...columns.map(({ path, shape }) => {
        const value = valueAt(fields, path);
        return shape?.secret && value !== undefined ? 'set' : shortened(value);
      }),
    ];
  });
  if (rows.length === 0) return;
  const more = [
    ...(chosen.busy.length > rows.length ? [counted(chosen.busy.length - rows.length, 'more row')] : []),
    ...(filled.length > columns.length ? [counted(filled.length - columns.length, 'more column')] : []),
  ];
  notices.table({
    columns: ['row', ...columns.map(({ path }) => path)].map((text) => ({
      head: shortened(text.toUpperCase()),
    })),
    rows,
  });
  if (more.length > 0) notices.say(`  … ${more.join(', ')}`);
}

function shortened(value: Json | undefined): string {
  const text =
    value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const line = text.replaceAll(/\s+/g, ' ');
  const letters = [...line];
  return letters.length > widest ? `${letters.slice(0, widest - 1).join('')}…` : line;
}

function summaryOf({ read, chosen, changes }: ImportFacts): string {
  const { plan, idle } = chosen;
  const counts = new Map<string, number>();
  for (const step of plan.steps) {
    if (!isWholeStep(step)) continue;
    const { kind, by } = step;
    const what = `${by === 'create' ? 'create' : 'change'} ${kind}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const deeds = [...counts].map(([what, count]) => {
    const [deed, kind = ''] = what.split(' ');
    return `${count} ${nounOf(kind, count)} to ${deed}`;
  });
  const left =
    idle.length > 0
      ? [`${idle.length} ${nounOf('users', idle.length)} ${changes ? 'as the file says' : 'there already'}`]
      : [];
  return `${read.name}: ${[...deeds, ...left].join(', ') || 'nothing to do'}.`;
}

function nounOf(kind: string, count: number): string {
  if (count !== 1) return kind;
  return kindOf(kind)?.resource.singular ?? kind;
}
