import { mapWithConcurrency } from '../../../base/concurrency.ts';
import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { quoteName } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import { webhooks } from '../../../contract/resources/webhooks.ts';
import {
  duplicateWebhooks,
  findSilentType,
  isPrivateHost,
  type PlacedWebhook,
  webhookFindings,
} from '../../../contract/webhook-findings.ts';
import type { Context } from '../../command/context.ts';
import { operationFor, pathTo } from '../records/find-named.ts';

/** Lists the webhooks of an account (default: the current account). */
export async function listWebhooks(api: Api, accountId?: string): Promise<readonly JsonObject[]> {
  const operation = operationFor(webhooks, 'list');
  const path = accountId === undefined ? {} : { account_id: accountId };
  return (await Array.fromAsync(api.pages({ operation, path }))).flat();
}

/** Returns whole records, because lists are partial, or the listed record if it cannot be read. */
export async function placedWebhooks(
  api: Api,
  { id, above }: { readonly id: string; readonly above: readonly string[] },
  atOnce: number,
): Promise<readonly PlacedWebhook[]> {
  const read = async (one: JsonObject) => ({ record: await readWhole(api, id, one), accountId: id, above });
  return mapWithConcurrency(await listWebhooks(api, id), atOnce, read);
}

async function readWhole(api: Api, accountId: string, listed: JsonObject): Promise<JsonObject> {
  const path = { ...pathTo(webhooks, String(listed.id)), account_id: accountId };
  try {
    const { data } = await api.call({ operation: operationFor(webhooks, 'get'), path });
    if (!isObject(data)) return listed;
    // Some services include the reason for disabling only in lists.
    const { disable_reason: reason } = listed;
    return reason === undefined ? data : { disable_reason: reason, ...data };
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return listed;
  }
}

/** Describes likely problems of a webhook, including duplicates among the others. */
export async function findingsOn(
  context: Context,
  one: PlacedWebhook,
  all: readonly PlacedWebhook[],
): Promise<readonly string[]> {
  const { baseUrl } = (await context.session()).profile;
  const isLocal = isPrivateHost(new URL(baseUrl).hostname);
  const doubles = duplicateWebhooks(one, all).map(({ record }) =>
    quoteName(String(record.name ?? record.id)),
  );
  return [
    ...webhookFindings(one.record, { isLocal }).map(({ message }) => message),
    ...(doubles.length === 0 ? [] : [`${doubles.join(', ')} sends the same events to the same address`]),
  ];
}

/** Warns about likely problems of new webhooks, compared with those of the account and its parent. */
export async function warnOfProblems(context: Context, made: Json | undefined): Promise<void> {
  const created = (Array.isArray(made) ? made : [made]).filter(isObject);
  if (created.length === 0) return;
  const [accountId, { profile }, api] = await Promise.all([
    context.accountId(),
    context.session(),
    context.api(),
  ]);
  const above = profile.accountId === accountId ? [] : [profile.accountId];
  const atOnce = context.settings.concurrency.value;
  const places = [{ id: accountId, above }, ...above.map((id) => ({ id, above: [] }))];
  const around = await Promise.all(
    places.map((place) =>
      placedWebhooks(api, place, atOnce).catch((error: unknown): readonly PlacedWebhook[] => {
        // The webhook exists. Without permission to list the others, there is no warning about them.
        if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
        return [];
      }),
    ),
  );
  for (const record of created)
    for (const message of [
      ...(await findingsOn(context, { record, accountId, above }, around.flat())),
      ...[findSilentType(record)].flatMap((each) => each ?? []),
    ])
      context.notices.warn(`Webhook ${quoteName(String(record.name ?? record.id))}: ${message}.`);
}
