import { Failure, ignoreMissing } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, textAt, textsIn, valueAt } from '../../../base/json.ts';
import type { Api, GuardedRequest } from '../../../client/api/api.ts';
import { shortNumbers } from '../../../contract/account-emergency.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import {
  type EmergencyFacts,
  type EmergencyProblem,
  emergencyProblems,
  newEmergencyProblems,
  nextCallflow,
} from '../../../contract/emergency-problems.ts';
import { dialledDigits } from '../../../contract/phone-number.ts';
import { callflows } from '../../../contract/resources/callflows.ts';
import type { ResourceName } from '../../../contract/types.ts';
import type { Context, NamingContext } from '../../command/context.ts';
import { operationFor } from '../records/find-named.ts';
import { accountEmergencyNumbers } from '../records/service-numbers.ts';

interface EmergencyGuarded
  extends Pick<Context, 'ask' | 'notices'>,
    Pick<NamingContext, 'api' | 'accountId'> {
  readonly options: Pick<Context['options'], 'allowEmergencyShadow' | 'dryRun'>;
}

export type AcceptedProblems = Set<string>;

/**
 * Asks before a request that could block emergency calls: a number, pattern, dial plan or restriction.
 * `--allow-emergency-shadow` confirms it, but `--yes` does not. With `--dry-run` it only warns. Throws `refused`
 * without a terminal, and `interrupted` if the answer is no.
 */
export async function guardEmergencyCalls(
  context: EmergencyGuarded,
  { operation, path, data, record }: GuardedRequest,
  { mayAsk, accepted }: { readonly mayAsk: boolean; readonly accepted: AcceptedProblems },
): Promise<void> {
  if (context.options.allowEmergencyShadow) return;
  const { resource } = operation;
  const changed = resource === 'numbers' ? numberRecords(path, data) : [isObject(data) ? data : {}];
  const isPartial = operation.body?.kind === 'partial';
  const mayBlockEmergency = (each: JsonObject): boolean =>
    emergencyProblems(resource, { ...each, flow: undefined }, { numbers: shortNumbers }).length > 0;
  // New steps may affect an existing number of the record.
  const isFlow = isPartial && changed.some(({ flow }) => flow !== undefined);
  if (!isFlow && !changed.some(mayBlockEmergency)) return;
  const before = record ?? (await readCurrentRecord(context, resource, path));
  if (!changed.some((each) => mayBlockEmergency(isPartial ? { ...before, ...each } : each))) return;
  const api = await context.api();
  const accountId = path.account_id ?? (await context.accountId());
  const numbers = await accountEmergencyNumbers(api, accountId);
  const fresh: EmergencyProblem[] = [];
  for (const each of changed) {
    const after: JsonObject = isPartial ? { ...before, ...each } : each;
    const flowOf = await readReferencedFlows(api, accountId, [before?.flow, after.flow]);
    const found = newEmergencyProblems(resource, { before, after }, { numbers, flowOf });
    fresh.push(...found.filter(({ message }) => !accepted.has(message)));
  }
  if (fresh.length === 0) return;
  if (context.options.dryRun)
    for (const { field, message } of fresh)
      context.notices.warn(`${field}: ${message}. Without --dry-run, it needs --allow-emergency-shadow.`);
  else await confirmProblems(context, fresh, mayAsk);
  for (const { message } of fresh) accepted.add(message);
}

/** Throws `refused` for a fax to an emergency number, which would block a line of the emergency center. */
export async function refuseEmergencyFax(
  context: Pick<EmergencyGuarded, 'api' | 'accountId'>,
  { path, data }: GuardedRequest,
): Promise<void> {
  const number = dialledDigits(isObject(data) ? (textAt(data, 'to_number') ?? '') : '');
  if (!shortNumbers.includes(number)) return;
  const accountId = path.account_id ?? (await context.accountId());
  if (!(await accountEmergencyNumbers(await context.api(), accountId)).includes(number)) return;
  throw new Failure(
    'refused',
    `${number} is an emergency number and cannot receive a fax. Nothing was sent.`,
  );
}

const numberRecords = (path: GuardedRequest['path'], data: GuardedRequest['data']): readonly JsonObject[] =>
  [path.phone_number, ...textsIn(valueAt(data, 'numbers'))].flatMap((id) =>
    id === undefined ? [] : [{ id }],
  );

/** Reads each callflow that the first steps of flows refer to, and returns a lookup of steps by id. */
async function readReferencedFlows(
  api: Api,
  accountId: string,
  flows: readonly (Json | undefined)[],
): Promise<EmergencyFacts['flowOf']> {
  const found = new Map<string, Json | undefined>();
  const flowOf = (id: string): Json | undefined => found.get(id);
  const get = operationFor(callflows, 'get');
  for (const flow of flows)
    for (let next = nextCallflow(flow, flowOf); next !== undefined; next = nextCallflow(flow, flowOf)) {
      if (found.has(next)) break;
      const path = { account_id: accountId, callflow_id: next };
      found.set(next, valueAt((await ignoreMissing(api.call({ operation: get, path })))?.data, 'flow'));
    }
  return flowOf;
}

async function confirmProblems(
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
  if (!(await ask.confirmExplicitly('Do it anyway? Emergency calls may fail.')))
    throw new Failure('interrupted', 'Nothing was sent.');
}

/** Returns `undefined` for a new record, or if the service does not show the record. */
async function readCurrentRecord(
  { api }: Pick<EmergencyGuarded, 'api'>,
  resource: ResourceName,
  path: GuardedRequest['path'],
): Promise<JsonObject | undefined> {
  const get = resourceByName(resource).operations.find(({ verb }) => verb === 'get');
  const isNamed = get?.path.match(/\{\w+\}/g)?.every((name) => path[name.slice(1, -1)] !== undefined);
  if (get === undefined || !isNamed) return undefined;
  const found = await ignoreMissing((await api()).call({ operation: get, path }));
  return isObject(found?.data) ? found.data : undefined;
}
