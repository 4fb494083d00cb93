import { findNearest } from '../../base/nearest.ts';

/** A fault to put in, and the requests that it strikes. */
export interface FaultRule {
  readonly id: string;
  /** As it was given: `PUT /users*`. */
  readonly match: string;
  /** Answered in place of what the service would say; the request is not carried out. */
  readonly status?: number | undefined;
  /** Seconds that `Retry-After` of that answer names. */
  readonly retryAfter?: number | undefined;
  /** The connection is cut: before anything happens, or once all was carried out. */
  readonly drop?: 'before' | 'after' | undefined;
  /** Waits first, by the sandbox's clock. */
  readonly delayMs?: number | undefined;
  /** The request is carried out, and its reply breaks off in the middle. */
  readonly body?: 'garbage' | undefined;
  readonly times?: number | undefined;
  /** Share of the requests that it strikes (0 to 1), chosen by `seed`. */
  readonly rate?: number | undefined;
  readonly seed: number;
}

/** A pattern of requests: a method, where one is given, and a path in which `*` stands for anything. */
interface Pattern {
  readonly method: string | undefined;
  readonly path: RegExp;
}

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const globPattern = (text: string): RegExp =>
  new RegExp(`^${text.split('*').map(escapePattern).join('.*')}$`);

export const matchesGlob = (wanted: string, text: string): boolean => globPattern(wanted).test(text);

const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Reads `PUT /users*`, `/users*`, `PUT` or `*`; `undefined` where it is none of them. */
export function parsePattern(text: string): Pattern | undefined {
  const parts = /^(?:([A-Za-z]+|\*)(?:\s+|$))?(\*|\/\S*)?$/.exec(text.trim());
  if (text.trim() === '' || !parts) return undefined;
  const [, word = '*', path = '*'] = parts;
  const method = word.toUpperCase();
  if (method !== '*' && !methods.includes(method)) return undefined;
  return { method: method === '*' ? undefined : method, path: globPattern(path) };
}

/** Returns the reason why `patternOf` reads no pattern in a text, as a sentence. */
export function explainPattern(text: string): string {
  const [word = ''] = text.trim().split(/\s+/);
  if (!/^[A-Za-z]+$/.test(word) || methods.includes(word.toUpperCase()))
    return `"${text}" is not a pattern: give a method, a path or both, such as "PUT /users*".`;
  const near = findNearest(word, methods);
  const way =
    near === undefined
      ? `Methods are ${methods.join(', ')}; paths begin with a slash.`
      : `Did you mean ${near}?`;
  return `"${word}" is not a method. ${way}`;
}

/** The ways to write a path: as it was asked for, without `/v2`, and without the account before it. */
function pathForms(path: string): readonly string[] {
  const plain = path.replace(/^\/v2(?=\/)/, '');
  return [path, plain, plain.replace(/^\/accounts\/[^/]+(?=\/)/, '')];
}

export const matchesRequest = (pattern: Pattern, method: string, path: string): boolean =>
  (pattern.method === undefined || pattern.method === method) &&
  pathForms(path).some((way) => pattern.path.test(way));

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seededFractions(seed: number): () => number {
  let state = Math.trunc(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
