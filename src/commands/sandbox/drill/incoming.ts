import type { Json, JsonObject } from '../../../base/json.ts';
import { counted } from '../../../base/wording.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { controlOf } from '../control.ts';
import type { faxOptions, smsOptions, voicemailOptions } from './call-commands.ts';
import { accountIn, needed, nothingDone } from './simulation-request.ts';

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

/** Lets an SMS come or go. */
export async function simulateSms(input: InputOf<typeof smsOptions>, context: Context): Promise<Result> {
  const value = await simulate(context, input.name, 'sms', {
    from: needed(input.from, '--from'),
    to: needed(input.to, '--to'),
    body: needed(input.body, '--body'),
  });
  return told(context, `SMS from ${value.from} to ${value.to} in ${value.account_name}`, value);
}

/** Lets a fax arrive. */
export async function simulateFax(input: InputOf<typeof faxOptions>, context: Context): Promise<Result> {
  const value = await simulate(context, input.name, 'fax', {
    from: needed(input.from, '--from'),
    to: needed(input.to, '--to'),
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

/** Leaves a message in a voicemail box. */
export async function simulateVoicemail(
  input: InputOf<typeof voicemailOptions>,
  context: Context,
): Promise<Result> {
  const value = await simulate(context, input.name, 'voicemail', {
    box: needed(input.box, '--box'),
    from: needed(input.from, '--from'),
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
