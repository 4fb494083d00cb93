import { compare, type Decimal, format, minus, plus, times, zero } from '../../base/decimal.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import {
  amount,
  type Charge,
  type Charges,
  chargesOf,
  said,
  signed,
  strangeFields,
  whole,
} from './charges.ts';

/** Fields of an invoice (Conventions, Limits and 402); what else stands there may cost something. */
const invoiceFields = new Set(['items', 'activation_charges', 'summary', 'plan', 'bookkeeper', 'taxes']);
const itemFields = new Set([
  ...['category', 'item', 'name', 'quantity', 'billable', 'rate', 'discounts', 'minimum', 'maximum'],
  ...['prorate', 'taxes', 'total', 'changes', 'activation_charge'],
]);
const activationFields = new Set(['category', 'item', 'name', 'quantity', 'billable', 'rate', 'total']);
const summaryFields = new Set(['today', 'recurring']);

/**
 * Reads charges that stand as invoices. An invoice lists every priced item of the account; those with `changes` are
 * part of the change, and the difference that stands there is what is added.
 */
export function readInvoices(invoices: readonly Json[]): Charges {
  const read = invoices.map((invoice) => readInvoice(isObject(invoice) ? invoice : {}));
  const bills = read.map(({ bill }) => bill);
  return chargesOf(
    read.flatMap(({ lines }) => lines),
    read.flatMap(({ strange }) => strange),
    bills.reduce<Decimal | undefined>((sum, bill) => sum && bill && plus(sum, bill), zero),
  );
}

interface Invoice {
  readonly lines: readonly Charge[];
  readonly strange: readonly string[];
  /** Total of each bill after the change. */
  readonly bill: Decimal | undefined;
}

function readInvoice(invoice: JsonObject): Invoice {
  const changed = objectsIn(invoice.items).filter(({ changes }) => isObject(changes));
  const due = objectsIn(invoice.activation_charges);
  const isFor = (item: JsonObject) => (one: JsonObject) =>
    one.item === item.item && one.category === item.category;
  const lines = changed.map((item) => readItem(item, due.find(isFor(item)), valueAt(invoice, pathOf(item))));
  const others = due.filter((one) => !changed.some(isFor(one)));
  const summary = isObject(invoice.summary) ? invoice.summary : {};
  const today = lines.concat(others.map(readActivation));
  return {
    lines: today,
    strange: [
      ...strangeFields(invoice, invoiceFields),
      ...strangeFields(summary, summaryFields),
      ...taxesIn(invoice),
      ...differs(summary.today, today),
    ],
    bill: amount(summary.recurring),
  };
}

const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const pathOf = ({ category, item }: JsonObject): string => `plan.${category}.${item}`;

/** Taxes stand in the bill, and nowhere is said what they come to. */
const taxesIn = ({ taxes }: JsonObject): readonly string[] =>
  taxes === undefined || (Array.isArray(taxes) && taxes.length === 0)
    ? []
    : [said(`taxes=${JSON.stringify(taxes)}`)];

/** Returns the amount that the service says is due today, if the lines come to something else. */
function differs(today: Json | undefined, lines: readonly Charge[]): readonly string[] {
  if (today === undefined) return [];
  const due = lines.reduce<Decimal | undefined>(
    (sum, { dueNow }) => sum && dueNow && plus(sum, dueNow),
    zero,
  );
  const named = amount(today);
  return due && named && compare(due, named) === 0 ? [] : [said(`today=${JSON.stringify(today)}`)];
}

function readItem(item: JsonObject, due: JsonObject | undefined, priced: Json | undefined): Charge {
  const added = whole(valueAt(item, 'changes.difference.quantity'));
  const rate = amount(item.rate);
  return {
    item: said(item.item),
    category: said(item.category),
    added,
    inAll: said(item.quantity),
    rate: rate ? format(rate) : said(item.rate),
    discount: zero,
    dueNow: due === undefined ? zero : readActivation(due).dueNow,
    recurring: added && recurringOf(item, rate, priced),
    strange: [...strangeFields(item, itemFields), ...taxesIn(item)],
  };
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
  if (named !== undefined) return signed(named);
  const billable = whole(valueAt(item, 'changes.difference.billable'));
  const isTiered =
    isObject(priced) && ['rates', 'flat_rate', 'flat_rates'].some((key) => Object.hasOwn(priced, key));
  return billable && rate && !isTiered && addsUp(item, rate) ? times(billable, rate) : undefined;
}

/** Tells whether an item's own total is its quantity at its rate, less its discounts. */
function addsUp({ billable, total, discounts }: JsonObject, rate: Decimal): boolean {
  const count = whole(billable);
  const sum = signed(total);
  const off = isObject(discounts) ? amount(discounts.total) : zero;
  return (
    count !== undefined &&
    sum !== undefined &&
    off !== undefined &&
    compare(minus(times(count, rate), off), sum) === 0
  );
}

/** Reads the charge that is due once for an item, understood if it is a quantity at a rate. */
function readActivation(due: JsonObject): Charge {
  const count = whole(due.billable);
  const rate = amount(due.rate);
  const total = amount(due.total);
  const fits = count && rate && total && compare(times(count, rate), total) === 0;
  return {
    item: said(due.item),
    category: said(due.category),
    added: count,
    inAll: said(due.billable),
    rate: rate ? format(rate) : said(due.rate),
    discount: zero,
    dueNow: fits && strangeFields(due, activationFields).length === 0 ? total : undefined,
    recurring: zero,
    strange: [],
  };
}
