import { unlessMissing } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { counted } from '../../../base/wording.ts';
import { webhooks } from '../../../contract/resources/webhooks.ts';
import type { Rollout } from '../../../engine/state/rollouts.ts';
import type { Context } from '../../command/context.ts';
import { operationFor } from '../generic/find-named.ts';
import { contextOf } from '../over-accounts.ts';
import { attemptsOf, hasFailed } from '../webhooks/health/webhook-health.ts';

/** Deliveries that are looked at, from now back, in milliseconds. */
const hookRangeMs = 3_600_000;

/**
 * Number of webhooks of an account that the service disabled, or whose newest delivery failed. `undefined` for a
 * service that does not list them.
 */
export const failingHooks = (context: Context): Promise<number | undefined> =>
  unlessMissing(countFailing(context));

async function countFailing(context: Context): Promise<number> {
  const api = await context.api();
  const account_id = await context.accountId();
  const hooks: JsonObject[] = [];
  for await (const page of api.pages({ operation: operationFor(webhooks, 'list'), path: { account_id } }))
    hooks.push(...page);
  if (hooks.length === 0) return 0;
  const newest = new Map<unknown, boolean>();
  const nowMs = api.serviceNowMs() ?? context.host.clock.now();
  const range = { fromMs: nowMs - hookRangeMs };
  for await (const attempt of attemptsOf(api, { accountId: account_id }, range))
    if (!newest.has(attempt.hook_id)) newest.set(attempt.hook_id, hasFailed(attempt));
  return hooks.filter(
    ({ id, enabled, disable_reason: reason }) =>
      (enabled === false && typeof reason === 'string') || (enabled !== false && newest.get(id) === true),
  ).length;
}

/** Reason why a wave is worse off than before: more webhooks of its accounts fail. `undefined` where none is. */
export async function worseHooks(context: Context, { id, wave }: Rollout): Promise<string | undefined> {
  const { rollouts } = await context.state();
  const warned = new Set<string>();
  let more = 0;
  const worse: string[] = [];
  for await (const account of rollouts.accounts(id, { wave, states: ['done'] })) {
    if (account.failingHooks === undefined) continue;
    const now = await failingHooks(contextOf(context, { id: account.accountId, word: account.word }, warned));
    if (now === undefined || now <= account.failingHooks) continue;
    more += now - account.failingHooks;
    worse.push(account.word);
  }
  if (more === 0) return undefined;
  const names = worse.slice(0, 5).join(', ');
  return `${counted(more, 'webhook')} fail${more === 1 ? 's' : ''} since wave ${wave}, in ${names}${worse.length > 5 ? ` and ${worse.length - 5} more` : ''}`;
}
