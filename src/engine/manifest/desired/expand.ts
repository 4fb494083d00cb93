import { nextStep } from '../../../base/failure.ts';
import { nearest } from '../../../base/nearest.ts';
import { accountWord, holdsMarks, referenceTo } from '../desired.ts';
import { kinds } from '../kinds.ts';
import { type Outside, outsideNames } from './outside.ts';

/** Result of filling in everything in a text. */
interface Expansion {
  /** References to objects stand in it as marked text. */
  readonly text: string;
  /** The text is one expression and nothing else. */
  readonly whole: boolean;
  /** All that was filled in came from variables of the command line. */
  readonly fromVariable: boolean;
  /** Something of it came from the environment or a file. */
  readonly confidential: boolean;
  /** Sources of what was filled in from outside: `env.NAME`, `file.PATH`, `var.name`. */
  readonly sources: readonly string[];
  /** Keys of the objects that it refers to. */
  readonly refersTo: readonly string[];
  /** It needs an optional variable that is not set. */
  readonly absent: boolean;
  readonly problems: readonly string[];
}

/** Resolves a reference to an object: its marked text, or why there is none. */
export type Refer = (kind: string, name: string) => { readonly text: string } | { readonly problem: string };

const sections: ReadonlySet<string> = new Set(kinds.map(({ name }) => name));

/** Kinds that an account has several of, each with a name. */
const named: ReadonlySet<string> = new Set(
  kinds.flatMap(({ name, shape }) => (shape === 'many' && name !== 'accounts' ? [name] : [])),
);

function notNamed(expression: string, section: string): string {
  const near = nearest(section, [...named]);
  const meant =
    near === undefined
      ? ''
      : `; did you mean \${account.${near}${expression.slice(`account.${section}`.length)}}?`;
  return `\${${expression}} names nothing of the account, as \${account.users.alice} does${meant}`;
}

/** Fills in a text: variables, environment and files by `outside`, references to objects by `refer`. */
export function expand(
  text: string,
  outside: Pick<Outside, 'lookUp'>,
  folder: string,
  refer: Refer,
): Expansion {
  const pieces = piecesOf(text);
  const problems: string[] = [];
  const refersTo: string[] = [];
  const sources: string[] = [];
  let absent = false;
  let confidential = false;
  let fromVariable = true;

  function fillIn(expression: string): string {
    const dot = expression.indexOf('.');
    const word = dot === -1 ? expression : expression.slice(0, dot);
    const name = dot === -1 ? '' : expression.slice(dot + 1);
    if (word === accountWord && name !== '') {
      const section = name.slice(0, Math.max(0, name.indexOf('.')));
      if (!named.has(section)) problems.push(notNamed(expression, section));
      else refersTo.push(expression);
      fromVariable = false;
      return named.has(section) ? referenceTo(expression) : '';
    }
    if (dot === -1 || name === '' || !(sections.has(word) || outsideNames.has(word))) {
      problems.push(notUnderstood(expression, word, dot !== -1));
      return '';
    }
    if (sections.has(word)) {
      const found = refer(word, name);
      if ('problem' in found) {
        problems.push(found.problem);
        return '';
      }
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

  if (pieces === undefined) return { ...nothing, problems: [unclosed] };
  const filled = pieces.map((piece) => {
    if ('expression' in piece) return fillIn(piece.expression);
    if (holdsMarks(piece.literal))
      problems.push(
        'the characters U+E000 and U+E001 are kept for references and cannot stand in a manifest',
      );
    return piece.literal;
  });
  const [first] = pieces;
  const whole = pieces.length === 1 && first !== undefined && 'expression' in first;
  return { text: filled.join(''), whole, fromVariable, confidential, sources, refersTo, absent, problems };
}

const unclosed = `"\${" has no "}"; write $\${ for a literal \${`;
const nothing = {
  text: '',
  whole: false,
  fromVariable: false,
  confidential: false,
  sources: [],
  refersTo: [],
  absent: false,
} as const;

function notUnderstood(expression: string, word: string, hasName: boolean): string {
  const shown = `\${${expression}}`;
  if (word === 'each' && hasName) return `${shown} means a row, and stands in an object with "for_each" only`;
  if (hasName && (sections.has(word) || outsideNames.has(word))) return `${shown} has no name after the dot`;
  const near = hasName ? nearest(word, [...sections, ...outsideNames]) : undefined;
  if (near !== undefined)
    return `${shown} is not known; did you mean \${${near}${expression.slice(word.length)}}?`;
  const meant = /^[A-Za-z_]\w*$/.test(expression)
    ? `\${env.${expression}} is a variable of the environment`
    : help;
  return `${shown} is not understood; ${meant}, and $\${ a literal \${`;
}

const help = `${nextStep`help manifests`} lists what can be filled in`;

/** A piece of text as a manifest writes it: literal, or something to be filled in. */
type Piece = { readonly literal: string } | { readonly expression: string };

/** Tells whether text holds anything that `piecesOf` would not leave as it is. */
export const isTemplate = (text: string): boolean => text.includes('${');

/**
 * The pieces of a text: `${users.alice}` is an expression, `$${` a literal `${`, everything else stands for itself.
 * `undefined` where a `${` is never closed.
 */
export function piecesOf(text: string): readonly Piece[] | undefined {
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
