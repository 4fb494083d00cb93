import { durationOf, inWords } from '../../../base/duration.ts';
import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { dateOf } from '../../../base/moment.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { wouldDo } from '../../change.ts';
import { controlOf } from '../control.ts';
import type { nameOptions } from '../options.ts';
import type { advanceArguments, setArguments } from './fault-commands.ts';

type Options = typeof nameOptions;

const place = '/sandbox/clock';

/** Says how far a clock was turned: `1 hour 1 minute ahead`. */
export const aheadInWords = ({ offset_ms: offset }: JsonObject): string =>
  typeof offset === 'number' && offset >= 1 ? `${inWords(offset)} ahead` : 'not turned';

const secondsOf = ({ now }: JsonObject): string => `${String(now).slice(0, 19)}Z`;

const sentence = (state: JsonObject): string =>
  `The sandbox's clock is ${aheadInWords(state)}: ${secondsOf(state)}`;

/** Shows the sandbox's time. */
export async function showClock(input: InputOf<Options>, context: Context): Promise<Result> {
  const state = await (await controlOf(context, input.name)).get(place);
  return { kind: 'text', text: sentence(state), value: state };
}

async function turn(context: Context, name: string | undefined, body: JsonObject): Promise<Result> {
  const { dryRun } = context.options;
  const state = await (await controlOf(context, name)).post(place, { ...body, dry_run: dryRun });
  if (dryRun)
    return wouldDo(`turn the sandbox's clock to ${secondsOf(state)}, ${aheadInWords(state)}`, state);
  return { kind: 'done', message: sentence(state), value: state };
}

/** Turns the sandbox's clock forward by a length of time. */
export async function advanceClock(
  input: InputOf<Options, typeof advanceArguments>,
  context: Context,
): Promise<Result> {
  return turn(context, input.name, { advance_ms: durationOf(input.duration, 'DURATION') });
}

/** Turns the sandbox's clock forward to a moment. */
export async function setClock(
  input: InputOf<Options, typeof setArguments>,
  context: Context,
): Promise<Result> {
  const moment = dateOf(input.time);
  if (moment === undefined)
    throw new Failure('usage', `TIME is a date and time, not ${JSON.stringify(input.time)}.`, {
      hint: /^\d+[a-z]+$/.test(input.time)
        ? `To go on by a length of time: telctl sandbox clock advance ${input.time}`
        : 'For example: telctl sandbox clock set 2026-12-24T08:00Z',
    });
  return turn(context, input.name, { set: new Date(moment).toISOString() });
}
