import { Failure, leadsOn, nextStep } from '../../../../base/failure.ts';
import type { JsonObject } from '../../../../base/json.ts';
import { dateOf, durationOf, durationWords } from '../../../../base/moment.ts';
import { counted } from '../../../../base/wording.ts';
import { type Command, defineCommand, type InputOf } from '../../../../cli/command/command.ts';
import type { Context } from '../../../../cli/command/context.ts';
import type { Result } from '../../../../cli/command/result.ts';
import { wouldDo } from '../../../../cli/commands/change.ts';
import { controlOf } from '../../control-line.ts';
import type { ControlInput } from '../../control-operations.ts';
import { controlOptions, givenTo, nameOptions } from '../options.ts';

const advanceArguments = {
  duration: { name: 'DURATION', doc: 'How far: 90s, 55m, 2h, 30d' },
} as const;

const setArguments = {
  time: { name: 'TIME', doc: 'Date and time; UTC where it names no zone' },
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
      doc: "Wait first, by the sandbox's clock: 2s, 1m",
    },
    body: { value: 'KIND' },
    times: { value: 'COUNT' },
    rate: { value: 'RATE' },
    seed: { value: 'NUMBER', needs: ['rate'] },
  }),
  ...nameOptions,
} as const;

const clearArguments = {
  id: { name: 'ID', doc: 'The fault, by its number; all by default', optional: true },
} as const;

export const clockAndFaultCommands: readonly Command[] = [
  defineCommand({
    path: ['sandbox', 'clock', 'status'],
    summary: 'Show what time it is in the sandbox',
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox clock status': 'Its time, and how far it is ahead' },
    load: async () => showClock,
  }),
  defineCommand({
    path: ['sandbox', 'clock', 'advance'],
    summary: "Turn the sandbox's clock forward",
    description:
      'Moves all that depends on time: tokens expire, deliveries are tried again, fax jobs go on. It goes forward only; telctl sandbox snapshot load and reset bring an earlier time back.',
    arguments: advanceArguments,
    options: nameOptions,
    effect: 'local',
    examples: {
      'telctl sandbox clock advance 55m': 'Just before tokens expire',
      'telctl sandbox clock advance 61m': 'All tokens have expired',
    },
    load: async () => advanceClock,
  }),
  defineCommand({
    path: ['sandbox', 'clock', 'set'],
    summary: "Turn the sandbox's clock forward to a date and time",
    arguments: setArguments,
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox clock set 2099-12-24T08:00Z': 'Christmas Eve, in the morning' },
    load: async () => setClock,
  }),
  defineCommand({
    path: ['sandbox', 'faults', 'add'],
    summary: 'Make requests fail, to see what happens',
    description:
      'Of several faults that fit a request, the first one added disturbs it. Paths may be written as they are, without /v2, and without /v2/accounts/ID before them.',
    options: faultOptions,
    anyOf: [['status', 'drop', 'delay', 'body']],
    effect: 'local',
    examples: {
      'telctl sandbox faults add --match "PUT /users*" --status 503 --times 2':
        'Two users cannot be created at first',
      'telctl sandbox faults add --drop after --rate 0.05 --seed 7': 'Lose one reply in twenty',
      'telctl sandbox faults add --status 429 --retry-after 2 --rate 0.3': 'A rate limit',
      'telctl sandbox faults add --match GET --delay 3s': 'A slow service',
    },
    load: async () => addFault,
  }),
  defineCommand({
    path: ['sandbox', 'faults', 'list'],
    summary: 'List the faults that are put in, and how often each struck',
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox faults list': 'With the seeds that repeat them' },
    load: async () => listFaults,
  }),
  defineCommand({
    path: ['sandbox', 'faults', 'clear'],
    summary: 'Remove faults',
    arguments: clearArguments,
    options: nameOptions,
    effect: 'local',
    examples: {
      'telctl sandbox faults clear': 'All of them',
      'telctl sandbox faults clear 2': 'One of them',
    },
    load: async () => clearFaults,
  }),
];

const timesInWords = (times: unknown): string => (times === 1 ? 'once' : `${String(times)} times`);

/** Says what a fault does, in words: `answers 503, Retry-After 2`. */
function effectOf(fault: JsonObject): string {
  const { status, drop, body, delay_ms: delay, retry_after: retryAfter } = fault;
  return [
    ...(typeof delay === 'number' ? [`waits ${durationWords(delay)}`] : []),
    ...(typeof status === 'number' ? [`answers ${status}`] : []),
    ...(typeof retryAfter === 'number' ? [`Retry-After ${retryAfter}`] : []),
    ...(drop === 'before' ? ['drops the connection before anything happens'] : []),
    ...(drop === 'after' ? ['drops the connection after all was carried out'] : []),
    ...(body === 'garbage' ? ['breaks the reply off'] : []),
  ].join(', ');
}

/** Says how often a fault strikes, in words: `2 times, 5 % (seed 7)`. */
function extentOf({ times, rate, seed }: JsonObject): string {
  const words = [
    ...(typeof times === 'number' ? [timesInWords(times)] : []),
    ...(typeof rate === 'number' ? [`${Math.round(rate * 1000) / 10} % (seed ${String(seed)})`] : []),
  ];
  return words.length === 0 ? 'always' : words.join(', ');
}

async function addFault(input: InputOf<typeof nameOptions>, context: Context): Promise<Result> {
  const control = await controlOf(context, input.name);
  const fault = await control.request('addFault', givenTo('addFault', input, context));
  const what = `${fault.match} ${effectOf(fault)}, ${extentOf(fault)}`;
  if (context.options.dryRun) return wouldDo(`add the fault: ${what}`);
  return { kind: 'done', message: `Added fault ${fault.id}: ${what}`, value: fault };
}

async function listFaults(input: InputOf<typeof nameOptions>, context: Context): Promise<Result> {
  const { faults } = await (await controlOf(context, input.name)).request('faults', {});
  return {
    kind: 'list',
    items: faults.map((fault) => ({ ...fault, fault: effectOf(fault), extent: extentOf(fault) })),
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
  const control = await controlOf(context, input.name);
  const { id } = input;
  if (context.options.dryRun) return wouldDo(`clear ${id === undefined ? 'all faults' : `fault ${id}`}`);
  const { cleared } = await (id === undefined
    ? control.request('clearFaults', {})
    : control.request('clearFault', { id }));
  const message =
    id !== undefined
      ? `Cleared fault ${id}`
      : cleared === 0
        ? 'There were no faults.'
        : `Cleared ${counted(cleared, 'fault')}`;
  return { kind: 'done', message, value: { cleared } };
}

/** Says how far a clock was turned: `1 hour 1 minute ahead`. */
export const aheadInWords = ({ offset_ms: offset }: JsonObject): string =>
  typeof offset === 'number' && offset >= 1 ? `${durationWords(offset)} ahead` : 'not turned';

const secondsOf = ({ now }: JsonObject): string => `${String(now).slice(0, 19)}Z`;

const sentence = (state: JsonObject): string =>
  `The sandbox's clock is ${aheadInWords(state)}: ${secondsOf(state)}`;

async function showClock(input: InputOf<typeof nameOptions>, context: Context): Promise<Result> {
  const state = await (await controlOf(context, input.name)).request('clock', {});
  return { kind: 'text', text: sentence(state), value: state };
}

async function turn(
  context: Context,
  name: string | undefined,
  to: Pick<ControlInput<'turnClock'>, 'advance_ms' | 'set'>,
): Promise<Result> {
  const { dryRun } = context.options;
  const control = await controlOf(context, name);
  const state = await control.request('turnClock', { ...to, dry_run: dryRun });
  if (dryRun)
    return wouldDo(`turn the sandbox's clock to ${secondsOf(state)}, ${aheadInWords(state)}`, state);
  return { kind: 'done', message: sentence(state), value: state };
}

async function advanceClock(
  input: InputOf<typeof nameOptions, typeof advanceArguments>,
  context: Context,
): Promise<Result> {
  return turn(context, input.name, { advance_ms: durationOf(input.duration, 'DURATION') });
}

async function setClock(
  input: InputOf<typeof nameOptions, typeof setArguments>,
  context: Context,
): Promise<Result> {
  const moment = dateOf(input.time);
  if (moment === undefined)
    throw new Failure('usage', `TIME is a date and time, not ${JSON.stringify(input.time)}.`, {
      hint: /^\d+[a-z]+$/.test(input.time)
        ? leadsOn`To go on by a length of time: ${nextStep`sandbox clock advance ${input.time}`}`
        : leadsOn`For example: ${nextStep`sandbox clock set 2026-12-24T08:00Z`}`,
    });
  return turn(context, input.name, { set: new Date(moment).toISOString() });
}
