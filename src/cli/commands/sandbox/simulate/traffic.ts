import { isObject, type JsonObject } from '../../../../base/json.ts';
import { durationOf, inWords } from '../../../../base/moment.ts';
import { counted } from '../../../../base/wording.ts';
import { controlOf } from '../../../../sandbox/control-line.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { wouldDo } from '../../change.ts';
import type { trafficOptions } from './call-commands.ts';
import { accountIn } from './calls.ts';

/** Calls simulated by one request, and its longest part of time. */
const callsAtOnce = 500;
const longestS = 60;

const words = [
  ['answered', 'answered'],
  ['missed', 'missed'],
  ['message', 'left a message'],
  ['other', 'ended otherwise'],
  ['faxes', 'faxes'],
  ['refused', 'refused'],
] as const;

/** `180 calls in acme: 98 answered, 41 missed.` */
function sentence(sums: ReadonlyMap<string, number>, account: string): string {
  const parts = words.flatMap(([key, word]) => (sums.get(key) ? [`${sums.get(key)} ${word}`] : []));
  return `${counted(sums.get('calls') ?? 0, 'call')} in ${account}: ${parts.join(', ') || 'none'}.`;
}

function add(sums: Map<string, number>, part: JsonObject): void {
  for (const [key, value] of Object.entries(part))
    if (typeof value === 'number') sums.set(key, (sums.get(key) ?? 0) + value);
}

/**
 * Makes an account of the sandbox busy: calls that are answered, missed, go to voicemail, and faxes. Fast, on the
 * sandbox's clock, or in real time. Ctrl-C ends it well, with what was done until then.
 */
export async function simulateTraffic(
  input: InputOf<typeof trafficOptions>,
  context: Context,
): Promise<Result> {
  const { callsPerMinute = 60, realTime = false, seed = 1, name } = input;
  const inAll = Math.ceil(durationOf(input.for, '--for') / 1000);
  const planned = `${counted(callsPerMinute, 'call')} a minute for ${inWords(inAll * 1000)}`;
  const control = await controlOf(context, name);
  if (context.options.dryRun)
    return wouldDo(`bring ${planned}`, { calls_per_minute: callsPerMinute, seconds: inAll });
  const { host, notices } = context;
  const step = realTime
    ? 1
    : Math.max(1, Math.min(longestS, Math.floor((callsAtOnce * 60) / callsPerMinute)));
  const sums = new Map<string, number>();
  const events = new Map<string, number>();
  const startedMs = host.clock.now();
  let last: JsonObject = {};
  let from = 0;
  try {
    while (from < inAll && !host.interrupted.aborted) {
      const seconds = Math.min(step, inAll - from);
      last = await control.post('/sandbox/traffic', {
        ...accountIn(context),
        seed,
        calls_per_minute: callsPerMinute,
        from,
        seconds,
        real_time: realTime,
      });
      add(sums, last);
      if (isObject(last.events)) add(events, last.events);
      from += seconds;
      notices.progress(from, inAll, sentence(sums, String(last.account_name)));
      const aheadMs = startedMs + from * 1000 - host.clock.now();
      if (realTime && aheadMs > 0 && from < inAll) await host.clock.sleep(aheadMs, host.interrupted);
    }
  } catch (error) {
    if (!host.interrupted.aborted) throw error;
  }
  const value = {
    ...Object.fromEntries(sums),
    events: Object.fromEntries(events),
    seconds: from,
    account_name: last.account_name,
    now: last.now,
  };
  return { kind: 'done', message: sentence(sums, String(last.account_name ?? 'no account')), value };
}
