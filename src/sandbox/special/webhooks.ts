import { traitsOf } from '../behaviour.ts';
import { collectionHandlers, namedRecord } from '../collections/collection.ts';
import { shown, write } from '../collections/records.ts';
import { rangeOf } from '../collections/time-range.ts';
import { invalid } from '../refusal.ts';
import { type Answer, accountOf, type Call, type Handler, parameter } from '../requests/call.ts';
import { listQuery, startKeyOf } from '../requests/query.ts';
import type { LoggedAttempt } from '../store/delivery.ts';

/** How many attempts are read at a time while filters sift them. */
const stretchSize = 200;

/** An attempt as filters see records. */
const asRecord = ({ webhookId, sequence, timestamp, body }: LoggedAttempt) => ({
  kind: 'attempts',
  scope: webhookId,
  id: String(sequence),
  body,
  hidden: {},
  createdAt: timestamp,
  modifiedAt: timestamp,
  revision: 1,
});

/** What became of the deliveries of a webhook, newest first (Conventions, attempt record). */
const attempts: Handler = async (call) => {
  const isAny = call.services.behaviour.webhooks.foreign === 'readable';
  if (isAny) return attemptsOf(call, accountOf(call).id, parameter(call, 'webhook_id'));
  const { id, scope } = await namedRecord(call, 'webhooks');
  return attemptsOf(call, scope, id);
};

/** What became of the deliveries of an account, or of one of its webhooks. */
async function attemptsOf(call: Call, accountId: string, webhookId?: string): Promise<Answer> {
  const { pageSize, from, startKey, wants } = listQuery(call.query, call.services.behaviour);
  const between = rangeOf(call);
  const { tellsStart } = traitsOf(call.services.behaviour, 'webhooks');
  const start = startKey ?? (tellsStart ? startKeyOf({ order: '' }) : undefined);
  const wanted: LoggedAttempt[] = [];
  const most = pageSize === undefined ? Number.POSITIVE_INFINITY : pageSize + 1;
  let next = from && /^\d+$/.test(from.order) ? Number(from.order) : undefined;
  while (wanted.length < most) {
    const read = { accountId, webhookId, from: next, between, limit: stretchSize };
    const stretch = await call.services.store.attempts(read);
    wanted.push(...stretch.filter((attempt) => wants(asRecord(attempt))));
    const last = stretch.at(-1);
    if (!last || stretch.length < stretchSize) break;
    next = last.sequence - 1;
  }
  const page = wanted.slice(0, pageSize);
  const further = wanted[page.length];
  return {
    data: page.map(({ body }) => body),
    envelope: {
      page_size: page.length,
      ...(start === undefined ? {} : { start_key: start }),
      ...(further ? { next_start_key: startKeyOf({ order: String(further.sequence), id: '' }) } : {}),
    },
  };
}

/** Turns on what was disabled in these accounts, and nothing that somebody turned off (Conventions, auto-disable). */
async function reEnable(call: Call, accountIds: readonly string[]): Promise<Answer> {
  if (call.data['re-enable'] !== true)
    throw invalid([{ path: 're-enable', rule: 'required', message: 'must be true' }]);
  const meant = new Set(accountIds);
  const all = await call.services.store.everyOf('webhooks');
  for (const before of all.filter(({ scope, body }) => meant.has(scope) && 'disable_reason' in body))
    await write(call, {
      name: before,
      resource: 'webhooks',
      body: { ...before.body, enabled: true },
      before,
    });
  return { data: 'hooks updated' };
}

async function below(call: Call): Promise<readonly string[]> {
  const accounts = await call.services.store.stretch({
    kind: 'accounts',
    scope: '',
    key: { field: 'ancestor', value: accountOf(call).id },
    ascending: true,
    limit: Number.MAX_SAFE_INTEGER,
  });
  return accounts.map(({ id }) => id);
}

const generic = collectionHandlers('webhooks');

/** A webhook; some services have all of them in one store, and look there by the id alone. */
const get: Handler = async (call) => {
  const id = parameter(call, 'webhook_id');
  const isReadable = call.services.behaviour.webhooks.foreign === 'readable';
  const all = isReadable ? await call.services.store.everyOf('webhooks') : [];
  const record = all.find((each) => each.id === id);
  return record ? { data: await shown(call, 'webhooks', record), record } : generic.get(call);
};

/** What became of deliveries, and webhooks that are turned on again. */
export const webhookHandlers = new Map<string, Handler>([
  ['webhooks.get', get],
  ['webhooks.attempts', attempts],
  ['webhooks.attempts-all', (call) => attemptsOf(call, accountOf(call).id)],
  ['webhooks.re-enable', (call) => reEnable(call, [accountOf(call).id])],
  ['webhooks.re-enable-descendants', async (call) => reEnable(call, await below(call))],
]);
