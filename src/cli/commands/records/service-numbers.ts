import { Failure } from '../../../base/failure.ts';
import type { Json } from '../../../base/json.ts';
import type { Api } from '../../../client/api/api.ts';
import { emergencyNumbersOf } from '../../../contract/account-emergency.ts';
import type { NumberClass } from '../../../contract/number-classes.ts';
import { numbers } from '../../../contract/resources/numbers.ts';
import { operationFor } from './find-named.ts';

const known = new WeakMap<Api, Map<string, Promise<Json | undefined>>>();

/** Reads the classifiers once. Returns `undefined` if the service does not list them. */
function serviceClassifiers(api: Api, accountId: string): Promise<Json | undefined> {
  const ofApi = known.get(api) ?? new Map();
  known.set(api, ofApi);
  const found = ofApi.get(accountId) ?? readClassifiers(api, accountId);
  ofApi.set(accountId, found);
  return found;
}

async function readClassifiers(api: Api, accountId: string): Promise<Json | undefined> {
  try {
    const operation = operationFor(numbers, 'classifiers');
    return (await api.call({ operation, path: { account_id: accountId } })).data;
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'interrupted' && error.status !== 401) return undefined;
    throw error;
  }
}

/** Returns the classes of numbers of an account's service, or `undefined` if the service does not list them. */
export async function serviceClasses(
  api: Api,
  accountId: string,
): Promise<readonly NumberClass[] | undefined> {
  const [reply, { classesOfService }] = await Promise.all([
    serviceClassifiers(api, accountId),
    import('../../../contract/service-classes.ts'),
  ]);
  return classesOfService(reply);
}

/** Returns the emergency numbers of an account, from its country and the classes of its service. */
export async function accountEmergencyNumbers(api: Api, accountId: string): Promise<readonly string[]> {
  const [country, classifiers] = await Promise.all([
    api.country(accountId),
    serviceClassifiers(api, accountId),
  ]);
  return emergencyNumbersOf(country, classifiers);
}
