import { textAt, textsAt } from '../fields.ts';
import { apiKeyId, newApiKey, newSecret } from '../identifiers.ts';
import { principalOf } from '../requests/call.ts';
import type { Store } from '../store/store.ts';
import type { ResourceRules } from './resource-rules.ts';

/** Domain below which accounts that name no realm get one. */
const realmSuffix = 'sandbox.example';

const descendants = (id: string, store: Store): Promise<number> =>
  store.count('accounts', '', { field: 'ancestor', value: id });

/** Accounts: realms in one form and made where missing; only those above may disable one (Conventions). */
export const accountRules: ResourceRules = {
  normalise: (data, { realms }) => {
    const realm = textAt(data, 'realm');
    if (realm === undefined) return data;
    return { ...data, realm: realms === 'lower-case' ? realm.toLowerCase() : realm.replaceAll(/\s/g, '') };
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
      : { descendants_count: await descendants(id, services.store) }),
    ...(textAt(hidden, 'reseller_id') === undefined ? {} : { reseller_id: textAt(hidden, 'reseller_id') }),
  }),
  summary: async ({ id }, { services }) => ({ descendants_count: await descendants(id, services.store) }),
};
