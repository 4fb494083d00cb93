import type { RunOptions } from './context.ts';
import type { GlobalInput } from './global-options.ts';

/** The global options that are no settings. */
export function runOptionsOf(global: Partial<GlobalInput>): RunOptions {
  return {
    yes: global.yes === true,
    dryRun: global.dryRun === true,
    reveal: global.reveal === true,
    verbosity: global.verbose ? 'verbose' : global.quiet ? 'quiet' : 'normal',
    fields: global.fields
      ?.split(',')
      .map((path) => path.trim())
      .filter((path) => path !== ''),
    query: global.query,
  };
}
