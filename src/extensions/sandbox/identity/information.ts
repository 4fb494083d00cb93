import { type JsonObject, textAt } from '../../../base/json.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { pick } from '../fields.ts';
import { clusterId } from '../ids-and-secrets.ts';
import type { Services } from '../services.ts';
import type { StoredRecord } from '../store/store.ts';
import type { Principal } from './principal.ts';

const systemLanguage = 'en-US';

/**
 * Returns the user that acts for an account: its first enabled administrator. Sign-ins by API key return the id of
 * this user.
 */
export async function actingUser(
  { account, user }: Pick<Principal, 'account' | 'user'>,
  { store }: Services,
): Promise<StoredRecord | undefined> {
  if (user) return user;
  const administrators = await store.list({
    kind: 'users',
    scope: account.id,
    key: { field: 'administers', value: 'yes' },
    limit: 100,
  });
  return administrators.reduce<StoredRecord | undefined>(
    (first, each) => (first && first.createdAt <= each.createdAt ? first : each),
    undefined,
  );
}

const maxApps = 1000;

async function listApps({ account }: Principal, { store }: Services): Promise<readonly JsonObject[]> {
  const owners = [account.id, textAt(account.hidden, 'reseller_id')].filter((id) => id !== undefined);
  const found = await Promise.all(
    owners.map((value) =>
      store.list({ kind: 'apps', scope: '', key: { field: 'account', value }, limit: maxApps }),
    ),
  );
  const { listFields } = resourceByName('apps');
  return found.flat().map(({ id, body }) => ({ id, ...pick(body, listFields) }));
}

/** Additional information of services in the field (as recorded). */
const fieldInformation = {
  capabilities: { voicemail: { transcription: { available: false, default: false } } },
  cluster_id: clusterId,
  ui_config: {},
};

/** Describes the holder of a token (Authentication records, Token information; Conventions, login reply). */
export async function describeToken(principal: Principal, services: Services): Promise<JsonObject> {
  const { account } = principal;
  const isField = services.behaviour.identity.information === 'field';
  // Services in the field do not assign a user to API keys.
  const owner = isField ? principal.user : await actingUser(principal, services);
  const reseller = textAt(account.hidden, 'reseller_id');
  return {
    account_id: account.id,
    ...(owner ? { owner_id: owner.id } : {}),
    account_name: textAt(account.body, 'name') ?? '',
    language: textAt(owner?.body ?? {}, 'language') ?? textAt(account.body, 'language') ?? systemLanguage,
    is_reseller: account.hidden.reseller === true,
    ...(reseller === undefined ? {} : { reseller_id: reseller }),
    is_master_account: account.hidden.master === true,
    apps: await listApps(principal, services),
    ...(isField ? fieldInformation : {}),
  };
}
