import { resolve } from 'node:path';
import { Failure, nextStep } from '../../../base/failure.ts';
import { type JsonObject, textOrUndefined, valueAt } from '../../../base/json.ts';
import { neutralise } from '../../../base/neutralise.ts';
import { refuseSpecialFile } from '../../../base/read-errors.ts';
import { devices } from '../../../contract/resources/devices.ts';
import { users } from '../../../contract/resources/users.ts';
import { readInput } from '../../../engine/input/read-input.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { getRecord } from '../records/find-named.ts';
import { readRealm } from '../users/onboard.ts';
import type { deviceArguments, provisionOptions } from './commands.ts';

interface PhoneSetup {
  readonly name: string;
  readonly display_name: string;
  readonly extension: string;
  readonly username: string;
  readonly password?: string;
  readonly realm: string;
  readonly mac: string;
}

async function readPhoneSetup(context: Context, device: JsonObject): Promise<PhoneSetup> {
  const username = textOrUndefined(valueAt(device, 'sip.username')) ?? '';
  if (username === '')
    context.notices.warn(
      `${textOrUndefined(device.name) ?? 'The device'} has no SIP user name, so it cannot register. ${nextStep`devices create --generate`} creates one with a password.`,
    );
  const owner = textOrUndefined(device.owner_id);
  const user = owner === undefined || owner === '' ? undefined : await getRecord(context, users, owner);
  const names = [user?.first_name, user?.last_name].flatMap((part) => textOrUndefined(part) ?? []).join(' ');
  const password = textOrUndefined(valueAt(device, 'sip.password'));
  const { reveal } = context.options;
  return {
    name: textOrUndefined(device.name) ?? '',
    display_name: names === '' ? (textOrUndefined(device.name) ?? '') : names,
    extension: textOrUndefined(user?.presence_id) ?? '',
    username,
    ...(reveal && password !== undefined ? { password } : {}),
    realm: textOrUndefined(valueAt(device, 'sip.realm')) ?? (await readRealm(context)) ?? '',
    mac: textOrUndefined(device.mac_address) ?? '',
  };
}

/** Returns the address for the QR code. It contains the password only if it is written to a file. */
const qrAddress = ({ username, password, realm }: PhoneSetup): string =>
  `sip:${encodeURIComponent(username)}${password === undefined ? '' : `:${encodeURIComponent(password)}`}@${realm}`;

async function setupText(setup: PhoneSetup): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr');
  const { name, display_name: display, extension, username, password, realm } = setup;
  const rows = [
    ['Phone', name],
    ['Name', display],
    ...(extension === '' ? [] : [['Extension', extension]]),
    ['User', username],
    ['Password', password ?? '(write it with --reveal --out FILE)'],
    ['Server', realm],
  ];
  // Values come from the service, so line breaks in them are removed.
  const lines = rows.map(([head = '', value = '']) => `${head.padEnd(10)}${neutralise(value)}`);
  return `${lines.join('\n')}\n\n${renderUnicodeCompact(qrAddress(setup), { border: 2 })}\n`;
}

const xmlMarks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Fills a template with the values of a phone, escaped for XML. The template cannot read other data. */
async function fillTemplate(text: string, setup: PhoneSetup, file: string): Promise<string> {
  const { default: mustache } = await import('mustache');
  const words = new Set<string>();
  try {
    for (const [kind, word] of mustache.parse(text))
      if (kind !== 'text' && kind !== '!') words.add(String(word));
    const known = ['name', 'display_name', 'extension', 'username', 'password', 'realm', 'mac'];
    const unknown = [...words].find((word) => !known.includes(word));
    if (unknown !== undefined)
      throw new Failure(
        'invalid',
        `${file} contains the unknown variable ${JSON.stringify(unknown)}. Known variables: ${known.join(', ')}.`,
      );
    if (words.has('password') && setup.password === undefined)
      throw new Failure('usage', `${file} contains the password, which telctl writes only to files.`, {
        hint: 'Pass --reveal and --out FILE.',
      });
    const escapeXml = (value: string): string =>
      String(value).replaceAll(/[&<>"'\r\n]/g, (mark) => xmlMarks[mark] ?? mark);
    return mustache.render(text, setup, {}, { escape: escapeXml });
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'invalid',
      `${file} is not a valid template: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** Shows or writes the settings of a phone: text with a QR code, or a filled template. */
export async function provisionDevice(
  { device: named, template, out }: InputOf<typeof provisionOptions, typeof deviceArguments>,
  context: Context,
): Promise<Result> {
  const { host, options } = context;
  if (options.reveal && out === undefined)
    throw new Failure('usage', 'telctl writes passwords only to files.', {
      hint: 'Pass --out FILE with --reveal.',
    });
  const path = out === undefined ? undefined : resolve(host.cwd, out);
  if (path !== undefined && out !== undefined) {
    refuseSpecialFile(host, path, out, '--out');
    if (host.files.kindOf(path) !== undefined)
      throw new Failure('refused', `${out} already exists. telctl does not overwrite it.`, {
        hint: 'Pass another file with --out FILE.',
      });
  }
  const setup = await readPhoneSetup(context, await getRecord(context, devices, named));
  if (setup.password !== undefined) context.hide([setup.password]);
  const text =
    template === undefined
      ? await setupText(setup)
      : await fillTemplate((await readInput(host, template)).text, setup, template);
  const { password: _, ...value } = setup;
  if (path === undefined || out === undefined) return { kind: 'document', text, value: { ...value } };
  if (!options.dryRun) host.files.writePrivate(path, text);
  const secret = setup.password === undefined ? '' : ', with its password';
  return {
    kind: 'done',
    message: `${options.dryRun ? 'Would write' : 'Wrote'} the settings of ${setup.name} to ${out} (0600)${secret}.`,
    value: { ...value, file: out },
  };
}
