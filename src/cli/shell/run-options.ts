import { Failure } from '../../base/failure.ts';
import { durationOf } from '../../base/moment.ts';
import type { Consent, RunOptions } from '../command/context.ts';
import type { GlobalInput } from '../commands/global-options.ts';

/** The options that are no settings: global ones, the consent to charges, and that about unknown fields. */
export function runOptionsOf(
  global: Partial<GlobalInput>,
  consent: Consent = { kind: 'ask' },
  allowUnknownFields = false,
  queryFields: readonly string[] = [],
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
    queryFields,
    deadlineMs: global.deadline === undefined ? undefined : deadlineIn(global.deadline),
    allowUnknownFields,
    consent,
    confirm: undefined,
  };
}

/** Longest time that a timer runs, in milliseconds. */
const longestMs = 24 * 86_400_000;

function deadlineIn(text: string): number {
  const ms = durationOf(text, '--deadline');
  if (ms >= 1 && ms <= longestMs) return ms;
  throw new Failure('usage', `--deadline must be between 1ms and 24d, not ${JSON.stringify(text)}.`);
}
