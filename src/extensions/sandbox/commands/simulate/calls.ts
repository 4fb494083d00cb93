import { Failure } from '../../../../base/failure.ts';
import { isObject, type Json, type JsonObject, objectsIn, valueAt } from '../../../../base/json.ts';
import { formatDuration, requireDuration } from '../../../../base/moment.ts';
import { formatCount } from '../../../../base/wording.ts';
import type { InputOf } from '../../../../cli/command/command.ts';
import type { Context } from '../../../../cli/command/context.ts';
import type { Result } from '../../../../cli/command/result.ts';
import { chainSteps, drawTree } from '../../../../cli/commands/callflows/show.ts';
import { dryRunMessage } from '../../../../cli/commands/change.ts';
import { formatOutcomes } from '../../../../contract/call-outcomes.ts';
import { openControl } from '../../control-client.ts';
import { controlInput } from '../options.ts';
import type {
  callOptions,
  faxOptions,
  smsOptions,
  trafficOptions,
  voicemailOptions,
} from './call-commands.ts';
import { normalizeParties } from './normalize-parties.ts';

const nothingDone = 'Dry run: no records stored, no events sent.';

/** Simulates a call, and shows its path and end. */
export async function simulateCall(input: InputOf<typeof callOptions>, context: Context): Promise<Result> {
  const parties = normalizeParties(context, { from: input.from, to: input.to });
  const { hangsUpAfter } = input;
  const control = await openControl(context, input.name);
  const value = await control.request('call', {
    ...controlInput('call', { ...input, ...parties }, context),
    answering: input.busy ? 'busy' : input.noAnswer ? 'no-answer' : 'answer',
    // An empty part between commas presses no key.
    digits: (input.presses === undefined ? input.digits : [input.presses])
      .flatMap((each) => each.split(','))
      .map((each) => each.trim()),
    people: parsePeople(input.people),
    hangs_up_after:
      hangsUpAfter === undefined ? undefined : requireDuration(hangsUpAfter, '--hangs-up-after') / 1000,
  });
  if (context.options.dryRun) context.notices.say(nothingDone);
  if (Array.isArray(value.digits_left))
    context.notices.warn(
      `Digits not dialed, because no step asked for them: ${value.digits_left.join(', ')}.`,
    );
  return {
    kind: 'text',
    text: [
      ...drawTree(formatTitle(value), chainSteps(objectsIn(value.path))),
      formatSummary(value, input.real_time ?? false),
      ...objectsIn(value.not_simulated).map(({ words }) => `Not simulated here: ${words}.`),
    ],
    value,
  };
}

/** Converts `bob=answers after 12s` to a map. Throws `Failure` (`usage`). */
function parsePeople(people: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    people.map((each) => {
      const [, who, does] = /^(.+?)=(.+)$/.exec(each) ?? [];
      if (who !== undefined && does !== undefined) return [who.trim(), does.trim()];
      throw new Failure('usage', `--people must be WHO=WHAT, not ${JSON.stringify(each)}.`, {
        hint: 'For example: --people "bob=answers after 12s"',
      });
    }),
  );
}

/** Formats a title such as `+15551230009 → +15551230000  Main line`. */
function formatTitle(call: JsonObject): string {
  const callflow = valueAt(call, 'callflow.name');
  const by = valueAt(call, 'matched.by');
  const why =
    by === 'pattern' ? ` (pattern ${valueAt(call, 'matched.text')})` : by === 'no_match' ? ` (${by})` : '';
  return `${call.from} → ${call.to}${callflow === undefined ? '' : `  ${callflow}${why}`}`;
}

/** Formats a summary such as `Answered by alice. 30 s in all; 7 events.` */
function formatSummary(call: JsonObject, realTime: boolean): string {
  const { words, duration_seconds: seconds, billing_seconds: billed, account_name: account } = call;
  const events = objectsIn(call.events).length;
  const talked = typeof billed === 'number' && billed > 0 ? `, ${billed} s of them answered` : '';
  const until = realTime ? `, the last of them at ${call.ends_at}` : '';
  return `${words}. ${seconds} s in all${talked}; ${formatCount(events, 'event')} in ${account}${until}.`;
}

function simulated({ notices, options }: Context, message: string, value: JsonObject, id?: Json): Result {
  if (options.dryRun) notices.say(nothingDone);
  const made = id === undefined ? message : `${message}  ${id}`;
  return { kind: 'done', message: options.dryRun ? `Would simulate: ${message}` : made, value };
}

export async function simulateSms(input: InputOf<typeof smsOptions>, context: Context): Promise<Result> {
  const parties = normalizeParties(context, { from: input.from, to: input.to });
  const control = await openControl(context, input.name);
  const value = await control.request('sms', controlInput('sms', { ...input, ...parties }, context));
  return simulated(context, `SMS from ${value.from} to ${value.to} in ${value.account_name}`, value);
}

export async function simulateFax(input: InputOf<typeof faxOptions>, context: Context): Promise<Result> {
  const parties = normalizeParties(context, { from: input.from, to: input.to });
  const control = await openControl(context, input.name);
  const value = await control.request('fax', controlInput('fax', { ...input, ...parties }, context));
  const pages = formatCount(value.pages, 'page');
  return simulated(
    context,
    `Fax of ${pages} from ${value.from} in the inbox of ${value.account_name}`,
    value,
    value.fax_id,
  );
}

export async function simulateVoicemail(
  input: InputOf<typeof voicemailOptions>,
  context: Context,
): Promise<Result> {
  const control = await openControl(context, input.name);
  const value = await control.request('voicemail', controlInput('voicemail', input, context));
  return simulated(
    context,
    `Message of ${value.seconds} s from ${value.from} in voicemail box ${JSON.stringify(value.box)}`,
    value,
    value.message_id,
  );
}

/** Maximum number of calls, and maximum duration, of one request. */
const callsAtOnce = 500;
const longestS = 60;

/** Counts that are not outcomes of a call between two parties. */
const otherCounts = [
  ['joined', 'joined another call'],
  ['faxes', 'faxes'],
  ['refused', 'refused'],
] as const;

/** Formats a summary such as `180 calls in acme: 98 answered, 41 missed.` */
function formatTrafficSummary(sums: ReadonlyMap<string, number>, account: string): string {
  const parts = [
    ...formatOutcomes((outcome) => sums.get(outcome) ?? 0),
    ...otherCounts.flatMap(([key, word]) => (sums.get(key) ? [`${sums.get(key)} ${word}`] : [])),
  ];
  return `${formatCount(sums.get('calls') ?? 0, 'call')} in ${account}: ${parts.join(', ') || 'none'}.`;
}

function addCounts(sums: Map<string, number>, part: JsonObject): void {
  for (const [key, value] of Object.entries(part))
    if (typeof value === 'number') sums.set(key, (sums.get(key) ?? 0) + value);
}

/** Simulates traffic at full speed or in real time. After Ctrl-C, reports the calls made so far. */
export async function simulateTraffic(
  input: InputOf<typeof trafficOptions>,
  context: Context,
): Promise<Result> {
  const { calls_per_minute: callsPerMinute = 60, real_time: realTime = false, name } = input;
  const inAll = Math.ceil(requireDuration(input.for, '--for') / 1000);
  const planned = `${formatCount(callsPerMinute, 'call')} a minute for ${formatDuration(inAll * 1000)}`;
  const control = await openControl(context, name);
  if (context.options.dryRun)
    return dryRunMessage(`simulate ${planned}`, { calls_per_minute: callsPerMinute, seconds: inAll });
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
      last = await control.request('traffic', { ...controlInput('traffic', input, context), from, seconds });
      addCounts(sums, last);
      if (isObject(last.events)) addCounts(events, last.events);
      from += seconds;
      notices.progress(from, inAll, formatTrafficSummary(sums, String(last.account_name)));
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
  return {
    kind: 'done',
    message: formatTrafficSummary(sums, String(last.account_name ?? 'no account')),
    value,
  };
}
