import { isObject, type Json } from '../base/json.ts';
import type { Operation, Resource } from './types.ts';

/** The record, the permission to sign in, or the role of an administrator. */
export type Loss = 'deleted' | 'disabled' | 'demoted';

/** `data` is the sent data. A replacement without a role has the default role. */
export function lossByVerb(verb: string, data: Json | undefined): Loss | undefined {
  if (verb === 'delete') return 'deleted';
  if (verb !== 'update' && verb !== 'patch') return undefined;
  const { priv_level: level, enabled } = isObject(data) ? data : {};
  if (enabled === false || enabled === 'false') return 'disabled';
  return level !== 'admin' && (level !== undefined || verb === 'update') ? 'demoted' : undefined;
}

export const requestLoss = (
  { resource, verb, body }: Pick<Operation, 'resource' | 'verb' | 'body'>,
  data: Json | undefined,
): Loss | undefined =>
  resource === 'users' ? lossByVerb(body?.kind === 'partial' ? 'patch' : verb, data) : undefined;

/** Removing the last administrator requires a confirmation by name. */
export const holdsRights = ({ name }: Pick<Resource, 'name'>): boolean => name === 'users';

/** Returns true for limits with which the service refuses every call except emergency calls. */
export const stopsCalls = (
  { resource, method }: Pick<Operation, 'resource' | 'method'>,
  data: Json | undefined,
): boolean => resource === 'limits' && method !== 'GET' && isObject(data) && Number(data.calls ?? 1) === 0;

/** Guards are only loaded for requests that need them. */
export const isGuarded = (operation: Operation, data: Json | undefined): boolean =>
  operation.method === 'DELETE' ||
  operation.asks !== undefined ||
  stopsCalls(operation, data) ||
  requestLoss(operation, data) !== undefined ||
  sendsFax(operation, data) ||
  mayKeepFromHelp(operation, data);

/** Returns true for a request that sends a fax to a number. */
export const sendsFax = (
  { resource, effect }: Pick<Operation, 'resource' | 'effect'>,
  data: Json | undefined,
): boolean =>
  resource === 'faxes' && effect !== 'read' && isObject(data) && typeof data.to_number === 'string';

/** Returns true for a request that sets numbers, flows or restrictions, which can block emergency calls. */
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
