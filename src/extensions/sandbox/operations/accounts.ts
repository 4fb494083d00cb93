import { textAt } from '../../../base/json.ts';
import { resources } from '../../../contract/catalogue.ts';
import { answerList, removeRecord, wholeList } from '../collections/collection.ts';
import {
  acceptable,
  shownAnswer,
  shownRecord,
  summarised,
  write,
  writeHidden,
} from '../collections/records.ts';
import { textsAt, withoutKeys } from '../fields.ts';
import { storedAccount } from '../identity/principal.ts';
import { apiKeyId, newApiKey, newId } from '../made-values.ts';
import { forbidden, Refusal } from '../refusal.ts';
import {
  accountOf,
  principalOf,
  type RequestHandler,
  type RequestHandlers,
  storedAccountsBelow,
} from '../requests/service-request.ts';
import type { RecordName, Store, StoredRecord } from '../store/store.ts';
import { isOf } from '../telephony/numbers.ts';
import { letGo } from './number-moves.ts';

const list: RequestHandler = (call) =>
  answerList(call, 'accounts', { scope: '', key: { field: 'parent', value: accountOf(call).id } });

/** All accounts below; each tells which ones are above it, so that callers can draw the tree. */
const listDescendants: RequestHandler = (call) =>
  answerList(call, 'accounts', {
    scope: '',
    key: { field: 'ancestor', value: accountOf(call).id },
    item: async (record) => ({
      ...withoutKeys(
        await summarised(call, 'accounts', record),
        (key) => key === 'descendants_count' && call.services.behaviour.identity.information === 'field',
      ),
      tree: textsAt(record.hidden, 'tree'),
    }),
  });

/** A new account below the one in the path; it belongs to the same reseller. */
const create: RequestHandler = async (call) => {
  const above = accountOf(call);
  const sells = above.hidden.reseller === true;
  const record = await write(
    call,
    'accounts',
    { kind: 'accounts', scope: '', id: newId(call.services.random) },
    acceptable(call, 'accounts'),
    {
      parent: above.id,
      tree: [...textsAt(above.hidden, 'tree'), above.id],
      reseller_id: (sells ? above.id : textAt(above.hidden, 'reseller_id')) ?? above.id,
    },
  );
  return { data: await shownRecord(call, 'accounts', record) };
};

/** The accounts above the one in the path, from the top; none above the caller's but for the caller's own account. */
const above =
  (ofOwn: 'all' | 'none'): RequestHandler =>
  async (call) => {
    const account = accountOf(call);
    const caller = principalOf(call).account.id;
    const tree = textsAt(account.hidden, 'tree');
    const all =
      account.id === caller ? (ofOwn === 'all' ? tree : []) : tree.slice(Math.max(tree.indexOf(caller), 0));
    const found = await Promise.all(all.map((id) => call.services.store.get(storedAccount(id))));
    const data = found.flatMap((each) =>
      each ? [{ id: each.id, name: textAt(each.body, 'name') ?? '' }] : [],
    );
    return ofOwn === 'all' ? wholeList(data) : { data };
  };

/** Makes an account a reseller, or an ordinary one again. Accounts below change hands; their plans stay. */
const resells =
  (reseller: boolean): RequestHandler =>
  async (call) => {
    const account = accountOf(call);
    const own = textAt(account.hidden, 'reseller_id') ?? account.id;
    const [from, to] = reseller ? [own, account.id] : [account.id, own];
    const hidden = { reseller };
    writeHidden(call, account, 'accounts', hidden);
    for (const each of await storedAccountsBelow(call))
      if (textAt(each.hidden, 'reseller_id') === from)
        writeHidden(call, each, 'accounts', { reseller_id: to });
    return shownAnswer(call, 'accounts', { ...account, hidden: { ...account.hidden, ...hidden } });
  };

/** All records of an account, also what it has outside of its own scope: numbers, sign-in applications, links. */
export async function everyRecordOf(account: StoredRecord, store: Store): Promise<readonly RecordName[]> {
  const kinds = await Promise.all(
    resources.filter(({ keptIn }) => keptIn === 'service').map(({ name }) => store.everyOf(name)),
  );
  const elsewhere = kinds.flat().filter((record) => isOf(record, account));
  return [
    ...(await store.everyIn(account.id)),
    ...elsewhere.map(({ kind, scope, id }) => ({ kind, scope, id })),
  ];
}

/** Removes an account with all its records, whose end nobody is told of. Its numbers go back to where they came from. */
const remove: RequestHandler = async (call) => {
  const account = accountOf(call);
  if (account.hidden.master === true) {
    const message = 'The first account of the service cannot be deleted.';
    throw new Refusal(405, 'invalid_method', message, { message }, { isAsked: false });
  }
  if ((await storedAccountsBelow(call)).length > 0)
    throw new Refusal(500, 'account_has_descendants', 'The account has accounts below it.');
  const numbers = await call.services.store.stretch({
    kind: 'numbers',
    scope: '',
    key: { field: 'account', value: account.id },
  });
  for (const number of numbers) await letGo(call, number);
  for (const record of await everyRecordOf(account, call.services.store))
    if (record.kind !== 'numbers')
      call.changes.push({ change: 'remove', record, erase: true, isUntold: true });
  return removeRecord(call, 'accounts', account);
};

/** A new API key; the old one and the tokens got with it end at once. */
const rotate: RequestHandler = async (call) => {
  const { user } = principalOf(call);
  const isByUsers = call.services.behaviour.identity.keysRotatedBy === 'administrators';
  if (isByUsers && user?.body.priv_level !== 'admin')
    throw forbidden('Only a user who is an administrator rotates the API key.');
  const apiKey = newApiKey(call.services.random);
  writeHidden(call, accountOf(call), 'accounts', { api_key: apiKey, key_id: apiKeyId(apiKey) });
  const record = accountOf(call);
  return { data: { api_key: apiKey }, record, created: record.id };
};

/** Accounts: a tree, each with an API key (Conventions, Accounts). */
export const accountHandlers: RequestHandlers = {
  'accounts.list': list,
  'accounts.descendants': listDescendants,
  'accounts.tree': above('none'),
  'accounts.parents': above('all'),
  'accounts.promote': resells(true),
  'accounts.demote': resells(false),
  'accounts.create': create,
  'accounts.delete': remove,
  'accounts.api-key': async (call) => ({
    data: { api_key: textAt(accountOf(call).hidden, 'api_key') ?? '' },
    record: accountOf(call),
  }),
  'accounts.rotate-api-key': rotate,
  'accounts.put-api-key': rotate,
};
