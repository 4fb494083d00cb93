import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { comparedForm } from '../../../contract/schema.ts';
import type { UniqueRule } from '../../../contract/types.ts';
import { canonicalField } from '../canonical.ts';
import { labelOf } from '../desired.ts';
import { type Kind, kindByName } from '../kinds.ts';
import type { Observed } from '../plan.ts';
import type { Draft } from './plan-object.ts';

/** A value that can stand once only, where an object has it or is to have it. */
export interface UniqueValue {
  readonly rule: UniqueRule;
  /** As it is kept. */
  readonly value: string;
}

/** A value that one object of the plan takes while another one of the account still has it. */
export interface Clash extends UniqueValue {
  readonly taker: Draft;
  /** The step of the object that gives the value up. */
  readonly holder: Draft;
}

/** Obstacle that keeps an object from a value that it is to have. */
export interface Obstacle {
  readonly taker: string;
  readonly note: string;
}

function uniqueValues(kind: Kind, record: JsonObject | undefined): ReadonlyMap<string, UniqueValue> {
  const found = new Map<string, UniqueValue>();
  if (record === undefined) return found;
  for (const rule of kind.resource.unique) {
    const [top = ''] = rule.field.split('.');
    const field = Object.hasOwn(record, top) ? record[top] : undefined;
    if (field === undefined) continue;
    const value = valueAt({ [top]: canonicalField(kind, top, field) }, rule.field);
    const values: readonly Json[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
    for (const each of values) {
      if (typeof each !== 'string' || each === '') continue;
      const text = comparedForm(kind.resource, rule.field, each);
      found.set(`${rule.pool ?? rule.field}\0${text}`, { rule, value: each });
    }
  }
  return found;
}

type Holder = { readonly draft: Draft } | { readonly record: JsonObject };

/** Finds the object that has each value now. */
function holdersOf(
  kind: Kind,
  drafts: readonly Draft[],
  listed: readonly JsonObject[],
): ReadonlyMap<string, Holder> {
  const holders = new Map<string, Holder>();
  const planned = new Set(drafts.map(({ step }) => step.id));
  for (const record of listed)
    if (typeof record.id === 'string' && !planned.has(record.id))
      for (const name of uniqueValues(kind, record).keys()) holders.set(name, { record });
  for (const draft of drafts)
    for (const name of uniqueValues(kind, draft.record).keys()) holders.set(name, { draft });
  return holders;
}

/** Clashes of unique values among the steps of a plan, and with what it leaves as it is. */
export function clashesOf(
  drafts: readonly Draft[],
  { listed }: Observed,
): { readonly clashes: readonly Clash[]; readonly obstacles: readonly Obstacle[] } {
  const clashes: Clash[] = [];
  const obstacles: Obstacle[] = [];
  for (const [name, own] of Map.groupBy(drafts, ({ step }) => step.kind)) {
    const kind = kindByName(name);
    const takers = own.filter(({ step }) => step.send !== undefined);
    if (kind.shape === 'one' || kind.resource.unique.length === 0 || takers.length === 0) continue;
    const holders = holdersOf(kind, own, listed.get(name) ?? []);
    if (holders.size === 0) continue;
    for (const taker of takers) {
      const before = uniqueValues(kind, taker.record);
      for (const [place, { rule, value }] of uniqueValues(kind, taker.next)) {
        const holder = holders.get(place);
        if (holder === undefined || before.has(place)) continue;
        if ('draft' in holder && givesUp(kind, holder.draft, place))
          clashes.push({ rule, value, taker, holder: holder.draft });
        else
          obstacles.push({
            taker: taker.step.key,
            note: `${rule.field} ${value} belongs to ${labelOfHolder(kind, holder)}, which keeps it: the service will refuse this`,
          });
      }
    }
  }
  return { clashes, obstacles };
}

const givesUp = (kind: Kind, { step, next }: Draft, place: string): boolean =>
  step.action === 'delete' || (step.send !== undefined && !uniqueValues(kind, next).has(place));

const labelOfHolder = (kind: Kind, holder: Holder): string =>
  'draft' in holder ? holder.draft.step.label : labelOf(kind, String(holder.record.id), [holder.record]);

/** What is sent so that an object gives values up for a while; a needed one becomes one that nobody has. */
export function releasing(kind: Kind, record: JsonObject, values: readonly UniqueValue[]): JsonObject {
  let part: JsonObject = {};
  for (const [rule, given] of Map.groupBy(values, (each) => each.rule)) {
    const now = valueAt(record, rule.field);
    part = withValue(
      part,
      rule.field.split('.'),
      instead(kind, rule, now, new Set(given.map(({ value }) => value))),
    );
  }
  return part;
}

function instead(kind: Kind, { field }: UniqueRule, now: Json | undefined, given: ReadonlySet<string>): Json {
  const [value = ''] = given;
  if (Array.isArray(now)) {
    const left = now.filter((each: Json) => {
      const form = canonicalField(kind, field.split('.')[0] ?? field, [each]);
      return !(Array.isArray(form) && typeof form[0] === 'string' && given.has(form[0]));
    });
    return left.length === 0 && kind.name === 'callflows' ? [placeholder(value)] : left;
  }
  const isRequired = kind.resource.required.some(
    ({ fields, on }) => fields.includes(field) && on.includes('update'),
  );
  return isRequired ? placeholder(value) : null;
}

const placeholder = (value: string): string => `moving-${value}`.slice(0, 30);

function withValue(part: JsonObject, [key = '', ...below]: readonly string[], value: Json): JsonObject {
  const inner = part[key];
  return {
    ...part,
    [key]: below.length === 0 ? value : withValue(isObject(inner) ? inner : {}, below, value),
  };
}
