import { Failure } from '../../../base/failure.ts';
import { type Json, type JsonObject, omitUndefined, textOrUndefined } from '../../../base/json.ts';
import { addOutsideValue } from '../../../base/outside-values.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { type Problem, problemsFailure } from '../../../engine/input/document.ts';
import type { InputRecord } from '../../../engine/input/read-records.ts';
import type { Context } from '../../command/context.ts';
import { randomPassword } from '../passwords/secrets.ts';
import {
  extensionProblem,
  type Newcomer,
  namesInUse,
  nextFreeExtension,
  numbersOfCallflows,
  phoneInFile,
  readAccountLists,
  usernameOf,
} from './onboard-form.ts';
import type { People, Person } from './onboard-plan.ts';

const textOfCell = (value: JsonObject, field: string): string | undefined => {
  const given = value[field];
  return given === undefined || given === null || given === '' ? undefined : String(given);
};

/** Hides a user name that comes from the environment or a file, because keys of the plan contain it. */
function hideName(
  { host: { outside } }: Context,
  { value, confidential }: InputRecord,
  username: string,
): boolean {
  const [field] = ['username', 'first_name', 'last_name'].filter((each) => confidential.includes(each));
  if (field === undefined) return false;
  addOutsideValue(outside, outside.get(String(value[field])) ?? field, username);
  return true;
}

/** Throws `invalid` with every problem of every row. */
export async function readPeople(context: Context, records: readonly InputRecord[]): Promise<People> {
  const of = await readAccountLists(context, ['users', 'devices', 'vmboxes', 'callflows']);
  const reader = new PeopleReader(context, of, records);
  const people = records.map((record, index) => reader.person(record, index));
  if (reader.problems.length > 0) throw problemsFailure(reader.problems);
  return { people, inUse: namesInUse(of) };
}

class PeopleReader {
  readonly problems: Problem[] = [];
  readonly #context: Context;
  readonly #users: ReadonlyMap<string, JsonObject>;
  readonly #boxes: ReadonlyMap<string, JsonObject>;
  readonly #owners: ReadonlySet<Json | undefined>;
  readonly #numbers: ReadonlySet<string>;
  /** Extensions that the account uses. */
  readonly #taken: ReadonlySet<string>;
  /** Extensions in the file, including those of later rows. */
  readonly #wanted: readonly string[];
  readonly #usernames = new Set<string>();
  readonly #extensions = new Set<string>();
  readonly #phones = new Set<string>();

  constructor(
    context: Context,
    of: Awaited<ReturnType<typeof readAccountLists>>,
    records: readonly InputRecord[],
  ) {
    this.#context = context;
    this.#users = new Map(of('users').map((user) => [String(user.username).toLowerCase(), user]));
    this.#boxes = new Map(of('vmboxes').map((box) => [String(box.mailbox), box]));
    this.#owners = new Set(of('devices').map((device) => device.owner_id));
    this.#numbers = new Set(numbersOfCallflows(of('callflows')));
    this.#taken = new Set([...this.#numbers, ...this.#boxes.keys()]);
    this.#wanted = records.flatMap(({ value }) => textOfCell(value, 'extension') ?? []);
  }

  person(record: InputRecord, index: number): Person {
    const { value } = record;
    const firstName = this.#requiredText(record, 'first_name');
    const lastName = this.#requiredText(record, 'last_name');
    const username = this.#username(record, firstName, lastName);
    const user = this.#users.get(username.toLowerCase());
    const extension = this.#extension(record, user);
    const box = this.#boxes.get(extension);
    const [id, boxId] = [textOrUndefined(user?.id), textOrUndefined(box?.id)];
    const number = textOfCell(value, 'number');
    return {
      key: hideName(this.#context, record, username) ? `person-${index + 1}` : username,
      places: record,
      newcomer: {
        firstName,
        lastName,
        username,
        extension,
        email: textOfCell(value, 'email'),
        number: number === undefined ? undefined : normalisedNumber(number),
        phone: this.#phone(record),
        password: randomPassword(this.#context.host.random),
        isGenerated: true,
      },
      known: omitUndefined({ users: id, vmboxes: boxId }),
      has: new Set([
        ...(id === undefined ? [] : ['users']),
        ...(id !== undefined && this.#owners.has(id) ? ['devices'] : []),
        ...(box === undefined ? [] : ['vmboxes']),
        ...(this.#numbers.has(extension) ? ['callflows'] : []),
      ]),
    };
  }

  #report(record: InputRecord, field: string, message: string): void {
    this.problems.push(record.problem(field, message));
  }

  #requiredText(record: InputRecord, field: string): string {
    const text = textOfCell(record.value, field);
    if (text === undefined) this.#report(record, '', `"${field}" is missing`);
    return text ?? '';
  }

  #username(record: InputRecord, firstName: string, lastName: string): string {
    const username = textOfCell(record.value, 'username') ?? usernameOf(firstName, lastName);
    const known = username.toLowerCase();
    if (this.#usernames.has(known))
      this.#report(record, 'username', `two people have the user name ${username}`);
    this.#usernames.add(known);
    return username;
  }

  #extension(record: InputRecord, user: JsonObject | undefined): string {
    const next = (): string =>
      nextFreeExtension(new Set([...this.#taken, ...this.#wanted, ...this.#extensions]));
    const extension = textOfCell(record.value, 'extension') ?? textOrUndefined(user?.presence_id) ?? next();
    const problem =
      extensionProblem(extension) ??
      (this.#extensions.has(extension)
        ? `two people have the extension ${extension}`
        : user === undefined && this.#taken.has(extension)
          ? `extension ${extension} is taken; the next free one is ${next()}`
          : undefined);
    if (problem !== undefined) this.#report(record, 'extension', problem);
    this.#extensions.add(extension);
    return extension;
  }

  #phone(record: InputRecord): Newcomer['phone'] {
    try {
      const phone = phoneInFile(this.#context, record.value);
      const { mac } = phone ?? {};
      if (mac === undefined) return phone;
      const column = textOfCell(record.value, 'mac') === undefined ? 'phone' : 'mac';
      if (this.#phones.has(mac)) this.#report(record, column, `two people have the phone ${mac}`);
      this.#phones.add(mac);
      return phone;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#report(record, 'mac', error.message);
      return undefined;
    }
  }
}
