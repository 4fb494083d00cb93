import { findNearest } from '../../base/nearest.ts';

export interface FaultRule {
  readonly id: string;
  /** The pattern as typed, such as `PUT /users*`. */
  readonly match: string;
  /** Status of a response that is sent instead of executing the request. */
  readonly status?: number | undefined;
  /** Value of `Retry-After` in seconds. */
  readonly retryAfter?: number | undefined;
  /** When the connection is cut: before or after the request is executed. */
  readonly drop?: 'before' | 'after' | undefined;
  /** Delay before the request, on the sandbox's clock. */
  readonly delayMs?: number | undefined;
  /** Truncates the response after the request is executed. */
  readonly body?: 'garbage' | undefined;
  readonly times?: number | undefined;
  /** Share of matching requests to affect, from 0 to 1. */
  readonly rate?: number | undefined;
  readonly seed: number;
}

/** Matches requests by method and path. `*` in a path matches any text. */
interface Pattern {
  readonly method: string | undefined;
  readonly path: RegExp;
}

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const globPattern = (text: string): RegExp =>
  new RegExp(`^${text.split('*').map(escapePattern).join('.*')}$`);

export const matchesGlob = (wanted: string, text: string): boolean => globPattern(wanted).test(text);

const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Parses `PUT /users*`, `/users*`, `PUT` or `*`. Returns `undefined` for any other text. */
export function parsePattern(text: string): Pattern | undefined {
  const parts = /^(?:([A-Za-z]+|\*)(?:\s+|$))?(\*|\/\S*)?$/.exec(text.trim());
  if (text.trim() === '' || !parts) return undefined;
  const [, word = '*', path = '*'] = parts;
  const method = word.toUpperCase();
  if (method !== '*' && !methods.includes(method)) return undefined;
  return { method: method === '*' ? undefined : method, path: globPattern(path) };
}

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

/** Returns a path in all forms that a pattern can have: as sent, without `/v2`, and without the account. */
function pathForms(path: string): readonly string[] {
  const plain = path.replace(/^\/v2(?=\/)/, '');
  return [path, plain, plain.replace(/^\/accounts\/[^/]+(?=\/)/, '')];
}

export const matchesRequest = (pattern: Pattern, method: string, path: string): boolean =>
  (pattern.method === undefined || pattern.method === method) &&
  pathForms(path).some((way) => pattern.path.test(way));
