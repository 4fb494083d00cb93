import type { Problem } from '../../engine/input/document.ts';
import type { Context } from '../command/context.ts';
import { serviceClasses } from './service-numbers.ts';

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
  const own = await serviceClasses(await context.api(), accountId);
  if (own === undefined) return problems;
  const classes = new Set(own.map(({ name }) => name));
  return problems
    .filter(({ unknownClass }) => unknownClass === undefined || !classes.has(unknownClass.name))
    .map((each) => (each.unknownClass?.near === undefined ? each : { ...each, refused: true as const }));
}
