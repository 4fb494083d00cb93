import { isObject, type JsonObject, textAt, valueAt } from '../../../base/json.ts';
import { notificationKeys, objectModifiers } from '../../../contract/hooks.ts';
import { toStoredNumber, trimLeadingZeros } from '../../../contract/phone-number.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { type Behaviour, traitsOf } from '../behaviour.ts';
import { addressParts } from '../events/event.ts';
import { forbiddenReason, isThisMachine } from '../events/subscriptions.ts';
import { textsAt, withoutKeys } from '../fields.ts';
import { apiKeyId, gregorianSeconds, newApiKey, newSecret } from '../ids-and-secrets.ts';
import { invalid, Refusal, type RefusedField } from '../refusal.ts';
import {
  accountOf,
  principalOf,
  type ResourceRules,
  type ServiceRequest,
} from '../requests/service-request.ts';
import { type Store, type StoredRecord, scopeBelow } from '../store/store.ts';
import { agentsIn } from '../telephony/agent-states.ts';
import { participantsIn, shownParticipant } from '../telephony/ongoing-calls.ts';
import { callflowRules } from './callflows.ts';
import { carrierRules, faxRules } from './faxes.ts';
import { numberRules, portRules } from './numbers.ts';
import { deviceRules, userRules } from './users.ts';

type WebhookBehaviour = Behaviour['webhooks'];

function uriProblems(uri: string, { loopback }: WebhookBehaviour): readonly RefusedField[] {
  const protocol = URL.canParse(uri) ? new URL(uri).protocol : '';
  const isWeb = protocol === 'http:' || protocol === 'https:';
  const unreachableReason = (): string | undefined =>
    loopback === 'refused' && isThisMachine(uri) ? 'invalid client URL' : forbiddenReason(uri);
  const message = isWeb ? unreachableReason() : 'must be an http or https address';
  return message === undefined ? [] : [{ path: 'uri', rule: 'error', message, value: uri }];
}

const hookModifiers = new Map<string, Readonly<Record<string, readonly string[]>>>([
  ['object', objectModifiers],
  ['notifications', { type: [...notificationKeys.keys()] }],
]);

/**
 * Checks the modifiers in `custom_data`. They are optional in the specification, and required in the field
 * (Conventions, Webhooks). Other keys can have any value.
 */
function modifierProblems(
  hook: string,
  customData: JsonObject,
  { modifiers }: WebhookBehaviour,
): readonly RefusedField[] {
  return Object.entries(hookModifiers.get(hook) ?? {}).flatMap(([key, allowed]): readonly RefusedField[] => {
    const path = `custom_data.${key}`;
    const value = textAt(customData, key);
    if (value === undefined && modifiers === 'optional') return [];
    if (value === undefined) return [{ path, rule: 'required', message: `is required for the hook ${hook}` }];
    if (value === 'all' || allowed.includes(value)) return [];
    return [
      { path, rule: 'enum', message: 'is not a known value', target: ['all', ...allowed], cause: value },
    ];
  });
}

/** Refuses an unknown hook: 400, or the server error of services that look it up in their store. */
function hookProblems(hook: string, { hooks, unknownHook }: WebhookBehaviour): readonly RefusedField[] {
  if (hooks.includes(hook)) return [];
  if (unknownHook === 'fault')
    throw new Refusal(503, 'datastore_fault', `Unknown hook ${hook}.`, { message: 'datastore fault' });
  return [{ path: 'hook', rule: 'enum', message: 'is not an available hook', target: hooks, value: hook }];
}

const textProblems = (customData: JsonObject): readonly RefusedField[] =>
  Object.entries(customData).flatMap(([key, value]) =>
    typeof value === 'string'
      ? []
      : [{ path: `custom_data.${key}`, rule: 'type', message: 'must be text', target: 'string', value }],
  );

/** Webhooks need a known hook, a reachable target and the modifiers of the hook. */
const webhookRules: ResourceRules = {
  refine: (draft, _, { services: { behaviour } }) => {
    const hook = textAt(draft.body, 'hook') ?? '';
    const customData = isObject(draft.body.custom_data) ? draft.body.custom_data : {};
    const problems = [
      ...hookProblems(hook, behaviour.webhooks),
      ...uriProblems(textAt(draft.body, 'uri') ?? '', behaviour.webhooks),
      ...(behaviour.records.rules === 'specification'
        ? []
        : modifierProblems(hook, customData, behaviour.webhooks)),
      ...(behaviour.webhooks.customData === 'texts' ? textProblems(customData) : []),
    ];
    if (problems.length > 0) throw invalid(problems);
    const reason = draft.body.enabled === false ? [] : ['disable_reason'];
    return { ...draft, body: withoutKeys(draft.body, (key) => reason.includes(key)) };
  },
};

const realmSuffix = 'sandbox.example';

const countDescendants = (id: string, store: Store): Promise<number> =>
  store.count('accounts', '', { field: 'ancestor', value: id });

/** Accounts have normalized or generated realms, and cannot disable themselves (Conventions). */
const accountRules: ResourceRules = {
  normalize: (data, { records }) => {
    const realm = textAt(data, 'realm');
    if (realm === undefined) return data;
    return {
      ...data,
      realm: records.realms === 'lower-case' ? realm.toLowerCase() : realm.replaceAll(/\s/g, ''),
    };
  },
  refine: ({ body, hidden }, before, call) => {
    const { random } = call.services;
    const realm = textAt(before?.body ?? {}, 'realm') ?? `${newSecret(random).slice(0, 6)}.${realmSuffix}`;
    const own = before !== undefined && principalOf(call).account.id === before.id;
    const apiKey = newApiKey(random);
    return {
      body: { realm, ...body, ...(own ? { enabled: before.body.enabled ?? true } : {}) },
      hidden: before
        ? hidden
        : { ...hidden, secret: newSecret(random), api_key: apiKey, key_id: apiKeyId(apiKey) },
    };
  },
  derive: async ({ id, hidden, createdAt }, { services, operation }) => ({
    created: createdAt,
    superduper_admin: hidden.master === true,
    is_reseller: hidden.reseller === true,
    wnm_allow_additions: hidden.wnm_allow_additions === true,
    billing_mode: 'normal',
    ...(services.behaviour.identity.information === 'field' ? {} : { tree: textsAt(hidden, 'tree') }),
    ...(services.behaviour.identity.information === 'field' && operation.verb === 'create'
      ? {}
      : { descendants_count: await countDescendants(id, services.store) }),
    ...(textAt(hidden, 'reseller_id') === undefined ? {} : { reseller_id: textAt(hidden, 'reseller_id') }),
  }),
  summary: async ({ id }, { services }) => ({
    descendants_count: await countDescendants(id, services.store),
  }),
};

/** Lists of voicemail boxes count messages that are not deleted. */
const vmboxRules: ResourceRules = {
  refine: (draft, _, { services }) => {
    const mailbox = textAt(draft.body, 'mailbox');
    if (mailbox === undefined || services.behaviour.messages.mailboxes === 'as-sent') return draft;
    return { ...draft, body: { ...draft.body, mailbox: trimLeadingZeros(mailbox) } };
  },
  summary: async ({ id }, call) => {
    const scope = scopeBelow(accountOf(call).id, id);
    const [fresh = 0, saved = 0] = await Promise.all(
      ['new', 'saved'].map((value) =>
        call.services.store.count('messages', scope, { field: 'folder', value }),
      ),
    );
    const messages = fresh + saved;
    const isHidden =
      messages === 0 && traitsOf(call.services.behaviour, 'vmboxes').sparse?.includes('folders');
    return { messages, ...(isHidden ? {} : { folders: { new: fresh, saved } }) };
  },
};

async function conferenceState(conference: StoredRecord, { services }: ServiceRequest) {
  const now = gregorianSeconds(services.clock);
  const all = await participantsIn(services.store, conference, now);
  const moderators = all.filter(({ call }) => valueAt(call.body, 'participant.is_moderator') === true).length;
  const began = Math.min(now, ...all.map(({ call }) => Number(valueAt(call.body, 'participant.join_time'))));
  return {
    state: { members: all.length - moderators, moderators, duration: now - began, is_locked: false },
    participants: all.map((each) => shownParticipant(each, conference, now)),
  };
}

/** Conferences include their participants. */
const conferenceRules: ResourceRules = {
  derive: async (conference, call) => {
    const { state, participants } = await conferenceState(conference, call);
    return { _read_only: { ...state, participants } };
  },
  summary: async (conference, call) => ({ _read_only: (await conferenceState(conference, call)).state }),
};

/** Returns the id of a media record that replaces a prompt: its language and the prompt. */
const promptIdOf = (body: JsonObject): string | undefined => {
  const prompt = textAt(body, 'prompt_id');
  return prompt === undefined
    ? undefined
    : `${(textAt(body, 'language') ?? 'en-us').toLowerCase()}/${prompt}`;
};

/** The id of a prompt cannot change. */
const mediaRules: ResourceRules = {
  chosenId: promptIdOf,
  refine: (draft, before) => {
    const id = promptIdOf(draft.body);
    if (before && (promptIdOf(before.body) ?? before.id) !== (id ?? before.id))
      throw invalid([{ path: 'prompt_id', rule: 'invalid', message: 'cannot be changed' }]);
    if (id === undefined) return draft;
    return { ...draft, body: { ...draft.body, language: String(draft.body.language).toLowerCase() } };
  },
  summary: async ({ body }) => ({
    language: (textAt(body, 'language') ?? '').toLowerCase(),
    is_prompt: textAt(body, 'prompt_id') !== undefined,
  }),
};

const rules: Readonly<Partial<Record<ResourceName, ResourceRules>>> = {
  accounts: accountRules,
  blacklists: {
    normalize: (data) =>
      isObject(data.numbers)
        ? {
            ...data,
            numbers: Object.fromEntries(
              Object.entries(data.numbers).map(([number, notes]) => [toStoredNumber(number), notes]),
            ),
          }
        : data,
  },
  callflows: callflowRules,
  carriers: carrierRules,
  carrier_templates: carrierRules,
  system_carriers: carrierRules,
  conferences: conferenceRules,
  devices: deviceRules,
  // The members of a directory are stored in the users.
  directories: {
    derive: async ({ scope, id }, { services: { store } }) => {
      const users = await store.list({ kind: 'users', scope });
      return {
        users: users.flatMap(({ id: userId, body }) => {
          const callflowId = isObject(body.directories) ? textAt(body.directories, id) : undefined;
          return callflowId === undefined ? [] : [{ user_id: userId, callflow_id: callflowId }];
        }),
      };
    },
  },
  faxboxes: {
    derive: async ({ id }) => ({ smtp_email_address: `${id.slice(0, 8)}.fax.sandbox.example` }),
  },
  faxes: faxRules,
  // Lists contain the number of endpoints and the enabled features.
  groups: {
    summary: async ({ body }) => ({
      features: valueAt(body, 'music_on_hold.media_id') === undefined ? [] : ['music_on_hold'],
      endpoints: isObject(body.endpoints) ? Object.keys(body.endpoints).length : 0,
    }),
  },
  media: mediaRules,
  // The recording has the id of the message.
  messages: {
    derive: async ({ id, body }, { services }) => ({
      media_id: id,
      ...(services.behaviour.messages.made === 'as-left'
        ? { ...addressParts(body, 'from'), ...addressParts(body, 'to') }
        : {}),
    }),
    summary: async ({ id }) => ({ media_id: id }),
  },
  numbers: numberRules,
  ports: portRules,
  // The agents of a queue are stored in the users.
  queues: {
    derive: async ({ scope, id }, { services: { store }, operation }) =>
      operation.verb === 'get' ? { agents: (await agentsIn(store, scope, id)).map((user) => user.id) } : {},
  },
  // Lists use other names for costs.
  rates: {
    summary: async ({ body }) => ({
      ...(body.rate_name === undefined ? {} : { name: body.rate_name }),
      ...(body.rate_cost === undefined ? {} : { cost: body.rate_cost }),
      ...(body.rate_surcharge === undefined ? {} : { surcharge: body.rate_surcharge }),
    }),
  },
  // A recording that was sent to a URL has no sound to download.
  recordings: {
    derive: async ({ body }) => ({
      _read_only: { content_types: body.url === undefined ? [textAt(body, 'content_type') ?? ''] : [] },
    }),
  },
  // Lists use another name for the rules.
  temporal_rules_sets: {
    summary: async ({ body }) => (body.temporal_rules === undefined ? {} : { rules: body.temporal_rules }),
  },
  users: userRules,
  vmboxes: vmboxRules,
  webhooks: webhookRules,
};

export const rulesOf = (name: ResourceName): ResourceRules => rules[name] ?? {};
