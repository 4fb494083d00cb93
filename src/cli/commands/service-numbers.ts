import { Failure } from '../../base/failure.ts';
import type { Api } from '../../client/api/api.ts';
import type { NumberClass } from '../../contract/number-classes.ts';
import { numbers } from '../../contract/resources/numbers.ts';
import { classesOfService, emergencyNumbersOf } from '../../contract/service-classes.ts';
import { operationFor } from './generic/find-named.ts';

const known = new WeakMap<Api, Map<string, Promise<readonly NumberClass[] | undefined>>>();

/** Returns the classes of numbers of the service of an account, read once; `undefined` if it does not show them. */
export function serviceClasses(api: Api, accountId: string): Promise<readonly NumberClass[] | undefined> {
  const ofApi = known.get(api) ?? new Map();
  known.set(api, ofApi);
  const found = ofApi.get(accountId) ?? readClasses(api, accountId);
  ofApi.set(accountId, found);
  return found;
}

async function readClasses(api: Api, accountId: string): Promise<readonly NumberClass[] | undefined> {
  try {
    const operation = operationFor(numbers, 'classifiers');
    return classesOfService((await api.call({ operation, path: { account_id: accountId } })).data);
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'interrupted' && error.status !== 401) return undefined;
    throw error;
  }
}

/** Returns the emergency numbers of an account: of its country, and of the classes of its service. */
export async function accountEmergencyNumbers(api: Api, accountId: string): Promise<readonly string[]> {
  const [country, classes] = await Promise.all([api.country(accountId), serviceClasses(api, accountId)]);
  return emergencyNumbersOf(country, classes);
}
