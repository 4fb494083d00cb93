import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { toLines } from '../../../base/wording.ts';
import { formatLocalTime, localTime } from '../../../base/zoned-time.ts';
import { temporalFindings } from '../../../contract/temporal-findings.ts';
import { nextMatches } from '../../../contract/temporal-match.ts';
import type { Command } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { accountZone, serviceNowMs } from '../records/account-time.ts';

const shownMatches = 5;

/** Formats a time for programs: UTC in whole seconds. */
export const isoSeconds = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;

/** Returns the next five matches of a rule after a time, and the line that shows them. */
export function describeMatches(
  rule: JsonObject,
  zone: string,
  atS: number,
): { readonly next: readonly string[]; readonly line: string | undefined } {
  if (typeof rule.enabled === 'boolean') return { next: [], line: undefined };
  const begins = nextMatches(rule, zone, atS, shownMatches);
  const shown = begins.map((begin) => formatLocalTime(localTime(zone, begin)));
  return {
    next: begins.map(isoSeconds),
    line: begins.length === 0 ? 'It never matches.' : `Next matches (${zone}): ${shown.join(', ')}.`,
  };
}

async function addNextMatches(result: Result, context: Context, verb: string): Promise<Result> {
  if (result.kind !== 'done' || result.failure || !isObject(result.value)) return result;
  const rule = result.value;
  if (typeof rule.cycle !== 'string') return result;
  // A whole rule from the input was already checked.
  if (verb === 'patch') for (const { message } of temporalFindings(rule)) context.notices.warn(message);
  try {
    const atS = Math.floor((await serviceNowMs(context)) / 1000);
    const { next, line } = describeMatches(rule, await accountZone(context), atS);
    const message = [...toLines(result.message), ...(line === undefined ? [] : [line])];
    return { ...result, message, value: { ...rule, next } };
  } catch (error) {
    if (error instanceof Failure) return result;
    throw error;
  }
}

/** Wraps a command that writes one temporal rule, to show the next matches. */
export const withMatches = (command: Command): Command => ({
  ...command,
  async load() {
    const handler = await command.load();
    return async (input, context) =>
      addNextMatches(await handler(input, context), context, command.path.at(-1) ?? '');
  },
});
