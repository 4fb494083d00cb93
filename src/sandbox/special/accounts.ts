import { accountOf, type Call, type Handler } from '../call.ts';
import { collectionHandlers, removal } from '../collection.ts';
import { textAt, textsAt } from '../fields.ts';
import { apiKeyId, newApiKey, newId } from '../identifiers.ts';
import { answerList } from '../lists.ts';
import { acceptable, shown, write, writeHidden } from '../records.ts';
import { Refusal } from '../refusal.ts';

const generic = collectionHandlers('accounts', { scope: '' });

const listBelow =
  (field: 'parent' | 'ancestor'): Handler =>
  (call) =>
    answerList(call, { resource: 'accounts', scope: '', key: { field, value: accountOf(call).id } });

/** A new account below the one in the path; it belongs to the same reseller. */
const create: Handler = async (call) => {
  const above = accountOf(call);
  const sells = above.hidden.reseller === true;
  const record = await write(call, {
    name: { kind: 'accounts', scope: '', id: newId(call.services.random) },
    resource: 'accounts',
    body: acceptable('accounts', call.data),
    hidden: {
      parent: above.id,
      tree: [...textsAt(above.hidden, 'tree'), above.id],
      reseller_id: (sells ? above.id : textAt(above.hidden, 'reseller_id')) ?? above.id,
    },
  });
  return { data: await shown(call, 'accounts', record) };
};

const remove: Handler = async (call) => {
  const account = accountOf(call);
  if (account.hidden.master === true) {
    throw new Refusal(405, 'invalid_method', 'The first account of the service cannot be deleted.');
  }
  const key = { field: 'ancestor', value: account.id };
  if ((await call.services.store.count('accounts', '', key)) > 0) {
    throw new Refusal(500, 'account_has_descendants', 'The account has accounts below it.');
  }
  return removal(call, 'accounts', account);
};

const apiKeyOf = (call: Call) => ({ data: { api_key: textAt(accountOf(call).hidden, 'api_key') ?? '' } });

/** A new API key; the old one and the tokens got with it end at once. */
const rotate: Handler = async (call) => {
  const apiKey = newApiKey(call.services.random);
  writeHidden(call, accountOf(call), 'accounts', { api_key: apiKey, key_id: apiKeyId(apiKey) });
  return { data: { api_key: apiKey } };
};

/** Accounts: a tree, each with an API key (Conventions, Accounts). */
export const accountHandlers = new Map<string, Handler>([
  ['accounts.list', listBelow('parent')],
  ['accounts.descendants', listBelow('ancestor')],
  ['accounts.get', generic.get],
  ['accounts.create', create],
  ['accounts.update', generic.update],
  ['accounts.patch', generic.patch],
  ['accounts.delete', remove],
  ['accounts.api-key', async (call) => apiKeyOf(call)],
  ['accounts.rotate-api-key', rotate],
]);
