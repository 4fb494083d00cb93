import type { Problem } from '../../../engine/input/document.ts';
import type { Context } from '../../command/context.ts';
import { serviceClasses } from './service-numbers.ts';

/** A known class of numbers in a record, and a function that reports a problem if the service lacks it. */
interface NamedAt<P extends Problem> {
  readonly name: string;
  readonly problem: (message: string) => P;
}

/**
 * Checks classes of numbers against those of the account's service. Accepts an unknown class that the service has.
 * Refuses a class that the service lacks if it is close to a known one, because the restriction would have no effect.
 * Warns about a known class that the service lacks. If the service does not list classes, keeps the warnings.
 */
export async function checkNumberClasses<P extends Problem>(
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
