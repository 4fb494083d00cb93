import { Failure } from '../../../base/failure.ts';
import { type Json, valueAt } from '../../../base/json.ts';
import { firstLines, formatCount } from '../../../base/wording.ts';
import {
  type ChosenSteps,
  chooseSteps,
  type ExistingUsers,
  isSettled,
  type RowResult,
  rowOutcomes,
} from '../../../engine/manifest/import-results.ts';
import { kindOfSection } from '../../../engine/manifest/kinds.ts';
import { delimiters } from '../../../engine/manifest/parse-csv.ts';
import type { ApplyReport } from '../../../engine/manifest/plan.ts';
import { type Import, type ImportRow, readImport } from '../../../engine/manifest/read-import.ts';
import { isWholeStep } from '../../../engine/state/log.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { confirmChange } from '../change.ts';
import { applyJob, manifestInMemory } from '../manifest/apply/apply-job.ts';
import { planAccount } from '../manifest/plan/plan-account.ts';
import {
  noPlanningOptions,
  type Planning,
  type PlanningInput,
  type PlanOpening,
} from '../manifest/plan/planning.ts';
import { type GeneratedPasswords, openGeneratedPasswords } from '../passwords/passwords-file.ts';
import type { importArguments, importOptions } from './commands.ts';
import { checkPasswords, forgetPasswords, importedPasswords, ResultsFile } from './import-files.ts';
import { existingFailure, importResult } from './import-result.ts';

type ImportInput = InputOf<typeof importOptions, typeof importArguments>;

/** Creates the users of a CSV file and the objects of a template, through a plan like that of `apply`. */
export async function importUsers(input: ImportInput, context: Context): Promise<Result> {
  if (input.resume && input.file === '-' && input.results === undefined)
    throw new Failure('usage', '--resume needs the results file of standard input: --results FILE.');
  const { host, notices } = context;
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
      `Left out, because the service sets it: ${read.leftOut.map((title) => `"${title}"`).join(', ')}.`,
    );
  const results = new ResultsFile(context, input);
  const before = input.resume ? results.earlierResults().filter(({ status }) => isSettled(status)) : [];
  const part = withoutSettled(read, before);
  if (part.rows.length === 0)
    return {
      kind: 'done',
      message:
        read.rows.length === 1
          ? 'Nothing to do: the row was sent.'
          : `Nothing to do: all ${read.rows.length} rows were sent.`,
      value: resultRows(before),
    };

  return new ImportRun(context, input, { read, part, results, before }).run();
}

interface Importing {
  readonly read: Import;
  readonly part: Import;
  readonly before: readonly RowResult[];
  readonly results: ResultsFile;
}

class ImportRun {
  readonly #context: Context;
  readonly #input: ImportInput;
  readonly #importing: Importing;
  readonly #existing: ExistingUsers;
  readonly #passwords: GeneratedPasswords | undefined;
  #chosen: ChosenSteps = { steps: [], found: [], idle: [], busy: [] };
  #outcomes = rowOutcomes([], [], { matches: new Map() });
  #writer: ReturnType<ResultsFile['begin']> | undefined;

  constructor(context: Context, input: ImportInput, importing: Importing) {
    const { resume = false, existing, generatePasswords, passwordsOut } = input;
    this.#context = context;
    this.#input = input;
    this.#importing = importing;
    this.#existing = resume && existing !== 'update' ? 'complete' : (existing ?? 'fail');
    this.#passwords = generatePasswords
      ? openGeneratedPasswords(context, passwordsOut, resume, importedPasswords)
      : undefined;
  }

  async run(): Promise<Result> {
    // A password in the file is set, even for an existing user.
    const planInput = {
      ...noPlanningOptions,
      setName: this.#input.set,
      maxChangePercent: 100,
      sendUnreadable: true,
    };
    try {
      return await applyJob(this.#context, {
        planInput,
        passwords: this.#passwords,
        plan: (opening) => this.#plan(planInput, opening),
        confirm: (planning) => this.#confirm(planning),
        onRunStart: async () => {
          this.#writer = this.#begin();
        },
        onResult: (result, over, total) => {
          const row = this.#outcomes.add(result);
          if (row) this.#writer?.add(row);
          this.#context.notices.progress(over, total, 'import users');
        },
        end: ([report]) => this.#end(report),
      });
    } finally {
      this.#writer?.close();
    }
  }

  async #plan(planInput: PlanningInput, opening: PlanOpening | undefined): Promise<Planning> {
    const { read, part, results } = this.#importing;
    const { ask, notices, options } = this.#context;
    const planning = await planPart(this.#context, part, planInput, {
      ...opening,
      selectSteps: (plan, observed) => {
        this.#chosen = chooseSteps(plan, part.rows, observed, this.#existing);
        this.#outcomes = rowOutcomes(this.#chosen.busy, this.#chosen.steps, observed);
        return { ...plan, steps: this.#chosen.steps };
      },
    });
    const chosen = this.#chosen;
    if (this.#existing === 'fail' && chosen.found.length > 0)
      throw existingFailure(read.name, chosen.found, results.isUnfinished(read.rows.length));
    if (!this.#passwords) checkPasswords(this.#context, read, chosen, this.#input.lenient ?? false);
    if (!options.dryRun && !options.yes && ask.available) showPreview(notices, read, part, chosen);
    notices.say(
      formatImportSummary(read.name, chosen, this.#existing === 'update' ? 'unchanged' : 'existing already'),
    );
    return planning;
  }

  async #confirm({ accounts: [account] }: Planning): Promise<void> {
    const verb = this.#existing === 'update' ? 'Create or change' : 'Create';
    const count = formatCount(this.#chosen.busy.length, 'user');
    const question = `${verb} ${count} in ${account?.plan.account.name}?`;
    await confirmChange(this.#context, question, 'Nothing was sent.');
  }

  #begin(): ReturnType<ResultsFile['begin']> {
    const { results, before } = this.#importing;
    return results.begin([...before, ...existingResults(this.#chosen)]);
  }

  #end(report: ApplyReport | undefined): Result {
    if (!this.#writer || !report) return finishWithoutChanges(this.#begin());
    const { file, passwordsOut = '' } = this.#input;
    const rows = this.#outcomes.all();
    const { all, trouble } = this.#writer.end(rows);
    if (this.#passwords) forgetPasswords(this.#context, this.#passwords, rows, passwordsOut);
    const name = trouble ? undefined : this.#importing.results.name;
    const result = importResult(report, rows, all, file, name);
    if (trouble && result.failure) this.#context.notices.warn(trouble.message);
    return trouble && !result.failure ? { ...result, failure: trouble } : result;
  }
}

function mapOf(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((text) => {
      const at = text.lastIndexOf('=');
      if (at < 1 || at === text.length - 1)
        throw new Failure('usage', `--map takes COLUMN=FIELD, not ${JSON.stringify(text)}.`, {
          hint: 'Map the column, such as --map "Mail address=email". Leave a column out with --map "Notes=-".',
        });
      return [text.slice(0, at), text.slice(at + 1)] as const;
    }),
  );
}

function withoutSettled(read: Import, settled: readonly RowResult[]): Import {
  if (settled.length === 0) return read;
  const done = new Set(settled.map(({ username }) => username.toLowerCase()));
  const isDone = ({ username }: ImportRow): boolean => done.has(username.toLowerCase());
  const rows = read.rows.filter((row) => !isDone(row));
  const keys = new Set(read.rows.filter(isDone).flatMap((row) => row.keys));
  const objects = read.desired.objects.filter(({ key }) => !keys.has(key));
  return { ...read, rows, desired: { ...read.desired, objects } };
}

async function planPart(
  context: Context,
  { name, desired: account, inputs }: Import,
  input: PlanningInput,
  opening: PlanOpening,
): Promise<Planning> {
  const set = input.setName ?? `import:${name.split(/[/\\]/).at(-1)}`;
  const desired = { set, inputs, accounts: [account] };
  const isUnmanaged = input.setName === undefined;
  const planned = await planAccount(context, input, desired, account, {
    ...opening,
    before: [],
    isUnmanaged,
  });
  return { manifest: manifestInMemory(desired), desired, accounts: [planned] };
}

function existingResults({ idle, found }: ChosenSteps): readonly RowResult[] {
  const ids = new Map(found.toReversed().map(({ row, id }) => [row, id] as const));
  return idle.map((row) => {
    const { line, username } = row;
    return { row: line, username, status: 'exists', id: ids.get(row) ?? '', error: '' };
  });
}

const resultRows = (results: readonly RowResult[]) => results.map((result) => ({ ...result }));

function finishWithoutChanges(writing: ReturnType<ResultsFile['begin']>): Result {
  const { all, trouble } = writing.end([]);
  writing.close();
  const message =
    all.length === 1
      ? 'Nothing to do: the user exists already.'
      : `Nothing to do: all ${all.length} users exist already.`;
  return { kind: 'done', message, value: resultRows(all), ...(trouble ? { failure: trouble } : {}) };
}

const shownRows = 5;
const shownColumns = 6;
const widest = 24;

function showPreview(
  notices: Context['notices'],
  read: Import,
  { desired }: Import,
  chosen: ChosenSteps,
): void {
  const objects = new Map(desired.objects.map((object) => [object.key, object]));
  const filled = read.columns.flatMap(({ keys, shape }) => (keys ? [{ path: keys.join('.'), shape }] : []));
  const columns = filled.slice(0, shownColumns);
  const rows = chosen.busy.slice(0, shownRows).map((row) => {
    const fields = objects.get(row.user)?.fields;
    return [
      String(row.line),
      ...columns.map(({ path, shape }) => {
        const value = valueAt(fields, path);
        return shape?.secret && value !== undefined ? 'set' : shortenValue(value);
      }),
    ];
  });
  if (rows.length === 0) return;
  const more = [
    ...(chosen.busy.length > rows.length ? [formatCount(chosen.busy.length - rows.length, 'more row')] : []),
    ...(filled.length > columns.length ? [formatCount(filled.length - columns.length, 'more column')] : []),
  ];
  notices.table({
    columns: ['row', ...columns.map(({ path }) => path)].map((text) => ({
      head: shortenValue(text.toUpperCase()),
    })),
    rows,
  });
  if (more.length > 0) notices.say(`  … ${more.join(', ')}`);
}

function shortenValue(value: Json | undefined): string {
  const text =
    value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const line = text.replaceAll(/\s+/g, ' ');
  const letters = [...line];
  return letters.length > widest ? `${letters.slice(0, widest - 1).join('')}…` : line;
}

/** `people.csv: 2 users to create, 1 user existing already.` */
function formatImportSummary(name: string, { steps, idle }: ChosenSteps, idleIs: string): string {
  const counts = Map.groupBy(
    steps.filter(isWholeStep),
    ({ kind, by }) => `${by === 'create' ? 'create' : 'change'} ${kind}`,
  );
  const deeds = [...counts].map(([what, { length }]) => {
    const [deed, kind = ''] = what.split(' ');
    return `${formatCount(length, kindOfSection(kind)?.resource.singular ?? kind, kind)} to ${deed}`;
  });
  const left = idle.length > 0 ? [`${formatCount(idle.length, 'user')} ${idleIs}`] : [];
  return `${name}: ${[...deeds, ...left].join(', ') || 'nothing to do'}.`;
}
