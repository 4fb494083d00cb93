import { textAt } from '../../../base/json.ts';
import { resources } from '../../../contract/catalogue.ts';
import { answerList, removeRecord, wholeList } from '../collections/collection.ts';
import {
  recordSummary,
  shownAnswer,
  shownRecord,
  writableFields,
  write,
  writeHidden,
} from '../collections/records.ts';
import { textsAt, withoutKeys } from '../fields.ts';
import { accountRecordName } from '../identity/principal.ts';
import { apiKeyId, newApiKey, newId } from '../ids-and-secrets.ts';
import { forbidden, Refusal } from '../refusal.ts';
import {
  accountOf,
  principalOf,
  type RequestHandler,
  type RequestHandlers,
  storedDescendants,
} from '../requests/service-request.ts';
import type { RecordName, Store, StoredRecord } from '../store/store.ts';
import { belongsTo } from '../telephony/numbers.ts';
import { returnNumber } from './number-moves.ts';

const list: RequestHandler = (call) =>
  answerList(call, 'accounts', { scope: '', key: { field: 'parent', value: accountOf(call).id } });

const listDescendants: RequestHandler = (call) =>
  answerList(call, 'accounts', {
    scope: '',
    key: { field: 'ancestor', value: accountOf(call).id },
    item: async (record) => ({
      ...withoutKeys(
        await recordSummary(call, 'accounts', record),
        (key) => key === 'descendants_count' && call.services.behaviour.identity.information === 'field',
      ),
      tree: textsAt(record.hidden, 'tree'),
    }),
  });

/** Creates an account with the reseller of its parent. */
const create: RequestHandler = async (call) => {
  const parent = accountOf(call);
  const sells = parent.hidden.reseller === true;
  const record = await write(
    call,
    'accounts',
    { kind: 'accounts', scope: '', id: newId(call.services.random) },
    writableFields(call, 'accounts'),
    {
      parent: parent.id,
      tree: [...textsAt(parent.hidden, 'tree'), parent.id],
      reseller_id: (sells ? parent.id : textAt(parent.hidden, 'reseller_id')) ?? parent.id,
    },
  );
  return { data: await shownRecord(call, 'accounts', record) };
};

/**
 * Lists the ancestors of an account from the top, starting at the caller's account. `ofOwn` selects the result for
 * the caller's own account.
 */
const listAbove =
  (ofOwn: 'all' | 'none'): RequestHandler =>
  async (call) => {
    const account = accountOf(call);
    const caller = principalOf(call).account.id;
    const tree = textsAt(account.hidden, 'tree');
    const all =
      account.id === caller ? (ofOwn === 'all' ? tree : []) : tree.slice(Math.max(tree.indexOf(caller), 0));
    const found = await Promise.all(all.map((id) => call.services.store.get(accountRecordName(id))));
    const data = found.flatMap((each) =>
      each ? [{ id: each.id, name: textAt(each.body, 'name') ?? '' }] : [],
    );
    return ofOwn === 'all' ? wholeList(data) : { data };
  };

/** Makes an account a reseller or an ordinary account. Also changes the reseller of its descendants. */
const setReseller =
  (reseller: boolean): RequestHandler =>
  async (call) => {
    const account = accountOf(call);
    const own = textAt(account.hidden, 'reseller_id') ?? account.id;
    const [from, to] = reseller ? [own, account.id] : [account.id, own];
    const hidden = { reseller };
    writeHidden(call, account, 'accounts', hidden);
    for (const each of await storedDescendants(call))
      if (textAt(each.hidden, 'reseller_id') === from)
        writeHidden(call, each, 'accounts', { reseller_id: to });
    return shownAnswer(call, 'accounts', { ...account, hidden: { ...account.hidden, ...hidden } });
  };

/** Lists all records of an account, including records outside of its scope, such as numbers and SSO links. */
export async function allRecordsOf(account: StoredRecord, store: Store): Promise<readonly RecordName[]> {
  const kinds = await Promise.all(
    resources.filter(({ keptIn }) => keptIn === 'service').map(({ name }) => store.allOfKind(name)),
  );
  const elsewhere = kinds.flat().filter((record) => belongsTo(record, account));
  return [
    ...(await store.namesInAccount(account.id)),
    ...elsewhere.map(({ kind, scope, id }) => ({ kind, scope, id })),
  ];
}

/** Removes an account with all its records, without events for the records. Releases its numbers. */
const remove: RequestHandler = async (call) => {
  const account = accountOf(call);
  if (account.hidden.master === true) {
    const message = 'The first account of the service cannot be deleted.';
    throw new Refusal(405, 'invalid_method', message, { message }, { isReached: false });
  }
  if ((await storedDescendants(call)).length > 0)
    throw new Refusal(500, 'account_has_descendants', 'The account has accounts below it.');
  const numbers = await call.services.store.list({
    kind: 'numbers',
    scope: '',
    key: { field: 'account', value: account.id },
  });
  for (const number of numbers) await returnNumber(call, number);
  for (const record of await allRecordsOf(account, call.services.store))
    if (record.kind !== 'numbers')
      call.changes.push({ change: 'remove', record, erase: true, isSilent: true });
  return removeRecord(call, 'accounts', account);
};

/** Replaces the API key. The old key and its tokens become invalid immediately. */
const rotateApiKey: RequestHandler = async (call) => {
  const { user } = principalOf(call);
  const isByUsers = call.services.behaviour.identity.keysRotatedBy === 'administrators';
  if (isByUsers && user?.body.priv_level !== 'admin')
    throw forbidden('Only users who are administrators can rotate the API key.');
  const apiKey = newApiKey(call.services.random);
  writeHidden(call, accountOf(call), 'accounts', { api_key: apiKey, key_id: apiKeyId(apiKey) });
  const record = accountOf(call);
  return { data: { api_key: apiKey }, record, created: record.id };
};

export const accountHandlers: RequestHandlers = {
  'accounts.list': list,
  'accounts.descendants': listDescendants,
  'accounts.tree': listAbove('none'),
  'accounts.parents': listAbove('all'),
  'accounts.promote': setReseller(true),
  'accounts.demote': setReseller(false),
  'accounts.create': create,
  'accounts.delete': remove,
  'accounts.api-key': async (call) => ({
    data: { api_key: textAt(accountOf(call).hidden, 'api_key') ?? '' },
    record: accountOf(call),
  }),
  'accounts.rotate-api-key': rotateApiKey,
  'accounts.put-api-key': rotateApiKey,
};
