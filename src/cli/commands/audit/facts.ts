import {
  allTexts,
  isObject,
  type Json,
  type JsonObject,
  objectsIn,
  textOrUndefined,
  valueAt,
} from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { NumberClass } from '../../../contract/number-classes.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import type { ResourceName } from '../../../contract/types.ts';
import {
  type FlowSet,
  flowsOfAccount,
  type NumberFacts,
  walkSteps,
} from '../../../engine/callflows/flow-set.ts';
import type { Section } from '../../../engine/manifest/account-reader.ts';
import type { KindName } from '../../../engine/manifest/kinds.ts';

/** The records of an account. Records that could not be read are `undefined` and cause no findings. */
export interface Audited extends NumberFacts {
  readonly sections: readonly Section[];
  readonly registrations: readonly JsonObject[] | undefined;
  readonly legs: readonly JsonObject[] | undefined;
  readonly failing: ReadonlyMap<string, string> | undefined;
  /** `undefined` if the service does not show its number classifiers. */
  readonly classes?: readonly NumberClass[] | undefined;
  readonly managed: ReadonlySet<string> | undefined;
  readonly ownId: string | undefined;
  /** The service runs on this machine, so local addresses are correct. */
  readonly isLocal: boolean;
  readonly nowS: number;
}

export interface Facts extends Audited {
  readonly set: FlowSet;
  readonly zone: string;
  readonly used: ReadonlySet<string>;
  readonly registered: ReadonlySet<string> | undefined;
  readonly staying: string;
}

export const trimmedText = (value: Json | undefined): string => textOrUndefined(value)?.trim() ?? '';

export const auditedRecords = (
  { sections }: Pick<Audited, 'sections'>,
  name: KindName,
): readonly JsonObject[] => sections.find(({ kind }) => kind.name === name)?.records ?? [];

export const isWhole = ({ sections }: Audited, name: ResourceName): boolean =>
  sections.some(({ kind, missing }) => kind.resource.name === name && missing === undefined);

export const hasAdminLevel = ({ priv_level: level }: JsonObject): boolean => level === 'admin';

export function deriveFacts(audited: Audited): Facts {
  const set = flowsOfAccount(audited.sections, audited);
  const enabled = auditedRecords(audited, 'users').filter(
    (user) => hasAdminLevel(user) && user.enabled !== false,
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

/** Describes why a password is weak, without revealing it. */
export function passwordWeakness(password: string, username: string): string | undefined {
  if (password.length < 10) return `has ${formatCount(password.length, 'character')}`;
  if (username !== '' && password.toLowerCase().includes(username.toLowerCase()))
    return 'contains the user name';
  if (/^\d+$/.test(password)) return 'has only digits';
  return new Set(password).size < 5 ? 'has few different characters' : undefined;
}

/** Describes why a PIN is easy to guess, without revealing it. */
export function pinWeakness(pin: string, own: string): string | undefined {
  if (pin === own) return 'is the same as its number';
  if (pin.length < 4) return `has ${formatCount(pin.length, 'digit')}`;
  if (new Set(pin).size === 1) return 'is one digit, repeated';
  return '0123456789012345678909876543210987654321'.includes(pin) ? 'is a sequence of digits' : undefined;
}

/** Returns the number that calls of a user or phone are forwarded to, if forwarding is on. */
export function forwardNumber(record: JsonObject): string | undefined {
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
  [...walkSteps(callflow.flow)].flatMap(({ step }) =>
    step.module === module ? [isObject(step.data) ? step.data : {}] : [],
  );

export const rungIds = ({ set }: Facts): ReadonlySet<string> =>
  new Set(
    set.callflows
      .flatMap(({ record }) => ringModules.flatMap((module) => moduleDataIn(record, module)))
      .flatMap(({ id, endpoints }) => [
        trimmedText(id),
        ...objectsIn(endpoints).map((each) => trimmedText(each.id)),
      ]),
  );
const ringModules = ['user', 'ring_group', 'page_group'];
