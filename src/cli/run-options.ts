import type { Consent } from '../commands/charges/consent.ts';
import type { RunOptions } from './context.ts';
import type { GlobalInput } from './global-options.ts';

/** The options that are no settings: global ones, the word about charges, and that about unknown fields. */
export function runOptionsOf(
  global: Partial<GlobalInput>,
  consent: Consent = { kind: 'ask' },
  allowUnknownFields = false,
): RunOptions {
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
    allowUnknownFields,
    consent,
  };
}
