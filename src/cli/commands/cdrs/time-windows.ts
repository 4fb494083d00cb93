import { Failure } from '../../../base/failure.ts';
import { gregorianOffset, momentOf } from '../../../base/moment.ts';
import type { Query } from '../../../client/api/api.ts';
import type { Context } from '../../command/context.ts';
import { serviceNowMs } from '../webhooks/health/webhook-health.ts';

/** Widest range that services answer at once, in seconds: 31 days and an hour (Conventions, time-ranged lists). */
const widestS = 2_682_000;

/** A range of time as it was typed. */
export interface TypedRange {
  readonly since: string | undefined;
  readonly until: string | undefined;
}

/** Bounds in Gregorian seconds, both included. */
export interface Bounds {
  readonly from: number;
  readonly to: number;
}

const secondsOf = (ms: number): number => Math.floor(ms / 1000) + gregorianOffset;

/**
 * Reads a range of time, by the service's clock; the last 31 days where nothing was typed. Throws `Failure` (`usage`).
 */
export async function boundsOf(context: Context, { since, until }: TypedRange): Promise<Bounds> {
  const nowMs = await serviceNowMs(context);
  const to = secondsOf(until === undefined ? nowMs : momentOf(until, nowMs, '--until'));
  const from = since === undefined ? to - widestS : secondsOf(momentOf(since, nowMs, '--since'));
  if (from <= to) return { from, to };
  throw new Failure('usage', '--since is later than --until.');
}

/** The queries for a range: one for each piece that a service answers at once, oldest first. */
export function* windowsOf({ from, to }: Bounds): Generator<Query> {
  for (let start = from; start <= to; start += widestS + 1)
    yield { created_from: String(start), created_to: String(Math.min(start + widestS, to)) };
}
