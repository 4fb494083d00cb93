import { isObject, type Json } from '../base/json.ts';
import type { Operation, Resource } from './types.ts';

/** What a user loses by a change: the record, the permission to sign in, or the role of an administrator. */
export type Loss = 'deleted' | 'disabled' | 'demoted';

/**
 * Returns what a user loses by a change. `data` is the sent data. A replacement without a role has the default role.
 */
export function lossOf(verb: string, data: Json | undefined): Loss | undefined {
  if (verb === 'delete') return 'deleted';
  if (verb !== 'update' && verb !== 'patch') return undefined;
  const { priv_level: level, enabled } = isObject(data) ? data : {};
  if (enabled === false || enabled === 'false') return 'disabled';
  return level !== 'admin' && (level !== undefined || verb === 'update') ? 'demoted' : undefined;
}

/** Returns what the user of a request loses by it. */
export const lossBy = (
  { resource, verb, body }: Pick<Operation, 'resource' | 'verb' | 'body'>,
  data: Json | undefined,
): Loss | undefined =>
  resource === 'users' ? lossOf(body?.kind === 'partial' ? 'patch' : verb, data) : undefined;

/** Returns true for resources with user rights. Removing the last administrator requires a confirmation by name. */
export const holdsRights = ({ name }: Pick<Resource, 'name'>): boolean => name === 'users';

/** Returns true for a change of the limits after which the service refuses every call except emergency calls. */
export const stopsCalls = (
  { resource, method }: Pick<Operation, 'resource' | 'method'>,
  data: Json | undefined,
): boolean => resource === 'limits' && method !== 'GET' && isObject(data) && Number(data.calls ?? 1) === 0;

/** Returns true if a request needs guards. They are not loaded for other requests. */
export const isGuarded = (operation: Operation, data: Json | undefined): boolean =>
  operation.method === 'DELETE' ||
  operation.asks !== undefined ||
  stopsCalls(operation, data) ||
  lossBy(operation, data) !== undefined ||
  mayKeepFromHelp(operation, data);

/** Returns true for a request that can block emergency calls: it sets numbers, flows or restrictions. */
export function mayKeepFromHelp(
  { resource, effect, method }: Pick<Operation, 'resource' | 'effect' | 'method'>,
  data: Json | undefined,
): boolean {
  if (effect === 'read') return false;
  if (resource === 'numbers' && method !== 'DELETE') return true;
  if (!isObject(data)) return false;
  if (resource === 'blacklists') return data.numbers !== undefined;
  if (data.call_restriction !== undefined || data.dial_plan !== undefined) return true;
  return (
    resource === 'callflows' && [data.numbers, data.patterns, data.flow].some((each) => each !== undefined)
  );
}
