import { isObject, type Json, type JsonObject, textAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { resources } from '../../../contract/catalogue.ts';
import { classOfNumber, type NumberClass } from '../../../contract/number-classes.ts';
import type { ResourceName } from '../../../contract/types.ts';
import type { AcceptancePlace } from '../differences.ts';
import { displayName, pick, textsAt } from '../fields.ts';
import { gregorianSeconds, monthId } from '../ids-and-secrets.ts';
import { Refusal } from '../refusal.ts';
import { accountOf, principalOf, recordIn, type ServiceRequest } from '../requests/service-request.ts';
import { type Key, newRecord, plainPut, type StoredRecord } from '../store/store.ts';
import {
  accountPrices,
  chargesToAccept,
  type PricedItem,
  type PriceList,
  pricedItems,
  type Quantities,
  quantitiesIn,
} from '../telephony/charges.ts';

/** A category of the price list, and the records that it counts. */
interface Category {
  readonly name: string;
  readonly resource: ResourceName;
  /** Returns the price item of a record. Without this function, fields of the record are quantities. */
  readonly itemOf?: (record: StoredRecord, classes: readonly NumberClass[]) => string;
  /** Returns the key of the account's records, if they are stored outside of accounts. */
  readonly key?: (accountId: string) => Key;
}

/** Categories that service plans count (Conventions, Plan record and item). */
const categories: readonly Category[] = [
  ...resources.flatMap(({ name: resource, pricedAs }): readonly Category[] => {
    if (pricedAs === undefined) return [];
    const { category: name, field, item } = pricedAs;
    const itemOf = ({ body }: StoredRecord): string => (field && textAt(body, field)) || (item ?? '');
    return [{ name, resource, ...(item === undefined ? {} : { itemOf }) }];
  }),
  {
    name: 'phone_numbers',
    resource: 'numbers',
    itemOf: ({ id }, classes) => classOfNumber(id, classes)?.name ?? 'unknown',
    key: (value) => ({ field: 'account', value }),
  },
];

/** Returns the category of a resource and the account's prices for it. Returns `undefined` for free resources. */
async function findPricing(call: ServiceRequest, resource: ResourceName) {
  const { account, services } = call;
  const category = categories.find((each) => each.resource === resource);
  if (category === undefined || account === undefined) return undefined;
  const held = await recordIn(call, 'services', 'services');
  const prices = accountPrices(services.prices, held?.body);
  return Object.hasOwn(prices, category.name) ? { category, prices, account } : undefined;
}

/** Refuses (402) a write that adds charges, unless the request accepts them. */
export async function askCharges(
  call: ServiceRequest,
  resource: ResourceName,
  record: StoredRecord,
  before: StoredRecord | undefined,
): Promise<void> {
  const priced = call.defersCharges ? undefined : await findPricing(call, resource);
  if (!priced) return;
  const { category, prices, account } = priced;
  const { shape } = call.services.behaviour.charges;
  const changed = await changedItems(call, category, prices, record, before);
  if (changed.some(({ added }) => added !== 0)) noteAudit(call, account, changed);
  if (acceptsCharges(call)) return;
  const others = shape === 'invoices' ? await accountItems(call, prices, account.id, category) : [];
  const vendorId = textAt(account.hidden, 'reseller_id') ?? account.id;
  const charges = chargesToAccept([...changed, ...others], shape, vendorId);
  if (charges === undefined) return;
  throw new Refusal(402, 'accept charges', 'The change adds charges, which must be accepted.', charges);
}

/** Audits the charges that end when a record is removed. */
export async function noteRemoval(
  call: ServiceRequest,
  resource: ResourceName,
  record: StoredRecord,
): Promise<void> {
  const priced = await findPricing(call, resource);
  if (!priced) return;
  const { category, prices, account } = priced;
  const { name, itemOf } = category;
  if (itemOf === undefined) return;
  const records = await countedRecords(call, category, account.id);
  const left = records.filter(({ id }) => id !== record.id);
  noteAudit(
    call,
    account,
    pricedItems(prices, name, countsOf(call, records, itemOf), countsOf(call, left, itemOf)),
  );
}

/** Returns true if the request accepts charges (Errors, rule 1; Conventions, Limits and 402). */
function acceptsCharges({ query, envelope, services }: ServiceRequest): boolean {
  const { acceptedIn, acceptsText } = services.behaviour.charges;
  const isAcceptance = (value: Json | undefined): boolean =>
    value === true || (acceptsText && value === 'true');
  const isSaid: Readonly<Record<AcceptancePlace, boolean>> = {
    // Uses the sent value, because validation converts texts to booleans.
    data: isAcceptance(isObject(envelope.data) ? envelope.data.accept_charges : undefined),
    query: query.get('accept_charges') === 'true',
    envelope: isAcceptance(envelope.accept_charges),
  };
  return acceptedIn.some((place) => isSaid[place]);
}

async function changedItems(
  call: ServiceRequest,
  category: Category,
  prices: PriceList,
  record: StoredRecord,
  before: StoredRecord | undefined,
): Promise<readonly PricedItem[]> {
  const { name, itemOf, key } = category;
  const accountId = accountOf(call).id;
  if (itemOf === undefined)
    return pricedItems(prices, name, quantitiesIn(before?.body ?? {}), quantitiesIn(record.body));
  const records = await countedRecords(call, category, accountId);
  // Includes records that the same request has already written.
  const written = [
    ...call.changes.flatMap((change) => (change.change === 'put' ? [change.record] : [])),
    record,
  ];
  const mine = new Map(written.filter(({ kind }) => kind === record.kind).map((each) => [each.id, each]));
  const others = records.filter(({ id }) => !mine.has(id));
  const belongsToAccount = ({ hidden }: StoredRecord): boolean =>
    key === undefined || textAt(hidden, 'account') === accountId;
  const then = [...others, ...[...mine.values()].filter(belongsToAccount)];
  return pricedItems(prices, name, countsOf(call, records, itemOf), countsOf(call, then, itemOf));
}

/** Lists the current priced items of an account, except those of the category `changing`. */
export async function accountItems(
  call: ServiceRequest,
  prices: PriceList,
  accountId: string,
  changing?: Category,
): Promise<readonly PricedItem[]> {
  const others = categories.filter((each) => each !== changing && Object.hasOwn(prices, each.name));
  const lists = await Promise.all(
    others.map(async (category) => {
      const now = await quantitiesOf(call, category, accountId);
      return pricedItems(prices, category.name, now, now);
    }),
  );
  // Categories without stored records appear in the plan with quantity 0.
  const uncounted = Object.keys(prices).filter((name) => !categories.some((each) => each.name === name));
  return [...lists.flat(), ...uncounted.flatMap((name) => pricedItems(prices, name, new Map(), new Map()))];
}

async function quantitiesOf(
  call: ServiceRequest,
  category: Category,
  accountId: string,
): Promise<Quantities> {
  const { resource: kind, itemOf } = category;
  if (itemOf) return countsOf(call, await countedRecords(call, category, accountId), itemOf);
  const record = await call.services.store.get({ kind, scope: accountId, id: kind });
  return quantitiesIn(record?.body ?? {});
}

async function countedRecords(
  { services: { store } }: ServiceRequest,
  { resource: kind, key: keyOf }: Category,
  accountId: string,
): Promise<readonly StoredRecord[]> {
  const key = keyOf?.(accountId);
  const scope = key === undefined ? accountId : '';
  return store.list({ kind, scope, key });
}

function countsOf(
  { services: { behaviour } }: Pick<ServiceRequest, 'services'>,
  records: readonly StoredRecord[],
  itemOf: NonNullable<Category['itemOf']>,
): Quantities {
  const items = Map.groupBy(records, (record) => itemOf(record, behaviour.phoneNumbers.classes));
  return new Map([...items].map(([item, some]) => [item, some.length]));
}

/** Removes `accept_charges` from sent data, unless the service stores it. */
export function withoutAcceptance({ services }: ServiceRequest, data: JsonObject): JsonObject {
  if (services.behaviour.charges.keepsAcceptance || !Object.hasOwn(data, 'accept_charges')) return data;
  const { accept_charges: _, ...kept } = data;
  return kept;
}

export const auditKind = 'service_audits';

export const isoDay = (gregorian: number): string =>
  new Date((gregorian - gregorianOffset) * 1000).toISOString().slice(0, 10);

function quantitiesByCategory(items: readonly PricedItem[]): Readonly<Record<string, JsonObject>> {
  const sum = (some: readonly PricedItem[], of: (item: PricedItem) => number): number =>
    some.reduce((total, item) => total + of(item), 0);
  return Object.fromEntries(
    [...Map.groupBy(items, ({ category }) => category)].map(([category, some]) => [
      category,
      { added: sum(some, ({ added }) => added), quantity: sum(some, ({ quantity }) => quantity) },
    ]),
  );
}

/** Adds an audit record of a billable change: items, caller and costs. */
export function noteAudit(call: ServiceRequest, account: StoredRecord, items: readonly PricedItem[]): void {
  const { operation, changes } = call;
  const { clock, random } = call.services;
  const now = gregorianSeconds(clock);
  const caller = principalOf(call);
  const counted = Object.fromEntries(
    items.map(({ category, item, quantity }) => [`${category}.${item}`, quantity]),
  );
  const today = items.reduce(
    (sum, { added, price }) => sum + Math.max(added, 0) * (price.activationCharge ?? 0),
    0,
  );
  const recurring = items.reduce((sum, { quantity, price }) => sum + quantity * price.rate, 0);
  const body: JsonObject = {
    status: 'completed',
    type: 'services',
    reason: operation.id,
    message: operation.summary,
    summary: { today, recurring },
    changes: quantitiesByCategory(items.filter(({ added }) => added !== 0)),
    audit: {
      [account.id]: {
        account_name: displayName(account),
        account_quantities: counted,
        cascade_quantities: {},
      },
    },
    authenticating_user: {
      account_id: caller.account.id,
      account_name: displayName(caller.account),
      ...(caller.user
        ? { user_id: caller.user.id, ...pick(caller.user.body, ['first_name', 'last_name']) }
        : {}),
    },
    tree: [...textsAt(account.hidden, 'tree')],
  };
  const record = newRecord({ kind: auditKind, scope: account.id, id: monthId(clock, random) }, body, now);
  changes.push(plainPut(record, String(now)));
}
