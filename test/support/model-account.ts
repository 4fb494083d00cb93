import { isObject, type Json, type JsonObject, valueAt } from '../../src/base/json.ts';
import { normalisedNumber, withDialledNumbers } from '../../src/contract/phone-number.ts';
import { createNormaliser } from '../../src/contract/validate.ts';
import {
  type DesiredAccount,
  type DesiredObject,
  referencesIn,
  withReferences,
} from '../../src/engine/manifest/desired.ts';
import { type KindName, kindByName } from '../../src/engine/manifest/kinds.ts';
import { entryFor } from '../../src/engine/manifest/ledger-entries.ts';
import type { LiveObject, Observed, Plan, Step } from '../../src/engine/manifest/plan.ts';
import type { Ledger, LedgerEntry } from '../../src/engine/state/ledger.ts';
import { objectKey } from '../../src/engine/state/log.ts';
import { mergeRecords } from '../../src/extensions/sandbox/fields.ts';

export function desiredObject(
  kind: KindName,
  name: string,
  given: JsonObject,
  more: Partial<DesiredObject> = {},
): DesiredObject {
  const { schema, shape } = kindByName(kind);
  const key = shape === 'one' ? kind : `${kind}.${name}`;
  const fields = withDialledNumbers(schema, given);
  return {
    kind,
    name,
    key,
    fields,
    unset: [],
    confidential: [],
    sources: new Map(),
    refersTo: referencesIn(fields),
    protect: false,
    renamedFrom: undefined,
    place: () => 'test.yaml:1:1',
    problem: (_, message) => ({ place: 'test.yaml:1:1', file: 'test.yaml', line: 1, column: 1, message }),
    ...more,
  };
}

export const desiredAccount = (objects: readonly DesiredObject[]): DesiredAccount => ({
  account: undefined,
  objects,
});

interface Kept {
  readonly kind: KindName;
  readonly id: string;
  readonly record: JsonObject;
}

const set = 'office';
const salt = 'abcdef0123456789';

/**
 * A model of an account: stores records like compatible services (defaults, normalized numbers and usernames, hidden
 * passwords), and a ledger.
 */
export class ModelAccount {
  readonly #objects = new Map<string, Kept>();
  readonly #entries = new Map<string, LedgerEntry>();
  #made = 0;

  /** Returns the account as the planner sees it. Objects have the keys under which they were created. */
  observed(desired: DesiredAccount, byId: ReadonlyMap<string, string> = new Map()): Observed {
    const keys = new Set(desired.objects.map(({ key }) => key));
    const live = ({ id, record }: Kept): LiveObject => ({ id, record: { id, ...record } });
    const found = [...this.#objects].map(([key, kept]) => [byId.get(key) ?? key, live(kept)] as const);
    const once = desired.objects
      .filter(({ kind, key }) => kindByName(kind).shape === 'one' && !this.#objects.has(key))
      .map(({ kind, key }): [string, LiveObject] => [key, { id: kind, record: storedRecord(kind, {}) }]);
    const listed = Map.groupBy(this.#objects.values(), ({ kind }) => kind);
    return {
      account: { id: 'account', name: 'acme', origin: 'http://127.0.0.1:1', ownerId: 'owner' },
      matches: new Map([...found.filter(([key]) => keys.has(key)), ...once]),
      abandoned: new Map(found.filter(([key]) => !keys.has(key) && this.#entries.has(key))),
      doubles: new Map(),
      vanished: new Set(),
      listed: new Map(
        [...listed].map(([kind, all]) => [kind, all.map(({ id, record }) => ({ id, ...record }))]),
      ),
      unreadable: new Set(),
      atSeconds: undefined,
      unfiltered: new Set(),
    };
  }

  ledger(): Ledger | undefined {
    const entries = [...this.#entries.values()];
    return entries.length === 0
      ? undefined
      : { version: 1, origin: 'http://127.0.0.1:1', accountId: 'account', salt, entries };
  }

  /** Executes a plan. Throws if a step refers to a missing object or creates an existing one. */
  apply(plan: Plan): void {
    for (const step of plan.steps) this.#do(step);
  }

  /** Changes a record without telctl. */
  change(key: string, part: JsonObject): void {
    const kept = this.#objects.get(key);
    if (kept === undefined) throw new Error(`${key} does not exist`);
    this.#objects.set(key, { ...kept, record: mergeRecords(kept.record, part) });
  }

  /** Deletes an object without telctl. */
  remove(key: string): void {
    this.#objects.delete(key);
  }

  record(key: string): JsonObject | undefined {
    return this.#objects.get(key)?.record;
  }

  keys(): readonly string[] {
    return [...this.#objects.keys()].sort();
  }

  #do(step: Step): void {
    const target = objectKey(step);
    const before = this.#objects.get(target);
    if (step.action === 'delete') {
      this.#objects.delete(target);
      this.#entries.delete(target);
      return;
    }
    const send = step.send === undefined ? undefined : this.#resolved(step.send);
    const old =
      before?.record ?? (kindByName(step.kind).shape === 'one' ? storedRecord(step.kind, {}) : undefined);
    if (send !== undefined) {
      if (step.action === 'create' && before !== undefined) throw new Error(`${target} was created twice`);
      if (step.action !== 'create' && old === undefined) throw new Error(`${target} does not exist`);
      const base = step.by === 'patch' ? mergeRecords(old ?? {}, send) : send;
      const kept = {
        kind: step.kind,
        id: before?.id ?? this.#newId(step),
        record: storedRecord(step.kind, base),
      };
      this.#refuseClash(target, kept);
      this.#objects.set(target, kept);
    }
    if (step.releases === undefined) this.#note(step);
  }

  #newId({ kind }: Step): string {
    if (kindByName(kind).shape === 'one') return kind;
    this.#made += 1;
    return String(this.#made).padStart(32, '0');
  }

  #resolved(send: JsonObject): JsonObject {
    const value = withReferences(send, (key) => this.#objects.get(key)?.id);
    const [missing] = referencesIn(value);
    if (missing !== undefined) throw new Error(`${missing} does not exist yet`);
    return isObject(value) ? value : {};
  }

  #note(step: Step): void {
    const key = objectKey(step);
    const kept = this.#objects.get(key);
    if (kept === undefined) return;
    const { kind, id, record } = kept;
    const fields = this.#resolved(step.managed);
    const known = this.#entries.get(key);
    const entry = entryFor(salt, {
      set,
      key,
      kind,
      id,
      origin: known?.origin ?? 'created',
      protect: step.protect,
      fields,
      record: { id, ...record },
      atSeconds: undefined,
      nowMs: 0,
    });
    this.#entries.set(key, entry);
  }

  #refuseClash(key: string, { kind, record }: Kept): void {
    for (const { field, ignoreCase } of kindByName(kind).resource.unique) {
      const own = textValues(record, field, ignoreCase);
      for (const [other, kept] of this.#objects) {
        if (other === key || kept.kind !== kind) continue;
        const taken = textValues(kept.record, field, ignoreCase).find((text) => own.includes(text));
        if (taken !== undefined) throw new Error(`${key} takes ${field} ${taken} of ${other}`);
      }
    }
  }
}

function textValues(record: JsonObject, field: string, ignoreCase = false): readonly string[] {
  const value = valueAt(record, field);
  const all: readonly Json[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return all
    .filter((each) => typeof each === 'string')
    .map((each) => (ignoreCase ? each.toLowerCase() : each));
}

const normalisers = new Map<KindName, ReturnType<typeof createNormaliser>>();

/** Returns a record as the service stores it. */
function storedRecord(name: KindName, record: JsonObject): JsonObject {
  const kind = kindByName(name);
  const known = normalisers.get(name) ?? createNormaliser(kind.schema, 'conventions');
  normalisers.set(name, known);
  const { value } = known(record);
  const { password: _, id: __, ...kept } = isObject(value) ? value : {};
  return {
    ...kept,
    ...(typeof kept.username === 'string' ? { username: kept.username.toLowerCase() } : {}),
    ...(name === 'callflows' && Array.isArray(kept.numbers)
      ? {
          numbers: kept.numbers.map((each: Json) =>
            typeof each === 'string' ? normalisedNumber(each) : each,
          ),
        }
      : {}),
  };
}
