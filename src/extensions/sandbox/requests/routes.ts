import { namesWords, operationsAt, parametersIn, splitSegments } from '../../../contract/paths.ts';
import type { ErrorShape, Method, Operation } from '../../../contract/types.ts';
import type { SandboxParts } from '../services.ts';

export function versionOf(url: string): number | undefined {
  const [, version] = /^\/v(\d+)(?=[/?]|$)/.exec(url) ?? [];
  return version === undefined ? undefined : Number(version);
}

export const isSandboxUrl = (url: string): boolean => /^\/(?:sandbox(?:[/?]|$)|\?|$)/.test(url);

export const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

export const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.replace(/^[^?]*/, ''));

/** Removes empty path segments, so that `/users/` is the collection. */
function withoutEmptyParts(url: string): string {
  const mark = url.indexOf('?');
  const [path, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark)];
  const parts = path.split('/').filter((part) => part !== '');
  return `/${parts.join('/')}${query}`;
}

/** Normalizes a URL for routing. The result starts with `/v2`. */
export function normalizeUrl(asked: string, anyVersion = false): string {
  if (isSandboxUrl(asked)) return asked;
  const url = withoutEmptyParts(asked);
  const version = versionOf(url);
  if (version === undefined) return `/v2${url}`;
  return anyVersion && version > 2 ? url.replace(/^\/v\d+/, '/v2') : url;
}

/** Returns true if an operation is served at a URL with or without `/v2` (Versioning 1 and 3). */
export function isServedAt({ prefix }: Operation, url: string, served: SandboxParts['prefix']): boolean {
  const isVersioned = versionOf(url) !== undefined;
  if (prefix === 'always' || served === 'v2') return isVersioned;
  return served !== 'none' || !isVersioned;
}

/** Returns true if a request matches a route such as `GET /accounts/{account_id}`. */
export const matchesAnyRoute = (lines: readonly string[], method: string, path: string): boolean =>
  lines.some((line) => {
    const pattern = line.replace(' ', ' /v2').replaceAll(/\{\w+\}/g, '[^/]+');
    return new RegExp(`^${pattern}$`).test(`${method} ${path}`);
  });

export interface Route {
  /** If there are several, the `action` of the request selects one. */
  readonly operations: readonly [Operation, ...Operation[]];
  readonly params: Readonly<Record<string, string>>;
}

const maxParamLength = 1024;

/** Returns the operations of a request. `path` starts with `/v2`. */
export function findRoute(
  method: string | undefined,
  path: string,
  isServed: (operation: Operation) => boolean,
): Route | undefined {
  if (!path.startsWith('/v2/')) return undefined;
  const segments = splitSegments(path.slice('/v2'.length));
  const [first, ...others] = operationsAt(segments).filter(
    (each) => each.method === method && isServed(each) && !namesWords(each, segments),
  );
  if (!first || segments.some(({ length }) => length > maxParamLength)) return undefined;
  const same = others.filter((each) => each.path === first.path);
  return { operations: [first, ...same], params: parametersIn(first, segments) };
}

export interface PathMethods {
  readonly methods: readonly Method[];
  readonly errors: ErrorShape;
}

/** Returns the methods of a path. The list is empty if the path does not exist. */
export function methodsAt(
  path: string,
  served: SandboxParts['prefix'],
  isServed: (operation: Operation) => boolean,
): PathMethods {
  const routed = normalizeUrl(path);
  const segments = splitSegments(routed.slice('/v2'.length));
  const found = routed.startsWith('/v2/')
    ? operationsAt(segments).filter(
        (each) => isServed(each) && isServedAt(each, path, served) && !namesWords(each, segments),
      )
    : [];
  return {
    methods: [...new Set(found.map(({ method }) => method))],
    errors: found[0]?.errors ?? 'legacy',
  };
}
