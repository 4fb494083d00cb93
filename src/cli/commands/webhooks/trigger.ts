import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { didYouMean } from '../../../base/wording.ts';
import { type HookTarget, hookRequest } from '../../../contract/hook-request.ts';
import { sampledHooks } from '../../../contract/hook-samples.ts';
import { webhooks } from '../../../contract/resources/webhooks.ts';
import { maskUrl } from '../../../contract/secrets.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { secretFromOptions } from '../passwords/secrets.ts';
import { getRecord } from '../records/find-named.ts';
import type { triggerArguments, triggerOptions } from './event-commands.ts';
import { knownChoices, type OfferedHook, requireAcceptedModifiers, withValues } from './hooks.ts';
import {
  describeAnswer,
  hookSecrets,
  hookTarget,
  isDelivered,
  maskSecretTexts,
  sampleFor,
  sendToTarget,
  type TargetAnswer,
  targetUrl,
} from './target-client.ts';

type Input = InputOf<typeof triggerOptions, typeof triggerArguments>;

/** Longer responses are cut for people. JSON contains more. */
const maxShownLength = 500;

/** Sends a sample of an event to a receiver and shows the response. Exits with 1 unless it is a 2xx. */
export async function trigger(input: Input, context: Context): Promise<Result> {
  const { hook } = input;
  if (!sampledHooks.includes(hook)) throw unknownSample(hook);
  requireAcceptedModifiers(
    contractHook(hook),
    { type: input.type, action: input.action },
    sampledHooks.map(contractHook),
  );
  const target = await targetFor(input, context);
  const sample = sampleFor(context, target, hook, input);
  const request = hookRequest(target, withValues(sample, input.set));
  const secrets = hookSecrets(target);
  const shown = maskSecretTexts(
    `${request.method} ${maskUrl(request.method === 'GET' ? target.uri : request.url)}`,
    secrets,
  );
  const body = request.body ?? new URL(request.url).search.slice(1);
  if (context.options.dryRun)
    return {
      kind: 'text',
      text: [`Would send ${shown}`, `  ${maskSecretTexts(body, secrets)}`, 'Nothing was sent.'],
      value: {
        dry_run: true,
        method: request.method,
        uri: maskUrl(target.uri),
        body: maskSecretTexts(body, secrets),
      },
    };
  return triggerResult(hook, shown, await sendToTarget(context, request), secrets);
}

const contractHook = (id: string): OfferedHook => ({ id, choices: knownChoices.get(id) ?? new Map() });

function unknownSample(hook: string): Failure {
  const near = findNearest(hook, sampledHooks);
  return new Failure('usage', `There is no sample of hook ${JSON.stringify(hook)}.${didYouMean(near)}`, {
    hint: `Hooks with samples: ${sampledHooks.join(', ')}`,
  });
}

async function targetFor(input: Input, context: Context): Promise<HookTarget> {
  const { url, webhook, verb, format } = input;
  const secret = await secretFromOptions(context, input);
  const given: JsonObject = secret === undefined ? {} : { secret };
  if (url !== undefined)
    return {
      uri: targetUrl(url, '--url').href,
      verb: verb ?? 'post',
      format: format ?? 'form-data',
      customData: given,
      hookId: 'sample'.padEnd(32, '0'),
      // Sending a sample to an address needs no service and no sign-in.
      accountId: context.settings.account.source === 'option' ? await context.accountId() : '0'.repeat(32),
    };
  const record = await getRecord(context, webhooks, webhook ?? '');
  const stored = hookTarget(record, await context.accountId());
  if (record.hook !== input.hook && !(record.hook === 'all' && input.hook.startsWith('channel_')))
    context.notices.warn(`The webhook subscribes to ${String(record.hook)}, not to ${input.hook}.`);
  return {
    ...stored,
    verb: verb ?? stored.verb,
    format: format ?? stored.format,
    customData: { ...stored.customData, ...given },
  };
}

function triggerResult(
  hook: string,
  shown: string,
  answer: TargetAnswer,
  secrets: readonly string[],
): Result {
  const delivered = isDelivered(answer);
  const text = answer.kind === 'reply' ? maskSecretTexts(answer.text, secrets) : '';
  const value: JsonObject = {
    hook,
    request: shown,
    delivered,
    ms: answer.ms,
    ...(answer.kind === 'reply'
      ? { status: answer.status, answer: text, cut: answer.isCut }
      : { why: answer.why }),
  };
  const body = text.trim();
  const isLong = body.length > maxShownLength || (answer.kind === 'reply' && answer.isCut);
  return {
    kind: 'item',
    value,
    named: hook,
    rows: [
      ['Sent', shown],
      ['Event', hook],
      ['Answer', describeAnswer(answer)],
      ...(body === '' ? [] : [['Body', `${body.slice(0, maxShownLength)}${isLong ? ' …' : ''}`] as const]),
    ],
    ...(delivered
      ? {}
      : {
          failure: new Failure('failed', `The sample was not delivered: ${describeAnswer(answer)}.`, {
            hint: 'Services count this as a failure. Only a 2xx response counts as delivered.',
          }),
        }),
  };
}
