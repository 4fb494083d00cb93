import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { unheededLines } from '../../../contract/call-settings.ts';
import type { Step } from '../../callflows/steps.ts';
import { tree } from '../../callflows/tree.ts';
import { controlOf } from '../control.ts';
import type { callOptions } from './call-commands.ts';
import { accountIn, needed, nothingDone } from './simulation-request.ts';

/** Simulates a call, and shows where it went and how it ended. */
export async function simulateCall(input: InputOf<typeof callOptions>, context: Context): Promise<Result> {
  const body: JsonObject = {
    ...accountIn(context),
    from: needed(input.from, '--from'),
    to: needed(input.to, '--to'),
    from_name: input.fromName,
    duration: input.duration,
    answering: input.busy ? 'busy' : input.noAnswer ? 'no-answer' : 'answer',
    digits: input.digits.flatMap((each) => each.split(',')).map((each) => each.trim()),
    real_time: input.realTime,
    dry_run: context.options.dryRun,
  };
  const control = await controlOf(context, input.name);
  const value = await control.post('/sandbox/call', body);
  if (context.options.dryRun) context.notices.say(nothingDone);
  if (Array.isArray(value.digits_left))
    context.notices.warn(
      `Nothing asked for the digits ${value.digits_left.join(', ')}: they were not dialled.`,
    );
  const steps = listIn(value.path).map((each) => stepOf(each));
  return {
    kind: 'text',
    text: [
      ...tree(titleOf(value), chained(steps)),
      wordsOf(value, input.realTime ?? false),
      ...unheededLines(listIn(value.not_simulated).map(({ words }) => String(words))),
    ],
    value,
  };
}

const listIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** `+15551230009 → +15551230000  Main line`. */
function titleOf(call: JsonObject): string {
  const callflow = valueAt(call, 'callflow.name');
  const by = valueAt(call, 'matched.by');
  const why =
    by === 'pattern' ? ` (pattern ${valueAt(call, 'matched.text')})` : by === 'no_match' ? ` (${by})` : '';
  return `${call.from} → ${call.to}${callflow === undefined ? '' : `  ${callflow}${why}`}`;
}

interface Taken {
  readonly key: string;
  readonly label: string;
}

const stepOf = ({ key, label, note }: JsonObject): Taken => ({
  key: String(key ?? ''),
  label: `${label}${note === undefined ? '' : `  (${note})`}`,
});

/** The steps of a call, each below the one before it. */
const chained = (steps: readonly Taken[]): Step | undefined =>
  steps.reduceRight<{ readonly step: Step; readonly key: string } | undefined>(
    (next, { key, label }) => ({
      key,
      step: { label, leaves: false, branches: next ? [{ key: next.key, step: next.step }] : [] },
    }),
    undefined,
  )?.step;

/** `Answered by alice. 30 s in all; 7 events.` */
function wordsOf(call: JsonObject, realTime: boolean): string {
  const { words, duration_seconds: seconds, billing_seconds: billed, account_name: account } = call;
  const events = listIn(call.events).length;
  const talked = typeof billed === 'number' && billed > 0 ? `, ${billed} s of them answered` : '';
  const until = realTime ? `, the last of them at ${call.ends_at}` : '';
  return `${words}. ${seconds} s in all${talked}; ${events} events in ${account}${until}.`;
}
