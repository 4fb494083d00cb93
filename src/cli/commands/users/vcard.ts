import { Failure, ignoreFailure } from '../../../base/failure.ts';
import { type JsonObject, ownValue, textOrEmpty, valueAt } from '../../../base/json.ts';
import { accounts } from '../../../contract/resources/accounts.ts';
import { users } from '../../../contract/resources/users.ts';
import { redact } from '../../../contract/secrets.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { DocumentResult } from '../../command/result.ts';
import { asRecord, findNamed, getRecord, operationFor, pathTo } from '../records/find-named.ts';
import type { userArguments } from './commands.ts';

// Prefers the record of the specification. Other services respond only with a vCard.
const accept = 'application/json, */*;q=0.1';

/** Makes a vCard from the user's record, or prints the text of a service that responds with a vCard. */
export async function showVcard(
  { id: word }: InputOf<Record<never, never>, typeof userArguments>,
  context: Context,
): Promise<DocumentResult> {
  const api = await context.api();
  const { id } = await findNamed(context, users, word);
  const operation = operationFor(users, 'vcard');
  const reply = await api.call({ operation, path: pathTo(users, id), accept });
  const shownUser = (user: JsonObject) => redact(users.schema, user);
  if (reply.text !== undefined) {
    if (!isVcard(reply.text))
      throw new Failure('failed', 'The response of the service is not a vCard.', {
        requestId: reply.requestId,
      });
    return { kind: 'document', text: reply.text, value: shownUser(await getRecord(context, users, id)) };
  }
  const told = asRecord(users, reply.data);
  // Some services send an empty response.
  const user = Object.keys(told).length === 0 ? await getRecord(context, users, id) : told;
  return { kind: 'document', text: vcardText(user, await organization(context)), value: shownUser(user) };
}

/** Properties, and continuation lines that start with a blank (RFC 6350, 3.2 and 3.3). */
const isVcard = (text: string): boolean =>
  /^BEGIN:VCARD\r?\n(?:(?:[\w.-]+[:;]|[ \t]).*\r?\n)*END:VCARD\s*$/i.test(text);

/** Returns an empty text if the account cannot be read. */
async function organization(context: Context): Promise<string> {
  const api = await context.api();
  const reply = await ignoreFailure(api.call({ operation: operationFor(accounts, 'get') }));
  return textOrEmpty(ownValue(reply?.data, 'org'));
}

/** In bytes, without the line end. */
const longestLine = 75;

const vcardEscaped = (text: string): string =>
  text.replaceAll(/[\\;,]/g, (mark) => `\\${mark}`).replaceAll(/\r\n|\r|\n/g, '\\n');

function foldLine(line: string): string {
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

const line = (name: string, value: string): readonly string[] =>
  value === '' ? [] : [`${name}:${vcardEscaped(value)}`];

function addresses(user: JsonObject): readonly string[] {
  const list = valueAt(user, 'profile.addresses');
  if (!Array.isArray(list)) return [];
  return list.flatMap((_: unknown, index) => {
    const address = textAt(user, `profile.addresses.${index}.address`);
    const types = textsAt(user, `profile.addresses.${index}.types`).filter((type) => /^[\w-]+$/.test(type));
    const kinds = types.length > 0 ? types.join(',') : 'intl,postal,parcel,work';
    // The service stores an address as one text, which becomes the street.
    return address === '' ? [] : [`ADR;TYPE=${kinds}:;;${vcardEscaped(address)};;;;`];
  });
}

/** Formats a vCard 3.0 of a user (RFC 2426; Conventions, vCard of a user). Line ends are CRLF. */
export function vcardText(user: JsonObject, organization: string): string {
  const [first, last] = [textAt(user, 'first_name'), textAt(user, 'last_name')];
  const full = [first, last].filter((part) => part !== '').join(' ') || textAt(user, 'username');
  // A field of the user overrides that of the profile.
  const profile = (key: string): string => textAt(user, key) || textAt(user, `profile.${key}`);
  const nicknames = textsAt(user, 'profile.nicknames');
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${vcardEscaped(full)}`,
    `N:${vcardEscaped(last)};${vcardEscaped(first)};;;`,
    ...line('ORG', organization),
    ...line('EMAIL', textAt(user, 'email')),
    ...line('BDAY', profile('birthday')),
    ...line('NOTE', profile('note')),
    ...line('TITLE', profile('title')),
    ...line('ROLE', profile('role')),
    ...line('TZ;VALUE=text', textAt(user, 'timezone')),
    ...(nicknames.length > 0 ? [`NICKNAME:${nicknames.map(vcardEscaped).join(',')}`] : []),
    ...line('TEL', textAt(user, 'caller_id.internal.number')),
    ...line('TEL', textAt(user, 'caller_id.external.number')),
    ...addresses(user),
    'END:VCARD',
  ];
  return `${lines.map(foldLine).join('\r\n')}\r\n`;
}
