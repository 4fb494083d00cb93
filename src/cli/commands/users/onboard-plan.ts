import { type JsonObject, omitUndefined, textOrUndefined, valueAt } from '../../../base/json.ts';
import { callflows } from '../../../contract/resources/callflows.ts';
import { devices } from '../../../contract/resources/devices.ts';
import { users } from '../../../contract/resources/users.ts';
import { vmboxes } from '../../../contract/resources/vmboxes.ts';
import type { Resource } from '../../../contract/types.ts';
import type { Places } from '../../../engine/input/document.ts';
import { type DesiredObject, referenceTo } from '../../../engine/manifest/desired.ts';
import { desiredObject } from '../../../engine/manifest/desired-object.ts';
import { kindByName } from '../../../engine/manifest/kinds.ts';
import type { Context } from '../../command/context.ts';
import { planObjects, refuseChanges } from '../manifest/apply/apply-job.ts';
import type { Planning, PlanningInput, PlanOpening } from '../manifest/plan/planning.ts';
import { operationFor } from '../records/find-named.ts';
import type { Newcomer } from './onboard-form.ts';

export interface Person {
  readonly newcomer: Newcomer;
  readonly known: Readonly<Partial<Record<'users' | 'vmboxes', string>>>;
  /** Resources with an existing record of the person. */
  readonly has: ReadonlySet<string>;
  /** Local name of the person's objects in the plan and the log. */
  readonly key: string;
  readonly places: Places;
}

/** People, and the names of devices and callflows that the account uses. */
export interface People {
  readonly people: readonly Person[];
  readonly inUse: Readonly<Record<'devices' | 'callflows', ReadonlySet<string>>>;
}

export const isComplete = ({ newcomer: { phone }, has }: Person): boolean =>
  ['users', ...(phone ? ['devices'] : []), 'vmboxes', 'callflows'].every((name) => has.has(name));

interface MissingRecord {
  readonly resource: Resource;
  readonly data: JsonObject;
}

/** Adds the extension if another record has the name. */
const freeName = (name: string, extension: string, inUse: ReadonlySet<string>): string =>
  inUse.has(name) ? `${name} (${extension})` : name;

function missingRecords(
  { newcomer, key, known, has }: Person,
  inUse: People['inUse'],
): readonly MissingRecord[] {
  const { firstName, lastName, username, email, extension, number, phone, password } = newcomer;
  const owner_id = known.users ?? referenceTo(`users.${key}`);
  const box = known.vmboxes ?? referenceTo(`vmboxes.${key}`);
  const name = `${firstName} ${lastName}`;
  const isSoftphone = phone?.mac === undefined;
  const user = {
    username,
    first_name: firstName,
    last_name: lastName,
    password,
    presence_id: extension,
    caller_id: { internal: { name, number: extension } },
    ...omitUndefined({ email }),
  };
  const device = phone && {
    name: freeName(`${name}, ${isSoftphone ? 'softphone' : 'desk phone'}`, extension, inUse.devices),
    device_type: isSoftphone ? 'softphone' : 'sip_device',
    owner_id,
    ...omitUndefined({ mac_address: phone.mac, provision: phone.provision }),
    sip: { method: 'password', username, password: phone.password },
  };
  const callflow = {
    name: freeName(name, extension, inUse.callflows),
    numbers: [extension, ...(number === undefined ? [] : [number])],
    owner_id,
    flow: {
      module: 'user',
      data: { id: owner_id, timeout: 20 },
      children: { _: { module: 'voicemail', data: { id: box }, children: {} } },
    },
  };
  const all: readonly MissingRecord[] = [
    { resource: users, data: user },
    ...(device ? [{ resource: devices, data: device }] : []),
    { resource: vmboxes, data: { name: `${name}'s mailbox`, mailbox: extension, owner_id } },
    { resource: callflows, data: callflow },
  ];
  return all.filter(({ resource }) => !has.has(resource.name));
}

function objectFor(
  { key, places }: Person,
  { resource, data }: MissingRecord,
  outside: Context['host']['outside'],
): DesiredObject {
  const kind = kindByName(resource.name);
  const isOutside = (path: string): boolean =>
    [...outside.keys()].some((text) => textOrUndefined(valueAt(data, path))?.includes(text));
  return {
    ...desiredObject(kind.name, key, data, places),
    confidential: kind.keys.filter(isOutside),
    // The guard already asked about emergency numbers.
    allowsShadow: true,
  };
}

/** Asks all questions about the requests for people before the first request. Throws like `Context.guard`. */
export async function guardParts(context: Context, { people, inUse }: People): Promise<void> {
  for (const { resource, data } of people.flatMap((person) => missingRecords(person, inUse)))
    await context.guard({ operation: operationFor(resource, 'create'), path: {}, data });
}

/** Plans the missing records of people, and changes no existing record. Throws `conflict` for clashes. */
export function planPeople(
  context: Context,
  { people, inUse }: People,
  input: PlanningInput,
  opening: PlanOpening = {},
): Promise<Planning> {
  const { outside } = context.host;
  const objects = people.flatMap((person) =>
    missingRecords(person, inUse).map((part) => objectFor(person, part, outside)),
  );
  return planObjects(context, { objects, command: 'users onboard' }, input, {
    ...opening,
    refuse: refuseChanges,
  });
}
