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
import { askedFor, type Newcomer, newcomer, type OnboardInput, takenIn } from './onboard-form.ts';

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
      return onboardMany({ ...input, credentials: input.credentials }, records, context);
    }
  }
  const taken = await takenIn(context);
  const person = await askedFor(context, input, taken);
  const parts = partsOf(person);
  if (context.options.dryRun)
    return wouldSend(
      context,
      parts(sampleIds).map(({ resource, data }) => ({
        call: { operation: operationFor(resource, 'create'), data },
      })),
    );
  const shown = parts(sampleIds).map(({ resource, data, word }) => ({
    sign: { text: '+', mark: 'good' as const },
    text: `${labelOf(resource, data)}${word === undefined ? '' : ` ${word}`}`,
  }));
  await context.notices.report(shown);
  await confirmed(context, `Create these ${shown.length}?`, 'Nothing was created.');
  return createAll(context, person, parts);
}

export type Ids = Readonly<Partial<Record<'users' | 'vmboxes', string>>>;

export interface Part {
  readonly resource: Resource;
  readonly data: JsonObject;
  /** More than its label says: ` for 2014`. */
  readonly word?: string;
}

/** What is made before the rest has ids. */
export const sampleIds: Ids = { users: '(id of the user)', vmboxes: '(id of the mailbox)' };

/** The records of a newcomer, in the order in which they are made; each knows the ids of those before it. */
export function partsOf(person: Newcomer): (ids: Ids) => readonly Part[] {
  const { firstName, lastName, username, email, extension, number, phone, password } = person;
  const name = `${firstName} ${lastName}`;
  return (ids) => [
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
              name: `${name}, ${phone.mac === undefined ? 'softphone' : 'desk phone'}`,
              device_type: phone.mac === undefined ? 'softphone' : 'sip_device',
              owner_id: ids.users ?? '',
              ...(phone.mac === undefined ? {} : { mac_address: phone.mac }),
              sip: { method: 'password', username, password: phone.password },
            },
          },
        ]),
    {
      resource: vmboxes,
      data: { name: `${name}'s mailbox`, mailbox: extension, owner_id: ids.users ?? '' },
    },
    {
      resource: callflows,
      data: {
        name,
        numbers: [extension, ...(number === undefined ? [] : [number])],
        owner_id: ids.users ?? '',
        flow: {
          module: 'user',
          data: { id: ids.users ?? '', timeout: 20 },
          children: { _: { module: 'voicemail', data: { id: ids.vmboxes ?? '' }, children: {} } },
        },
      },
      word: `for ${[extension, ...(number === undefined ? [] : [number])].join(', ')}`,
    },
  ];
}

async function createAll(
  context: Context,
  person: Newcomer,
  parts: (ids: Ids) => readonly Part[],
): Promise<Result> {
  context.notices.disclose(
    [...(person.isGenerated ? [person.password] : []), ...(person.phone ? [person.phone.password] : [])],
    { said: true },
  );
  // Read before anything is made: what was made is said whatever becomes of later reads.
  const realm = person.phone && (await realmOf(context));
  const made: Made[] = [];
  let ids: Ids = {};
  for (const [index] of parts(ids).entries()) {
    const part = parts(ids)[index];
    if (part === undefined) break;
    const { resource, data } = part;
    try {
      const record = await created(context, part);
      made.push({ resource, record: { ...data, ...record } });
      ids = { ...ids, [resource.name]: String(record.id) };
    } catch (error) {
      if (!(error instanceof Failure) || made.length === 0) throw error;
      const before = made.map((each) => labelOf(each.resource, each.record)).join(', ');
      const state = error.inDoubt ? 'may have been created' : 'was not created';
      throw withFacts(error, {
        lines: [...error.lines, `${labelOf(resource, data)} ${state}; before it were ${before}.`],
        hint: leadsOn`${error.inDoubt && error.hint ? `${error.hint} ` : ''}Take back what was made: ${nextStep`undo`}. Then try again.`,
      });
    }
  }
  return told(person, made, realm);
}

interface Made {
  readonly resource: Resource;
  readonly record: JsonObject;
}

/** Makes a record; where no proper reply comes, looks whether it is there. Throws `Failure` where it is not, or may not be. */
export async function created(context: Context, { resource, data }: Part): Promise<JsonObject> {
  const api = await context.api();
  try {
    return asRecord(resource, (await api.call({ operation: operationFor(resource, 'create'), data })).data);
  } catch (error) {
    if (!(error instanceof Failure) || !error.inDoubt) throw error;
    const found = await afterLostReply(context, resource, data, error);
    return found.kind === 'done' && isObject(found.value) ? found.value : {};
  }
}

export async function realmOf(context: Context): Promise<string | undefined> {
  const accountId = await context.accountId();
  const service = serviceOf(await context.api(), accountId);
  const account = await service.get(kindByName('account_settings'), accountId);
  const realm = account.found === 'record' ? valueAt(account.record, 'realm') : undefined;
  return typeof realm === 'string' ? realm : undefined;
}

/** Tells what was made, and once what has to be typed into the phone and at the first sign-in. */
function told(
  { username, phone, password, isGenerated }: Newcomer,
  made: readonly Made[],
  realm: string | undefined,
): Result {
  const sip = phone && { username, password: phone.password, realm: realm ?? null };
  return {
    kind: 'done',
    message: [
      `Created ${made.map(({ resource, record }) => labelOf(resource, record)).join(', ')}.`,
      ...(isGenerated ? [`First password of ${username}, shown once: ${password}`] : []),
      ...(sip
        ? [
            `For the phone, shown once: user ${username}, password ${sip.password}, server ${sip.realm ?? 'the realm of the account'}`,
          ]
        : []),
      `To take all of it back: ${nextStep`undo`}`,
    ],
    value: {
      created: made.map(({ resource, record }) => ({ resource: resource.name, id: record.id ?? null })),
      username,
      ...(isGenerated ? { generated_password: password } : {}),
      ...(sip ? { sip } : {}),
    },
  };
}
