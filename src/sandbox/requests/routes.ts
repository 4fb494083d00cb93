import { operations } from '../../contract/catalogue.ts';
import type { ErrorShape, Method, Operation } from '../../contract/types.ts';
import type { SandboxParts } from '../services.ts';

/** A method of a path, with what it can mean. */
export interface Route {
  readonly method: Method;
  /** In the router's writing: `/v2/accounts/:account_id/users`. */
  readonly url: string;
  /** Several are told apart by the request's `action`. */
  readonly operations: readonly [Operation, ...Operation[]];
}

/** All routes of the contract, `/v2` before each of them. */
export function routesOf(): readonly Route[] {
  const together = Map.groupBy(operations, ({ method, path }) => `${method} ${path}`);
  return [...together.values()].flatMap(([first, ...others]) =>
    first
      ? [
          {
            method: first.method,
            url: `/v2${first.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
            operations: [first, ...others] as const,
          },
        ]
      : [],
  );
}

function routesWith(routes: readonly Route[], isKept: (operation: Operation) => boolean): readonly Route[] {
  return routes.flatMap((route) => {
    const [first, ...others] = route.operations.filter(isKept);
    return first ? [{ ...route, operations: [first, ...others] as const }] : [];
  });
}

/** The routes that the specification lists, without those that are only the convention of compatible services. */
export const documentedRoutes = (routes: readonly Route[]): readonly Route[] =>
  routesWith(routes, ({ source }) => source === 'specification');

/** The routes without some operations, by their ids. */
export const withoutOperations = (routes: readonly Route[], ids: readonly string[]): readonly Route[] =>
  routesWith(routes, ({ id }) => !ids.includes(id));

/** The version that an address begins with. */
export function versionOf(url: string): number | undefined {
  const [, version] = /^\/v(\d+)(?=[/?]|$)/.exec(url) ?? [];
  return version === undefined ? undefined : Number(version);
}

/** Tells whether an address is the sandbox's own and no part of the service. */
export const isOwnUrl = (url: string): boolean => /^\/(?:sandbox(?:[/?]|$)|\?|$)/.test(url);

/** An address without empty parts in its path: `/users/` is the collection and names no user. */
function withoutEmptyParts(url: string): string {
  const mark = url.indexOf('?');
  const [path, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark)];
  const parts = path.split('/').filter((part) => part !== '');
  return `/${parts.join('/')}${query}`;
}

/**
 * The address that routes are looked for at: with `/v2`, whether or not it was asked for with it. `anyVersion`: what
 * was asked for with a later version, too.
 */
export function routedUrl(asked: string, anyVersion = false): string {
  if (isOwnUrl(asked)) return asked;
  const url = withoutEmptyParts(asked);
  const version = versionOf(url);
  if (version === undefined) return `/v2${url}`;
  return anyVersion && version > 2 ? url.replace(/^\/v\d+/, '/v2') : url;
}

/**
 * Tells whether an operation answers at an address as it was asked for, with `/v2` or without (Versioning 1 and 3).
 */
export function answersAt({ prefix }: Operation, url: string, served: SandboxParts['prefix']): boolean {
  const isVersioned = versionOf(url) !== undefined;
  if (prefix === 'always' || served === 'v2') return isVersioned;
  return served !== 'none' || !isVersioned;
}

/** The methods that a path takes, and the error shape of its group; none for a path that does not exist. */
export interface PathMethods {
  readonly methods: readonly Method[];
  readonly errors: ErrorShape;
}

/** Finds the methods of a path, for requests that no route takes. */
export function methodFinder(
  routes: readonly Route[],
  served: SandboxParts['prefix'],
): (path: string) => PathMethods {
  let patterns: readonly (readonly [RegExp, Route])[] | undefined;
  return (path) => {
    patterns ??= routes.map((route) => [new RegExp(`^${route.url.replaceAll(/:\w+/g, '[^/]+')}$`), route]);
    const found = patterns
      .filter(
        ([pattern, { operations }]) =>
          pattern.test(routedUrl(path)) && answersAt(operations[0], path, served),
      )
      .map(([, route]) => route);
    return {
      methods: [...new Set(found.map(({ method }) => method))],
      errors: found[0]?.operations[0].errors ?? 'legacy',
    };
  };
}
