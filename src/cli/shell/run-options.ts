import { parseDecimal } from '../../base/decimal.ts';
import { Failure, withFacts } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { formatDuration, requireDuration } from '../../base/moment.ts';
import { splitCommas } from '../../base/wording.ts';
import type { Command, OptionSpecs } from '../command/command.ts';
import type { Consent, RunOptions } from '../command/context.ts';
import type { Result } from '../command/result.ts';
import type { GlobalInput } from '../commands/global-options.ts';
import { checkRelations, optionValues } from './input-for.ts';
import type { ParsedOptions } from './parse-line.ts';

/** Reads the options that are not settings: global ones, consent to charges, and unknown fields. */
export function readRunOptions(
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
    fields: global.fields === undefined ? undefined : splitCommas(global.fields),
    query: global.query,
    queryFields,
    deadlineMs: global.deadline === undefined ? undefined : deadlineIn(global.deadline),
    allowUnknownFields,
    allowEmergencyShadow: global.allowEmergencyShadow === true,
    consent,
    confirm: undefined,
  };
}

const longestMs = 24 * 86_400_000;

function deadlineIn(text: string): number {
  const ms = requireDuration(text, '--deadline');
  if (ms >= 1 && ms <= longestMs) return ms;
  throw new Failure('usage', `--deadline must be between 1ms and 24d, not ${JSON.stringify(text)}.`);
}

/**
 * Interrupts a command after `ms`, like Ctrl-C. Returns the host to run it on, and functions that turn its error and
 * result into `unavailable` after the deadline. Has no effect without `ms`.
 */
export function startDeadline(host: Host, ms: number | undefined) {
  const same = { host, errorOf: (error: unknown) => error, resultOf: (result: Result) => result };
  if (ms === undefined) return same;
  const over = host.after(ms);
  const isExpired = (): boolean => over.aborted && !host.interrupted.aborted;
  const sentence = `The command took longer than ${formatDuration(ms)} (--deadline).`;
  const asUnavailable = (failure: Failure, lines: readonly string[]): Failure =>
    withFacts(failure, { kind: 'unavailable', lines });
  return {
    host: { ...host, interrupted: AbortSignal.any([host.interrupted, over]) },
    errorOf(error: unknown) {
      if (!isExpired()) return error;
      if (error instanceof Error && error.name === 'AbortError')
        return new Failure('unavailable', sentence, { cause: error });
      return error instanceof Failure && error.kind === 'interrupted'
        ? asUnavailable(error, [sentence])
        : error;
    },
    resultOf(result: Result): Result {
      if (!isExpired()) return result;
      const { failure } = result;
      return {
        ...result,
        ...(result.exit === 'interrupted' ? { exit: 'unavailable' } : {}),
        ...(failure?.kind === 'interrupted'
          ? { failure: asUnavailable(failure, [sentence, ...failure.lines]) }
          : {}),
      };
    },
  };
}

const resultOptions = {
  allowUnknownFields: {
    flag: 'allow-unknown-fields',
    doc: 'Accept field names that telctl does not know',
  },
  template: {
    flag: 'template',
    value: 'TEXT',
    doc: 'Print this text for each record, with JMESPath in braces: {username} <{email}>',
  },
} as const;

/** Result options that a command does not define itself. Local commands have no unknown fields. */
export const resultOptionsOf = ({ options, effect }: Command): OptionSpecs => {
  const own = new Set(Object.values(options).map(({ flag }) => flag));
  if (effect === 'local') own.add(resultOptions.allowUnknownFields.flag);
  return Object.fromEntries(Object.entries(resultOptions).filter(([, { flag }]) => !own.has(flag)));
};

export const chargesOptions = {
  acceptCharges: {
    flag: 'accept-charges',
    doc: 'Accept any charges that the run adds',
    excludes: ['accept-charges-up-to'],
  },
  acceptChargesUpTo: {
    flag: 'accept-charges-up-to',
    value: 'AMOUNT',
    type: 'amount',
    doc: 'Accept charges up to this total for the run, due now plus each bill, if telctl understands every item',
  },
} as const;

const writeEffects = new Set<Command['effect']>(['write', 'charges', 'destructive']);

/** The options about charges, for every command that changes data, because any change may add charges. */
export const chargesOptionsOf = ({ effect, worst = effect, neverPays }: Command): OptionSpecs =>
  writeEffects.has(worst) && !neverPays ? chargesOptions : {};

/** Throws `usage` for contradictory options. */
export function readConsent(parsed: ParsedOptions): Consent {
  const values = optionValues(chargesOptions, parsed, {});
  checkRelations(chargesOptions, values);
  const { acceptCharges, acceptChargesUpTo } = values;
  if (acceptChargesUpTo === undefined) return { kind: acceptCharges === true ? 'all' : 'ask' };
  const budget = parseDecimal(String(acceptChargesUpTo));
  if (!budget) throw new Error(`${acceptChargesUpTo} is not an amount`);
  return { kind: 'up-to', budget };
}
