import { isObject, type Json, type JsonObject, textAt, textOrEmpty, valueAt } from '../../../base/json.ts';
import { namedRecord } from '../collections/collection.ts';
import { shownRecord } from '../collections/records.ts';
import { personName, textsAt } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import {
  accountOf,
  type RequestHandler,
  type RequestHandlers,
  type ServiceRequest,
} from '../requests/service-request.ts';
import { iterateRecords, type StoredRecord } from '../store/store.ts';

async function firstRungUser(
  { services }: ServiceRequest,
  { scope, body }: StoredRecord,
): Promise<StoredRecord | undefined> {
  const id = valueAt(body.flow, 'module') === 'user' ? valueAt(body.flow, 'data.id') : undefined;
  return typeof id === 'string' ? services.store.get({ kind: 'users', scope, id }) : undefined;
}

const isExcluded = ({ body }: StoredRecord): boolean => valueAt(body, 'contact_list.exclude') === true;

/**
 * Returns the contact of a callflow as a list. The list is empty if the callflow has no name or number, or is
 * excluded.
 */
async function createContact(call: ServiceRequest, callflow: StoredRecord): Promise<readonly JsonObject[]> {
  const user = await firstRungUser(call, callflow);
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

const list: RequestHandler = async (call) => {
  const found: (readonly [string, JsonObject])[] = [];
  for await (const callflow of iterateRecords(call.services.store, {
    kind: 'callflows',
    scope: accountOf(call).id,
  }))
    for (const contact of await createContact(call, callflow)) found.push([callflow.id, contact]);
  const sorted = found.toSorted(([, a], [, b]) => String(a.name).localeCompare(String(b.name), 'en'));
  const isKeyed = found.length === 0 || call.services.behaviour.callflows.contacts === 'by-id';
  return { data: isKeyed ? Object.fromEntries(sorted) : sorted.map(([, contact]) => contact) };
};

const vcardTypes = ['text/x-vcard', 'text/directory'];
const lineBytes = 75;
const usualAddressTypes = ['intl', 'postal', 'parcel', 'work'];

const vcardEscaped = (text: string): string =>
  text.replaceAll(/[\\:;,]/g, '\\$&').replaceAll(/\r?\n/g, '\\n');

/** Returns a line of a vCard as a list. The list is empty for an empty value. */
function vcardLine(name: string, values: readonly string[], between: string): readonly string[] {
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
    return vcardLine(`ADR;TYPE=${kinds}`, [textOrEmpty(entry.address)], '');
  });
}

/** Splits a line after at most 75 bytes, between characters. */
function foldLine(text: string): readonly string[] {
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

/** Formats a user as a vCard 3.0 (Conventions, vCard of a user). */
function vcard(user: JsonObject, org: string): string {
  const profile: JsonObject = { ...(isObject(user.profile) ? user.profile : {}), ...user };
  const profileText = (path: string): string => textOrEmpty(valueAt(profile, path));
  const names = [profileText('first_name'), profileText('middle_name'), profileText('last_name')];
  const [first = '', middle = '', last = ''] = names;
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    ...vcardLine('FN', names, ' '),
    ...vcardLine('N', [last, first, middle], ';'),
    ...vcardLine('ORG', [org], ''),
    ...vcardLine('EMAIL', [profileText('email')], ''),
    ...vcardLine('BDAY', [profileText('birthday')], ''),
    ...vcardLine('NOTE', [profileText('note')], ''),
    ...vcardLine('TITLE', [profileText('title')], ''),
    ...vcardLine('ROLE', [profileText('role')], ''),
    ...vcardLine('TZ', [profileText('timezone')], ''),
    ...vcardLine('NICKNAME', textsAt(profile, 'nicknames'), ','),
    ...vcardLine('TEL', [profileText('caller_id.internal.number')], ''),
    ...vcardLine('TEL', [profileText('caller_id.external.number')], ''),
    ...addressLines(profile),
    'END:VCARD',
  ];
  return `${lines.flatMap(foldLine).join('\n')}\n`;
}

const show: RequestHandler = async (call) => {
  const user = await namedRecord(call, 'users');
  const data = await shownRecord(call, 'users', user);
  const type = vcardTypes.find((each) => call.accept.includes(each));
  if (call.services.behaviour.vcards.text === 'nothing') {
    if (type === undefined && !call.accept.includes('*/*'))
      throw new Refusal(406, 'not_acceptable', 'The card is not available as JSON.');
    return { data: {}, record: user, text: { type: undefined, body: '' } };
  }
  if (type === undefined) return { data, record: user };
  return {
    data,
    record: user,
    text: { type, body: vcard(user.body, textAt(accountOf(call).body, 'org') ?? '') },
  };
};

export const contactHandlers: RequestHandlers = {
  'contacts.get': list,
  'users.vcard': show,
};
