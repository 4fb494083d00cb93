import type { InputOf } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { attempt } from '../../contract/envelope.ts';
import { isObject, type JsonObject } from '../../contract/json.ts';
import { webhooks } from '../../contract/resources/webhooks.ts';
import { redact } from '../../contract/secrets.ts';
import type { ListResult } from '../../terminal/result.ts';
import { findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import { flattened } from '../generic/list.ts';
import type { webhookArguments } from './commands.ts';

/** Lists the deliveries of one webhook (Conventions, attempt record). */
export async function listAttempts(
  { id: word }: InputOf<Record<never, never>, typeof webhookArguments>,
  context: Context,
): Promise<ListResult> {
  const { id } = await findRecord(context, webhooks, word);
  const api = await context.api();
  const pages = api.pages({ operation: operationFor(webhooks, 'attempts'), path: pathTo(webhooks, id) });
  return {
    kind: 'list',
    items: context.options.reveal ? flattened(pages) : withoutSecrets(flattened(pages)),
    columns: [
      { header: 'TIME', paths: ['timestamp'] },
      { header: 'EVENT', paths: ['hook_event'] },
      { header: 'RESULT', paths: ['result'] },
      { header: 'STATUS', paths: ['resp_status_code'] },
      { header: 'REASON', paths: ['reason', 'client_error'] },
      { header: 'TRIES LEFT', paths: ['retries_left'] },
    ],
    noun: 'attempts',
  };
}

/** An attempt repeats the webhook's address and data, which may carry its secret. */
async function* withoutSecrets(attempts: AsyncIterable<JsonObject>): AsyncIterable<JsonObject> {
  for await (const each of attempts) {
    const safe = redact(attempt, each);
    if (isObject(safe)) yield safe;
  }
}
