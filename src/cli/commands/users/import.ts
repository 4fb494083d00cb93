import { Failure } from '../../../base/failure.ts';
import { type Json, valueAt } from '../../../base/json.ts';
import { counted, firstLines } from '../../../base/wording.ts';
import {
  type Chosen,
  chooseSteps,
  type Existing,
  isSettled,
  type RowResult,
} from '../../../engine/manifest/import-results.ts';
import { kindOf } from '../../../engine/manifest/kinds.ts';
import { delimiters } from '../../../engine/manifest/parse-csv.ts';
import { type Import, type ImportRow, readImport } from '../../../engine/manifest/read-import.ts';
import { isWholeStep } from '../../../engine/state/log.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { confirmed } from '../change.ts';
import { agreeToPrices } from '../charges/plan-of-money.ts';
import { lockoutOf } from '../guards/lockout-guard.ts';
import { accountLocks } from '../manifest/apply/account-locks.ts';
import { type AccountPlanning, noPlanningOptions, planAccount } from '../manifest/plan/planning.ts';
import { listedPrices } from '../manifest/plan/price-list.ts';
import type { importArguments, importOptions } from './commands.ts';
import { existingFailure, importResult, runImport } from './import-end.ts';
import { checkPasswords, givePasswords, resultsFile } from './import-files.ts';

type ImportInput = InputOf<typeof importOptions, typeof importArguments>;

/** Creates the users of a CSV file, with what a template adds, through a plan as `apply` does. */
export async function importUsers(input: ImportInput, context: Context): Promise<Result> {
  if (input.resume && input.file === '-' && input.results === undefined)
    throw new Failure('usage', '--resume needs the results file of standard input: --results FILE.');
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
  const warnings = read.warnings.map(({ place, message }) => `${place}: ${message}`);
  for (const line of firstLines(warnings, ' of that kind')) notices.warn(line);
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
    if (options.dryRun || (!options.yes && context.ask.available))
      showPreview(notices, read, planning, chosen);
    notices.say(summaryOf(read.name, chosen, existing === 'update' ? 'as the file says' : 'there already'));
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
    const passwords =
      input.generatePasswords && input.passwordsOut !== undefined
        ? givePasswords(context, chosen.plan, input.passwordsOut, input.resume ?? false)
        : undefined;
    const writing = results.begin([...before, ...idle]);
    try {
      const plan = passwords?.plan ?? chosen.plan;
      const ended = await runImport(context, part, planning, plan, chosen.busy, consent, writing.add);
      const { all, trouble } = writing.end(ended.rows);
      passwords?.keep(ended.rows);
      const result = importResult(ended, all, input.file, trouble ? undefined : results.name);
      if (trouble && result.failure) notices.warn(trouble.message);
      return trouble && !result.failure ? { ...result, failure: trouble } : result;
    } finally {
      writing.close();
    }
  } finally {
    await locks.release();
  }
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
  const isDone = ({ username }: ImportRow): boolean => done.has(username.toLowerCase());
  const rows = read.rows.filter((row) => !isDone(row));
  const keys = new Set(read.rows.filter(isDone).flatMap((row) => row.keys));
  const objects = read.desired.objects.filter(({ key }) => !keys.has(key));
  return { ...read, rows, desired: { ...read.desired, objects } };
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
  const ids = new Map(found.toReversed().map(({ row, id }) => [row, id] as const));
  return idle.map((row) => {
    const { line, username } = row;
    return { row: line, username, status: 'exists', id: ids.get(row) ?? '', error: '' };
  });
}

const resultRows = (results: readonly RowResult[]) => results.map((result) => ({ ...result }));

function dryRun({ busy }: Chosen, idle: readonly RowResult[]): Result {
  const value = [
    ...busy.map(({ line, username }) => ({ row: line, username, status: 'would be sent' })),
    ...idle.map(({ row, username, status, id }) => ({ row, username, status, id })),
  ].toSorted((one, other) => one.row - other.row);
  return { kind: 'done', message: 'Nothing was sent.', value };
}

function endIdle(
  results: ReturnType<typeof resultsFile>,
  before: readonly RowResult[],
  idle: readonly RowResult[],
): Result {
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

const shownRows = 5;
const shownColumns = 6;
const widest = 24;

/** The first rows as a table: what will be in which field. */
function showPreview(
  notices: Context['notices'],
  read: Import,
  planning: AccountPlanning,
  chosen: Chosen,
): void {
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

/** `people.csv: 2 users to create, 1 user there already.` */
function summaryOf(name: string, { plan, idle }: Chosen, idleIs: string): string {
  const counts = Map.groupBy(
    plan.steps.filter(isWholeStep),
    ({ kind, by }) => `${by === 'create' ? 'create' : 'change'} ${kind}`,
  );
  const deeds = [...counts].map(([what, { length }]) => {
    const [deed, kind = ''] = what.split(' ');
    return `${counted(length, kindOf(kind)?.resource.singular ?? kind, kind)} to ${deed}`;
  });
  const left = idle.length > 0 ? [`${counted(idle.length, 'user')} ${idleIs}`] : [];
  return `${name}: ${[...deeds, ...left].join(', ') || 'nothing to do'}.`;
}
