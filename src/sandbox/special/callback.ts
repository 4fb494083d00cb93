import type { JsonObject } from '../../contract/json.ts';
import type { Call, Handler } from '../call.ts';
import { textAt } from '../fields.ts';
import { gregorianSeconds } from '../moments.ts';
import { putOf } from '../placement.ts';
import { accountName, subjectOf, userName } from '../principal.ts';
import { invalid, notSignedIn } from '../refusal.ts';
import type { StoredRecord } from '../store.ts';
import { information } from './information.ts';

const required = ['client_id', 'code', 'provider', 'redirect_uri'] as const;

/**
 * The person that the provider would name for a code. No provider stands behind the sandbox: the code is taken
 * for the person's e-mail address there.
 */
function identityOf(code: string, provider: string): JsonObject & { readonly email: string } {
  const email = code.includes('@') ? code : `${code}@${provider}.example`;
  return { email, verified_email: true, display_name: email.replace(/@.*$/, ''), profile: { email } };
}

async function findOrMakeLink(call: Call, app: StoredRecord, provider: string): Promise<StoredRecord> {
  const { clock, store } = call.services;
  const identity = identityOf(textAt(call.data, 'code') ?? '', provider);
  const name = { kind: 'links', scope: '', id: `${provider}-${identity.email}` };
  const known = await store.get(name);
  if (known) return known;
  const now = gregorianSeconds(clock);
  const scopes = ['openid', 'email', 'profile'];
  const made = {
    ...name,
    body: { app: app.id, provider, scope: scopes.join(' '), scopes, ...identity },
    hidden: {},
    createdAt: now,
    modifiedAt: now,
    revision: 0,
  };
  call.changes.push(putOf(made, 'links'));
  return made;
}

/** Signs in the user who is linked to an identity; answers nothing while nobody is (Authentication 10). */
const callback: Handler = async (call) => {
  const { data, services } = call;
  const missing = required.filter((path) => textAt(data, path) === undefined);
  if (missing.length > 0) {
    throw invalid(missing.map((path) => ({ path, rule: 'required', message: 'is required' })));
  }
  const { store, authority } = services;
  const provider = textAt(data, 'provider') ?? '';
  const app = await store.get({ kind: 'apps', scope: '', id: textAt(data, 'client_id') ?? '' });
  if (!app || app.body.provider !== provider) throw notSignedIn('No such SSO application.');
  const { hidden } = await findOrMakeLink(call, app, provider);
  const [owner, accountId] = [textAt(hidden, 'owner'), textAt(hidden, 'account')];
  if (owner === undefined || accountId === undefined) return { data: {} };
  const [user, account] = await Promise.all([
    store.get(userName(accountId, owner)),
    store.get(accountName(accountId)),
  ]);
  if (!user || !account || user.body.enabled === false || account.body.enabled === false) throw notSignedIn();
  const holder = { account, user, method: 'cb_auth' };
  const claims = { account_id: account.id, owner_id: user.id, method: holder.method };
  return {
    data: await information(holder, services),
    token: await authority.issue(claims, subjectOf(holder)),
  };
};

/** Sign-in by single sign-on, against a provider that believes every code. */
export const callbackHandlers = new Map<string, Handler>([['tokens.callback', callback]]);
