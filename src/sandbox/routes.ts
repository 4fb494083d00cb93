import { operations } from '../contract/catalogue.ts';
import type { Operation } from '../contract/types.ts';
import type { SandboxParts } from './parts.ts';

/** A path that the service knows, with its operations by method. */
export interface Route {
  /** In the router's writing: `/v2/accounts/:account_id/users`. */
  readonly url: string;
  /** Several operations of one method are told apart by the request's `action`. */
  readonly byMethod: ReadonlyMap<string, readonly Operation[]>;
}

function urlsOf({ prefix, path }: Operation, served: SandboxParts['prefix']): readonly string[] {
  const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
  if (prefix === 'always' || served === 'v2') return [`/v2${url}`];
  return served === 'none' ? [url] : [`/v2${url}`, url];
}

/** All paths of the contract, by the prefix that account resources are served under (Versioning 3). */
export function routesOf(served: SandboxParts['prefix']): readonly Route[] {
  const byUrl = Map.groupBy(
    operations.flatMap((operation) => urlsOf(operation, served).map((url) => ({ url, operation }))),
    ({ url }) => url,
  );
  return [...byUrl].map(([url, entries]) => ({
    url,
    byMethod: Map.groupBy(
      entries.map(({ operation }) => operation),
      ({ method }) => method,
    ),
  }));
}
