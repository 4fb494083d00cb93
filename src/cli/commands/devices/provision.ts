import { resolve } from 'node:path';
import { Failure, nextStep } from '../../../base/failure.ts';
import { type JsonObject, textOf, valueAt } from '../../../base/json.ts';
import { neutralise } from '../../../base/neutralise.ts';
import { refuseUnplain } from '../../../base/reading.ts';
import { devices } from '../../../contract/resources/devices.ts';
import { users } from '../../../contract/resources/users.ts';
import { readInput } from '../../../engine/input/read-input.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { getRecord } from '../records/find-named.ts';
import { realmActedOn } from '../users/onboard.ts';
import type { deviceArguments, provisionOptions } from './commands.ts';

/** What a phone is set up with; the words of a template. */
interface PhoneSetup {
  readonly name: string;
  readonly display_name: string;
  readonly extension: string;
  readonly username: string;
  /** Left out unless it is to be shown. */
  readonly password?: string;
  readonly realm: string;
  readonly mac: string;
}

async function setupOf(context: Context, device: JsonObject): Promise<PhoneSetup> {
  const username = textOf(valueAt(device, 'sip.username')) ?? '';
  if (username === '')
    context.notices.warn(
      `${textOf(device.name) ?? 'The device'} has no SIP user name: it cannot register. ${nextStep`devices create --generate`} makes one with a password.`,
    );
  const owner = textOf(device.owner_id);
  const user = owner === undefined || owner === '' ? undefined : await getRecord(context, users, owner);
  const names = [user?.first_name, user?.last_name].flatMap((part) => textOf(part) ?? []).join(' ');
  const password = textOf(valueAt(device, 'sip.password'));
  const { reveal } = context.options;
  return {
    name: textOf(device.name) ?? '',
    display_name: names === '' ? (textOf(device.name) ?? '') : names,
    extension: textOf(user?.presence_id) ?? '',
    username,
    ...(reveal && password !== undefined ? { password } : {}),
    realm: textOf(valueAt(device, 'sip.realm')) ?? (await realmActedOn(context)) ?? '',
    mac: textOf(device.mac_address) ?? '',
  };
}

/** The address that softphones read from a picture: with the password only where it is to be written. */
const addressOf = ({ username, password, realm }: PhoneSetup): string =>
  `sip:${encodeURIComponent(username)}${password === undefined ? '' : `:${encodeURIComponent(password)}`}@${realm}`;

/** What to type into a phone, and the same as a picture for its camera. */
async function plainText(setup: PhoneSetup): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr');
  const { name, display_name: display, extension, username, password, realm } = setup;
  const rows = [
    ['Phone', name],
    ['Name', display],
    ...(extension === '' ? [] : [['Extension', extension]]),
    ['User', username],
    ['Password', password ?? '(--reveal --out FILE writes it)'],
    ['Server', realm],
  ];
  // Values are the service's: each stays on the line that begins with its head.
  const lines = rows.map(([head = '', value = '']) => `${head.padEnd(10)}${neutralise(value)}`);
  return `${lines.join('\n')}\n\n${renderUnicodeCompact(addressOf(setup), { border: 2 })}\n`;
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

/** Fills a template with the values of a phone, escaped for XML. It can read nothing else. */
async function filled(text: string, setup: PhoneSetup, file: string): Promise<string> {
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
        `${file}: a phone has no ${JSON.stringify(unknown)}; it has ${known.join(', ')}.`,
      );
    if (words.has('password') && setup.password === undefined)
      throw new Failure('usage', `${file} asks for the password, which is written to a file alone.`, {
        hint: 'Give --reveal and --out FILE.',
      });
    const forXml = (value: string): string =>
      String(value).replaceAll(/[&<>"'\r\n]/g, (mark) => xmlMarks[mark] ?? mark);
    return mustache.render(text, setup, {}, { escape: forXml });
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'invalid',
      `${file} is no template: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** Shows or writes what sets up a phone: text and a picture, or a template that is filled in. */
export async function provisionDevice(
  { device: named, template, out }: InputOf<typeof provisionOptions, typeof deviceArguments>,
  context: Context,
): Promise<Result> {
  const { host, options } = context;
  if (options.reveal && out === undefined)
    throw new Failure('usage', 'A password is written to a file alone.', {
      hint: 'Give --out FILE beside --reveal.',
    });
  const path = out === undefined ? undefined : resolve(host.cwd, out);
  if (path !== undefined && out !== undefined) {
    refuseUnplain(host, path, out, '--out');
    if (host.files.kindOf(path) !== undefined)
      throw new Failure('refused', `There is a file ${out} already, and it is not written over.`, {
        hint: 'Name another file with --out FILE.',
      });
  }
  const setup = await setupOf(context, await getRecord(context, devices, named));
  if (setup.password !== undefined) context.hide([setup.password]);
  const text =
    template === undefined
      ? await plainText(setup)
      : await filled((await readInput(host, template)).text, setup, template);
  const { password: _, ...value } = setup;
  if (path === undefined || out === undefined) return { kind: 'document', text, value: { ...value } };
  if (!options.dryRun) host.files.writePrivate(path, text);
  const secret = setup.password === undefined ? '' : ', with its password';
  return {
    kind: 'done',
    message: `${options.dryRun ? 'Would write' : 'Wrote'} what sets up ${setup.name} to ${out} (0600)${secret}.`,
    value: { ...value, file: out },
  };
}
