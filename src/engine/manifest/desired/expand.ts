import { nextStep } from '../../../base/failure.ts';
import { findNearest } from '../../../base/nearest.ts';
import { type DocumentNode, type Entry, formatPlace, type Source } from '../../input/document.ts';
import { isNullScalar } from '../../input/read-scalar.ts';
import { accountPrefix, holdsMarks, referenceTo } from '../desired.ts';
import { kinds } from '../kinds.ts';
import { type Outside, outsideNames } from './outside.ts';

export type Refer = (kind: string, name: string) => { readonly text: string } | { readonly problem: string };

const sections: ReadonlySet<string> = new Set(kinds.map(({ name }) => name));

const named: ReadonlySet<string> = new Set(
  kinds.flatMap(({ name, shape }) => (shape === 'many' && name !== 'accounts' ? [name] : [])),
);

function notNamedProblem(expression: string, section: string): string {
  const near = findNearest(section, [...named]);
  const meant =
    near === undefined
      ? ''
      : `; did you mean \${account.${near}${expression.slice(`account.${section}`.length)}}?`;
  return `\${${expression}} does not name an object of the account, such as \${account.users.alice}${meant}`;
}

/** Fills in variables, environment and files from `outside`, and references from `refer`. */
export function expand(text: string, outside: Pick<Outside, 'lookUp'>, folder: string, refer: Refer) {
  const problems: string[] = [];
  const refersTo: string[] = [];
  /** For example, `env.NAME`, `file.PATH` or `var.name`. */
  const sources: string[] = [];
  let absent = false;
  /** True if a value comes from the environment or a file. */
  let confidential = false;
  /** True if all values come from `--var`. */
  let fromVariable = true;

  function fail(problem: string): '' {
    problems.push(problem);
    return '';
  }

  function fillIn(expression: string): string {
    const dot = expression.indexOf('.');
    const word = dot === -1 ? expression : expression.slice(0, dot);
    const name = dot === -1 ? '' : expression.slice(dot + 1);
    if (word === accountPrefix && name !== '') {
      const section = name.slice(0, Math.max(0, name.indexOf('.')));
      fromVariable = false;
      if (!named.has(section)) return fail(notNamedProblem(expression, section));
      refersTo.push(expression);
      return referenceTo(expression);
    }
    if (dot === -1 || name === '' || !(sections.has(word) || outsideNames.has(word)))
      return fail(unknownExpression(expression, word, dot !== -1));
    if (sections.has(word)) {
      const found = refer(word, name);
      if ('problem' in found) return fail(found.problem);
      fromVariable = false;
      refersTo.push(`${word}.${name}`);
      return found.text;
    }
    const found = outside.lookUp(word, name, folder);
    if ('problem' in found) problems.push(found.problem);
    if ('absent' in found) absent = true;
    if ('text' in found || word === 'secret') sources.push(expression);
    if (word !== 'var') {
      confidential = true;
      fromVariable = false;
    }
    return 'text' in found ? found.text : '';
  }

  const pieces = parsePieces(text);
  if (pieces === undefined) problems.push(unclosed);
  const filled = (pieces ?? []).map((piece) => {
    if ('expression' in piece) return fillIn(piece.expression);
    if (holdsMarks(piece.literal)) problems.push(keptMarks);
    return piece.literal;
  });
  const whole = pieces?.length === 1 && pieces.some((piece) => 'expression' in piece);
  return { text: filled.join(''), whole, fromVariable, confidential, sources, refersTo, absent, problems };
}

export const keptMarks =
  'the characters U+E000 and U+E001 are reserved for references and not allowed in a manifest';
const unclosed = `"\${" has no "}"; write $\${ for a literal \${`;
function unknownExpression(expression: string, word: string, hasName: boolean): string {
  const shown = `\${${expression}}`;
  if (word === 'each' && hasName)
    return `${shown} is a value of a row, and only allowed in an object with "for_each"`;
  if (hasName && (sections.has(word) || outsideNames.has(word))) return `${shown} has no name after the dot`;
  const near = hasName ? findNearest(word, [...sections, ...outsideNames]) : undefined;
  if (near !== undefined)
    return `${shown} is not known; did you mean \${${near}${expression.slice(word.length)}}?`;
  const meant = /^[A-Za-z_]\w*$/.test(expression)
    ? `\${env.${expression}} is a variable of the environment`
    : help;
  return `${shown} is not understood; ${meant}, and $\${ a literal \${`;
}

const help = `${nextStep`help manifests`} lists what can be filled in`;

type Piece = { readonly literal: string } | { readonly expression: string };

export const isTemplate = (text: string): boolean => text.includes('${');

/** `${a.b}` is an expression, and `$${` is a literal `${`. Returns `undefined` if a `${` is not closed. */
export function parsePieces(text: string): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  let literal = '';
  let at = 0;
  for (;;) {
    const next = text.indexOf('${', at);
    if (next === -1) break;
    if (next > at && text[next - 1] === '$') {
      literal += `${text.slice(at, next - 1)}\${`;
      at = next + 2;
      continue;
    }
    const end = text.indexOf('}', next);
    if (end === -1) return undefined;
    literal += text.slice(at, next);
    if (literal !== '') pieces.push({ literal });
    literal = '';
    pieces.push({ expression: text.slice(next + 2, end).trim() });
    at = end + 1;
  }
  literal += text.slice(at);
  if (literal !== '') pieces.push({ literal });
  return pieces;
}

export interface Cells {
  readonly cells: ReadonlyMap<string, DocumentNode>;
  /** Origin for messages: `row people.csv:3`. */
  readonly where: string;
}

/**
 * Replaces `${WORD.NAME}` with the values of a row. Rows share nodes without such expressions. A parameter (`with`)
 * that is the whole text keeps its place, so that its paths start from its file.
 */
export class CellFiller {
  readonly #word: 'each' | 'with';
  readonly #columns: ReadonlySet<string>;
  readonly #problem: (at: DocumentNode | Entry, message: string) => void;
  readonly #unknown: (column: string) => string;
  readonly #expressions: RegExp;
  readonly #wholeExpression: RegExp;
  readonly #sizes = new Map<DocumentNode, number>();

  constructor(
    word: 'each' | 'with',
    columns: ReadonlySet<string>,
    problem: (at: DocumentNode | Entry, message: string) => void,
    unknown: (column: string) => string,
  ) {
    this.#word = word;
    this.#columns = columns;
    this.#problem = problem;
    this.#unknown = unknown;
    this.#expressions = new RegExp(`(?<!\\$)\\$\\{\\s*${word}\\.([^}]*?)\\s*\\}`, 'g');
    this.#wholeExpression = new RegExp(`^\\$\\{\\s*${word}\\.([^}]*?)\\s*\\}$`);
  }

  /** Returns the number of values in a node that each row creates again. */
  countValues(node: DocumentNode): number {
    const known = this.#sizes.get(node);
    if (known !== undefined) return known;
    const inside =
      node.kind === 'scalar'
        ? Number(this.#holdsAny(node.text))
        : node.kind === 'list'
          ? node.items.reduce((sum, item) => sum + this.countValues(item), 0)
          : node.entries.reduce(
              (sum, { key, value }) => sum + this.countValues(value) + Number(this.#holdsAny(key)),
              0,
            );
    const count = inside === 0 || node.kind === 'scalar' ? inside : inside + childrenOf(node);
    this.#sizes.set(node, count);
    return count;
  }

  /** Returns `undefined` if the row has no value, so that the field is not changed. */
  fill(node: DocumentNode, row: Cells): DocumentNode | undefined {
    if (this.countValues(node) === 0) return node;
    const source = rowSource(node.source, row);
    if (node.kind === 'list')
      return { ...node, source, items: node.items.flatMap((item) => this.fill(item, row) ?? []) };
    if (node.kind === 'map')
      return {
        ...node,
        source,
        entries: node.entries.flatMap((entry): readonly Entry[] => {
          const value = this.fill(entry.value, row);
          return value === undefined ? [] : [{ ...entry, key: this.#fillText(entry, entry.key, row), value }];
        }),
      };
    const [, column] = this.#wholeExpression.exec(node.text) ?? [];
    if (column === undefined) return { ...node, source, text: this.#fillText(node, node.text, row) };
    const cell = this.#cellAt(node, column, row);
    if (cell === undefined || (cell.kind === 'scalar' && cell.plain && cell.text === '')) return undefined;
    return cell.kind === 'scalar' && this.#word === 'each' ? { ...cell, source, at: node.at } : cell;
  }

  #holdsAny(text: string): boolean {
    return text.includes('${') && text.search(this.#expressions) !== -1;
  }

  #cellAt(at: DocumentNode | Entry, column: string, { cells }: Cells): DocumentNode | undefined {
    const cell = cells.get(column);
    if (cell === undefined && !this.#columns.has(column)) this.#problem(at, this.#unknown(column));
    return cell;
  }

  #fillText(at: DocumentNode | Entry, text: string, row: Cells): string {
    return text.replaceAll(this.#expressions, (_, column: string) => {
      const cell = this.#cellAt(at, column, row);
      if (cell === undefined) return '';
      if (cell.kind === 'scalar') return isNullScalar(cell) ? '' : cell.text;
      this.#problem(at, `${JSON.stringify(column)} is a ${cell.kind}, which cannot be part of a text`);
      return '';
    });
  }
}

const childrenOf = (node: DocumentNode): number =>
  node.kind === 'list' ? node.items.length : node.kind === 'map' ? node.entries.length : 0;

function rowSource(source: Source, { where }: Cells): Source {
  const known = rowSources.get(source) ?? new Map<string, Source>();
  rowSources.set(source, known);
  const of = source.of ?? source;
  const made = known.get(where) ?? {
    ...source,
    of,
    place: (at: number) => `${formatPlace({ source: of, at })} (${where})`,
  };
  known.set(where, made);
  return made;
}

const rowSources = new WeakMap<Source, Map<string, Source>>();
