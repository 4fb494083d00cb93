import { compare, type Decimal, format, minus, times, zero } from '../../../base/decimal.ts';
import { isObject, type Json, type JsonObject, objectsIn, valueAt } from '../../../base/json.ts';
import {
  type Charge,
  type Charges,
  chargesOf,
  oneLineText,
  readAmount,
  signed,
  strangeFields,
  totalOf,
  wholeAmount,
} from './charges.ts';

/** Fields of an invoice (Conventions, Limits and 402); what else stands there may cost something. */
const invoiceFields = new Set(['items', 'activation_charges', 'summary', 'plan', 'bookkeeper', 'taxes']);
const itemFields = new Set([
  'category',
  'item',
  'name',
  'quantity',
  'billable',
  'rate',
  'discounts',
  'minimum',
  'maximum',
  'prorate',
  'taxes',
  'total',
  'changes',
  'activation_charge',
]);
const activationFields = new Set(['category', 'item', 'name', 'quantity', 'billable', 'rate', 'total']);
const summaryFields = new Set(['today', 'recurring']);

/**
 * Reads charges that stand as invoices. An invoice lists every priced item of the account; those with `changes` are
 * part of the change, and the difference that stands there is what is added.
 */
export function readInvoices(invoices: readonly Json[]): Charges {
  const read = invoices.map((invoice) => readInvoice(isObject(invoice) ? invoice : { invoice }));
  return chargesOf(
    read.flatMap(({ lines }) => lines),
    read.flatMap(({ strange }) => strange),
    totalOf(read.map(({ bill }) => bill)),
  );
}

function readInvoice(invoice: JsonObject) {
  const items = objectsIn(invoice.items);
  const changed = items.filter(({ changes }) => isObject(changes));
  const due = objectsIn(invoice.activation_charges);
  const isFor = (item: JsonObject) => (one: JsonObject) =>
    one.item === item.item && one.category === item.category;
  const lines = changed.map((item) =>
    readItem(item, due.filter(isFor(item)), valueAt(invoice, `plan.${item.category}.${item.item}`)),
  );
  const others = due.filter((one) => !changed.some(isFor(one)));
  const summary = isObject(invoice.summary) ? invoice.summary : {};
  const today = lines.concat(others.map(readActivation));
  return {
    lines: today,
    strange: [
      ...strangeFields(invoice, invoiceFields),
      ...strangeFields(summary, summaryFields),
      ...notObjects(invoice, 'items'),
      ...notObjects(invoice, 'activation_charges'),
      ...(invoice.summary === undefined || isObject(invoice.summary)
        ? []
        : [saidOf('summary', invoice.summary)]),
      // What changes in another way than is known, or is charged without any change, is understood by nobody.
      ...items.flatMap(({ changes }) =>
        changes === undefined || isObject(changes) ? [] : [saidOf('changes', changes)],
      ),
      ...others.map((one) => saidOf('activation_charges', one)),
      ...taxesIn(invoice),
      ...differs('today', summary.today, totalOf(today.map(({ dueNow }) => dueNow))),
      ...differs('recurring', summary.recurring, totalOf(items.map(({ total }) => signed(total)))),
    ],
    bill: readAmount(summary.recurring),
  };
}

const saidOf = (name: string, value: Json): string => oneLineText(`${name}=${JSON.stringify(value)}`);

/** What stands in a list of an invoice, or in place of it, and is no object. */
function notObjects(invoice: JsonObject, name: string): readonly string[] {
  const { [name]: value } = invoice;
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [saidOf(name, value)];
  return value.flatMap((each) => (isObject(each) ? [] : [saidOf(name, each)]));
}

/** Taxes stand in the bill, and nowhere is said what they come to. */
const taxesIn = ({ taxes }: JsonObject): readonly string[] =>
  taxes === undefined || (Array.isArray(taxes) && taxes.length === 0) ? [] : [saidOf('taxes', taxes)];

/** Returns a total that the service names, if the lines come to something else. */
function differs(name: string, named: Json | undefined, lines: Decimal | undefined): readonly string[] {
  if (named === undefined) return [];
  const total = readAmount(named);
  return lines && total && compare(lines, total) === 0 ? [] : [saidOf(name, named)];
}

function readItem(item: JsonObject, due: readonly JsonObject[], priced: Json | undefined): Charge {
  const added = wholeAmount(valueAt(item, 'changes.difference.quantity'));
  const rate = readAmount(item.rate);
  return {
    item: oneLineText(item.item),
    category: oneLineText(item.category),
    added,
    inAll: oneLineText(item.quantity),
    rate: rate ? format(rate) : oneLineText(item.rate),
    discount: zero,
    dueNow:
      due.length === 0 && costs(item.activation_charge)
        ? undefined
        : totalOf(due.map((one) => readActivation(one).dueNow)),
    recurring: added && plausible(added, recurringOf(item, rate, priced)),
    strange: [...strangeFields(item, itemFields), ...taxesIn(item)],
  };
}

/** True for anything but nothing, or an amount of zero. */
function costs(value: Json | undefined): boolean {
  const read = readAmount(value ?? 0);
  return read === undefined || compare(read, zero) > 0;
}

/** The amount, where it rises with what is added, and falls with what is taken away. */
function plausible(added: Decimal, recurring: Decimal | undefined): Decimal | undefined {
  const sign = recurring && compare(recurring, zero);
  return sign === 0 || sign === compare(added, zero) ? recurring : undefined;
}

/**
 * Returns what an item adds to each bill: the difference that the service names, else its added quantity at its rate.
 * Discounts on it are not known and not counted. A rate that depends on the quantity tells nothing of what is added.
 */
function recurringOf(
  item: JsonObject,
  rate: Decimal | undefined,
  priced: Json | undefined,
): Decimal | undefined {
  const named = valueAt(item, 'changes.difference.total');
  if (named !== undefined) return isPossible(item, named) ? signed(named) : undefined;
  const billable = wholeAmount(valueAt(item, 'changes.difference.billable'));
  const isTiered =
    isObject(priced) && ['rates', 'flat_rate', 'flat_rates'].some((key) => Object.hasOwn(priced, key));
  const isTaxed = isObject(priced) && taxesIn(priced).length > 0;
  const isKnown = !isTiered && !isTaxed && addsUp(item, rate);
  return billable && rate && isKnown ? times(billable, rate) : undefined;
}

/** True where an item that is new as a whole adds its whole total. */
const isPossible = (item: JsonObject, named: Json): boolean =>
  item.total === undefined ||
  valueAt(item, 'changes.difference.quantity') !== item.quantity ||
  named === item.total;

/** Tells whether an item's own total is its quantity at its rate, less its discounts. */
function addsUp({ billable, total, discounts }: JsonObject, rate: Decimal | undefined): boolean {
  const count = wholeAmount(billable);
  const sum = signed(total);
  const off = isObject(discounts) ? readAmount(discounts.total) : zero;
  return Boolean(count && rate && sum && off && compare(minus(times(count, rate), off), sum) === 0);
}

/** Reads the charge that is due once for an item, understood if it is a quantity at a rate. */
function readActivation(due: JsonObject): Charge {
  const count = wholeAmount(due.billable);
  const rate = readAmount(due.rate);
  const total = readAmount(due.total);
  const fits = count && rate && total && compare(times(count, rate), total) === 0;
  return {
    item: oneLineText(due.item),
    category: oneLineText(due.category),
    added: count,
    inAll: oneLineText(due.billable),
    rate: rate ? format(rate) : oneLineText(due.rate),
    discount: zero,
    dueNow: fits && strangeFields(due, activationFields).length === 0 ? total : undefined,
    recurring: zero,
    strange: [],
  };
}
