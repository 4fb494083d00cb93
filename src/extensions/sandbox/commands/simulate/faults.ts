import { createHint, Failure, nextStep } from '../../../../base/failure.ts';
import type { JsonObject } from '../../../../base/json.ts';
import { formatDuration, parseDate, requireDuration } from '../../../../base/moment.ts';
import { formatCount } from '../../../../base/wording.ts';
import { type Command, defineCommand, type InputOf } from '../../../../cli/command/command.ts';
import type { Context } from '../../../../cli/command/context.ts';
import type { Result } from '../../../../cli/command/result.ts';
import { dryRunMessage } from '../../../../cli/commands/change.ts';
import { openControl } from '../../control-client.ts';
import type { ControlInput } from '../../control-operations.ts';
import { controlInput, controlOptions, nameOptions } from '../options.ts';

const advanceArguments = {
  duration: { name: 'DURATION', doc: 'Time to advance by: 90s, 55m, 2h, 30d' },
} as const;

const setArguments = {
  time: { name: 'TIME', doc: 'Date and time, in UTC unless it names a zone' },
} as const;

const faultOptions = {
  ...controlOptions('addFault', {
    match: { value: 'PATTERN' },
    status: { value: 'STATUS' },
    retry_after: { value: 'SECONDS', needs: ['status'] },
    drop: { value: 'WHEN' },
    delay_ms: {
      flag: 'delay',
      value: 'DURATION',
      type: 'string',
      doc: "Delay by the sandbox's clock before the request: 2s, 1m",
    },
    body: { value: 'KIND' },
    times: { value: 'COUNT' },
    rate: { value: 'RATE' },
    seed: { value: 'NUMBER', needs: ['rate'] },
  }),
  ...nameOptions,
} as const;

const clearArguments = {
  id: { name: 'ID', doc: 'Number of the fault (default: all faults)', optional: true },
} as const;

export const clockAndFaultCommands: readonly Command[] = [
  defineCommand({
    path: ['sandbox', 'clock', 'status'],
    summary: 'Show the time of the sandbox',
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox clock status': 'Show its time, and how far it is ahead' },
    load: async () => showClock,
  }),
  defineCommand({
    path: ['sandbox', 'clock', 'advance'],
    summary: "Advance the sandbox's clock",
    description:
      'Everything that depends on time follows: tokens expire, deliveries are retried, fax jobs continue. The clock cannot go back. To return to an earlier time, use telctl sandbox snapshot load or reset.',
    arguments: advanceArguments,
    options: nameOptions,
    effect: 'local',
    examples: {
      'telctl sandbox clock advance 55m': 'Shortly before tokens expire',
      'telctl sandbox clock advance 61m': 'After all tokens have expired',
    },
    load: async () => advanceClock,
  }),
  defineCommand({
    path: ['sandbox', 'clock', 'set'],
    summary: "Advance the sandbox's clock to a date and time",
    arguments: setArguments,
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox clock set 2099-12-24T08:00Z': 'Christmas Eve, in the morning' },
    load: async () => setClock,
  }),
  defineCommand({
    path: ['sandbox', 'faults', 'add'],
    summary: 'Make requests fail, to test error handling',
    description:
      'If several faults match a request, the oldest one applies. You can write paths in full, without /v2, or without /v2/accounts/ID.',
    options: faultOptions,
    anyOf: [['status', 'drop', 'delay', 'body']],
    effect: 'local',
    examples: {
      'telctl sandbox faults add --match "PUT /users*" --status 503 --times 2':
        'Refuse the first two attempts to create users',
      'telctl sandbox faults add --drop after --rate 0.05 --seed 7': 'Lose one response in twenty',
      'telctl sandbox faults add --status 429 --retry-after 2 --rate 0.3': 'Simulate a rate limit',
      'telctl sandbox faults add --match GET --delay 3s': 'Simulate a slow service',
    },
    load: async () => addFault,
  }),
  defineCommand({
    path: ['sandbox', 'faults', 'list'],
    summary: 'List faults, and how often each was triggered',
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox faults list': 'List faults, with the seeds that repeat them' },
    load: async () => listFaults,
  }),
  defineCommand({
    path: ['sandbox', 'faults', 'clear'],
    summary: 'Remove faults',
    arguments: clearArguments,
    options: nameOptions,
    effect: 'local',
    examples: {
      'telctl sandbox faults clear': 'Remove all faults',
      'telctl sandbox faults clear 2': 'Remove fault 2',
    },
    load: async () => clearFaults,
  }),
];

const formatTimes = (times: unknown): string => (times === 1 ? 'once' : `${String(times)} times`);

/** Describes the effect of a fault, such as `answers 503, Retry-After 2`. */
function describeEffect(fault: JsonObject): string {
  const { status, drop, body, delay_ms: delay, retry_after: retryAfter } = fault;
  return [
    ...(typeof delay === 'number' ? [`waits ${formatDuration(delay)}`] : []),
    ...(typeof status === 'number' ? [`answers ${status}`] : []),
    ...(typeof retryAfter === 'number' ? [`Retry-After ${retryAfter}`] : []),
    ...(drop === 'before' ? ['drops the connection before the request is carried out'] : []),
    ...(drop === 'after' ? ['drops the connection after the request is carried out'] : []),
    ...(body === 'garbage' ? ['cuts off the response'] : []),
  ].join(', ');
}

/** Describes how often a fault is triggered, such as `2 times, 5 % (seed 7)`. */
function describeExtent({ times, rate, seed }: JsonObject): string {
  const words = [
    ...(typeof times === 'number' ? [formatTimes(times)] : []),
    ...(typeof rate === 'number' ? [`${Math.round(rate * 1000) / 10} % (seed ${String(seed)})`] : []),
  ];
  return words.length === 0 ? 'always' : words.join(', ');
}

async function addFault(input: InputOf<typeof nameOptions>, context: Context): Promise<Result> {
  const control = await openControl(context, input.name);
  const fault = await control.request('addFault', controlInput('addFault', input, context));
  const what = `${fault.match} ${describeEffect(fault)}, ${describeExtent(fault)}`;
  if (context.options.dryRun) return dryRunMessage(`add the fault: ${what}`);
  return { kind: 'done', message: `Added fault ${fault.id}: ${what}`, value: fault };
}

async function listFaults(input: InputOf<typeof nameOptions>, context: Context): Promise<Result> {
  const { faults } = await (await openControl(context, input.name)).request('faults', {});
  return {
    kind: 'list',
    items: faults.map((fault) => ({ ...fault, fault: describeEffect(fault), extent: describeExtent(fault) })),
    noun: 'faults',
    columns: [
      { header: 'ID', paths: ['id'] },
      { header: 'MATCH', paths: ['match'] },
      { header: 'FAULT', paths: ['fault'] },
      { header: 'HOW OFTEN', paths: ['extent'] },
      { header: 'MATCHED', paths: ['matched'] },
      { header: 'STRUCK', paths: ['disturbed'] },
    ],
  };
}

async function clearFaults(
  input: InputOf<typeof nameOptions, typeof clearArguments>,
  context: Context,
): Promise<Result> {
  const control = await openControl(context, input.name);
  const { id } = input;
  if (context.options.dryRun)
    return dryRunMessage(`clear ${id === undefined ? 'all faults' : `fault ${id}`}`);
  const { cleared } = await (id === undefined
    ? control.request('clearFaults', {})
    : control.request('clearFault', { id }));
  const message =
    id !== undefined
      ? `Cleared fault ${id}`
      : cleared === 0
        ? 'There were no faults.'
        : `Cleared ${formatCount(cleared, 'fault')}`;
  return { kind: 'done', message, value: { cleared } };
}

/** Describes how far a clock is ahead, such as `1 hour 1 minute ahead`. */
export const formatClockOffset = ({ offset_ms: offset }: JsonObject): string =>
  typeof offset === 'number' && offset >= 1 ? `${formatDuration(offset)} ahead` : 'not turned';

const formatTimestamp = ({ now }: JsonObject): string => `${String(now).slice(0, 19)}Z`;

const describeClock = (state: JsonObject): string =>
  `The sandbox's clock is ${formatClockOffset(state)}: ${formatTimestamp(state)}`;

async function showClock(input: InputOf<typeof nameOptions>, context: Context): Promise<Result> {
  const state = await (await openControl(context, input.name)).request('clock', {});
  return { kind: 'text', text: describeClock(state), value: state };
}

async function setSandboxClock(
  context: Context,
  name: string | undefined,
  to: Pick<ControlInput<'turnClock'>, 'advance_ms' | 'set'>,
): Promise<Result> {
  const { dryRun } = context.options;
  const control = await openControl(context, name);
  const state = await control.request('turnClock', { ...to, dry_run: dryRun });
  if (dryRun)
    return dryRunMessage(
      `turn the sandbox's clock to ${formatTimestamp(state)}, ${formatClockOffset(state)}`,
      state,
    );
  return { kind: 'done', message: describeClock(state), value: state };
}

async function advanceClock(
  input: InputOf<typeof nameOptions, typeof advanceArguments>,
  context: Context,
): Promise<Result> {
  return setSandboxClock(context, input.name, { advance_ms: requireDuration(input.duration, 'DURATION') });
}

async function setClock(
  input: InputOf<typeof nameOptions, typeof setArguments>,
  context: Context,
): Promise<Result> {
  const moment = parseDate(input.time);
  if (moment === undefined)
    throw new Failure('usage', `TIME must be a date and time, not ${JSON.stringify(input.time)}.`, {
      hint: /^\d+[a-z]+$/.test(input.time)
        ? createHint`To advance the clock by a duration: ${nextStep`sandbox clock advance ${input.time}`}`
        : createHint`For example: ${nextStep`sandbox clock set 2026-12-24T08:00Z`}`,
    });
  return setSandboxClock(context, input.name, { set: new Date(moment).toISOString() });
}
