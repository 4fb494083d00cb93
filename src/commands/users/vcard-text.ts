import { type JsonObject, valueAt } from '../../base/json.ts';

/** Most bytes in a line of a vCard, its line end not counted. */
const longestLine = 75;

const escaped = (text: string): string =>
  text.replaceAll(/[\\;,]/g, (mark) => `\\${mark}`).replaceAll(/\r\n|\r|\n/g, '\\n');

/** Breaks a long line: each further line begins with a blank; no character is cut in two. */
function folded(line: string): string {
  const lines: string[] = [];
  let current = '';
  let room = longestLine;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (size > room) {
      lines.push(current);
      current = ' ';
      room = longestLine - 1;
    }
    current += character;
    room -= size;
  }
  return [...lines, current].join('\r\n');
}

const textAt = (record: JsonObject, path: string): string => {
  const value = valueAt(record, path);
  return typeof value === 'string' ? value.trim() : '';
};

function textsAt(record: JsonObject, path: string): readonly string[] {
  const value = valueAt(record, path);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string' && item !== '') : [];
}

/** A line of one value; none where there is no value. */
const line = (name: string, value: string): readonly string[] =>
  value === '' ? [] : [`${name}:${escaped(value)}`];

function addresses(user: JsonObject): readonly string[] {
  const list = valueAt(user, 'profile.addresses');
  if (!Array.isArray(list)) return [];
  return list.flatMap((_: unknown, index) => {
    const address = textAt(user, `profile.addresses.${index}.address`);
    const types = textsAt(user, `profile.addresses.${index}.types`).filter((type) => /^[\w-]+$/.test(type));
    const kinds = types.length > 0 ? types.join(',') : 'intl,postal,parcel,work';
    // The service knows an address as one text; it stands where the street does.
    return address === '' ? [] : [`ADR;TYPE=${kinds}:;;${escaped(address)};;;;`];
  });
}

/**
 * A user as a vCard 3.0 (RFC 2426; which field goes where: Conventions, vCard of a user). Line ends are CRLF.
 * `organization` is the account's.
 */
export function vcardText(user: JsonObject, organization: string): string {
  const [first, last] = [textAt(user, 'first_name'), textAt(user, 'last_name')];
  const full = [first, last].filter((part) => part !== '').join(' ') || textAt(user, 'username');
  // A field of the user itself wins over its namesake in the profile.
  const profile = (key: string): string => textAt(user, key) || textAt(user, `profile.${key}`);
  const nicknames = textsAt(user, 'profile.nicknames');
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${escaped(full)}`,
    `N:${escaped(last)};${escaped(first)};;;`,
    ...line('ORG', organization),
    ...line('EMAIL', textAt(user, 'email')),
    ...line('BDAY', profile('birthday')),
    ...line('NOTE', profile('note')),
    ...line('TITLE', profile('title')),
    ...line('ROLE', profile('role')),
    ...line('TZ;VALUE=text', textAt(user, 'timezone')),
    ...(nicknames.length > 0 ? [`NICKNAME:${nicknames.map(escaped).join(',')}`] : []),
    ...line('TEL', textAt(user, 'caller_id.internal.number')),
    ...line('TEL', textAt(user, 'caller_id.external.number')),
    ...addresses(user),
    'END:VCARD',
  ];
  return `${lines.map(folded).join('\r\n')}\r\n`;
}
