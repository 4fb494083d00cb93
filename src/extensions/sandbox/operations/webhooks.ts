import type { JsonObject } from '../../../base/json.ts';
import { samplePayload, shownSamples } from '../../../contract/hook-samples.ts';
import { hooks, notificationKeys, objectModifiers } from '../../../contract/hooks.ts';
import { traitsOf } from '../behaviour.ts';
import { collectionHandlers, namedRecord, queryRange, wholeList } from '../collections/collection.ts';
import { shownAnswer, write } from '../collections/records.ts';
import { gregorianSeconds, newId } from '../ids-and-secrets.ts';
import { invalid, unknownName } from '../refusal.ts';
import { filterOfQuery, listQuery, startKeyOf } from '../requests/query.ts';
import {
  type Answer,
  accountOf,
  pathParameter,
  type RequestHandler,
  type RequestHandlers,
  type ServiceRequest,
  storedDescendants,
} from '../requests/service-request.ts';
import type { Services } from '../services.ts';
import type { LoggedAttempt } from '../store/queue.ts';

/** Converts a type to a name, such as `voicemail_full` to "Voicemail full". */
function friendlyName(type: string): string {
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const notificationTypes: JsonObject = Object.fromEntries(
  [...notificationKeys].map(([type, keys]) => [
    type,
    { friendly_name: friendlyName(type), description: `Contains ${keys.join(', ')}` },
  ]),
);

/** Returns the modifiers of a hook (Conventions, webhook endpoints). */
function modifiersOf(id: string): JsonObject | undefined {
  const items = (key: keyof typeof objectModifiers): JsonObject => ({
    type: 'array',
    description: `Only this ${key}`,
    items: ['all', ...objectModifiers[key]],
  });
  if (id === 'object') return { action: items('action'), type: items('type') };
  return id === 'notifications' ? { type: { type: 'object', items: notificationTypes } } : undefined;
}

const offeredHooks = ({ services }: ServiceRequest) =>
  services.behaviour.webhooks.hooks
    .filter((id) => id !== 'all')
    .map((id) => hooks.find((hook) => hook.id === id) ?? { id, name: friendlyName(id), description: id });

const list: RequestHandler = async (call) => {
  const data = offeredHooks(call).map((hook) => {
    const modifiers = modifiersOf(hook.id);
    return modifiers ? { ...hook, modifiers } : hook;
  });
  return wholeList(data);
};

const sampleName = (hook: string): string => `webhooks_${hook}`;

/** Returns sample payloads of a hook. Notifications have a sample for each type. */
function samplePayloads(hook: string, { clock, random }: Services, accountId: string): readonly JsonObject[] {
  const facts = { accountId, timestamp: gregorianSeconds(clock), newId: () => newId(random) };
  const types = hook === 'notifications' ? [...notificationKeys.keys()] : [undefined];
  return types.map((type) => samplePayload(hook, { ...facts, type }));
}

const sample: RequestHandler = async (call) => {
  const name = pathParameter(call, 'sample_name');
  const hook = shownSamples.find((each) => sampleName(each) === name);
  if (hook === undefined) throw unknownName(name, call.services.behaviour);
  const payloads = samplePayloads(
    hook,
    call.services,
    call.principal?.account.id ?? newId(call.services.random),
  );
  return { data: payloads.filter(filterOfQuery(call.query, call.services.behaviour)) };
};

const attemptsPerRead = 200;

const attemptRecord = ({ webhookId, sequence, timestamp, body }: LoggedAttempt) => ({
  kind: 'attempts',
  scope: webhookId,
  id: String(sequence),
  body,
  hidden: {},
  createdAt: timestamp,
  modifiedAt: timestamp,
  revision: 1,
});

/** Conventions, attempt record. */
const listWebhookAttempts: RequestHandler = async (call) => {
  const isAny = call.services.behaviour.webhooks.foreign === 'readable';
  if (isAny) return attemptPage(call, accountOf(call).id, pathParameter(call, 'webhook_id'));
  const { id, scope } = await namedRecord(call, 'webhooks');
  return attemptPage(call, scope, id);
};

async function attemptPage(call: ServiceRequest, accountId: string, webhookId?: string): Promise<Answer> {
  const { pageSize, from, startKey, wants } = listQuery(call.query, call.services.behaviour);
  const between = queryRange(call);
  const { hasStartKey } = traitsOf(call.services.behaviour, 'webhooks');
  const start = startKey ?? (hasStartKey ? startKeyOf({ order: '' }) : undefined);
  const wanted: LoggedAttempt[] = [];
  const most = pageSize === undefined ? Number.POSITIVE_INFINITY : pageSize + 1;
  let next = from && /^\d+$/.test(from.order) ? Number(from.order) : undefined;
  while (wanted.length < most) {
    const read = { accountId, webhookId, from: next, between, limit: attemptsPerRead };
    const stretch = await call.services.store.listAttempts(read);
    wanted.push(...stretch.filter((attempt) => wants(attemptRecord(attempt))));
    const last = stretch.at(-1);
    if (!last || stretch.length < attemptsPerRead) break;
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

/** Enables webhooks that the service disabled, but not webhooks that a user disabled (Conventions, auto-disable). */
async function reEnable(call: ServiceRequest, accountIds: readonly string[]): Promise<Answer> {
  if (call.data['re-enable'] !== true)
    throw invalid([{ path: 're-enable', rule: 'required', message: 'must be true' }]);
  const meant = new Set(accountIds);
  const all = await call.services.store.allOfKind('webhooks');
  for (const before of all.filter(({ scope, body }) => meant.has(scope) && 'disable_reason' in body))
    await write(call, 'webhooks', before, { ...before.body, enabled: true });
  return { data: 'hooks updated' };
}

const generic = collectionHandlers('webhooks');

/** Some services look up webhooks only by id, in all accounts. */
const get: RequestHandler = async (call) => {
  const id = pathParameter(call, 'webhook_id');
  const isReadable = call.services.behaviour.webhooks.foreign === 'readable';
  const all = isReadable ? await call.services.store.allOfKind('webhooks') : [];
  const record = all.find((each) => each.id === id);
  return record ? shownAnswer(call, 'webhooks', record) : generic.get(call);
};

export const webhookHandlers: RequestHandlers = {
  // Hooks and their events (Conventions, webhook endpoints).
  'webhooks.hooks': list,
  'webhooks.samples': async () => ({ data: shownSamples.map(sampleName) }),
  'webhooks.sample': sample,
  'webhooks.get': get,
  'webhooks.attempts': listWebhookAttempts,
  'webhooks.attempts-all': (call) => attemptPage(call, accountOf(call).id),
  'webhooks.re-enable': (call) => reEnable(call, [accountOf(call).id]),
  'webhooks.re-enable-descendants': async (call) =>
    reEnable(
      call,
      (await storedDescendants(call)).map(({ id }) => id),
    ),
};
