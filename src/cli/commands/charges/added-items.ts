import { compare, type Decimal, decimal, minus, plus, zero } from '../../../base/decimal.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { resourceByWord } from '../../../contract/catalogue.ts';
import type { Resource } from '../../../contract/types.ts';
import type { Change, Plan, Step } from '../../../engine/manifest/plan.ts';
import { whole } from './charges.ts';

/** A number of records, or of what a field counts, that a plan adds. */
export interface AddedItem {
  readonly kind: string;
  /** Category and item under which service plans price it (Conventions, Plan record and item). */
  readonly category: string;
  readonly item: string;
  readonly added: Decimal;
  /** Number that the step itself found there; left out where it counts records. */
  readonly before?: Decimal;
}

const pricedAs = (kind: string): Resource['pricedAs'] => resourceByWord(kind)?.pricedAs;

/** The category of what steps of a kind add. */
export const categoryOf = (kind: string): string => pricedAs(kind)?.category ?? kind;

/** Everything that the steps of a plan add and that a service may price, each item once. */
export function addedItems({ steps }: Pick<Plan, 'steps'>): readonly AddedItem[] {
  const items = new Map<string, AddedItem>();
  for (const item of steps.flatMap(itemsOf)) {
    const key = JSON.stringify([item.category, item.item]);
    const known = items.get(key);
    items.set(key, known ? { ...known, added: plus(known.added, item.added) } : item);
  }
  return [...items.values()];
}

function itemsOf(step: Step): readonly AddedItem[] {
  const { kind, by, mayCost, changes } = step;
  if (by === undefined) return [];
  if (mayCost) return changes.flatMap((change) => raisedBy(kind, change));
  const item = itemOf(step);
  return item === undefined ? [] : [{ kind, category: categoryOf(kind), item, added: one }];
}

const one = decimal('1') ?? zero;

function raisedBy(kind: string, { path, before, after }: Change): readonly AddedItem[] {
  const [old, now] = [whole(before ?? 0), whole(after)];
  const added = old && now && minus(now, old);
  return added && compare(added, zero) > 0
    ? [{ kind, category: categoryOf(kind), item: path, before: old, added }]
    : [];
}

/** The item as which a step adds a record: a new one, or one that becomes of another sort. */
function itemOf({ kind, by, send, changes, completes, releases }: Step): string | undefined {
  const { field, item } = pricedAs(kind) ?? {};
  if (item === undefined || completes !== undefined || releases !== undefined || by === 'delete')
    return undefined;
  if (by === 'create') return textIn(send, field) ?? item;
  const change = changes.find(({ path }) => path === field);
  return change && (typeof change.after === 'string' ? change.after : item);
}

function textIn(body: JsonObject | undefined, field: string | undefined): string | undefined {
  const value = field !== undefined && isObject(body) ? body[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}
