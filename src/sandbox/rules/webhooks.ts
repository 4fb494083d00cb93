import { hooks, objectModifiers } from '../../contract/hooks.ts';
import { isObject, type JsonObject } from '../../contract/json.ts';
import { notificationKeys } from '../../contract/notification-keys.ts';
import { neverReached } from '../events/targets.ts';
import { textAt, without } from '../fields.ts';
import { invalid, type Problem } from '../requests/refusal.ts';
import type { ResourceRules } from './resource-rules.ts';

/** Hook ids that can be subscribed to; `all` stands for every call event. */
const hookIds: readonly string[] = [...hooks.map(({ id }) => id), 'all'];

function uriProblems(uri: string): readonly Problem[] {
  const protocol = URL.canParse(uri) ? new URL(uri).protocol : '';
  const isWeb = protocol === 'http:' || protocol === 'https:';
  const message = isWeb ? neverReached(uri) : 'must be an http or https address';
  return message === undefined ? [] : [{ path: 'uri', rule: 'error', message, value: uri }];
}

/** What has to be chosen of a hook, and among what. */
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

/** Webhook subscriptions: a known hook, an address that can be called, the modifiers that the hook needs. */
export const webhookRules: ResourceRules = {
  refine: (draft) => {
    const hook = textAt(draft.body, 'hook') ?? '';
    const { custom_data: customData } = draft.body;
    const problems = [
      ...(hookIds.includes(hook)
        ? []
        : [{ path: 'hook', rule: 'enum', message: 'is no available hook', target: hookIds, value: hook }]),
      ...uriProblems(textAt(draft.body, 'uri') ?? ''),
      ...modifierProblems(hook, isObject(customData) ? customData : {}),
    ];
    if (problems.length > 0) throw invalid(problems);
    const reason = draft.body.enabled === false ? [] : ['disable_reason'];
    return { ...draft, body: without(draft.body, (key) => reason.includes(key)) };
  },
};
