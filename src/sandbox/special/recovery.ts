import type { JsonObject } from '../../base/json.ts';
import { notification } from '../events/event.ts';
import { pick, textAt } from '../fields.ts';
import { accountName, type Principal } from '../identity/principal.ts';
import { gregorianSeconds, newId } from '../made-values.ts';
import { putOf } from '../placement.ts';
import { invalid } from '../refusal.ts';
import type { Call, Handler } from '../requests/call.ts';
import type { RecordName, StoredRecord } from '../store/store.ts';
import { identifiers, tokenFor } from './sign-in.ts';

const nameOf = (id: string): RecordName => ({ kind: 'recoveries', scope: '', id });
const notFound = (path: string, cause: string) =>
  invalid([{ path, rule: 'not_found', message: 'is not known', cause }]);

/** The account that is named. Refuses (400) none, and an unknown one. */
async function accountOf({ data, services: { store } }: Call): Promise<StoredRecord> {
  for (const [name, find] of [...identifiers].toReversed()) {
    const value = textAt(data, name);
    if (value === undefined) continue;
    const id = await find(value, store);
    const account = id === undefined ? undefined : await store.get(accountName(id));
    if (account) return account;
    throw notFound(name, value.toLowerCase().replaceAll(' ', ''));
  }
  throw invalid([{ path: 'account_name', rule: 'required', message: 'is required' }]);
}

/** Sends somebody a link by which to sign in once. The mail is one that the sandbox keeps. */
const recover: Handler = async (call) => {
  const { data, services } = call;
  const [username, page] = [textAt(data, 'username') ?? '', textAt(data, 'ui_url') ?? ''];
  const account = await accountOf(call);
  const value = username.toLowerCase();
  const holder = await services.store.holder({ kind: 'users', scope: account.id, field: 'username', value });
  const user = holder && (await services.store.get(holder));
  if (!user) throw notFound('username', username);
  const resetId = [account.id, ...Array.from({ length: 4 }, () => newId(services.random))]
    .join('')
    .slice(0, 137);
  const now = gregorianSeconds(services.clock);
  const body: JsonObject = { account_id: account.id, user_id: user.id };
  const record = { ...nameOf(resetId), body, hidden: {}, createdAt: now, modifiedAt: now, revision: 0 };
  call.changes.push({ change: 'put', record, order: '', keys: [], claims: [] });
  const link = `${page}${page.includes('?') ? '&' : '?'}recovery=${resetId}`;
  const keys = {
    ...pick(user.body, ['email', 'first_name', 'last_name']),
    password_reset_link: link,
    user_id: user.id,
  };
  call.events.push(notification(services, 'password_recovery', { accountId: account.id, keys }));
  return { data: `A link to sign in was sent to ${textAt(user.body, 'email') ?? username}.` };
};

/** Signs somebody in by such a link, once. A new password is asked for then. */
const recovered: Handler = async (call) => {
  const { store } = call.services;
  const id = textAt(call.data, 'reset_id') ?? '';
  const known = await store.get(nameOf(id));
  const account = await store.get(accountName(textAt(known?.body ?? {}, 'account_id') ?? ''));
  const userId = textAt(known?.body ?? {}, 'user_id') ?? '';
  const user = account && (await store.get({ kind: 'users', scope: account.id, id: userId }));
  if (!account || !user) throw notFound('user', id);
  const changed = { ...user, body: { ...user.body, require_password_update: true } };
  call.changes.push({ change: 'remove', record: nameOf(id), erase: true, isUntold: true });
  call.changes.push(putOf(changed, 'users'));
  const principal: Principal = { account, user, method: 'cb_user_auth' };
  return tokenFor(principal, call);
};

/** Recovery of a lost password (Conventions, sign-in, recovery). */
export const recoveryHandlers = new Map<string, Handler>([
  ['tokens.recover', recover],
  ['tokens.recovered', recovered],
]);
