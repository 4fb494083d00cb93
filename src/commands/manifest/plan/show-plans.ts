import type { Context } from '../../../command/context.ts';
import { type PlannedAccount, planLines } from './plan-lines.ts';

/** Shows plans before somebody is asked about them. */
export const showPlans = (
  { notices, options }: Context,
  accounts: readonly PlannedAccount[],
): Promise<void> => notices.report(planLines(accounts, { verbose: options.verbosity === 'verbose' }));
