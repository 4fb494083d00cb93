import { decimal } from '../../base/decimal.ts';
import { Failure, withFacts } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { durationOf, durationWords } from '../../base/moment.ts';
import { commaSeparated } from '../../base/wording.ts';
import type { Command, OptionSpecs } from '../command/command.ts';
import type { Consent, RunOptions } from '../command/context.ts';
import type { Result } from '../command/result.ts';
import type { GlobalInput } from '../commands/global-options.ts';
import { checkRelations, optionValues } from './input-for.ts';
import type { ParsedOptions } from './parse-line.ts';

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
    fields: global.fields === undefined ? undefined : commaSeparated(global.fields),
    query: global.query,
    queryFields,
    deadlineMs: global.deadline === undefined ? undefined : deadlineIn(global.deadline),
    allowUnknownFields,
    allowEmergencyShadow: global.allowEmergencyShadow === true,
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

/**
 * Interrupts a command after `ms`, as Ctrl-C would: gives the machine that is interrupted then, and what its error and its
 * result are, which end with `unavailable` where the time was over. Without a time nothing is changed.
 */
export function deadlineOf(host: Host, ms: number | undefined) {
  const same = { host, errorOf: (error: unknown) => error, resultOf: (result: Result) => result };
  if (ms === undefined) return same;
  const over = host.after(ms);
  const isOver = (): boolean => over.aborted && !host.interrupted.aborted;
  const sentence = `The command took longer than ${durationWords(ms)} (--deadline).`;
  const told = (failure: Failure, lines: readonly string[]): Failure =>
    withFacts(failure, { kind: 'unavailable', lines });
  return {
    host: { ...host, interrupted: AbortSignal.any([host.interrupted, over]) },
    errorOf(error: unknown) {
      if (!isOver()) return error;
      if (error instanceof Error && error.name === 'AbortError')
        return new Failure('unavailable', sentence, { cause: error });
      return error instanceof Failure && error.kind === 'interrupted' ? told(error, [sentence]) : error;
    },
    resultOf(result: Result): Result {
      if (!isOver()) return result;
      const { failure } = result;
      return {
        ...result,
        ...(result.exit === 'interrupted' ? { exit: 'unavailable' } : {}),
        ...(failure?.kind === 'interrupted' ? { failure: told(failure, [sentence, ...failure.lines]) } : {}),
      };
    },
  };
}

/** Options of results that every command has. */
const resultOptions = {
  allowUnknownFields: {
    flag: 'allow-unknown-fields',
    doc: 'Accept field names that only this service knows',
  },
  template: {
    flag: 'template',
    value: 'TEXT',
    doc: 'A line for each record: {username} <{email}>, JMESPath in braces',
  },
} as const;

/** Those of them of which a command has none itself; what stays on this machine has no unknown fields. */
export const resultOptionsOf = ({ options, effect }: Command): OptionSpecs => {
  const own = new Set(Object.values(options).map(({ flag }) => flag));
  if (effect === 'local') own.add(resultOptions.allowUnknownFields.flag);
  return Object.fromEntries(Object.entries(resultOptions).filter(([, { flag }]) => !own.has(flag)));
};

/** Options by which a run says beforehand which charges it accepts. */
export const chargesOptions = {
  acceptCharges: {
    flag: 'accept-charges',
    doc: 'Accept whatever charges the run adds',
    excludes: ['accept-charges-up-to'],
  },
  acceptChargesUpTo: {
    flag: 'accept-charges-up-to',
    value: 'AMOUNT',
    type: 'amount',
    doc: 'Accept charges if every item is understood and the whole run adds at most this amount: what is due now and what each bill adds',
  },
} as const;

const writing = new Set<Command['effect']>(['write', 'charges', 'destructive']);

/** The options about charges, for every command that changes something: any change may be priced. */
export const chargesOptionsOf = ({ effect, worst = effect, neverPays }: Command): OptionSpecs =>
  writing.has(worst) && !neverPays ? chargesOptions : {};

/** The consent to charges on a command line. Throws `usage` where it contradicts itself. */
export function consentIn(parsed: ParsedOptions): Consent {
  const values = optionValues(chargesOptions, parsed, {});
  checkRelations(chargesOptions, values);
  const { acceptCharges, acceptChargesUpTo } = values;
  if (acceptChargesUpTo === undefined) return { kind: acceptCharges === true ? 'all' : 'ask' };
  const budget = decimal(String(acceptChargesUpTo));
  if (!budget) throw new Error(`${acceptChargesUpTo} is not an amount`);
  return { kind: 'up-to', budget };
}
