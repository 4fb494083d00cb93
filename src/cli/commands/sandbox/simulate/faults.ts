import { Failure, leadsOn, nextStep } from '../../../../base/failure.ts';
import { type JsonObject, objectsIn } from '../../../../base/json.ts';
import { dateOf, durationOf, inWords } from '../../../../base/moment.ts';
import { counted } from '../../../../base/wording.ts';
import { controlOf } from '../../../../sandbox/control-line.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { wouldDo } from '../../change.ts';
import type { nameOptions } from '../options.ts';
import type { advanceArguments, clearArguments, faultOptions, setArguments } from './fault-commands.ts';

const faultsRoute = '/sandbox/faults';

const timesInWords = (times: unknown): string => (times === 1 ? 'once' : `${String(times)} times`);

/** Says what a fault does, in words: `answers 503, Retry-After 2`. */
function effectOf(fault: JsonObject): string {
  const { status, drop, body, delay_ms: delay, retry_after: retryAfter } = fault;
  return [
    ...(typeof delay === 'number' ? [`waits ${inWords(delay)}`] : []),
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

export async function addFault(input: InputOf<typeof faultOptions>, context: Context): Promise<Result> {
  const { match, status, drop, body, delay, times, rate, seed, retryAfter } = input;
  const control = await controlOf(context, input.name);
  const fault = await control.post(faultsRoute, {
    dry_run: context.options.dryRun,
    ...(match === undefined ? {} : { match }),
    ...(status === undefined ? {} : { status }),
    ...(drop === undefined ? {} : { drop }),
    ...(body === undefined ? {} : { body }),
    ...(delay === undefined ? {} : { delay_ms: durationOf(delay, '--delay') }),
    ...(times === undefined ? {} : { times }),
    ...(rate === undefined ? {} : { rate }),
    ...(seed === undefined ? {} : { seed }),
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
  });
  const what = `${String(fault.match)} ${effectOf(fault)}, ${extentOf(fault)}`;
  if (context.options.dryRun) return wouldDo(`add the fault: ${what}`);
  return { kind: 'done', message: `Added fault ${String(fault.id)}: ${what}`, value: fault };
}

export async function listFaults(input: InputOf<typeof nameOptions>, context: Context): Promise<Result> {
  const { faults } = await (await controlOf(context, input.name)).get(faultsRoute);
  const all = objectsIn(faults);
  return {
    kind: 'list',
    items: all.map((fault) => ({ ...fault, fault: effectOf(fault), extent: extentOf(fault) })),
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

export async function clearFaults(
  input: InputOf<typeof nameOptions, typeof clearArguments>,
  context: Context,
): Promise<Result> {
  const control = await controlOf(context, input.name);
  const { id } = input;
  if (context.options.dryRun) return wouldDo(`clear ${id === undefined ? 'all faults' : `fault ${id}`}`);
  const { cleared } = await control.delete(
    id === undefined ? faultsRoute : `${faultsRoute}/${encodeURIComponent(id)}`,
  );
  const message =
    id !== undefined
      ? `Cleared fault ${id}`
      : cleared === 0
        ? 'There were no faults.'
        : `Cleared ${counted(Number(cleared), 'fault')}`;
  return { kind: 'done', message, value: { cleared: cleared ?? 0 } };
}

type Options = typeof nameOptions;

const clockRoute = '/sandbox/clock';

/** Says how far a clock was turned: `1 hour 1 minute ahead`. */
export const aheadInWords = ({ offset_ms: offset }: JsonObject): string =>
  typeof offset === 'number' && offset >= 1 ? `${inWords(offset)} ahead` : 'not turned';

const secondsOf = ({ now }: JsonObject): string => `${String(now).slice(0, 19)}Z`;

const sentence = (state: JsonObject): string =>
  `The sandbox's clock is ${aheadInWords(state)}: ${secondsOf(state)}`;

export async function showClock(input: InputOf<Options>, context: Context): Promise<Result> {
  const state = await (await controlOf(context, input.name)).get(clockRoute);
  return { kind: 'text', text: sentence(state), value: state };
}

async function turn(context: Context, name: string | undefined, body: JsonObject): Promise<Result> {
  const { dryRun } = context.options;
  const state = await (await controlOf(context, name)).post(clockRoute, { ...body, dry_run: dryRun });
  if (dryRun)
    return wouldDo(`turn the sandbox's clock to ${secondsOf(state)}, ${aheadInWords(state)}`, state);
  return { kind: 'done', message: sentence(state), value: state };
}

export async function advanceClock(
  input: InputOf<Options, typeof advanceArguments>,
  context: Context,
): Promise<Result> {
  return turn(context, input.name, { advance_ms: durationOf(input.duration, 'DURATION') });
}

export async function setClock(
  input: InputOf<Options, typeof setArguments>,
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
