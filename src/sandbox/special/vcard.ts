import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { namedRecord } from '../collections/collection.ts';
import { shown } from '../collections/records.ts';
import { textAt, textsAt } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import { accountOf, type Handler } from '../requests/call.ts';

const types = ['text/x-vcard', 'text/directory'];
const lineBytes = 75;
const usualAddressTypes = ['intl', 'postal', 'parcel', 'work'];

const escaped = (text: string): string => text.replaceAll(/[\\:;,]/g, '\\$&').replaceAll(/\r?\n/g, '\\n');

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** A line, left out where it would be empty. */
function line(name: string, values: readonly string[], between: string): readonly string[] {
  const text = values
    .filter((value) => value !== '')
    .map(escaped)
    .join(between);
  return text === '' ? [] : [`${name}:${text}`];
}

function addressLines(profile: JsonObject): readonly string[] {
  const { addresses } = profile;
  return (Array.isArray(addresses) ? addresses : []).flatMap((entry: Json) => {
    if (!isObject(entry)) return [];
    const given = textsAt(entry, 'types');
    const kinds = (given.length > 0 ? given : usualAddressTypes).join(',');
    return line(`ADR;TYPE=${kinds}`, [textOf(entry.address)], '');
  });
}

/** Cuts a line where it grows beyond 75 bytes, never inside a character. */
function folded(text: string): readonly string[] {
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
  const of = (path: string): string => textOf(valueAt(profile, path));
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
  return `${lines.flatMap(folded).join('\n')}\n`;
}

const show: Handler = async (call) => {
  const user = await namedRecord(call, 'users');
  const data = await shown(call, 'users', user);
  const type = types.find((each) => call.accept.includes(each));
  if (call.services.behaviour.vcards.text === 'nothing') {
    if (type === undefined && !call.accept.includes('*/*'))
      throw new Refusal(406, 'not_acceptable', 'A card is no JSON.');
    return { data: {}, record: user, text: { type: undefined, body: '' } };
  }
  if (type === undefined) return { data, record: user };
  return {
    data,
    record: user,
    text: { type, body: vcard(user.body, textAt(accountOf(call).body, 'org') ?? '') },
  };
};

/** A user's vCard: the user as JSON, or the card itself for those who ask for it by `Accept`. */
export const vcardHandlers = new Map<string, Handler>([['users.vcard', show]]);
