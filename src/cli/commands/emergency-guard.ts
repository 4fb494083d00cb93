import { Failure, unlessMissing } from '../../base/failure.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { GuardedRequest } from '../../client/api/api.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import { type EmergencyProblem, emergencyProblems } from '../../contract/emergency-problems.ts';
import type { ResourceName } from '../../contract/types.ts';
import type { Context, Naming } from '../command/context.ts';

/** Parts of a context that the guard uses. */
interface EmergencyGuarded extends Pick<Context, 'ask' | 'notices'>, Pick<Naming, 'api'> {
  readonly options: Pick<Context['options'], 'allowEmergencyShadow'>;
}

/** Problems that the user of this run accepted. */
export type AcceptedProblems = Set<string>;

/**
 * Asks before a request that keeps somebody from calling for help: a number, pattern, dial plan or restriction that takes
 * or bars emergency calls. `--yes` does not answer; `--allow-emergency-shadow` does. Throws `Failure` of kind `refused` if
 * the answer is no, or if it cannot be asked.
 */
export async function guardEmergencyCalls(
  context: EmergencyGuarded,
  { operation, path, data, record }: GuardedRequest,
  { mayAsk, accepted }: { readonly mayAsk: boolean; readonly accepted: AcceptedProblems },
): Promise<void> {
  if (context.options.allowEmergencyShadow || !isObject(data)) return;
  const { resource } = operation;
  if (emergencyProblems(resource, { ...data, flow: undefined }).length === 0 && data.flow === undefined)
    return;
  const before = record ?? (await presentRecord(context, resource, path));
  const after = operation.body?.kind === 'partial' ? { ...before, ...data } : data;
  const known = new Set(before && emergencyProblems(resource, before).map(({ message }) => message));
  const fresh = emergencyProblems(resource, after).filter(
    ({ message }) => !known.has(message) && !accepted.has(message),
  );
  if (fresh.length === 0) return;
  await agreeTo(context, fresh, mayAsk);
  for (const { message } of fresh) accepted.add(message);
}

/** Asks about problems that a change makes. Throws like `guardEmergencyCalls`. */
async function agreeTo(
  { ask, notices }: Pick<EmergencyGuarded, 'ask' | 'notices'>,
  problems: readonly EmergencyProblem[],
  mayAsk: boolean,
): Promise<void> {
  const lines = problems.map(({ field, message }) => `${field}: ${message}.`);
  if (!mayAsk || !ask.available)
    throw new Failure('refused', [...lines, 'Nothing was sent.'], {
      hint: 'To do it anyway: --allow-emergency-shadow',
      details: { emergency: problems.map(({ rule, field, message }) => ({ rule, field, message })) },
    });
  for (const line of lines) notices.warn(line);
  if (!(await ask.confirmExplicitly('Do it anyway? Somebody in need may not reach help.')))
    throw new Failure('interrupted', 'Nothing was sent.');
}

/** The record of a path as it is now; `undefined` for a new one, and where the service shows none. */
async function presentRecord(
  { api }: Pick<EmergencyGuarded, 'api'>,
  resource: ResourceName,
  path: GuardedRequest['path'],
): Promise<JsonObject | undefined> {
  const get = resourceByName(resource).operations.find(({ verb }) => verb === 'get');
  const isNamed = get?.path.match(/\{\w+\}/g)?.every((name) => path[name.slice(1, -1)] !== undefined);
  if (get === undefined || !isNamed) return undefined;
  const found = await unlessMissing((await api()).call({ operation: get, path }));
  return isObject(found?.data) ? found.data : undefined;
}
