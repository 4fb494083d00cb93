import { resolve } from 'node:path';
import { Failure, nextStep } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { counted } from '../../../base/wording.ts';
import { hexDigits, normalisedNumber } from '../../../contract/phone-number.ts';
import { type Problem, problemsFailure } from '../../../engine/input/document.ts';
import type { InputRecord } from '../../../engine/input/read-records.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { confirmed, wouldSend } from '../change.ts';
import { operationFor } from '../generic/find-named.ts';
import {
  earlierPasswords,
  type PasswordsFile,
  passwordKey,
  rewritePasswords,
  writePasswords,
} from '../passwords-file.ts';
import { readSections } from '../read-account.ts';
import { randomPassword } from '../secrets.ts';
import { created, type Ids, type Part, partsOf, realmOf, sampleIds } from './onboard.ts';
import { extensionPattern, type Newcomer, nextFree, type OnboardInput, usernameOf } from './onboard-form.ts';

interface There {
  readonly users: ReadonlyMap<string, JsonObject>;
  readonly boxes: ReadonlyMap<string, JsonObject>;
  readonly owners: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
}

async function thereIn(context: Context): Promise<There> {
  const { sections } = await readSections(context, {
    whole: [],
    listed: ['users', 'devices', 'vmboxes', 'callflows'],
  });
  const of = (name: string): readonly JsonObject[] =>
    sections.find(({ kind }) => kind.name === name)?.records ?? [];
  const numbers = of('callflows').flatMap((flow) =>
    Array.isArray(flow.numbers) ? flow.numbers.map(String) : [],
  );
  return {
    users: new Map(of('users').map((user) => [String(user.username).toLowerCase(), user])),
    boxes: new Map(of('vmboxes').map((box) => [String(box.mailbox), box])),
    owners: new Set(
      of('devices').flatMap(({ owner_id: owner }) => (typeof owner === 'string' ? [owner] : [])),
    ),
    numbers: new Set(numbers.map(normalisedNumber)),
  };
}

/** One person of a file, with what is still to be made. */
interface Person {
  readonly record: InputRecord;
  readonly newcomer: Newcomer;
  readonly known: Ids;
  /** Resources of which the account has this person's record already. */
  readonly has: ReadonlySet<string>;
}

const said = (value: JsonObject, field: string): string | undefined => {
  const given = value[field];
  return given === undefined || given === null || given === '' ? undefined : String(given);
};

/** Reads the people of a file; everything that is wrong with any of them is told at once. Throws `Failure` (`invalid`). */
function peopleOf(context: Context, records: readonly InputRecord[], there: There): readonly Person[] {
  const problems: Problem[] = [];
  const extensions = new Set([...there.numbers, ...there.boxes.keys()]);
  const wanted = records.flatMap(({ value }) => said(value, 'extension') ?? []);
  const names = new Set<string>();
  const given = new Set<string>();
  const people = records.map((record): Person => {
    const { value } = record;
    const wrong = (field: string, message: string): void => {
      problems.push(record.problem(field, message));
    };
    const [firstName, lastName] = ['first_name', 'last_name'].map((field) => {
      const name = said(value, field);
      if (name === undefined) wrong('', `"${field}" is missing`);
      return name ?? '';
    });
    const username = said(value, 'username') ?? usernameOf(firstName ?? '', lastName ?? '');
    if (names.has(username.toLowerCase())) wrong('username', `two people have the user name ${username}`);
    names.add(username.toLowerCase());
    const user = there.users.get(username.toLowerCase());
    const before = typeof user?.presence_id === 'string' ? user.presence_id : undefined;
    const next = (): string =>
      nextFree({ extensions: new Set([...extensions, ...wanted, ...given]), free: [] });
    const extension = said(value, 'extension') ?? before ?? next();
    if (!extensionPattern.test(extension))
      wrong('extension', `"${extension}" is no extension: give two to six digits`);
    else if (given.has(extension)) wrong('extension', `two people have the extension ${extension}`);
    else if (user === undefined && extensions.has(extension))
      wrong('extension', `extension ${extension} is taken; the next free one is ${next()}`);
    given.add(extension);
    const phone = said(value, 'mac') ?? said(value, 'phone');
    const mac = phone === undefined || /^softphone$/i.test(phone) ? undefined : hexDigits(phone);
    if (mac !== undefined && !/^[0-9a-f]{12}$/.test(mac))
      wrong('mac', `"${phone}" is no hardware address; one looks like 00:04:f2:ab:7e:fd, or say softphone`);
    const box = there.boxes.get(extension);
    const id = typeof user?.id === 'string' ? user.id : undefined;
    return {
      record,
      newcomer: {
        firstName: firstName ?? '',
        lastName: lastName ?? '',
        username,
        extension,
        email: said(value, 'email'),
        number:
          said(value, 'number') === undefined ? undefined : normalisedNumber(said(value, 'number') ?? ''),
        phone: phone === undefined ? undefined : { mac, password: randomPassword(context.host.random) },
        password: randomPassword(context.host.random),
        isGenerated: true,
      },
      known: {
        ...(id === undefined ? {} : { users: id }),
        ...(typeof box?.id === 'string' ? { vmboxes: box.id } : {}),
      },
      has: new Set([
        ...(id === undefined ? [] : ['users']),
        ...(id !== undefined && there.owners.has(id) ? ['devices'] : []),
        ...(box === undefined ? [] : ['vmboxes']),
        ...(there.numbers.has(extension) ? ['callflows'] : []),
      ]),
    };
  });
  if (problems.length > 0) throw problemsFailure(problems);
  return people;
}

const missingOf = ({ newcomer: person, has }: Person, ids: Ids): readonly Part[] =>
  partsOf(person)(ids).filter(({ resource }) => !has.has(resource.name));

/** `30 users, 28 devices, 30 mailboxes, 30 extensions (2200 to 2229)` */
function inAll(people: readonly Person[]): string {
  const parts = people.flatMap((person) => missingOf(person, sampleIds));
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

const credentials = (file: string): PasswordsFile => ({
  file,
  option: '--credentials',
  head: ['username', 'password', 'extension', 'sip_username', 'sip_password', 'realm'],
});

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

/** Makes what a person lacks. Throws `Failure` where a part of it cannot be made. */
async function take(context: Context, person: Person): Promise<readonly JsonObject[]> {
  let ids: Ids = person.known;
  const made: JsonObject[] = [];
  for (const [index] of missingOf(person, ids).entries()) {
    const part = missingOf(person, ids)[index];
    if (part === undefined) break;
    const record = await created(context, part);
    made.push({ resource: part.resource.name, id: record.id ?? null });
    ids = { ...ids, [part.resource.name]: String(record.id) };
  }
  return made;
}

/**
 * Takes on the people of a file: what is made is summed up and asked about once; one who cannot be taken on does not
 * stop the others, and a second run makes what is still missing. Passwords go to the file of `--credentials` alone.
 */
export async function onboardMany(
  input: OnboardInput & { readonly credentials: string },
  records: readonly InputRecord[],
  context: Context,
): Promise<Result> {
  const file = credentials(input.credentials);
  const all = peopleOf(context, records, await thereIn(context));
  const people = all.filter((person) => missingOf(person, sampleIds).length > 0);
  context.hide(
    people.flatMap(({ newcomer: { password, phone } }) => [password, phone?.password ?? password]),
  );
  if (context.options.dryRun)
    return wouldSend(
      context,
      people.flatMap((person) =>
        missingOf(person, { ...sampleIds, ...person.known }).map(({ resource, data }) => ({
          call: { operation: operationFor(resource, 'create'), data },
        })),
      ),
    );
  if (people.length === 0)
    return {
      kind: 'done',
      message: `All ${counted(all.length, 'person', 'people')} are there already.`,
      value: [],
    };
  earlierPasswords(context, file, false);
  const count = people.reduce((sum, person) => sum + missingOf(person, sampleIds).length, 0);
  context.notices.say(`${counted(people.length, 'person', 'people')}: ${inAll(people)}`);
  await confirmed(context, `Create these ${count}?`, 'Nothing was created.');
  const realm = (await realmOf(context)) ?? '';
  const rows = new Map(
    people.map((person) => [passwordKey([person.newcomer.username]), rowOf(person, realm)]),
  );
  writePasswords(context, file, rows);
  const failures: { readonly person: Person; readonly error: Failure }[] = [];
  const done: JsonObject[] = [];
  for (const [index, person] of people.entries()) {
    context.notices.progress(index, people.length, 'people');
    try {
      const made = await take(context, person);
      done.push({
        username: person.newcomer.username,
        extension: person.newcomer.extension,
        created: [...made],
      });
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
      failures.push({ person, error });
    }
  }
  const lost = failures.filter(({ error, person }) => !error.inDoubt && !person.has.has('users'));
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
      `Created ${counted(made, 'record')} for ${counted(done.length, 'person', 'people')}.${rows.size === 0 ? '' : ` Passwords: ${input.credentials} (0600).`}`,
      ...(made === 0 ? [] : [`To take all of it back: ${nextStep`undo`}`]),
    ],
    value: done,
    ...(failure ? { failure } : {}),
  };
}
