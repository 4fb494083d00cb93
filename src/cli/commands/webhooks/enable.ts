import { mapWithConcurrency } from '../../../base/concurrency.ts';
import { Failure } from '../../../base/failure.ts';
import { type JsonObject, textOrEmpty } from '../../../base/json.ts';
import { formatCount, joinUpTo } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import { hookRequest } from '../../../contract/hook-request.ts';
import { webhooks } from '../../../contract/resources/webhooks.ts';
import { maskUrl } from '../../../contract/secrets.ts';
import type { Column } from '../../../contract/types.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { type AccountInReach, accountWithDescendants } from '../bulk/choose-accounts.ts';
import { confirmChange, dryRunResult } from '../change.ts';
import { patchRecord } from '../generic/update.ts';
import { labelOf, quotedAccount } from '../labels.ts';
import { findNamed, operationFor } from '../records/find-named.ts';
import { readRecord } from '../records/listed-records.ts';
import type { enableArguments, enableOptions } from './commands.ts';
import { listWebhooks } from './findings.ts';
import {
  describeAnswer,
  hookSecrets,
  hookTarget,
  isDelivered,
  maskSecretTexts,
  sampleFor,
  sendToTarget,
  targetUrl,
} from './target-client.ts';

/** Enables one webhook, or all that the service disabled. Throws `usage` if both or neither are given. */
export async function enableWebhooks(
  { id, probe, all, below }: InputOf<typeof enableOptions, typeof enableArguments>,
  context: Context,
): Promise<Result> {
  if (!all) {
    if (id === undefined)
      throw new Failure('usage', 'No webhook was named.', {
        hint: 'Name a webhook, or pass --all to enable every one that the service disabled.',
      });
    return enableWebhook(id, probe, context);
  }
  return enableAll(below === true, context);
}

/** With `--probe`, enables a webhook only after its target accepts a test event. Throws `failed`, `unavailable`. */
async function enableWebhook(word: string, probe: boolean | undefined, context: Context): Promise<Result> {
  const found = await findNamed(context, webhooks, word);
  if (!probe || context.options.dryRun)
    return patchRecord(context, webhooks, found, { enabled: true }, 'Enabled');
  const api = await context.api();
  const record = await readRecord(api, webhooks, found.id);
  const said = await probeTarget(context, record);
  context.notices.say(`${maskUrl(String(record.uri))} accepted a test event: ${said}.`);
  return patchRecord(context, webhooks, { id: found.id, summary: record }, { enabled: true }, 'Enabled');
}

async function probeTarget(context: Context, record: JsonObject): Promise<string> {
  const target = hookTarget(record, await context.accountId());
  targetUrl(target.uri, 'uri');
  const sample = sampleFor(context, target, String(record.hook), {});
  const answer = await sendToTarget(context, hookRequest(target, { ...sample, telctl_probe: true }));
  if (isDelivered(answer)) return describeAnswer(answer);
  const body = answer.kind === 'reply' ? maskSecretTexts(answer.text, hookSecrets(target)).trim() : '';
  const firstLine = body.split('\n', 1)[0]?.slice(0, 200) ?? '';
  throw new Failure(
    answer.kind === 'none' ? 'unavailable' : 'failed',
    [
      `The ${labelOf(webhooks, record)} was not enabled: ${maskUrl(target.uri)} did not accept a test event (${describeAnswer(answer)}).`,
      ...(firstLine === '' ? [] : [`It said: ${firstLine}`]),
    ],
    { hint: 'Repair the target and try again, or enable the webhook anyway without --probe.' },
  );
}

interface DisabledWebhook {
  readonly account: AccountInReach;
  readonly id: string;
  readonly name: string;
  /** Reason of the service for disabling it. Empty if a user disabled it. */
  readonly reason: string;
}

const columns: readonly Column[] = [
  { header: 'ACCOUNT', paths: ['account'], sparse: true },
  { header: 'NAME', paths: ['name'] },
  { header: 'STATE', paths: ['state'] },
  { header: 'WAS DISABLED FOR', paths: ['reason'], show: 'sentence' },
];

const maxNamed = 5;

/** Enables all webhooks that the service disabled (Conventions, auto-disable). Exits with 8 if some stay disabled. */
async function enableAll(below: boolean, context: Context): Promise<Result> {
  const api = await context.api();
  const accounts = below
    ? await accountWithDescendants(context, api)
    : [{ id: await context.accountId(), name: await quotedAccount(context) }];
  const off = await findDisabled(context, api, accounts);
  const meant = off.filter(({ reason }) => reason !== '');
  const byHand = off.length - meant.length;
  const stay =
    byHand === 0
      ? ''
      : ` ${formatCount(byHand, 'webhook')} turned off by hand ${byHand === 1 ? 'stays' : 'stay'} off.`;
  if (meant.length === 0)
    return { kind: 'done', message: `No webhook was disabled by the service.${stay}`, value: [] };
  // One request for the account, and one for all accounts below.
  const [own] = accounts;
  const calls = [...Map.groupBy(meant, ({ account }) => account.id === own?.id)].map(([isOwn, enables]) => ({
    call: {
      operation: operationFor(webhooks, isOwn ? 're-enable' : 're-enable-descendants'),
      data: { 're-enable': true },
    },
    enables,
  }));
  if (context.options.dryRun)
    return dryRunResult(
      context,
      calls.map(({ call, enables }) => ({ call, notes: [`enables ${nameWebhooks(enables, below)}`] })),
    );
  const question = `Enable ${formatCount(meant.length, 'webhook')} that the service disabled: ${nameWebhooks(meant, below)}?`;
  await confirmChange(context, question);
  for (const { call } of calls) await api.call(call);
  const still = new Set((await findDisabled(context, api, accounts)).map(({ id }) => id));
  const left = meant.filter(({ id }) => still.has(id)).length;
  return {
    kind: 'list',
    items: meant.map(
      (one): JsonObject => ({
        ...(below ? { account: one.account.name } : {}),
        account_id: one.account.id,
        id: one.id,
        name: one.name,
        state: still.has(one.id) ? 'disabled' : 'enabled',
        reason: one.reason,
      }),
    ),
    columns,
    noun: 'webhooks',
    summary: () =>
      left === 0
        ? `Enabled ${formatCount(meant.length, 'webhook')}.${stay}`
        : `Enabled ${meant.length - left} of ${formatCount(meant.length, 'webhook')}.${stay} Why the others stay off: telctl webhooks health`,
    ...(left === 0 ? {} : { exit: 'partial' }),
  };
}

/** Reads each webhook if the list does not include the reason. */
async function findDisabled(
  context: Context,
  api: Api,
  accounts: readonly AccountInReach[],
): Promise<readonly DisabledWebhook[]> {
  const atOnce = Math.min(4, context.settings.concurrency.value);
  const found = await mapWithConcurrency(accounts, atOnce, async (account) => {
    const off: DisabledWebhook[] = [];
    for (const each of await listWebhooks(api, account.id)) {
      const { id, enabled, name, disable_reason: said } = each;
      if (enabled !== false || typeof id !== 'string') continue;
      const path = { account_id: account.id };
      const { disable_reason: reason } =
        said === undefined ? await readRecord(api, webhooks, id, path) : each;
      off.push({ account, id, name: textOrEmpty(name), reason: textOrEmpty(reason) });
    }
    return off;
  });
  return found.flat();
}

const nameWebhooks = (meant: readonly DisabledWebhook[], withAccount: boolean): string =>
  joinUpTo(
    meant.map(({ name, id, account }) => `${name || id}${withAccount ? ` (${account.name})` : ''}`),
    maxNamed,
  );
