import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { findNearest } from '../../../base/nearest.ts';
import { decodeCell } from '../../../base/neutralise.ts';
import {
  type DocumentNode,
  type Entry,
  formatPlace,
  type MapNode,
  problemAt,
  type ScalarNode,
  type Source,
} from '../../input/document.ts';
import type { ProblemReport } from '../../input/read-fields.ts';
import type { InputText } from '../../input/read-input.ts';
import { isNullScalar } from '../../input/read-scalar.ts';
import { parseCsv } from '../parse-csv.ts';
import { type AccountDraft, type Draft, localNameProblem } from './drafts.ts';
import { CellFiller, type Cells, expand } from './expand.ts';
import { manifestFolder, type Outside } from './outside.ts';

/** A larger manifest is a mistake or an attack. */
const mostObjects = 100_000;
const mostValues = 3_000_000;

interface Repeating {
  readonly host: Host;
  readonly outside: Outside;
  readonly report: ProblemReport;
  readonly allowUnset: boolean;
}

interface Row extends Cells {
  readonly key: string;
  /** Place in messages, such as `people.csv:3`. */
  readonly place: string;
}

/** Creates an object `name[key]` for each row of `for_each`, and omits objects whose `when` is false. */
export function expandRepeats(
  accounts: readonly AccountDraft[],
  repeating: Repeating,
): readonly AccountDraft[] {
  const room: Budget = { objects: mostObjects, values: mostValues };
  return accounts.map((account) => {
    const drafts = [...account.objects.values()];
    if (!drafts.some(({ node }) => node.entries.some(isRepeatWord))) return account;
    const objects = new Map<string, Draft>();
    const absent = new Map<string, string>();
    const addDraft = (draft: Draft): void => {
      if (objects.has(draft.key))
        repeating.report.problem(
          problemAt(
            draft.entry,
            `${draft.key} is created here, but the manifest already has an object with that name`,
          ),
        );
      objects.set(draft.key, draft);
    };
    for (const draft of drafts) {
      const made = expandDraft(draft, repeating, room);
      if (made.length === 1 && made[0]?.draft === draft) addDraft(draft);
      for (const { draft: one, isLeftOut } of made) {
        if (isLeftOut) absent.set(one.key, `${one.key} is left out by its "when"`);
        else if (one !== draft) addDraft(one);
      }
      if (wordEntry(draft.node, 'for_each'))
        absent.set(draft.key, `${draft.key} makes an object for each row; write \${${draft.key}[KEY]}`);
    }
    for (const key of objects.keys()) absent.delete(key);
    // Other problems do not matter for a manifest that is too large.
    return { ...account, objects: isFull(room) ? new Map<string, Draft>() : objects, absent };
  });
}

const isRepeatWord = ({ key }: Entry): boolean => key === 'for_each' || key === 'when';

const wordEntry = (node: MapNode, word: 'for_each' | 'when'): Entry | undefined =>
  node.entries.find(({ key, value }) => key === word && !(value.kind === 'scalar' && isNullScalar(value)));

/** Objects and values that a manifest can still create. */
interface Budget {
  objects: number;
  values: number;
}

const isFull = ({ objects, values }: Budget): boolean => objects < 0 || values < 0;

type MadeDraft = { readonly draft: Draft; readonly isLeftOut: boolean };

function expandDraft(draft: Draft, repeating: Repeating, room: Budget): readonly MadeDraft[] {
  const { node, kind, name, entry } = draft;
  if (!node.entries.some(isRepeatWord)) return [{ draft, isLeftOut: false }];
  const { report } = repeating;
  const forEach = wordEntry(node, 'for_each');
  const when = wordEntry(node, 'when');
  const body: MapNode = { ...node, entries: node.entries.filter((each) => !isRepeatWord(each)) };
  if (forEach === undefined)
    return [{ draft: { ...draft, node: body }, isLeftOut: !isWanted(when, repeating) }];
  if (kind.shape === 'one') {
    report.problem(problemAt(forEach, `an account has one "${kind.name}", which "for_each" cannot repeat`));
    return [];
  }
  const rows = readRepeatRows(forEach.value, repeating);
  const columns = new Set(rows.flatMap(({ cells }) => [...cells.keys()]));
  const problem = (at: DocumentNode | Entry, message: string): void => report.problem(problemAt(at, message));
  const filler = new CellFiller('each', columns, problem, (column) => {
    const near = findNearest(column, columns);
    return `no row has ${JSON.stringify(column)}${near === undefined ? `; there are ${[...columns].join(', ')}` : `; did you mean "${near}"?`}`;
  });
  room.objects -= rows.length;
  room.values -= rows.length * (filler.countValues(body) + 1);
  if (isFull(room)) {
    report.problem(
      problemAt(
        forEach,
        `"for_each" creates too many objects for one manifest (at most ${mostObjects} objects)`,
      ),
    );
    return [];
  }
  const made: MadeDraft[] = [];
  const seen = new Set<string>();
  for (const row of rows) {
    const local = `${name}[${row.key}]`;
    const trouble = row.key === '' ? 'its key is empty' : localNameProblem(local);
    if (trouble !== undefined || seen.has(row.key)) {
      const why = trouble ?? `the key ${JSON.stringify(row.key)} is in two rows`;
      report.problem(problemAt(forEach, `row ${row.place}: ${why}`));
      continue;
    }
    seen.add(row.key);
    const filled = filler.fill(body, row);
    const said = when && filler.fill(when.value, row);
    const isLeftOut = when !== undefined && !(said && isWanted({ ...when, value: said }, repeating));
    const own = filled?.kind === 'map' ? filled : body;
    made.push({ draft: { kind, name: local, key: `${kind.name}.${local}`, entry, node: own }, isLeftOut });
  }
  return made;
}

/** Returns false if the text of `when` is empty, `false`, `0` or `null`. */
function isWanted(when: Entry | undefined, { host, outside, report, allowUnset }: Repeating): boolean {
  if (when === undefined) return true;
  const { value } = when;
  if (value.kind !== 'scalar') {
    report.problem(problemAt(value, '"when" must be a text, such as a variable'));
    return true;
  }
  const filled = expand(value.text, outside, manifestFolder(host, value.source.name), () => ({
    problem: '"when" cannot depend on another object',
  }));
  for (const message of filled.problems) report.problem(problemAt(value, message));
  // With unset variables, objects with an unknown `when` are also checked.
  if (filled.absent && allowUnset) return true;
  return !['', 'false', '0', 'null', '~'].includes(filled.absent ? '' : filled.text.trim().toLowerCase());
}

/** Reads a list, a map, or a CSV file. */
function readRepeatRows(node: DocumentNode, repeating: Repeating): readonly Row[] {
  if (node.kind === 'list') return node.items.flatMap((item) => listRow(item, repeating.report));
  return node.kind === 'map' ? node.entries.map(mapRow) : csvRows(node, repeating);
}

function listRow(item: DocumentNode, report: ProblemReport): readonly Row[] {
  const place = formatPlace(item);
  if (item.kind === 'scalar')
    return [{ key: item.text, place, cells: createCells(item, [['value', item]]), where: `row ${place}` }];
  if (item.kind === 'map') {
    const own = item.entries.map(({ key, value }) => [key, value] as const);
    const key = new Map(own).get('key') ?? own[0]?.[1];
    if (key?.kind === 'scalar')
      return [{ key: key.text, place, cells: createCells(key, own), where: `row ${place}` }];
  }
  report.problem(
    problemAt(item, 'a row of "for_each" must be a text, or a map whose "key", or first value, is one'),
  );
  return [];
}

function mapRow(entry: Entry): Row {
  const { key, value, source, at } = entry;
  const name: ScalarNode = { kind: 'scalar', text: key, plain: false, source, at };
  const own = value.kind === 'map' ? value.entries.map((each) => [each.key, each.value] as const) : [];
  const place = formatPlace(entry);
  return { key, place, where: `row ${place}`, cells: createCells(name, [['value', value], ...own]) };
}

const createCells = (
  key: ScalarNode,
  cells: readonly (readonly [string, DocumentNode])[],
): ReadonlyMap<string, DocumentNode> => new Map([...cells, ['key', { ...key, plain: false }] as const]);

function csvRows(node: ScalarNode, { host, outside, report }: Repeating): readonly Row[] {
  const problem = (message: string): readonly Row[] => {
    report.problem(problemAt(node, message));
    return [];
  };
  const folder = manifestFolder(host, node.source.name);
  const path = expand(node.text, outside, folder, () => ({ problem: '"for_each" takes no reference' }));
  if (path.problems.length > 0) return path.problems.flatMap(problem);
  const read = outside.readTable(path.text, folder);
  if (!('text' in read)) return problem('problem' in read ? read.problem : 'there is no such file');
  try {
    return parseCsvRows({ name: path.text, text: read.text.replace(/^\uFEFF/, '') }, node, problem);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return problem(error.lines[0] ?? error.message);
  }
}

function parseCsvRows(
  input: InputText,
  { source, at }: ScalarNode,
  problem: (message: string) => readonly Row[],
): readonly Row[] {
  const { name } = input;
  const { head, rows } = parseCsv(input);
  const titles = (head?.cells ?? []).map((title) => title.trim());
  const double = titles.find((title, index) => title === '' || titles.indexOf(title) !== index);
  if (titles.length === 0) return problem(`${name} has no header row`);
  if (double !== undefined)
    return problem(
      `${name}:${head?.line ?? 1}: ${double === '' ? 'a column has no title' : `two columns are called ${JSON.stringify(double)}`}`,
    );
  const keyAt = Math.max(0, titles.indexOf('key'));
  return rows.flatMap(({ line, cells }) => {
    const place = `${name}:${line}`;
    if (cells.length > titles.length)
      return problem(`${place}: the row has more cells than there are titles`);
    const nodes = titles.map((title, index): readonly [string, ScalarNode] => [
      title,
      cellNode(decodeCell(cells[index] ?? ''), source, at),
    ]);
    const key = nodes[keyAt]?.[1] ?? cellNode('', source, at);
    return [
      {
        key: decodeCell(cells[keyAt] ?? '').trim(),
        place,
        where: `row ${place}`,
        cells: createCells(key, nodes),
      },
    ];
  });
}

/** `${` and "null" have no special meaning in a cell. */
function cellNode(text: string, source: Source, at: number): ScalarNode {
  const node: ScalarNode = { kind: 'scalar', text: text.replaceAll('${', '$$${'), plain: true, source, at };
  return text !== '' && isNullScalar(node) ? { ...node, plain: false } : node;
}
