import { Failure } from '../../../base/failure.ts';
import { type JsonObject, textOf } from '../../../base/json.ts';
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
  readLists,
  usernameOf,
} from './onboard-form.ts';
import type { People, Person } from './onboard-plan.ts';

const textOfCell = (value: JsonObject, field: string): string | undefined => {
  const given = value[field];
  return given === undefined || given === null || given === '' ? undefined : String(given);
};

/**
 * Returns true if a person's name contains a value from outside, which plan keys would show. The user name is then
 * hidden.
 */
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

/** Returns the people of a file. Throws `Failure` of kind `invalid` with every problem of every row. */
export async function readPeople(context: Context, records: readonly InputRecord[]): Promise<People> {
  const of = await readLists(context, ['users', 'devices', 'vmboxes', 'callflows']);
  const users = new Map(of('users').map((user) => [String(user.username).toLowerCase(), user]));
  const boxes = new Map(of('vmboxes').map((box) => [String(box.mailbox), box]));
  const owners = new Set(of('devices').map((device) => device.owner_id));
  const givenPhones = new Set<string>();
  const numbers = new Set(numbersOfCallflows(of('callflows')));
  const problems: Problem[] = [];
  const extensions = new Set([...numbers, ...boxes.keys()]);
  const wanted = records.flatMap(({ value }) => textOfCell(value, 'extension') ?? []);
  const names = new Set<string>();
  const given = new Set<string>();
  const people = records.map((record, index): Person => {
    const { value } = record;
    const wrong = (field: string, message: string): void => {
      problems.push(record.problem(field, message));
    };
    const [firstName = '', lastName = ''] = ['first_name', 'last_name'].map((field) => {
      const name = textOfCell(value, field);
      if (name === undefined) wrong('', `"${field}" is missing`);
      return name;
    });
    const username = textOfCell(value, 'username') ?? usernameOf(firstName, lastName);
    if (names.has(username.toLowerCase())) wrong('username', `two people have the user name ${username}`);
    names.add(username.toLowerCase());
    const user = users.get(username.toLowerCase());
    const next = (): string => nextFreeExtension(new Set([...extensions, ...wanted, ...given]));
    const extension = textOfCell(value, 'extension') ?? textOf(user?.presence_id) ?? next();
    const trouble = extensionProblem(extension);
    if (trouble !== undefined) wrong('extension', trouble);
    else if (given.has(extension)) wrong('extension', `two people have the extension ${extension}`);
    else if (user === undefined && extensions.has(extension))
      wrong('extension', `extension ${extension} is taken; the next free one is ${next()}`);
    given.add(extension);
    const box = boxes.get(extension);
    const [id, boxId] = [textOf(user?.id), textOf(box?.id)];
    const phone = (): Newcomer['phone'] => {
      try {
        const read = phoneInFile(context, value);
        const { mac } = read ?? {};
        if (mac === undefined) return read;
        const column = said(value, 'mac') === undefined ? 'phone' : 'mac';
        if (givenPhones.has(mac)) wrong(column, `two people have the phone ${mac}`);
        givenPhones.add(mac);
        return read;
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return void wrong('mac', error.message);
      }
    };
    const number = textOfCell(value, 'number');
    return {
      key: hideName(context, record, username) ? `person-${index + 1}` : username,
      places: record,
      newcomer: {
        firstName,
        lastName,
        username,
        extension,
        email: textOfCell(value, 'email'),
        number: number === undefined ? undefined : normalisedNumber(number),
        phone: phone(),
        password: randomPassword(context.host.random),
        isGenerated: true,
      },
      known: {
        ...(id === undefined ? {} : { users: id }),
        ...(boxId === undefined ? {} : { vmboxes: boxId }),
      },
      has: new Set([
        ...(id === undefined ? [] : ['users']),
        ...(id !== undefined && owners.has(id) ? ['devices'] : []),
        ...(box === undefined ? [] : ['vmboxes']),
        ...(numbers.has(extension) ? ['callflows'] : []),
      ]),
    };
  });
  if (problems.length > 0) throw problemsFailure(problems);
  return { people, inUse: namesInUse(of) };
}
