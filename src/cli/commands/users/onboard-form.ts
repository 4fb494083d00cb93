import { Failure, nextStep } from '../../../base/failure.ts';
import { type JsonObject, omitUndefined } from '../../../base/json.ts';
import { anyEmergencyNumbers } from '../../../contract/emergency-numbers.ts';
import { flag, object, text } from '../../../contract/fields.ts';
import { hexDigits, normalisedNumber } from '../../../contract/phone-number.ts';
import { users } from '../../../contract/resources/users.ts';
import { placesAt } from '../../../engine/input/document.ts';
import type { KindName } from '../../../engine/manifest/kinds.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { readInputRecord } from '../generic/input.ts';
import { randomPassword, readSecret } from '../passwords/secrets.ts';
import { readTypedNumber } from '../records/national-numbers.ts';
import { readAccountSections } from '../records/read-account.ts';
import type { onboardOptions } from './commands.ts';
import type { People } from './onboard-plan.ts';

export type OnboardInput = InputOf<typeof onboardOptions>;

/** A new user as described by options or a file. */
export interface Newcomer {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
  readonly email: string | undefined;
  readonly extension: string;
  readonly number: string | undefined;
  /** `undefined`: no phone. A phone without `mac` is a softphone. `provision` has the model from the file. */
  readonly phone:
    | { readonly mac: string | undefined; readonly password: string; readonly provision?: JsonObject }
    | undefined;
  readonly password: string;
  readonly isGenerated: boolean;
}

const extensionPattern = /^\d{2,6}$/;

export const extensionProblem = (text: string): string | undefined =>
  extensionPattern.test(text) ? undefined : `"${text}" is not an extension: use two to six digits`;

export async function readAccountLists(
  context: Context,
  listed: readonly KindName[],
): Promise<(name: KindName) => readonly JsonObject[]> {
  const { sections } = await readAccountSections(context, { whole: [], listed });
  return (name) => sections.find(({ kind }) => kind.name === name)?.records ?? [];
}

export const numbersOfCallflows = (callflows: readonly JsonObject[]): readonly string[] =>
  callflows
    .flatMap(({ numbers }) => (Array.isArray(numbers) ? numbers.map(String) : []))
    .map(normalisedNumber);

export function namesInUse(of: (name: KindName) => readonly JsonObject[]): People['inUse'] {
  const names = (kind: KindName): ReadonlySet<string> =>
    new Set(of(kind).flatMap(({ name }) => (typeof name === 'string' ? [name] : [])));
  return { devices: names('devices'), callflows: names('callflows') };
}

/** Returns the first extension above the used ones (default: 2001), except emergency numbers of any country. */
export function nextFreeExtension(extensions: ReadonlySet<string>): string {
  const used = [...extensions].filter((each) => extensionPattern.test(each)).map(Number);
  let next = used.length === 0 ? 2001 : Math.max(...used) + 1;
  while (extensions.has(String(next)) || anyEmergencyNumbers.includes(String(next))) next += 1;
  return String(next);
}

export const newcomerFields = {
  ...users,
  required: [],
  schema: object(
    {
      first_name: text('First name'),
      last_name: text('Last name'),
      username: text('User name'),
      email: text('E-mail address'),
      extension: text('Extension', { dialled: 'extension' }),
      number: text('Direct number', { dialled: true }),
      mac: text('Hardware address of the desk phone'),
      phone: text('"softphone", or the hardware address of a desk phone'),
      softphone: flag('The phone is a softphone'),
      brand: text('Maker of the desk phone, such as yealink'),
      family: text('Series of the desk phone, such as t4x'),
      model: text('Model of the desk phone, such as t46s'),
    },
    'A newcomer',
  ),
};

/** Reads the columns mac, phone, softphone, brand, family and model. Throws like `phoneFrom`. */
export function phoneInFile(context: Context, file: JsonObject): Newcomer['phone'] {
  const cell = (field: string): string | undefined => {
    const value = file[field];
    return value === undefined || value === null || value === '' ? undefined : String(value);
  };
  const named = cell('mac') ?? cell('phone');
  if (file.softphone === true && named !== undefined && !isSoftphoneWord(named))
    throw new Failure('usage', `"softphone" and ${named} cannot be combined. Use one of them.`);
  const phone = phoneFrom(context, file.softphone === true ? softphoneWord : named);
  const models = ['brand', 'family', 'model'].flatMap((field) => {
    const value = cell(field);
    return value === undefined ? [] : [[`endpoint_${field}`, value] as const];
  });
  if (models.length === 0 || phone?.mac === undefined) return phone;
  return { ...phone, provision: Object.fromEntries(models) };
}

/** Returns the new user from options or a file, after asking for missing values, and the names used in the account. */
export async function askForNewcomer(context: Context, input: OnboardInput): Promise<People> {
  const of = await readAccountLists(context, ['callflows', 'devices', 'vmboxes', 'numbers']);
  const mailboxes = of('vmboxes').flatMap(({ mailbox }) => (mailbox === undefined ? [] : [String(mailbox)]));
  const taken = new Set([...numbersOfCallflows(of('callflows')), ...mailboxes.map(normalisedNumber)]);
  const free = of('numbers').flatMap(({ id }) => (typeof id === 'string' && !taken.has(id) ? [id] : []));
  const files = input.file === undefined ? undefined : [input.file];
  const file = files && (await readInputRecord(context, newcomerFields, 'patch', { files })).value;
  const form = new NewcomerForm(context, input, file ?? {}, taken);
  const firstName = await form.askRequired(form.firstName, 'First name', '--first-name');
  const lastName = await form.askRequired(
    form.valueOf(input.lastName, 'last_name'),
    'Last name',
    '--last-name',
  );
  const newcomer = {
    firstName,
    lastName,
    email: await form.askOptional(form.valueOf(input.email, 'email'), 'E-mail (none)', '--email'),
    extension: await form.extension(),
    phone: await form.phone(),
    number: await form.number(free),
    username: form.valueOf(input.username, 'username') ?? usernameOf(firstName, lastName),
    ...(await form.password()),
  };
  const { username: key } = newcomer;
  return {
    people: [{ newcomer, key, known: {}, has: new Set(), places: placesAt('options') }],
    inUse: namesInUse(of),
  };
}

class NewcomerForm {
  readonly firstName: string | undefined;
  readonly #context: Context;
  readonly #input: OnboardInput;
  readonly #file: JsonObject;
  readonly #taken: ReadonlySet<string>;
  /** The form asks for optional values if no name is given. */
  readonly #asksAll: boolean;

  constructor(context: Context, input: OnboardInput, file: JsonObject, taken: ReadonlySet<string>) {
    this.#context = context;
    this.#input = input;
    this.#file = file;
    this.#taken = taken;
    this.firstName = this.valueOf(input.firstName, 'first_name');
    this.#asksAll = this.firstName === undefined && context.ask.available;
  }

  /** Returns the value of an option, or else that of a field in the file. */
  valueOf(option: string | undefined, field: string): string | undefined {
    const value = option ?? this.#file[field];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  }

  async askRequired(
    value: string | undefined,
    question: string,
    option: string,
    initial?: string,
  ): Promise<string> {
    const answer =
      value ?? (await this.#context.ask.text(question, { option, ...omitUndefined({ initial }) }));
    if (answer.trim() === '') throw new Failure('usage', `${question} cannot be empty. Nothing was created.`);
    return answer.trim();
  }

  async askOptional(
    value: string | undefined,
    question: string,
    option: string,
  ): Promise<string | undefined> {
    const ask = async () => (await this.#context.ask.text(`${question}:`, { option, initial: '' })).trim();
    const answer = value ?? (this.#asksAll ? await ask() : '');
    return answer === '' ? undefined : answer;
  }

  async extension(): Promise<string> {
    const next = nextFreeExtension(this.#taken);
    const given = this.valueOf(this.#input.extension, 'extension');
    const extension = await this.askRequired(given, 'Extension', '--extension', next);
    const problem = extensionProblem(extension);
    if (problem !== undefined) throw new Failure('usage', `${problem}, for example ${next}.`);
    if (this.#taken.has(extension))
      throw new Failure('conflict', `Extension ${extension} is taken. The next free one is ${next}.`);
    return extension;
  }

  async phone(): Promise<Newcomer['phone']> {
    const { softphone, mac } = this.#input;
    if (softphone === true) return phoneFrom(this.#context, softphoneWord);
    const inFile = phoneInFile(this.#context, this.#file);
    if (mac === undefined && inFile !== undefined) return inFile;
    const question = 'Phone: softphone, or the MAC address of a desk phone (none)';
    return phoneFrom(this.#context, await this.askOptional(mac, question, '--mac'));
  }

  async number(free: readonly string[]): Promise<string | undefined> {
    const some = free.length === 0 ? 'none is free' : `free: ${free.slice(0, 3).join(', ')}`;
    const given = this.valueOf(this.#input.number, 'number');
    const typed = await this.askOptional(given, `Direct number (none; ${some})`, '--number');
    const number = typed === undefined ? undefined : await readTypedNumber(this.#context, typed);
    if (number !== undefined && this.#taken.has(number))
      throw new Failure('conflict', `${number} is already in use: ${nextStep`find ${number}`}.`);
    return number;
  }

  async password(): Promise<Pick<Newcomer, 'password' | 'isGenerated'>> {
    const { passwordStdin: stdin = false, passwordFile: file, generate } = this.#input;
    const secret = await readSecret(this.#context, 'password', { stdin, file });
    if (secret === undefined && !generate && !this.#context.ask.available)
      throw new Failure('usage', 'The new user needs a password.', {
        hint: 'Generate one with --generate, or pass it with --password-file or --password-stdin.',
      });
    return {
      password: secret ?? randomPassword(this.#context.host.random),
      isGenerated: secret === undefined,
    };
  }
}

/** `first.last`, in lower case and without accents. */
export const usernameOf = (first: string, last: string): string =>
  `${first}.${last}`
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-');

const softphoneWord = 'softphone';
const isSoftphoneWord = (text: string): boolean => text.toLowerCase() === softphoneWord;

/** Returns a phone with a new password. Throws `usage` for a malformed hardware address. */
function phoneFrom({ host }: Context, said: string | undefined): Newcomer['phone'] {
  if (said === undefined) return undefined;
  const mac = isSoftphoneWord(said) ? undefined : hexDigits(said);
  if (mac === undefined || /^[0-9a-f]{12}$/.test(mac)) return { mac, password: randomPassword(host.random) };
  throw new Failure(
    'usage',
    `"${said}" is not a hardware address, such as 00:04:f2:ab:7e:fd. For a program, write softphone.`,
  );
}
