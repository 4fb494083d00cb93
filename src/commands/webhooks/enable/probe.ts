import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { hookRequest } from '../../../contract/hook-request.ts';
import { sampleOf } from '../../../contract/hook-samples.ts';
import { webhooks } from '../../../contract/resources/webhooks.ts';
import { asRecord, findRecord, operationFor, pathTo } from '../../generic/find-record.ts';
import { patchRecord } from '../../generic/patch.ts';
import { labelOf } from '../../labels.ts';
import { secretsOf, shownTarget, targetOf, withoutSecrets } from '../subscription.ts';
import { answerInWords, isDelivered, sendToTarget, targetUrl } from '../target-client.ts';

/**
 * Turns a webhook on again (States and transitions: webhook disabled, PATCH `enabled` true); with `--probe` only after
 * its target took a test event. Throws `Failure`: `failed` where it answered otherwise, `unavailable` where it did not.
 */
export async function enableWebhook(
  { id: word, probe }: { readonly id: string; readonly probe: boolean | undefined },
  context: Context,
): Promise<Result> {
  const found = await findRecord(context, webhooks, word);
  if (!probe || context.options.dryRun)
    return patchRecord(context, webhooks, found, { enabled: true }, 'Enabled');
  const api = await context.api();
  const path = pathTo(webhooks, found.id);
  const { data } = await api.call({ operation: operationFor(webhooks, 'get'), path });
  const record: JsonObject = { id: found.id, ...asRecord(webhooks, data) };
  const said = await probeTarget(context, record);
  context.notices.say(`${shownTarget(String(record.uri))} took a test event: ${said}.`);
  return patchRecord(context, webhooks, { id: found.id, summary: record }, { enabled: true }, 'Enabled');
}

/** Sends a test event where a webhook sends its events, in its way, and says what came of it. */
async function probeTarget(context: Context, record: JsonObject): Promise<string> {
  const target = targetOf(record, await context.accountId());
  const { type, action } = target.customData ?? {};
  targetUrl(target.uri, 'uri');
  const sample = sampleOf(String(record.hook), {
    accountId: target.accountId,
    timestamp: Math.floor(context.host.clock.now() / 1000) + gregorianOffset,
    newId: () => Buffer.from(context.host.random.bytes(16)).toString('hex'),
    type: typeof type === 'string' ? type : undefined,
    action: typeof action === 'string' ? action : undefined,
  });
  const answer = await sendToTarget(context, hookRequest(target, { ...sample, telctl_probe: true }));
  if (isDelivered(answer)) return answerInWords(answer);
  const body = answer.kind === 'reply' ? withoutSecrets(answer.text, secretsOf(target)).trim() : '';
  const firstLine = body.split('\n', 1)[0]?.slice(0, 200) ?? '';
  throw new Failure(
    answer.kind === 'none' ? 'unavailable' : 'failed',
    [
      `The ${labelOf(webhooks, record)} stays as it is: ${shownTarget(target.uri)} did not take a test event (${answerInWords(answer)}).`,
      ...(firstLine === '' ? [] : [`It said: ${firstLine}`]),
    ],
    { hint: 'Repair the target and try again, or enable it all the same without --probe.' },
  );
}
