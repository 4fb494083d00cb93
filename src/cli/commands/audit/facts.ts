import { isObject, type Json, type JsonObject, textOf, valueAt } from '../../../base/json.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { type FlowSet, flowsOfAccount, type Section, stepsIn } from '../../../engine/callflows/flow-set.ts';
import type { KindName } from '../../../engine/manifest/kinds.ts';

/** What was read of an account. What could not be read is `undefined`: nothing is said of it. */
export interface Audited {
  readonly sections: readonly Section[];
  readonly registrations: readonly JsonObject[] | undefined;
  readonly legs: readonly JsonObject[] | undefined;
  /** Webhooks whose newest delivery failed, by id, with the reason. */
  readonly failing: ReadonlyMap<string, string> | undefined;
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

export const recordsOf = ({ sections }: Pick<Audited, 'sections'>, name: KindName): readonly JsonObject[] =>
  sections.find(({ kind }) => kind.name === name)?.records ?? [];

/** Tells whether all records of a kind were read. */
export const isWhole = ({ sections }: Audited, name: ResourceName): boolean =>
  sections.some(({ kind, missing }) => kind.resource.name === name && missing === undefined);

function* textsIn(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const each of value) yield* textsIn(each);
  else if (isObject(value))
    for (const [key, each] of Object.entries(value)) {
      yield key;
      yield* textsIn(each);
    }
}

export const stepsOf = ({ set }: Facts): readonly JsonObject[] =>
  set.callflows.flatMap(({ record }) => [...stepsIn(record.flow)].map(({ step }) => step));

export const isAdministrator = ({ priv_level: level }: JsonObject): boolean => level === 'admin';

export function factsOf(audited: Audited): Facts {
  const set = flowsOfAccount(audited.sections);
  const enabled = recordsOf(audited, 'users').filter(
    (user) => isAdministrator(user) && user.enabled !== false,
  );
  const staying = enabled.find(({ id }) => id === audited.ownId) ?? enabled[0];
  const used = new Set(
    audited.sections.flatMap(({ records }) => records.flatMap(({ id, ...record }) => [...textsIn(record)])),
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
