import { compare, type Decimal, decimal, format, minus, plus, zero } from '../../../base/decimal.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { cutTo, quoted } from '../../../base/wording.ts';
import { resourceByWord } from '../../../contract/catalogue.ts';
import type { Resource } from '../../../contract/types.ts';
import type { Change, Plan, Step } from '../../../engine/manifest/plan.ts';

/** One charged item of a 402, as far as it is understood. Text of the service stands on one line. */
export interface Charge {
  readonly item: string;
  readonly category: string;
  /** Quantity that the change adds; negative if it takes some away, `undefined` if that is not known. */
  readonly added: Decimal | undefined;
  /** The quantity as the service names it: what there is in all after the change. */
  readonly inAll: string;
  readonly rate: string;
  /** All discounts on what is added; `undefined` where they are not understood. */
  readonly discount: Decimal | undefined;
  /** Amount that is due once, with the change. */
  readonly dueNow: Decimal | undefined;
  /** Amount that is added to each bill from now on. `undefined`: a field is missing, foreign or no number. */
  readonly recurring: Decimal | undefined;
  /** Facts from the service that telctl does not understand, as text. */
  readonly strange: readonly string[];
}

export interface Charges {
  readonly lines: readonly Charge[];
  /** Facts beside the items that are not understood, as text. */
  readonly strange: readonly string[];
  readonly dueNow: Decimal | undefined;
  /** Amount that is added to each bill; amounts that the change takes away are not counted. */
  readonly recurring: Decimal | undefined;
  /** Both together: what a budget covers. `undefined`: something in the charges is not understood. */
  readonly estimate: Decimal | undefined;
  /** Total of each bill of the account after the change, if the service says it. */
  readonly bill: Decimal | undefined;
}

/** Adds lines up. What is not understood makes the sum unknown, never a guess. */
export function chargesOf(
  lines: readonly Charge[],
  strange: readonly string[] = [],
  bill: Decimal | undefined = undefined,
): Charges {
  const isUnderstood = strange.length === 0 && lines.every((line) => line.strange.length === 0);
  const dueNow = isUnderstood ? sumOf(lines.map((line) => line.dueNow)) : undefined;
  const recurring = isUnderstood ? sumOf(lines.map((line) => line.recurring)) : undefined;
  return {
    lines,
    strange,
    dueNow,
    recurring,
    bill,
    estimate: dueNow && recurring ? plus(dueNow, recurring) : undefined,
  };
}

/** The sum of what is added; what is taken away is not set against it. */
const sumOf = (amounts: readonly (Decimal | undefined)[]): Decimal | undefined =>
  amounts.reduce<Decimal | undefined>(
    (sum, amount) => sum && amount && (compare(amount, zero) > 0 ? plus(sum, amount) : sum),
    zero,
  );

export const orUnknown = (value: Decimal | undefined): string => (value ? format(value) : 'unknown');

export const estimateText = ({ estimate }: Charges): string => orUnknown(estimate);

/** True when every item is understood and the total is at most `budget`. */
export const within = ({ estimate }: Charges, budget: Decimal): boolean =>
  estimate !== undefined && compare(estimate, budget) <= 0;

export const countText = (count: Decimal): string => format(count).replace(/\.00$/, '');

/** `10 twoway_trunks, 1 more inbound_trunks (4 in all)`. */
const itemsText = ({ lines }: Charges): string => lines.map(itemText).join(', ');

function itemText({ item, added, inAll }: Charge): string {
  if (added === undefined) return `${inAll} ${item}`.trim();
  const count = countText(added);
  if (compare(added, zero) < 0) return `${count.slice(1)} fewer ${item}`;
  return count === inAll ? `${count} ${item}` : `${count} more ${item} (${inAll} in all)`;
}

/** `estimated 33.00 (3.00 now, 30.00 with each bill) for 3 more inbound_trunks (5 in all)` */
export function chargesText(charges: Charges): string {
  const { dueNow, recurring } = charges;
  const parts =
    dueNow && recurring && compare(dueNow, zero) > 0
      ? ` (${format(dueNow)} now, ${format(recurring)} with each bill)`
      : '';
  return `estimated ${estimateText(charges)}${parts} for ${itemsText(charges)}`;
}

/** The question about charges: `Accept 30.00 for 3 inbound_trunks in acme?`; with several items `for 3 items`. */
export function questionText(charges: Charges, account: string): string {
  const [only, ...others] = charges.lines;
  const what =
    only === undefined || others.length > 0
      ? `${charges.lines.length} items`
      : `${only.added ? countText(only.added) : cutTo(only.inAll, widestWord)} ${quoted(cutTo(only.item, widestWord))}`;
  const sum = charges.estimate ? format(charges.estimate) : 'charges of an unknown amount';
  return `Accept ${sum} for ${what} in ${cutTo(account, widestWord)}?`;
}

/** Widest name in the question, in cells. */
const widestWord = 30;

/** Something that the service named, as text on one line, without runs of blanks and of no more cells than help anybody. */
export const said = (value: unknown): string => {
  const text = typeof value === 'string' ? value : value === undefined ? 'unknown' : JSON.stringify(value);
  return cutTo(text.replaceAll(/\s+/gu, ' ').trim(), widestText);
};

/** Widest text of the service in charges, in cells. */
const widestText = 200;

/** A number exactly as the service wrote it. */
export const signed = (value: Json | undefined): Decimal | undefined =>
  typeof value === 'number' ? decimal(String(value)) : undefined;

export function amount(value: Json | undefined): Decimal | undefined {
  const read = signed(value);
  return read && read.units >= 0n ? read : undefined;
}

export const whole = (value: Json | undefined): Decimal | undefined =>
  Number.isSafeInteger(value) ? signed(value) : undefined;

export const strangeFields = (fields: JsonObject, known: ReadonlySet<string>): readonly string[] =>
  Object.entries(fields)
    .filter(([field]) => !known.has(field))
    .map(([field, value]) => said(`${field}=${JSON.stringify(value)}`));

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
