import { mapWithConcurrency } from '../../../../base/concurrency.ts';
import { Failure, nextStep } from '../../../../base/failure.ts';
import { type Json, type JsonObject, textOrEmpty } from '../../../../base/json.ts';
import { formatCount, quoteName } from '../../../../base/wording.ts';
import type { Api } from '../../../../client/api/api.ts';
import { maskUrl } from '../../../../contract/secrets.ts';
import type { Column } from '../../../../contract/types.ts';
import { type WebhookState, webhookState } from '../../../../contract/webhook-findings.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { plainColumns, type Result } from '../../../command/result.ts';
import {
  type AccountInReach,
  accountWithDescendants,
  chooseAccounts,
  readAccountList,
} from '../../bulk/choose-accounts.ts';
import { accountLabel } from '../../labels.ts';
import { serviceNowMs } from '../../records/account-time.ts';
import type { healthOptions } from '../commands.ts';
import { findingsOn, placedWebhooks } from '../findings.ts';
import { isLeftover } from '../listen/subscribe.ts';
import {
  attemptMs,
  attemptTarget,
  describeReasons,
  failureReason,
  hasFailed,
  readAttempts,
} from './attempts.ts';

interface WebhookHealth {
  readonly [key: string]: Json | undefined;
  readonly id: string;
  readonly name: string;
  readonly hook: string;
  readonly uri: string;
  readonly state: WebhookState;
  readonly why: string;
  /** Attempts of the last 24 hours. */
  readonly sent: number;
  readonly failed: number;
  readonly last_success: string | null;
  readonly last_failure: string | null;
}

/** In the same second, the first attempt is the newest, because lists start with the newest. */
const newestAttempt = (attempts: readonly JsonObject[]): JsonObject | undefined =>
  attempts.reduce<JsonObject | undefined>(
    (newest, each) => (newest && attemptMs(newest) >= attemptMs(each) ? newest : each),
    undefined,
  );

const isoOf = (attempt: JsonObject | undefined): string | null =>
  attempt ? new Date(attemptMs(attempt)).toISOString() : null;

/** `12 min ago`. */
function formatAge(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 1) return 'just now';
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}

/** Judges a webhook by its record and its attempts of the last 24 hours. */
export function judgeWebhook(
  webhook: JsonObject,
  attempts: readonly JsonObject[],
  nowMs: number,
): WebhookHealth {
  const failures = attempts.filter(hasFailed);
  const newest = newestAttempt(failures);
  const last = newestAttempt(attempts);
  const state = webhookState(webhook, last && { hasFailed: hasFailed(last), atMs: attemptMs(last) }, nowMs);
  const from = newest === undefined ? '' : attemptTarget(newest) || maskUrl(textOrEmpty(webhook.uri));
  const trouble = newest === undefined ? '' : `${failureReason(newest)} from ${from}`;
  return {
    id: textOrEmpty(webhook.id),
    name: textOrEmpty(webhook.name),
    hook: textOrEmpty(webhook.hook),
    uri: maskUrl(textOrEmpty(webhook.uri)),
    state,
    why: explainState(state),
    sent: attempts.length,
    failed: failures.length,
    last_success: isoOf(newestAttempt(attempts.filter((each) => !hasFailed(each)))),
    last_failure: isoOf(newest),
  };

  function explainState(is: WebhookHealth['state']): string {
    if (is === 'disabled') {
      const reason = textOrEmpty(webhook.disable_reason);
      return [reason === '' ? 'turned off by hand' : reason, trouble]
        .filter((part) => part !== '')
        .join(': ');
    }
    const reasons = Map.groupBy(failures, failureReason);
    const counts = new Map([...reasons].map(([reason, those]) => [reason, those.length]));
    if (is === 'failing' && counts.size > 1) return `${trouble} (${describeReasons(counts)})`;
    if (is === 'failing') return trouble;
    return newest === undefined ? '' : `last failure ${formatAge(nowMs - attemptMs(newest))}: ${trouble}`;
  }
}

interface Entry extends WebhookHealth {
  /** Belongs to a listener on this machine that has ended. */
  readonly left_behind?: true;
  /** Likely problems of a webhook that still works. */
  readonly findings: readonly string[];
  readonly account: string;
  readonly account_id: string;
}

const dayMs = 86_400_000;
const maxCounted = 1000;

const columns: readonly Column[] = [
  { header: 'ACCOUNT', paths: ['account'], sparse: true },
  ...plainColumns('name', 'hook', 'state'),
  { header: 'LAST 24 H', paths: ['last_day'] },
  { header: 'LAST SUCCESS', paths: ['last_success'], sparse: true },
  { header: 'WHY', paths: ['why'], show: 'sentence' },
];

/** Shows whether webhooks work. Exits with 8 if some do not, or could not be read. */
export async function showHealth(input: InputOf<typeof healthOptions>, context: Context): Promise<Result> {
  const api = await context.api();
  const looked = await chooseHealthAccounts(input, context, api);
  const isMany = input.below === true || input.accounts !== undefined;
  const own = (await context.session()).profile.accountId;
  const troubles: Failure[] = [];
  let done = 0;
  const found = await mapWithConcurrency(
    looked,
    Math.min(4, context.settings.concurrency.value),
    async (account) => {
      const above = looked.some(({ id }) => id === own) && account.id !== own ? [own] : [];
      const entries = await readAccountHealth(context, api, account, above).catch((error: unknown) => {
        if (!isMany || !(error instanceof Failure) || error.kind === 'interrupted') throw error;
        troubles.push(error);
        context.notices.warn(`${account.name}: ${error.message}`);
        return [];
      });
      context.notices.progress(++done, looked.length, 'check accounts');
      return entries;
    },
  );
  const entries = found.flat();
  const placed = entries.map((entry) => entry.placed);
  const all = await Promise.all(
    entries.map(async ({ entry, placed: one }): Promise<Entry> => {
      const findings = await findingsOn(context, one, placed);
      for (const finding of findings)
        context.notices.warn(
          `Webhook ${quoteName(entry.name)}${isMany ? ` of ${quoteName(entry.account)}` : ''}: ${finding}.`,
        );
      return { ...entry, findings };
    }),
  );
  const disabled = all.filter(({ state }) => state === 'disabled');
  const forPeople = context.settings.output.value === 'table' || context.settings.output.value === 'csv';
  return {
    kind: 'list',
    items: all.map((entry) => healthRow(entry, isMany, forPeople)),
    columns,
    noun: 'webhooks',
    resource: 'webhooks',
    summary: () =>
      all.length === 0 && troubles.length > 0
        ? `The state is unknown: ${troubles.length} of ${formatCount(looked.length, 'account')} could not be checked`
        : formatHealthSummary(all, disabled, isMany),
    ...(all.some(({ state }) => state === 'failing' || state === 'disabled') || troubles.length > 0
      ? { exit: 'partial' }
      : {}),
  };
}

function healthRow({ account, ...entry }: Entry, isMany: boolean, forPeople: boolean): JsonObject {
  const succeeded = entry.sent - entry.failed;
  const lastDay =
    entry.sent === 0
      ? 'nothing logged'
      : succeeded === 0
        ? `${entry.failed} failed`
        : `${entry.sent} sent, ${entry.failed} failed`;
  const success = entry.last_success;
  return {
    ...entry,
    ...(isMany || !forPeople ? { account } : {}),
    ...(forPeople
      ? { last_day: lastDay, last_success: success && `${success.slice(0, 19).replace('T', ' ')}Z` }
      : {}),
  };
}

function formatHealthSummary(all: readonly Entry[], disabled: readonly Entry[], isMany: boolean): string {
  const [left, ...others] = all.filter((entry) => entry.left_behind);
  const state = accountState(all, disabled, isMany);
  if (left === undefined) return state;
  const [them, name] = others.length === 0 ? ['it', argumentsFor(left, isMany)] : ['them', 'NAME'];
  return `${state}. ${others.length + 1} left by listeners that were killed: the next telctl webhooks listen removes ${them}. To do so now: ${nextStep`webhooks delete ${name}`}`;
}

function accountState(all: readonly Entry[], disabled: readonly Entry[], isMany: boolean): string {
  if (all.length === 0) return 'No webhooks';
  const ill = all.filter(({ state }) => state === 'failing');
  const failing = ill.length;
  const first = disabled.find((entry) => !entry.left_behind);
  const worst = ill.find((entry) => !entry.left_behind);
  const count = formatCount(all.length, 'webhook');
  if (disabled.length > 0) {
    const more = failing > 0 ? `, ${failing} ${failing === 1 ? 'is' : 'are'} failing` : '';
    const verb = disabled.length === 1 ? 'is' : 'are';
    const next = first
      ? `. Repair the target, then: ${nextStep`webhooks enable ${argumentsFor(first, isMany)} --probe`}`
      : '';
    return `${disabled.length} of ${count} ${verb} disabled${more}${next}`;
  }
  if (failing > 0) {
    const next = worst ? `. Why: ${nextStep`webhooks attempts ${argumentsFor(worst, isMany)} --failed`}` : '';
    return `${failing} of ${count} ${failing === 1 ? 'is' : 'are'} failing${next}`;
  }
  const silent = all.filter(({ sent }) => sent === 0).length;
  if (silent > 0)
    return `${count}, none failing; nothing was logged in the last 24 hours for ${silent === all.length ? (silent === 1 ? 'it' : 'any of them') : silent}`;
  return all.length === 1 ? '1 webhook, and it works' : `${count}, and all of them work`;
}

const argumentsFor = ({ name, id, account_id: account }: Entry, isMany: boolean): readonly string[] => [
  /^[\w.@+-]+$/.test(name) ? name : id,
  ...(isMany ? ['--account', account] : []),
];

async function chooseHealthAccounts(
  input: InputOf<typeof healthOptions>,
  context: Context,
  api: Api,
): Promise<readonly AccountInReach[]> {
  if (input.accounts !== undefined) {
    const chosen = await chooseAccounts(context, await readAccountList(context.host, input.accounts));
    return chosen.map(({ id, label }) => ({ id, name: label }));
  }
  if (input.below) return accountWithDescendants(context, api);
  const own = await context.accountId();
  return [{ id: own, name: await accountLabel(context) }];
}

async function readAccountHealth(
  context: Context,
  api: Api,
  account: AccountInReach,
  above: readonly string[],
) {
  const listed = await placedWebhooks(api, { id: account.id, above }, context.settings.concurrency.value);
  const nowMs = await serviceNowMs(context);
  const isLeft = isLeftover(context.host);
  return mapWithConcurrency(listed, Math.min(4, context.settings.concurrency.value), async (placed) => {
    const { record: webhook } = placed;
    const attempts: JsonObject[] = [];
    const whose = { webhookId: String(webhook.id), accountId: account.id };
    for await (const each of readAttempts(api, whose, { fromMs: nowMs - dayMs }))
      if (attempts.push(each) >= maxCounted) break;
    const health = judgeWebhook(webhook, attempts, nowMs);
    const left = isLeft(health.name)
      ? ({ left_behind: true, why: 'left by a listener that was killed' } as const)
      : {};
    const entry: Entry = { ...health, ...left, findings: [], account: account.name, account_id: account.id };
    return { entry, placed };
  });
}
