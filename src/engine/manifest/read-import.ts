import { hash } from 'node:crypto';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { requiredFields } from '../../contract/schema.ts';
import { type MapNode, type Problem, problemsFailure } from '../input/document.ts';
import { newReport } from '../input/read-fields.ts';
import { type InputText, readInput } from '../input/read-input.ts';
import { makeRows } from './csv-rows.ts';
import { Drafts, sortProblems } from './desired/drafts.ts';
import { checkNaturalKeys } from './desired/natural-keys.ts';
import { Outside } from './desired/outside.ts';
import { readAccounts } from './desired/read-accounts.ts';
import type { DesiredAccount, DesiredObject, InputFile } from './desired.ts';
import { headFiller } from './fill-texts.ts';
import { type Kind, kindByName } from './kinds.ts';
import { type CsvColumn, type CsvRow, parseCsv, readHeader } from './parse-csv.ts';
import { checkCycles } from './plan/circles.ts';
import { readFile } from './read-manifest.ts';
import { listTitles, templateProblems } from './row-template.ts';

export interface ImportOptions {
  readonly file: string;
  /** Default: detected from the first line. */
  readonly delimiter: string | undefined;
  readonly map: ReadonlyMap<string, string>;
  readonly template: string | undefined;
  /** Folders other than the template's own. */
  readonly allowFiles: readonly string[];
  /** Reports values that compatible services refuse as warnings instead of problems. */
  readonly lenient: boolean;
  /** Values that only a new user needs can be missing. */
  readonly mayExist: boolean;
}

export interface ImportRow {
  readonly line: number;
  readonly username: string;
  readonly user: string;
  /** The user is first. */
  readonly keys: readonly string[];
}

export interface Import {
  readonly name: string;
  readonly rows: readonly ImportRow[];
  readonly desired: DesiredAccount;
  readonly inputs: readonly InputFile[];
  readonly columns: readonly CsvColumn[];
  /** Titles of columns that the service fills. */
  readonly leftOut: readonly string[];
  readonly warnings: readonly Problem[];
}

/** Throws `Failure`: `invalid` with all problems, or `usage`. */
export async function readImport(host: Host, options: ImportOptions): Promise<Import> {
  const input = await readText(host, options.file);
  const { name } = input;
  const { head, rows } = parseCsv(input, options.delimiter);
  if (!head) throw noUsersFailure(name, 'it is empty; the first line names the columns');
  const template = options.template === undefined ? [] : [await readFile(host, options.template)];
  const documents = template.flatMap(({ documents: all }) => all);
  const kind = kindByName('users');
  const header = readHeader(head.cells, kind, { map: options.map, used: listTitles(documents) });
  const { problems, warnings, report } = newReport();
  const reportAtHead = (message: string, index?: number): void => {
    const title = index === undefined ? undefined : head.cells[index];
    const place = `${name}:${head.line}${title ? ` (${title})` : ''}`;
    report.problem({ place, file: name, line: head.line, column: (index ?? 0) + 1, message });
  };
  for (const { index, message } of header.problems) reportAtHead(message, index);
  const titles = [...new Set(header.columns.flatMap(({ title, keys }) => [title, keys?.join('.') ?? title]))];
  problems.push(...template.flatMap(({ problems: found }) => found), ...templateProblems(documents, titles));
  if (header.problems.length === 0)
    checkColumns({ head, rows, columns: header.columns, kind }, documents.length > 0, options, reportAtHead);
  if (problems.length > 0) throw problemsFailure(problems);

  const outside = new Outside(host, new Map(), options);
  const drafts = new Drafts(report, headFiller(host, outside, report));
  const maps = documents.filter((document): document is MapNode => document.kind === 'map');
  const table = { name, lines: rows, titles: head.cells, columns: header.columns };
  const made = makeRows(table, maps, report);
  for (const document of made.documents) drafts.add(document);
  const rules = { files: [], vars: new Map(), set: undefined, allowUnknownFields: false };
  const read = readAccounts(host, drafts.accounts, outside, rules, report);
  checkNaturalKeys(read, report);
  for (const account of read.accounts) checkCycles(account, report);
  const inputs = [input, ...template].map(({ name: file, sha256 }) => ({ name: file, sha256 }));
  const { conventionWarnings } = await import('./conventions.ts');
  const isWhole = (object: DesiredObject): boolean =>
    !(options.mayExist && object.kind === 'users') && !read.misnamed.has(object);
  for (const each of conventionWarnings(read.accounts, isWhole, read.broken))
    (options.lenient && !each.refused ? warnings : problems).push(each);
  if (problems.length > 0) throw problemsFailure(sortProblems(problems, inputs));
  const [desired] = read.accounts;
  if (!desired) throw noUsersFailure(name, 'it describes no user');
  const { columns, leftOut } = header;
  return {
    name,
    rows: made.rows,
    desired,
    inputs,
    columns,
    leftOut,
    warnings: sortProblems(warnings, inputs),
  };
}

interface ImportTable {
  readonly head: CsvRow;
  readonly rows: readonly CsvRow[];
  readonly columns: readonly CsvColumn[];
  readonly kind: Kind;
}

/** Reports a missing column that the users need, or a file without rows. */
function checkColumns(
  { head, rows, columns, kind }: ImportTable,
  hasTemplate: boolean,
  { mayExist, lenient }: ImportOptions,
  report: (message: string) => void,
): void {
  const filled = new Set(columns.map(({ keys }) => keys?.join('.')));
  if (!filled.has('username'))
    report(`no column for the username; --map "TITLE=username" names it${missingTitlesHint(head.cells)}`);
  else if (rows.length === 0) report('it has titles but no rows');
  else if (!mayExist && !hasTemplate)
    for (const field of requiredFields(kind.resource, 'create', ['specification', 'convention']))
      if (!filled.has(field) && !lenient)
        report(`no column for "${field}", which a new user needs; --map "TITLE=${field}" names it`);
}

/** Without titles, the first user is read as the titles. */
const missingTitlesHint = (cells: readonly string[]): string =>
  cells.some((cell) => /@|^\+?\d+$/.test(cell)) ? '; the first line must name the columns' : '';

const noUsersFailure = (name: string, why: string): Failure =>
  new Failure('invalid', `${name} contains no users: ${why}. Nothing was sent.`);

async function readText(host: Host, file: string): Promise<InputText & InputFile> {
  try {
    const input = await readInput(host, file);
    return { ...input, sha256: hash('sha256', input.text, 'hex') };
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'invalid' || error.hint !== undefined) throw error;
    throw new Failure(error.kind, error.lines, {
      hint: 'In a spreadsheet, save it as "CSV UTF-8".',
      cause: error,
    });
  }
}
