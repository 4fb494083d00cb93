import type { Problem } from '../../../engine/input/document.ts';
import type { Context } from '../../command/context.ts';
import { serviceClasses } from './service-numbers.ts';

/** A known class of numbers in a record, and what makes a problem of it if the service lacks the class. */
interface NamedAt<P extends Problem> {
  readonly name: string;
  readonly problem: (message: string) => P;
}

/**
 * Settles classes of numbers by the classes of the account's service. An unknown class that the service has is not a
 * problem. One that it lacks and that is close to a known one is refused, since the restriction would have no effect. A
 * known class that the service lacks draws a warning. Without an answer of the service the warnings stay.
 */
export async function withOwnClasses<P extends Problem>(
  context: Context,
  accountId: string | undefined,
  problems: readonly P[],
  named: readonly NamedAt<P>[],
): Promise<readonly P[]> {
  const isNeeded = named.length > 0 || problems.some(({ unknownClass }) => unknownClass);
  if (accountId === undefined || !isNeeded) return problems;
  const own = await serviceClasses(await context.api(), accountId);
  if (own === undefined) return problems;
  const classes = new Set(own.map(({ name }) => name));
  const unknown = problems
    .filter(({ unknownClass }) => unknownClass === undefined || !classes.has(unknownClass.name))
    .map((each) => (each.unknownClass?.near === undefined ? each : { ...each, refused: true as const }));
  const lacking = named.filter(({ name }) => !classes.has(name));
  return [
    ...unknown,
    ...lacking.map(({ name, problem }) =>
      problem(`this service has no class of numbers ${JSON.stringify(name)}, so the rule has no effect`),
    ),
  ];
}
