import { type JsonObject, textOrUndefined, valueAt } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { didYouMean } from '../../../base/wording.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { nameByKind, recordsOf } from '../engine/records.ts';
import type { Call, CallAccount, CallLeg } from '../engine/types.ts';

/** A called leg and the names that a case can use for it. */
export interface RungLeg {
  readonly leg: CallLeg;
  readonly name: string;
  readonly names: ReadonlySet<string>;
}

/** A word in the `path` of a case, with its step or flow. */
export interface PathWord {
  readonly word: string;
  readonly at: number;
  readonly why?: string | undefined;
  readonly callflow: string;
  readonly place: readonly string[];
}

export interface CallFacts {
  readonly account: CallAccount;
  readonly call: Call;
  readonly path: readonly PathWord[];
  readonly rings: readonly RungLeg[];
  readonly answered: readonly RungLeg[];
  readonly hears: readonly string[];
  readonly events: readonly string[];
  readonly boxes: readonly string[];
  readonly records: readonly JsonObject[];
  readonly cost: number;
}

export function makeFacts(account: CallAccount, call: Call): CallFacts {
  const rings = call.legs.filter(({ side }) => side === 'B').map((leg) => describeRungLeg(account, leg));
  const [caller] = call.legs;
  const bridged = new Set(
    call.events.flatMap((event) => (event.kind === 'bridge' ? [event.leg, event.other] : [])),
  );
  const amounts = call.legs.map(({ facts }) => (typeof facts.cost === 'number' ? facts.cost : 0));
  return {
    account,
    call,
    rings,
    path: call.events.flatMap(pathWordsOfEvent),
    answered: rings.filter(({ leg }) => leg.answered !== undefined && bridged.has(leg.id)),
    hears: call.events.flatMap((event) =>
      event.kind === 'hears' && event.leg === caller?.id ? [event.what] : [],
    ),
    events: call.events.flatMap(hooksOf),
    boxes: call.events.flatMap((event) =>
      event.kind === 'left' && event.what === 'message' ? [boxName(account, event.box)] : [],
    ),
    records: call.legs.map(callRecordFields),
    // Costs are stored in 1/10,000 of the currency.
    cost: amounts.reduce((sum, each) => sum + each, 0) / 10_000,
  };
}

const boxName = (account: CallAccount, box = ''): string =>
  caseNames(account).find(box, ['vmboxes'])?.name ?? box;

function describeRungLeg(account: CallAccount, leg: CallLeg): RungLeg {
  const { get } = recordsOf(account);
  const [user, device] = [get('users', leg.user), get('devices', leg.device)];
  const shown = [user && nameByKind('users', user), device && nameByKind('devices', device)].flatMap(
    (name) => name ?? [],
  );
  const ids = [leg.user, leg.device].flatMap((id) => id ?? []);
  return { leg, name: shown[0] ?? leg.to, names: new Set([...shown, ...ids, leg.to]) };
}

function pathWordsOfEvent(event: Call['events'][number]): readonly PathWord[] {
  if (event.kind === 'flow')
    return [{ word: event.word, at: event.at, why: event.why, callflow: event.callflow, place: ['flow'] }];
  if (event.kind !== 'step') return [];
  const { at, callflow, place, word, words = [word], why } = event.step;
  return words.map((each) => ({ word: each, at, callflow, place, why }));
}

const hookOf: Readonly<Record<string, string>> = {
  leg: 'channel_create',
  answer: 'channel_answer',
  bridge: 'channel_bridge',
  end: 'channel_destroy',
  parked: 'parking',
  retrieved: 'parking',
  abandoned: 'parking',
};

function hooksOf(event: Call['events'][number]): readonly string[] {
  if (event.kind === 'hook') return [event.hook];
  const hook = hookOf[event.kind];
  return hook === undefined ? [] : [hook];
}

function callRecordFields(leg: CallLeg): JsonObject {
  const { callerId, began, ended, answered } = leg;
  return {
    call_direction: leg.side === 'A' ? 'inbound' : 'outbound',
    to: leg.to,
    hangup_cause: leg.cause,
    duration_seconds: Math.round(ended - began),
    ringing_seconds: Math.round((answered ?? ended) - began),
    billing_seconds: answered === undefined ? 0 : Math.round(ended - answered),
    caller_id_number: callerId.number,
    caller_id_name: callerId.name,
    owner_id: leg.user,
    authorizing_id: leg.device,
    ...leg.facts,
  };
}

export interface NamedInCase {
  readonly kind: ResourceName;
  readonly id: string;
  readonly name: string;
}

/** The records of an account by the names that case files can use. */
export interface CaseNames {
  readonly find: (text: string, kinds: readonly ResourceName[]) => NamedInCase | undefined;
  /** Returns the message for an unknown name, with the nearest known name. */
  readonly missing: (text: string, kinds: readonly ResourceName[]) => string;
}

const known = new WeakMap<CallAccount, CaseNames>();

/**
 * Indexes the names of an account: local names of a manifest, natural keys, names and ids. A kind can precede a name:
 * `user:alice`.
 */
export function caseNames(account: CallAccount): CaseNames {
  const made = known.get(account) ?? makeNames(account);
  known.set(account, made);
  return made;
}

function makeNames(account: CallAccount): CaseNames {
  const tables = new Map<ResourceName, ReadonlyMap<string, NamedInCase>>();
  const tableOf = (kind: ResourceName): ReadonlyMap<string, NamedInCase> => {
    const found = tables.get(kind);
    if (found) return found;
    const table = new Map<string, NamedInCase>();
    const { naturalKeys } = resourceByName(kind);
    for (const record of account.of(kind)) {
      const id = textOrUndefined(record.id) ?? '';
      const named = { kind, id, name: nameByKind(kind, record) };
      const local = id.includes('.') ? [id.slice(id.indexOf('.') + 1)] : [];
      const keys = [...naturalKeys, 'name'].map((key) => textOrUndefined(valueAt(record, key)));
      const numbers = Array.isArray(record.numbers) ? record.numbers.map(textOrUndefined) : [];
      for (const key of [named.name, ...keys, ...numbers, ...local, id])
        if (key !== undefined && key !== '' && !table.has(key)) table.set(key, named);
    }
    tables.set(kind, table);
    return table;
  };
  const namesOfKind = (text: string, kinds: readonly ResourceName[]) => {
    const [, word, name] = /^(user|device|group):(.+)$/.exec(text) ?? [];
    return {
      name: name ?? text,
      among: word === undefined ? kinds : kinds.filter((kind) => kind === `${word}s`),
    };
  };
  return {
    find(text, kinds) {
      const { name, among } = namesOfKind(text, kinds);
      for (const kind of among) {
        const found = tableOf(kind).get(name);
        if (found) return found;
      }
      return undefined;
    },
    missing(text, kinds) {
      const { name, among } = namesOfKind(text, kinds);
      const words = among.map((kind) => resourceByName(kind).singular.replaceAll('_', ' '));
      const near = findNearest(
        name,
        among.flatMap((kind) => [...tableOf(kind).keys()]),
      );
      return `${words.join(' or ')} ${JSON.stringify(name)} not found.${didYouMean(near)}`;
    },
  };
}
