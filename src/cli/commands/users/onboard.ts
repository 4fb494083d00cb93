import { Failure, leadsOn, nextStep, withFacts } from '../../../base/failure.ts';
import { isObject, type JsonObject, valueAt } from '../../../base/json.ts';
import { callflows } from '../../../contract/resources/callflows.ts';
import { devices } from '../../../contract/resources/devices.ts';
import { users } from '../../../contract/resources/users.ts';
import { vmboxes } from '../../../contract/resources/vmboxes.ts';
import type { Resource } from '../../../contract/types.ts';
import { kindByName } from '../../../engine/manifest/kinds.ts';
import { serviceOf } from '../../../engine/manifest/service.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { confirmed, wouldSend } from '../change.ts';
import { afterLostReply } from '../generic/create.ts';
import { asRecord, operationFor } from '../generic/find-named.ts';
import { readInputRecords } from '../generic/input.ts';
import { labelOf } from '../labels.ts';
import { askedFor, type Newcomer, newcomer, type OnboardInput } from './onboard-form.ts';

/**
 * Takes on a colleague: user, phone, mailbox and extension, shown first and made after one yes. Where one is refused,
 * the error says what was made, and how to take it back.
 */
export async function onboardUser(input: OnboardInput, context: Context): Promise<Result> {
  if (input.file !== undefined) {
    const records = await readInputRecords(context, newcomer, 'patch', { files: [input.file] });
    if (records.length > 1 || input.credentials !== undefined) {
      if (input.credentials === undefined)
        throw new Failure('usage', `${records.length} people need passwords, which are shown nowhere.`, {
          hint: '--credentials FILE makes them and keeps them there.',
        });
      const { onboardMany } = await import('./onboard-many.ts');
      return onboardMany(input.credentials, records, context);
    }
  }
  const person = { newcomer: await askedFor(context, input), known: {}, has: new Set<string>() };
  if (context.options.dryRun) return wouldCreate(context, [person]);
  const shown = partsOf(person).map(({ resource, data, word }) => ({
    sign: { text: '+', mark: 'good' as const },
    text: `${labelOf(resource, data)}${word === undefined ? '' : ` ${word}`}`,
  }));
  await guardParts(context, [person]);
  await context.notices.report(shown);
  await confirmed(context, `Create these ${shown.length}?`, 'Nothing was created.');
  return createAll(context, person);
}

/** Asks what the requests for people would ask, before the first of them: nobody is made by half for a refused extension. */
export async function guardParts(context: Context, people: readonly Person[]): Promise<void> {
  for (const { resource, data } of people.flatMap(partsOf))
    await context.guard({ operation: operationFor(resource, 'create'), path: {}, data });
}

/** Somebody who is taken on, and what the account has of them already: ids, and resources of which it has a record. */
export interface Person {
  readonly newcomer: Newcomer;
  readonly known: Readonly<Partial<Record<'users' | 'vmboxes', string>>>;
  readonly has: ReadonlySet<string>;
}

export interface Part {
  readonly resource: Resource;
  readonly data: JsonObject;
  /** More than its label says: ` for 2014`. */
  readonly word?: string;
}

/** The records that somebody lacks, in the order in which they are made; words stand for ids that are not known yet. */
export function partsOf({ newcomer: person, known, has }: Person): readonly Part[] {
  const { firstName, lastName, username, email, extension, number, phone, password } = person;
  const { users: owner_id = '(id of the user)', vmboxes: box = '(id of the mailbox)' } = known;
  const name = `${firstName} ${lastName}`;
  const numbers = [extension, ...(number === undefined ? [] : [number])];
  const isSoftphone = phone?.mac === undefined;
  const all: readonly Part[] = [
    {
      resource: users,
      data: {
        username,
        first_name: firstName,
        last_name: lastName,
        password,
        presence_id: extension,
        caller_id: { internal: { name, number: extension } },
        ...(email === undefined ? {} : { email }),
      },
    },
    ...(phone === undefined
      ? []
      : [
          {
            resource: devices,
            data: {
              name: `${name}, ${isSoftphone ? 'softphone' : 'desk phone'}`,
              device_type: isSoftphone ? 'softphone' : 'sip_device',
              owner_id,
              ...(isSoftphone ? {} : { mac_address: phone.mac }),
              ...(phone.provision ? { provision: phone.provision } : {}),
              sip: { method: 'password', username, password: phone.password },
            },
          },
        ]),
    { resource: vmboxes, data: { name: `${name}'s mailbox`, mailbox: extension, owner_id } },
    {
      resource: callflows,
      data: {
        name,
        numbers,
        owner_id,
        flow: {
          module: 'user',
          data: { id: owner_id, timeout: 20 },
          children: { _: { module: 'voicemail', data: { id: box }, children: {} } },
        },
      },
      word: `for ${numbers.join(', ')}`,
    },
  ];
  return all.filter(({ resource }) => !has.has(resource.name));
}

/** What `--dry-run` says of people. */
export const wouldCreate = (context: Context, people: readonly Person[]): Promise<Result> =>
  wouldSend(
    context,
    people
      .flatMap(partsOf)
      .map(({ resource, data }) => ({ call: { operation: operationFor(resource, 'create'), data } })),
  );

/** Makes what somebody lacks and adds it to `made`. Throws `Failure` where a part cannot be made, or may not have been. */
export async function makeParts(context: Context, person: Person, made: Part[]): Promise<void> {
  const api = await context.api();
  let { known } = person;
  for (;;) {
    const part = partsOf({ ...person, known })[made.length];
    if (part === undefined) return;
    const { resource, data } = part;
    const record = await api
      .call({ operation: operationFor(resource, 'create'), data })
      .then((reply) => asRecord(resource, reply.data))
      .catch(async (error: unknown) => {
        if (!(error instanceof Failure) || !error.inDoubt) throw error;
        const found = await afterLostReply(context, resource, data, error);
        return found.kind === 'done' && isObject(found.value) ? found.value : {};
      });
    made.push({ resource, data: { ...data, ...record } });
    known = { ...known, [resource.name]: String(record.id) };
  }
}

async function createAll(context: Context, person: Person): Promise<Result> {
  const { isGenerated, password, phone } = person.newcomer;
  context.notices.disclose([...(isGenerated ? [password] : []), ...(phone ? [phone.password] : [])], {
    said: true,
  });
  // Read before anything is made: what was made is said whatever becomes of later reads.
  const realm = phone && (await realmActedOn(context));
  const made: Part[] = [];
  try {
    await makeParts(context, person, made);
  } catch (error) {
    const failed = partsOf(person)[made.length];
    if (!(error instanceof Failure) || made.length === 0 || failed === undefined) throw error;
    const state = error.inDoubt ? 'may have been created' : 'was not created';
    throw withFacts(error, {
      lines: [
        ...error.lines,
        `${labelOf(failed.resource, failed.data)} ${state}; before it were ${labelsOf(made)}.`,
      ],
      hint: leadsOn`${error.inDoubt && error.hint ? `${error.hint} ` : ''}Take back what was made: ${nextStep`undo`}. Then try again.`,
    });
  }
  return told(person.newcomer, made, realm);
}

const labelsOf = (made: readonly Part[]): string =>
  made.map(({ resource, data }) => labelOf(resource, data)).join(', ');

export const madeJson = (made: readonly Part[]) =>
  made.map(({ resource, data }) => ({ resource: resource.name, id: data.id ?? null }));

export async function realmActedOn(context: Context): Promise<string | undefined> {
  const accountId = await context.accountId();
  const service = serviceOf(await context.api(), accountId);
  const account = await service.get(kindByName('account_settings'), accountId);
  const realm = account.found === 'record' ? valueAt(account.record, 'realm') : undefined;
  return typeof realm === 'string' ? realm : undefined;
}

/** Tells what was made, and once what has to be typed into the phone and at the first sign-in. */
function told(
  { username, phone, password, isGenerated }: Newcomer,
  made: readonly Part[],
  realm: string | undefined,
): Result {
  const sip = phone && { username, password: phone.password, realm: realm ?? null };
  return {
    kind: 'done',
    message: [
      `Created ${labelsOf(made)}.`,
      ...(isGenerated ? [`First password of ${username}, shown once: ${password}`] : []),
      ...(sip
        ? [
            `For the phone, shown once: user ${username}, password ${sip.password}, server ${sip.realm ?? 'the realm of the account'}`,
          ]
        : []),
      `To take all of it back: ${nextStep`undo`}`,
    ],
    value: {
      created: madeJson(made),
      username,
      ...(isGenerated ? { generated_password: password } : {}),
      ...(sip ? { sip } : {}),
    },
  };
}
