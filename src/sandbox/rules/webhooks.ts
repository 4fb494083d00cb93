import { isObject, type JsonObject } from '../../base/json.ts';
import { objectModifiers } from '../../contract/hooks.ts';
import { notificationKeys } from '../../contract/notification-keys.ts';
import type { Behaviour } from '../behaviour.ts';
import { isThisMachine, neverReached } from '../events/targets.ts';
import { textAt, without } from '../fields.ts';
import { invalid, type Problem, Refusal } from '../refusal.ts';
import type { ResourceRules } from './resource-rules.ts';

type WebhookBehaviour = Behaviour['webhooks'];

function uriProblems(uri: string, { loopback }: WebhookBehaviour): readonly Problem[] {
  const protocol = URL.canParse(uri) ? new URL(uri).protocol : '';
  const isWeb = protocol === 'http:' || protocol === 'https:';
  const unreached = (): string | undefined =>
    loopback === 'refused' && isThisMachine(uri) ? 'invalid client URL' : neverReached(uri);
  const message = isWeb ? unreached() : 'must be an http or https address';
  return message === undefined ? [] : [{ path: 'uri', rule: 'error', message, value: uri }];
}

/** Fields that have to be chosen for a hook, with the values to choose from. */
const chosen = new Map<string, Readonly<Record<string, readonly string[]>>>([
  ['object', objectModifiers],
  ['notifications', { type: [...notificationKeys.keys()] }],
]);

/**
 * Modifiers stand in `custom_data`; hooks that need one refuse to be without (Conventions, Webhooks). Whatever else
 * stands there may be any value: the specification has an object there and no rule for what is in it.
 */
function modifierProblems(hook: string, customData: JsonObject): readonly Problem[] {
  return Object.entries(chosen.get(hook) ?? {}).flatMap(([key, allowed]): readonly Problem[] => {
    const path = `custom_data.${key}`;
    const value = textAt(customData, key);
    if (value === undefined) return [{ path, rule: 'required', message: `is needed for the hook ${hook}` }];
    if (value === 'all' || allowed.includes(value)) return [];
    return [{ path, rule: 'enum', message: 'is no known value', target: ['all', ...allowed], cause: value }];
  });
}

/** Refuses a hook that nobody can subscribe to: 400, or the fault of services that look it up in their store. */
function hookProblems(hook: string, { hooks, unknownHook }: WebhookBehaviour): readonly Problem[] {
  if (hooks.includes(hook)) return [];
  if (unknownHook === 'fault')
    throw new Refusal(503, 'datastore_fault', `There is no hook ${hook}.`, { message: 'datastore fault' });
  return [{ path: 'hook', rule: 'enum', message: 'is no available hook', target: hooks, value: hook }];
}

const textProblems = (customData: JsonObject): readonly Problem[] =>
  Object.entries(customData).flatMap(([key, value]) =>
    typeof value === 'string'
      ? []
      : [{ path: `custom_data.${key}`, rule: 'type', message: 'must be text', target: 'string', value }],
  );

/** Webhook subscriptions: a known hook, an address that can be called, the modifiers that the hook needs. */
export const webhookRules: ResourceRules = {
  refine: (draft, _, { services: { behaviour } }) => {
    const hook = textAt(draft.body, 'hook') ?? '';
    const customData = isObject(draft.body.custom_data) ? draft.body.custom_data : {};
    const problems = [
      ...hookProblems(hook, behaviour.webhooks),
      ...uriProblems(textAt(draft.body, 'uri') ?? '', behaviour.webhooks),
      ...modifierProblems(hook, customData),
      ...(behaviour.webhooks.customData === 'texts' ? textProblems(customData) : []),
    ];
    if (problems.length > 0) throw invalid(problems);
    const reason = draft.body.enabled === false ? [] : ['disable_reason'];
    return { ...draft, body: without(draft.body, (key) => reason.includes(key)) };
  },
};
