import { operations } from '../contract/catalogue.ts';
import type { ErrorShape, Method, Operation } from '../contract/types.ts';
import type { SandboxParts } from './parts.ts';

/** A method of a path, with what it can mean. */
export interface Route {
  readonly method: Method;
  /** In the router's writing: `/v2/accounts/:account_id/users`. */
  readonly url: string;
  /** Several are told apart by the request's `action`. */
  readonly operations: readonly [Operation, ...Operation[]];
}

function urlsOf({ prefix, path }: Operation, served: SandboxParts['prefix']): readonly string[] {
  const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
  if (prefix === 'always' || served === 'v2') return [`/v2${url}`];
  return served === 'none' ? [url] : [`/v2${url}`, url];
}

/** All routes of the contract, by the prefix that account resources are served under (Versioning 3). */
export function routesOf(served: SandboxParts['prefix']): readonly Route[] {
  const entries = operations.flatMap((operation) =>
    urlsOf(operation, served).map((url) => ({ url, method: operation.method, operation })),
  );
  const together = Map.groupBy(entries, ({ method, url }) => `${method} ${url}`);
  return [...together.values()].flatMap(([first, ...others]) =>
    first
      ? [
          {
            method: first.method,
            url: first.url,
            operations: [first.operation, ...others.map(({ operation }) => operation)] as const,
          },
        ]
      : [],
  );
}

/** Which methods a path takes, and the error shape of its group; none for a path that is not there. */
export interface PathMethods {
  readonly methods: readonly Method[];
  readonly errors: ErrorShape;
}

/** Finds the methods of a path, for requests that no route takes. */
export function methodFinder(routes: readonly Route[]): (path: string) => PathMethods {
  let patterns: readonly (readonly [RegExp, Route])[] | undefined;
  return (path) => {
    patterns ??= routes.map((route) => [new RegExp(`^${route.url.replaceAll(/:\w+/g, '[^/]+')}$`), route]);
    const found = patterns.filter(([pattern]) => pattern.test(path)).map(([, route]) => route);
    return {
      methods: [...new Set(found.map(({ method }) => method))],
      errors: found[0]?.operations[0].errors ?? 'legacy',
    };
  };
}
