import { Failure } from '../../../../base/failure.ts';
import { type Json, type JsonObject, objectsIn, valueAt } from '../../../../base/json.ts';
import { durationOf } from '../../../../base/moment.ts';
import { counted } from '../../../../base/wording.ts';
import { controlOf } from '../../../../sandbox/control-line.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { type Step, tree } from '../../callflows/steps.ts';
import type { callOptions, faxOptions, smsOptions, voicemailOptions } from './call-commands.ts';

/** Text that `--dry-run` says beside what it shows. */
const nothingDone = 'Nothing was kept, and nobody was told.';

/** The account that `--account` names; the setting of a profile or a folder is of another service. */
export const accountIn = ({ settings }: Pick<Context, 'settings'>): JsonObject =>
  settings.account.source === 'option' ? { account: settings.account.value } : {};

/** Simulates a call, and shows where it went and how it ended. */
export async function simulateCall(input: InputOf<typeof callOptions>, context: Context): Promise<Result> {
  const body: JsonObject = {
    ...accountIn(context),
    from: input.from,
    to: input.to,
    from_name: input.fromName,
    duration: input.duration,
    answering: input.busy ? 'busy' : input.noAnswer ? 'no-answer' : 'answer',
    digits: (input.presses === undefined ? input.digits : [input.presses])
      .flatMap((each) => each.split(','))
      .map((each) => each.trim()),
    people: peopleOf(input.people),
    ...(input.hangsUpAfter === undefined
      ? {}
      : { hangs_up_after: durationOf(input.hangsUpAfter, '--hangs-up-after') / 1000 }),
    acts: input.acts,
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
      ...notSimulated(listIn(value.not_simulated)),
    ],
    value,
  };
}

/** `Not simulated here: …`, a line each; nothing where all was. */
const notSimulated = (all: readonly JsonObject[]): readonly string[] =>
  all.map(({ words }) => `Not simulated here: ${words}.`);

/** `bob=answers after 12s` as a map. Throws `Failure` (`usage`). */
function peopleOf(people: readonly string[]): JsonObject {
  return Object.fromEntries(
    people.map((each) => {
      const [, who, does] = /^(.+?)=(.+)$/.exec(each) ?? [];
      if (who !== undefined && does !== undefined) return [who.trim(), does.trim()];
      throw new Failure('usage', `--people takes WHO=WHAT, not ${JSON.stringify(each)}.`, {
        hint: '--people "bob=answers after 12s"',
      });
    }),
  );
}

const listIn = (value: Json | undefined): readonly JsonObject[] => objectsIn(value);

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

const stepOf = ({ key, branch_name: name, label, note }: JsonObject): Taken => ({
  key: String(name ?? key ?? ''),
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
  return `${words}. ${seconds} s in all${talked}; ${counted(events, 'event')} in ${account}${until}.`;
}

async function simulate(
  context: Context,
  name: string | undefined,
  what: 'sms' | 'fax' | 'voicemail',
  body: JsonObject,
): Promise<JsonObject> {
  const control = await controlOf(context, name);
  return control.post(`/sandbox/${what}`, {
    ...accountIn(context),
    ...body,
    dry_run: context.options.dryRun,
  });
}

/** Says what happened, or with `--dry-run` would. */
function told({ notices, options }: Context, message: string, value: JsonObject, id?: Json): Result {
  if (options.dryRun) notices.say(nothingDone);
  const made = id === undefined ? message : `${message}  ${id}`;
  return { kind: 'done', message: options.dryRun ? `Would bring: ${message}` : made, value };
}

export async function simulateSms(input: InputOf<typeof smsOptions>, context: Context): Promise<Result> {
  const value = await simulate(context, input.name, 'sms', {
    from: input.from,
    to: input.to,
    body: input.body,
  });
  return told(context, `SMS from ${value.from} to ${value.to} in ${value.account_name}`, value);
}

export async function simulateFax(input: InputOf<typeof faxOptions>, context: Context): Promise<Result> {
  const value = await simulate(context, input.name, 'fax', {
    from: input.from,
    to: input.to,
    from_name: input.fromName,
    pages: input.pages,
  });
  const pages = counted(Number(value.pages), 'page');
  return told(
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
  const value = await simulate(context, input.name, 'voicemail', {
    box: input.box,
    from: input.from,
    from_name: input.fromName,
    seconds: input.seconds,
    text: input.text,
  });
  return told(
    context,
    `Message of ${value.seconds} s from ${value.from} in voicemail box ${JSON.stringify(value.box)}`,
    value,
    value.message_id,
  );
}
