import {
  allTexts,
  isObject,
  type Json,
  type JsonObject,
  objectsIn,
  textOf,
  valueAt,
} from '../../../base/json.ts';
import { counted } from '../../../base/wording.ts';
import type { NumberClass } from '../../../contract/number-classes.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import type { ResourceName } from '../../../contract/types.ts';
import {
  type FlowSet,
  flowsOfAccount,
  type NumberFacts,
  stepsIn,
} from '../../../engine/callflows/flow-set.ts';
import type { Section } from '../../../engine/manifest/account-reader.ts';
import type { KindName } from '../../../engine/manifest/kinds.ts';

/** What was read of an account. What could not be read is `undefined`: nothing is said of it. */
export interface Audited extends NumberFacts {
  readonly sections: readonly Section[];
  readonly registrations: readonly JsonObject[] | undefined;
  readonly legs: readonly JsonObject[] | undefined;
  /** Webhooks whose newest delivery failed, by id, with the reason. */
  readonly failing: ReadonlyMap<string, string> | undefined;
  /** Classes of numbers of the service; `undefined` if it does not show them. */
  readonly classes?: readonly NumberClass[] | undefined;
  /** Ids of objects in manifests; `undefined`: nothing of the account stands in one. */
  readonly managed: ReadonlySet<string> | undefined;
  /** The user who is signed in, where one is. */
  readonly ownId: string | undefined;
  /** The service is on this machine, so that addresses there are no mistake. */
  readonly isLocal: boolean;
  /** Seconds since the Unix epoch. */
  readonly nowS: number;
}

export interface Facts extends Audited {
  readonly set: FlowSet;
  readonly zone: string;
  /** Everything that a callflow, group, user or the account refers to, by id. */
  readonly used: ReadonlySet<string>;
  /** Ids and user names of phones that are registered; `undefined` where that is not known. */
  readonly registered: ReadonlySet<string> | undefined;
  /** The administrator who is to stay one, whatever becomes of the others. */
  readonly staying: string;
}

/** A text without blanks around it; empty for anything else. */
export const trimmedText = (value: Json | undefined): string => textOf(value)?.trim() ?? '';

export const auditedRecords = (
  { sections }: Pick<Audited, 'sections'>,
  name: KindName,
): readonly JsonObject[] => sections.find(({ kind }) => kind.name === name)?.records ?? [];

/** Tells whether all records of a kind were read. */
export const isWhole = ({ sections }: Audited, name: ResourceName): boolean =>
  sections.some(({ kind, missing }) => kind.resource.name === name && missing === undefined);

export const isAdministrator = ({ priv_level: level }: JsonObject): boolean => level === 'admin';

export function factsOf(audited: Audited): Facts {
  const set = flowsOfAccount(audited.sections, audited);
  const enabled = auditedRecords(audited, 'users').filter(
    (user) => isAdministrator(user) && user.enabled !== false,
  );
  const staying = enabled.find(({ id }) => id === audited.ownId) ?? enabled[0];
  const used = new Set(
    audited.sections.flatMap(({ records }) => records.flatMap(({ id, ...record }) => [...allTexts(record)])),
  );
  const registered = audited.registrations?.flatMap(({ authorizing_id: id, username }) => [
    trimmedText(id),
    trimmedText(username),
  ]);
  return {
    ...audited,
    set,
    used,
    staying: trimmedText(staying?.id),
    zone: trimmedText(valueAt(set.account, 'timezone')) || 'UTC',
    registered: registered && new Set(registered),
  };
}

/** Says what is weak about a password, without it. */
export function weakness(password: string, username: string): string | undefined {
  if (password.length < 10) return `has ${counted(password.length, 'character')}`;
  if (username !== '' && password.toLowerCase().includes(username.toLowerCase()))
    return 'holds the user name';
  if (/^\d+$/.test(password)) return 'has digits alone';
  return new Set(password).size < 5 ? 'has few different characters' : undefined;
}

/** Says why a PIN is easily guessed, without it. */
export function whyGuessable(pin: string, own: string): string | undefined {
  if (pin === own) return 'is its own number';
  if (pin.length < 4) return `has ${counted(pin.length, 'digit')}`;
  if (new Set(pin).size === 1) return 'is one digit, repeated';
  return '0123456789012345678909876543210987654321'.includes(pin) ? 'is a row of digits' : undefined;
}

/** The number that calls of a user or a phone are forwarded to; `undefined` where they are not. */
export function forwardedTo(record: JsonObject): string | undefined {
  const isOn = ['enabled', 'failover'].some((key) => valueAt(record, `call_forward.${key}`) === true);
  const number = trimmedText(valueAt(record, 'call_forward.number'));
  return isOn && number !== '' ? normalisedNumber(number) : undefined;
}

export const pinsOf = (room: JsonObject): readonly Json[] =>
  ['member.pins', 'moderator.pins'].flatMap((path) => {
    const pins = valueAt(room, path);
    return Array.isArray(pins) ? pins : [];
  });

export const moduleDataIn = (callflow: JsonObject, module: string): readonly JsonObject[] =>
  [...stepsIn(callflow.flow)].flatMap(({ step }) =>
    step.module === module ? [isObject(step.data) ? step.data : {}] : [],
  );

/** Ids of the users and phones that callflows ring. */
export const ringsUsers = ({ set }: Facts): ReadonlySet<string> =>
  new Set(
    set.callflows
      .flatMap(({ record }) => ringing.flatMap((module) => moduleDataIn(record, module)))
      .flatMap(({ id, endpoints }) => [
        trimmedText(id),
        ...objectsIn(endpoints).map((each) => trimmedText(each.id)),
      ]),
  );
const ringing = ['user', 'ring_group', 'page_group'];
