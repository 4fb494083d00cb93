import type { JsonObject } from '../../base/json.ts';
import { sampleOf, shownSamples } from '../../contract/hook-samples.ts';
import { hooks, objectModifiers } from '../../contract/hooks.ts';
import { notificationKeys } from '../../contract/notification-keys.ts';
import { newId } from '../identifiers.ts';
import { unknownName } from '../refusal.ts';
import { type Call, type Handler, parameter } from '../requests/call.ts';
import { listQuery } from '../requests/query.ts';
import type { Services } from '../services.ts';
import { gregorianSeconds } from '../timestamps.ts';

/** `voicemail_full` for people: Voicemail full. */
function friendlyName(type: string): string {
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const notificationTypes: JsonObject = Object.fromEntries(
  [...notificationKeys].map(([type, keys]) => [
    type,
    { friendly_name: friendlyName(type), description: `Tells ${keys.join(', ')}` },
  ]),
);

/** What can be chosen within a hook (Conventions, webhook endpoints). */
function modifiersOf(id: string): JsonObject | undefined {
  const items = (key: keyof typeof objectModifiers): JsonObject => ({
    type: 'array',
    description: `Only this ${key}`,
    items: ['all', ...objectModifiers[key]],
  });
  if (id === 'object') return { action: items('action'), type: items('type') };
  return id === 'notifications' ? { type: { type: 'object', items: notificationTypes } } : undefined;
}

/** The hooks that can be subscribed to, with what is said of them; `all` is no hook of its own. */
const offered = ({ services }: Call) =>
  services.behaviour.webhooks.hooks
    .filter((id) => id !== 'all')
    .map((id) => hooks.find((hook) => hook.id === id) ?? { id, name: friendlyName(id), description: id });

/** What can be subscribed to. */
const list: Handler = async (call) => {
  const data = offered(call).map((hook) => {
    const modifiers = modifiersOf(hook.id);
    return modifiers ? { ...hook, modifiers } : hook;
  });
  return { data, envelope: { page_size: data.length } };
};

/** Compatible services name a sample by its hook, with this before it. */
const sampleName = (hook: string): string => `webhooks_${hook}`;

/** The payloads that show a hook: of notifications one for each type, of others one. */
function samplesOf(hook: string, { clock, random }: Services, accountId: string): readonly JsonObject[] {
  const facts = { accountId, timestamp: gregorianSeconds(clock), newId: () => newId(random) };
  const types = hook === 'notifications' ? [...notificationKeys.keys()] : [undefined];
  return types.map((type) => sampleOf(hook, { ...facts, type }));
}

const sample: Handler = async (call) => {
  const name = parameter(call, 'sample_name');
  const hook = shownSamples.find((each) => sampleName(each) === name);
  if (hook === undefined) throw unknownName(name, call.services.behaviour);
  const { wants } = listQuery(call.query, call.services.behaviour);
  const payloads = samplesOf(hook, call.services, call.principal?.account.id ?? newId(call.services.random));
  const times = { createdAt: 0, modifiedAt: 0, revision: 1 };
  const named = { kind: 'samples', scope: '', id: name, hidden: {}, ...times };
  return { data: payloads.filter((body) => wants({ ...named, body })) };
};

/** The hooks and what their events look like (Conventions, webhook endpoints). */
export const hookCatalogueHandlers = new Map<string, Handler>([
  ['webhooks.hooks', list],
  ['webhooks.samples', async () => ({ data: shownSamples.map(sampleName) })],
  ['webhooks.sample', sample],
]);
