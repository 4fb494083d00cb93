import {
  compareDecimals,
  type Decimal,
  formatDecimal,
  multiplyDecimals,
  subtractDecimals,
  zeroDecimal,
} from '../../../base/decimal.ts';
import { isObject, type Json, type JsonObject, objectsIn, valueAt } from '../../../base/json.ts';
import {
  type Charge,
  type Charges,
  oneLineText,
  readAmount,
  readNumber,
  sumAmounts,
  sumCharges,
  unknownFields,
  wholeAmount,
} from './charges.ts';

/** Known fields of an invoice (Conventions, Limits and 402). Other fields may add charges. */
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

/** An invoice lists every priced item. Only items with `changes`, which contains the added quantity, count. */
export function readInvoices(invoices: readonly Json[]): Charges {
  const read = invoices.map((invoice) => readInvoice(isObject(invoice) ? invoice : { invoice }));
  return sumCharges(
    read.flatMap(({ lines }) => lines),
    read.flatMap(({ strange }) => strange),
    sumAmounts(read.map(({ bill }) => bill)),
  );
}

function readInvoice(invoice: JsonObject) {
  const items = objectsIn(invoice.items);
  const changed = items.filter(({ changes }) => isObject(changes));
  const due = objectsIn(invoice.activation_charges);
  const isFor = (item: JsonObject) => (one: JsonObject) =>
    one.item === item.item && one.category === item.category;
  const lines = changed.map((item) =>
    readInvoiceItem(item, due.filter(isFor(item)), valueAt(invoice, `plan.${item.category}.${item.item}`)),
  );
  const others = due.filter((one) => !changed.some(isFor(one)));
  const summary = isObject(invoice.summary) ? invoice.summary : {};
  const today = lines.concat(others.map(readActivation));
  return {
    lines: today,
    strange: [
      ...unknownFields(invoice, invoiceFields),
      ...unknownFields(summary, summaryFields),
      ...malformedValues(invoice, 'items'),
      ...malformedValues(invoice, 'activation_charges'),
      ...(invoice.summary === undefined || isObject(invoice.summary)
        ? []
        : [fieldText('summary', invoice.summary)]),
      // Unknown kinds of changes, and charges without a change, make the sum unknown.
      ...items.flatMap(({ changes }) =>
        changes === undefined || isObject(changes) ? [] : [fieldText('changes', changes)],
      ),
      ...others.map((one) => fieldText('activation_charges', one)),
      ...taxNotes(invoice),
      ...totalMismatch('today', summary.today, sumAmounts(today.map(({ dueNow }) => dueNow))),
      ...totalMismatch(
        'recurring',
        summary.recurring,
        sumAmounts(items.map(({ total }) => readNumber(total))),
      ),
    ],
    bill: readAmount(summary.recurring),
  };
}

const fieldText = (name: string, value: Json): string => oneLineText(`${name}=${JSON.stringify(value)}`);

function malformedValues(invoice: JsonObject, name: string): readonly string[] {
  const { [name]: value } = invoice;
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [fieldText(name, value)];
  return value.flatMap((each) => (isObject(each) ? [] : [fieldText(name, each)]));
}

/** Reports taxes, because the invoice does not include their amount. */
const taxNotes = ({ taxes }: JsonObject): readonly string[] =>
  taxes === undefined || (Array.isArray(taxes) && taxes.length === 0) ? [] : [fieldText('taxes', taxes)];

function totalMismatch(name: string, named: Json | undefined, lines: Decimal | undefined): readonly string[] {
  if (named === undefined) return [];
  const total = readAmount(named);
  return lines && total && compareDecimals(lines, total) === 0 ? [] : [fieldText(name, named)];
}

function readInvoiceItem(item: JsonObject, due: readonly JsonObject[], priced: Json | undefined): Charge {
  const added = wholeAmount(valueAt(item, 'changes.difference.quantity'));
  const rate = readAmount(item.rate);
  return {
    item: oneLineText(item.item),
    category: oneLineText(item.category),
    added,
    inAll: oneLineText(item.quantity),
    rate: rate ? formatDecimal(rate) : oneLineText(item.rate),
    discount: zeroDecimal,
    dueNow:
      due.length === 0 && isCharged(item.activation_charge)
        ? undefined
        : sumAmounts(due.map((one) => readActivation(one).dueNow)),
    recurring: added && plausibleAmount(added, recurringOf(item, rate, priced)),
    strange: [...unknownFields(item, itemFields), ...taxNotes(item)],
  };
}

function isCharged(value: Json | undefined): boolean {
  const read = readAmount(value ?? 0);
  return read === undefined || compareDecimals(read, zeroDecimal) > 0;
}

function plausibleAmount(added: Decimal, recurring: Decimal | undefined): Decimal | undefined {
  const sign = recurring && compareDecimals(recurring, zeroDecimal);
  return sign === 0 || sign === compareDecimals(added, zeroDecimal) ? recurring : undefined;
}

/**
 * Returns the amount that an item adds to each bill: the difference that the service reports, or else the added
 * quantity times the rate. Unknown discounts are ignored. If the rate depends on the quantity, the amount is unknown.
 */
function recurringOf(
  item: JsonObject,
  rate: Decimal | undefined,
  priced: Json | undefined,
): Decimal | undefined {
  const named = valueAt(item, 'changes.difference.total');
  if (named !== undefined) return isConsistent(item, named) ? readNumber(named) : undefined;
  const billable = wholeAmount(valueAt(item, 'changes.difference.billable'));
  const isTiered =
    isObject(priced) && ['rates', 'flat_rate', 'flat_rates'].some((key) => Object.hasOwn(priced, key));
  const isTaxed = isObject(priced) && taxNotes(priced).length > 0;
  const isKnown = !isTiered && !isTaxed && hasConsistentTotal(item, rate);
  return billable && rate && isKnown ? multiplyDecimals(billable, rate) : undefined;
}

const isConsistent = (item: JsonObject, named: Json): boolean =>
  item.total === undefined ||
  valueAt(item, 'changes.difference.quantity') !== item.quantity ||
  named === item.total;

function hasConsistentTotal({ billable, total, discounts }: JsonObject, rate: Decimal | undefined): boolean {
  const count = wholeAmount(billable);
  const sum = readNumber(total);
  const off = isObject(discounts) ? readAmount(discounts.total) : zeroDecimal;
  return Boolean(
    count &&
      rate &&
      sum &&
      off &&
      compareDecimals(subtractDecimals(multiplyDecimals(count, rate), off), sum) === 0,
  );
}

/** Reads the one-time charge of an item, which must be a quantity times a rate. */
function readActivation(due: JsonObject): Charge {
  const count = wholeAmount(due.billable);
  const rate = readAmount(due.rate);
  const total = readAmount(due.total);
  const fits = count && rate && total && compareDecimals(multiplyDecimals(count, rate), total) === 0;
  return {
    item: oneLineText(due.item),
    category: oneLineText(due.category),
    added: count,
    inAll: oneLineText(due.billable),
    rate: rate ? formatDecimal(rate) : oneLineText(due.rate),
    discount: zeroDecimal,
    dueNow: fits && unknownFields(due, activationFields).length === 0 ? total : undefined,
    recurring: zeroDecimal,
    strange: [],
  };
}
