import { Failure } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import type { Api } from '../../client/api/api.ts';
import { operationById } from '../../contract/catalogue.ts';
import type { Problem } from '../../engine/input/document.ts';
import type { Context } from '../command/context.ts';

/**
 * Settles unknown classes of numbers by the classes of the account's service. A class that the service has is not a problem. One that
 * it lacks and that is close to a known one is refused, since the restriction would have no effect. Without an answer
 * of the service the warnings stay.
 */
export async function withOwnClasses<P extends Problem>(
  context: Context,
  accountId: string | undefined,
  problems: readonly P[],
): Promise<readonly P[]> {
  if (accountId === undefined || !problems.some(({ unknownClass }) => unknownClass)) return problems;
  const classes = await ownClasses(await context.api(), accountId);
  if (classes === undefined) return problems;
  return problems
    .filter(({ unknownClass }) => unknownClass === undefined || !classes.has(unknownClass.name))
    .map((each) => (each.unknownClass?.near === undefined ? each : { ...each, refused: true as const }));
}

/** Names of the classes of numbers that a service has; `undefined` if it does not tell. */
export async function ownClasses(api: Api, accountId: string): Promise<ReadonlySet<string> | undefined> {
  try {
    const { data } = await api.call({
      operation: operationById('numbers.classifiers'),
      path: { account_id: accountId },
    });
    return isObject(data) && Object.keys(data).length > 0 ? new Set(Object.keys(data)) : undefined;
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'interrupted' && error.status !== 401) return undefined;
    throw error;
  }
}
