import { resolve } from 'node:path';
import { Failure, nextStep } from '../../../base/failure.ts';
import { type JsonObject, textOf } from '../../../base/json.ts';
import { counted } from '../../../base/wording.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { type Problem, problemsFailure } from '../../../engine/input/document.ts';
import type { InputRecord } from '../../../engine/input/read-records.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { confirmed } from '../change.ts';
import { earlierPasswords, passwordKey, rewritePasswords, writePasswords } from '../passwords-file.ts';
import { randomPassword } from '../secrets.ts';
import {
  guardParts,
  madeJson,
  makeParts,
  type Part,
  type Person,
  partsOf,
  realmActedOn,
  wouldCreate,
} from './onboard.ts';
import {
  listsFrom,
  type Newcomer,
  nextFree,
  numbersOf,
  phoneInFile,
  troubleWithExtension,
  usernameOf,
} from './onboard-form.ts';

/** Somebody of a file. */
interface Listed extends Person {
  readonly record: InputRecord;
}

const said = (value: JsonObject, field: string): string | undefined => {
  const given = value[field];
  return given === undefined || given === null || given === '' ? undefined : String(given);
};

/** Reads the people of a file; everything that is wrong with any of them is told at once. Throws `Failure` (`invalid`). */
async function peopleOf(context: Context, records: readonly InputRecord[]): Promise<readonly Listed[]> {
  const of = await listsFrom(context, ['users', 'devices', 'vmboxes', 'callflows']);
  const users = new Map(of('users').map((user) => [String(user.username).toLowerCase(), user]));
  const boxes = new Map(of('vmboxes').map((box) => [String(box.mailbox), box]));
  const owners = new Set(of('devices').map((device) => device.owner_id));
  const numbers = new Set(numbersOf(of('callflows')));
  const problems: Problem[] = [];
  const extensions = new Set([...numbers, ...boxes.keys()]);
  const wanted = records.flatMap(({ value }) => said(value, 'extension') ?? []);
  const names = new Set<string>();
  const given = new Set<string>();
  const people = records.map((record): Listed => {
    const { value } = record;
    const wrong = (field: string, message: string): void => {
      problems.push(record.problem(field, message));
    };
    const [firstName = '', lastName = ''] = ['first_name', 'last_name'].map((field) => {
      const name = said(value, field);
      if (name === undefined) wrong('', `"${field}" is missing`);
      return name;
    });
    const username = said(value, 'username') ?? usernameOf(firstName, lastName);
    if (names.has(username.toLowerCase())) wrong('username', `two people have the user name ${username}`);
    names.add(username.toLowerCase());
    const user = users.get(username.toLowerCase());
    const next = (): string => nextFree(new Set([...extensions, ...wanted, ...given]));
    const extension = said(value, 'extension') ?? textOf(user?.presence_id) ?? next();
    const trouble = troubleWithExtension(extension);
    if (trouble !== undefined) wrong('extension', trouble);
    else if (given.has(extension)) wrong('extension', `two people have the extension ${extension}`);
    else if (user === undefined && extensions.has(extension))
      wrong('extension', `extension ${extension} is taken; the next free one is ${next()}`);
    given.add(extension);
    const phone = (): Newcomer['phone'] => {
      try {
        return phoneInFile(context, value);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return void wrong('mac', error.message);
      }
    };
    const box = boxes.get(extension);
    const [id, boxId] = [textOf(user?.id), textOf(box?.id)];
    const number = said(value, 'number');
    return {
      record,
      newcomer: {
        firstName,
        lastName,
        username,
        extension,
        email: said(value, 'email'),
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
  return people;
}

/** `30 users, 28 devices, 30 mailboxes, 30 extensions (2200 to 2229)` */
function inAll(people: readonly Person[]): string {
  const parts = people.flatMap(partsOf);
  const count = (name: string): number => parts.filter(({ resource }) => resource.name === name).length;
  const extensions = people
    .filter(({ has }) => !has.has('callflows'))
    .map(({ newcomer: { extension } }) => extension)
    .toSorted();
  const range = extensions.length > 1 ? `${extensions[0]} to ${extensions.at(-1)}` : extensions.join('');
  return [
    ...(
      [
        ['users', 'user', 'users'],
        ['devices', 'device', 'devices'],
        ['vmboxes', 'mailbox', 'mailboxes'],
      ] as const
    ).flatMap(([name, one, many]) => (count(name) === 0 ? [] : [counted(count(name), one, many)])),
    ...(extensions.length === 0 ? [] : [`${counted(extensions.length, 'extension')} (${range})`]),
  ].join(', ');
}

/** The row of a person's secrets; of what was there before none is known. */
function rowOf(
  { newcomer: { username, password, extension, phone }, has }: Person,
  realm: string,
): readonly string[] {
  const hasPhone = phone !== undefined && !has.has('devices');
  return [
    username,
    has.has('users') ? '' : password,
    extension,
    ...(hasPhone ? [username, phone.password, realm] : ['', '', '']),
  ];
}

/**
 * Takes on the people of a file: what is made is summed up and asked about once; one who cannot be taken on does not
 * stop the others, and a second run makes what is still missing. Passwords go to the file of `--credentials` alone.
 */
export async function onboardMany(
  credentialsFile: string,
  records: readonly InputRecord[],
  context: Context,
): Promise<Result> {
  const file = {
    file: credentialsFile,
    option: '--credentials',
    head: ['username', 'password', 'extension', 'sip_username', 'sip_password', 'realm'],
  };
  const all = await peopleOf(context, records);
  const people = all.filter((person) => partsOf(person).length > 0);
  context.hide(
    people.flatMap(({ newcomer: { password, phone } }) => [password, phone?.password ?? password]),
  );
  if (context.options.dryRun) return wouldCreate(context, people);
  if (people.length === 0)
    return {
      kind: 'done',
      message: `All ${counted(all.length, 'person', 'people')} are there already.`,
      value: [],
    };
  await guardParts(context, people);
  earlierPasswords(context, file, false);
  context.notices.say(`${counted(people.length, 'person', 'people')}: ${inAll(people)}`);
  await confirmed(context, `Create these ${people.flatMap(partsOf).length}?`, 'Nothing was created.');
  const realm = (await realmActedOn(context)) ?? '';
  const rows = new Map(
    people.map((person) => [passwordKey([person.newcomer.username]), rowOf(person, realm)]),
  );
  writePasswords(context, file, rows);
  const failures: { readonly person: Listed; readonly error: Failure; readonly made: readonly Part[] }[] = [];
  const done: JsonObject[] = [];
  for (const [index, person] of people.entries()) {
    context.notices.progress(index, people.length, 'people');
    const made: Part[] = [];
    try {
      await makeParts(context, person, made);
      const { username, extension } = person.newcomer;
      done.push({ username, extension, created: madeJson(made) });
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
      failures.push({ person, error, made });
    }
  }
  // A user who was made needs the password, whatever else could not be made.
  const lost = failures.filter(
    ({ error, person, made }) => !error.inDoubt && !person.has.has('users') && made.length === 0,
  );
  for (const { person } of lost) rows.delete(passwordKey([person.newcomer.username]));
  // The same command line is typed again.
  if (rows.size === 0) context.host.files.remove(resolve(context.host.cwd, file.file));
  else if (lost.length > 0) rewritePasswords(context, file, rows);
  const made = done.reduce((sum, { created: parts }) => sum + (Array.isArray(parts) ? parts.length : 0), 0);
  const failure =
    failures.length === 0
      ? undefined
      : new Failure(
          'partial',
          [
            ...failures.map(
              ({ person, error }) =>
                `${person.record.place()}: ${person.newcomer.username}: ${error.message}`,
            ),
            `${counted(failures.length, 'person was', 'people were')} not taken on.`,
          ],
          {
            hint: `Mend the rows and run it again${rows.size === 0 ? '' : ' with another --credentials'}: what is there stays.`,
          },
        );
  return {
    kind: 'done',
    message: [
      `Created ${counted(made, 'record')} for ${counted(done.length, 'person', 'people')}.${rows.size === 0 ? '' : ` Passwords: ${credentialsFile} (0600).`}`,
      ...(made === 0 ? [] : [`To take all of it back: ${nextStep`undo`}`]),
    ],
    value: done,
    ...(failure ? { failure } : {}),
  };
}
