import type { Context } from '../../cli/context.ts';
import { type PlannedAccount, planLines } from './plan-lines.ts';

/** Shows plans before somebody is asked about them. */
export function showPlans({ host, notices, options }: Context, accounts: readonly PlannedAccount[]): void {
  const { columns, isTTY } = host.stderr;
  const layout = { columns: isTTY ? columns : undefined, verbose: options.verbosity === 'verbose' };
  for (const line of planLines(accounts, layout)) notices.say(line.map(({ text }) => text).join(''));
}
