import { invalid } from '../refusal.ts';
import type { Call } from '../requests/call.ts';
import { gregorianSeconds } from '../timestamps.ts';

/** Widest range that is answered at once: 31 days and an hour, in seconds (Conventions, time-ranged lists). */
const widest = 2_682_000;

function momentAt(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw invalid([{ path: name, rule: 'type', message: 'must be Gregorian seconds', target: 'integer' }]);
}

/** The range (Gregorian seconds, both included) that the query asks for. Refuses (400) wrong ranges. */
export function rangeOf({ query, services }: Call): { readonly from: number; readonly to: number } {
  const to = momentAt(query, 'created_to') ?? gregorianSeconds(services.clock);
  const from = momentAt(query, 'created_from') ?? to - widest;
  const refused = (message: string, cause: number) =>
    invalid([{ path: 'created_from', rule: 'date_range', message, cause }]);
  if (to < from) throw refused('must not be after created_to', from);
  if (to - from > widest) throw refused(`must be at most ${widest} seconds before created_to`, to);
  return { from, to };
}

/** Whether a moment (Gregorian seconds) is in the range that the query asks for. Refuses (400) wrong ranges. */
export function timeRange(call: Call): (moment: number) => boolean {
  const { from, to } = rangeOf(call);
  return (moment) => moment >= from && moment <= to;
}
