import { isObject, type Json, type JsonObject, textOrEmpty, valueAt } from '../../base/json.ts';
import { resources } from '../../contract/catalogue.ts';
import { searchedBy } from '../../contract/resources/search.ts';
import { namedRecord, wholeList } from '../collections/collection.ts';
import { shownRecord } from '../collections/records.ts';
import { calledName, personName, pick, textAt, textsAt } from '../fields.ts';
import { invalid, needed, Refusal } from '../refusal.ts';
import { accountOf, type Call, type Handler, type Handlers, principalOf } from '../requests/call.ts';
import { startKeyOf } from '../requests/query.ts';
import { type StoredRecord, walked } from '../store/store.ts';

/** A text as the search compares it: letters and digits, in lower case. */
const folded = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const namesOf = (record: StoredRecord): readonly string[] => {
  const whole = personName(record.body);
  return [calledName(record), ...(whole === '' ? [] : [whole])];
};
const numbersOf = ({ id, body, kind }: StoredRecord): readonly string[] =>
  kind === 'numbers' ? [id] : [...textsAt(body, 'numbers'), ...(textAt(body, 'mailbox') ?? [])];

function textsFor(by: string, record: StoredRecord): readonly string[] {
  if (by === 'number') return numbersOf(record);
  if (by === 'name_and_number') return [...namesOf(record), ...numbersOf(record)];
  if (by === 'realm' || by === 'id') return [by === 'id' ? record.id : (textAt(record.body, 'realm') ?? '')];
  return namesOf(record);
}

const ofAccounts = ['name', 'realm', 'id'];
const ofOthers = ['name', 'number', 'name_and_number'];

/** The kind of records that is searched. Refuses (400) a missing one. */
function kindOf({ query }: Call): string {
  const kind = query.get('t');
  if (kind) return kind;
  throw invalid([needed('t', { target: resources.map(({ singular }) => singular) })]);
}

/** The records of a kind: of the account in the path, or the accounts below one. */
async function recordsFor(call: Call, kind: string): Promise<readonly StoredRecord[]> {
  const { store } = call.services;
  const found = resources.find(({ singular }) => singular === kind);
  if (!found) return [];
  const home = call.account ?? principalOf(call).account;
  const isAccount = kind === 'account';
  const scope = isAccount ? '' : home.id;
  const key = isAccount ? { field: 'ancestor', value: home.id } : undefined;
  return store.stretch({ kind: found.name, scope, key });
}

async function itemOf(call: Call, kind: string, record: StoredRecord): Promise<JsonObject> {
  const named = { id: record.id, name: calledName(record) };
  if (kind !== 'account')
    return { ...named, ...pick(record.body, ['first_name', 'last_name', 'numbers', 'realm']) };
  const { descendants_count = 0 } = await shownRecord(call, 'accounts', record);
  return { ...named, ...pick(record.body, ['realm']), descendants_count };
}

/** Records that begin with a text, by one way to search. */
async function hits(call: Call, kind: string, by: string, value: string): Promise<readonly JsonObject[]> {
  const start = folded(value);
  const fits = (record: StoredRecord): boolean =>
    value === 'true' || textsFor(by, record).some((text) => folded(text).startsWith(start));
  const found = (await recordsFor(call, kind)).filter(fits);
  return Promise.all(found.map((record) => itemOf(call, kind, record)));
}

const find: Handler = async (call) => {
  const kind = kindOf(call);
  const by = call.query.get('q');
  if (!by) throw invalid([needed('q')]);
  const known = kind === 'account' ? ofAccounts : ofOthers;
  if (!known.includes(by))
    throw invalid([
      { path: 'q', rule: 'enum', message: `must be one of ${known.join(', ')}`, target: known },
    ]);
  const value = call.query.get('v');
  if (!value) throw invalid([needed('v')]);
  const data = await hits(call, kind, by, value);
  const isStarted = call.services.behaviour.replies.sumsAsLists;
  return wholeList(data, isStarted ? { start_key: startKeyOf({ order: '' }) } : {});
};

const findInWays: Handler = async (call) => {
  const kind = kindOf(call);
  const asked = [...call.query].flatMap(([name, value]) =>
    name.startsWith('by_') ? [[name.slice('by_'.length), value] as const] : [],
  );
  const known: readonly string[] = searchedBy;
  const wrong = asked.find(([by]) => !known.includes(by));
  if (wrong || asked.length === 0)
    throw invalid([{ path: 'multi', rule: 'enum', message: 'names no way to search', target: known }]);
  const data: Record<string, Json> = {};
  for (const [by, value] of asked) data[by] = [...(await hits(call, kind, by, value))];
  return { data };
};

/** The user whom a callflow rings first. */
async function userOf({ services }: Call, { scope, body }: StoredRecord): Promise<StoredRecord | undefined> {
  const id = valueAt(body.flow, 'module') === 'user' ? valueAt(body.flow, 'data.id') : undefined;
  return typeof id === 'string' ? services.store.get({ kind: 'users', scope, id }) : undefined;
}

const isExcluded = ({ body }: StoredRecord): boolean => valueAt(body, 'contact_list.exclude') === true;

/** The contact that a callflow makes; none without a name or a number, or where it is kept out. */
async function contactOf(call: Call, callflow: StoredRecord): Promise<readonly JsonObject[]> {
  const user = await userOf(call, callflow);
  if (isExcluded(callflow) || (user && isExcluded(user))) return [];
  const name = (user && personName(user.body)) || textAt(callflow.body, 'name');
  const module = isObject(callflow.body.flow) ? textAt(callflow.body.flow, 'module') : undefined;
  const numbers = textsAt(callflow.body, 'numbers');
  const external = numbers.find((number) => number.startsWith('+'));
  const internal = numbers.find((number) => /^\d{1,7}$/.test(number));
  if (!name || (external === undefined && internal === undefined)) return [];
  return [
    {
      name: module === undefined ? name : `${name} (${module})`,
      ...(external === undefined ? {} : { external_number: external }),
      ...(internal === undefined ? {} : { internal_number: internal }),
    },
  ];
}

/** The contact list: an empty object, as the specification shows it, or the contacts that the callflows make. */
const listContacts: Handler = async (call) => {
  const found: (readonly [string, JsonObject])[] = [];
  for await (const callflow of walked(call.services.store, { kind: 'callflows', scope: accountOf(call).id }))
    for (const contact of await contactOf(call, callflow)) found.push([callflow.id, contact]);
  const sorted = found.toSorted(([, a], [, b]) => String(a.name).localeCompare(String(b.name), 'en'));
  const isKeyed = found.length === 0 || call.services.behaviour.callflows.contacts === 'by-id';
  return { data: isKeyed ? Object.fromEntries(sorted) : sorted.map(([, contact]) => contact) };
};

const types = ['text/x-vcard', 'text/directory'];
const lineBytes = 75;
const usualAddressTypes = ['intl', 'postal', 'parcel', 'work'];

const vcardEscaped = (text: string): string =>
  text.replaceAll(/[\\:;,]/g, '\\$&').replaceAll(/\r?\n/g, '\\n');

/** A line, left out where it would be empty. */
function line(name: string, values: readonly string[], between: string): readonly string[] {
  const text = values
    .filter((value) => value !== '')
    .map(vcardEscaped)
    .join(between);
  return text === '' ? [] : [`${name}:${text}`];
}

function addressLines(profile: JsonObject): readonly string[] {
  const { addresses } = profile;
  return (Array.isArray(addresses) ? addresses : []).flatMap((entry: Json) => {
    if (!isObject(entry)) return [];
    const given = textsAt(entry, 'types');
    const kinds = (given.length > 0 ? given : usualAddressTypes).join(',');
    return line(`ADR;TYPE=${kinds}`, [textOrEmpty(entry.address)], '');
  });
}

/** Cuts a line where it grows beyond 75 bytes, never inside a character. */
function foldedLine(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of text) {
    if (Buffer.byteLength(piece + character) > lineBytes) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** A user as a vCard 3.0; `org` is the account's (Conventions, vCard of a user). */
function vcard(user: JsonObject, org: string): string {
  const profile: JsonObject = { ...(isObject(user.profile) ? user.profile : {}), ...user };
  const of = (path: string): string => textOrEmpty(valueAt(profile, path));
  const names = [of('first_name'), of('middle_name'), of('last_name')];
  const [first = '', middle = '', last = ''] = names;
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    ...line('FN', names, ' '),
    ...line('N', [last, first, middle], ';'),
    ...line('ORG', [org], ''),
    ...line('EMAIL', [of('email')], ''),
    ...line('BDAY', [of('birthday')], ''),
    ...line('NOTE', [of('note')], ''),
    ...line('TITLE', [of('title')], ''),
    ...line('ROLE', [of('role')], ''),
    ...line('TZ', [of('timezone')], ''),
    ...line('NICKNAME', textsAt(profile, 'nicknames'), ','),
    ...line('TEL', [of('caller_id.internal.number')], ''),
    ...line('TEL', [of('caller_id.external.number')], ''),
    ...addressLines(profile),
    'END:VCARD',
  ];
  return `${lines.flatMap(foldedLine).join('\n')}\n`;
}

const showCard: Handler = async (call) => {
  const user = await namedRecord(call, 'users');
  const data = await shownRecord(call, 'users', user);
  const type = types.find((each) => call.accept.includes(each));
  if (call.services.behaviour.vcards.text === 'nothing') {
    if (type === undefined && !call.accept.includes('*/*'))
      throw new Refusal(406, 'not_acceptable', 'A card is not JSON.');
    return { data: {}, record: user, text: { type: undefined, body: '' } };
  }
  if (type === undefined) return { data, record: user };
  return {
    data,
    record: user,
    text: { type, body: vcard(user.body, textAt(accountOf(call).body, 'org') ?? '') },
  };
};

export const searchHandlers: Handlers = {
  // The search of the service (Conventions, Search).
  'search.of-account': find,
  'search.everywhere': find,
  'search.multi': findInWays,
  'search.multi-everywhere': findInWays,
  'contacts.get': listContacts,
  // A user's vCard: the user as JSON, or the card itself for those who ask for it by `Accept`.
  'users.vcard': showCard,
};
