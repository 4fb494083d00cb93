import type { JsonObject } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import { pick, textsAt } from '../fields.ts';
import { gregorianSeconds, monthId } from '../made-values.ts';
import { type Call, principalOf } from '../requests/call.ts';
import { newRecord, type StoredRecord } from '../store/store.ts';
import { calledName } from './account-records.ts';
import type { PricedItem } from './charges.ts';

/** Kind of the records of billable changes. */
export const auditKind = 'service_audits';

export const isoDay = (gregorian: number): string =>
  new Date((gregorian - gregorianOffset) * 1000).toISOString().slice(0, 10);

/** Quantities by category; `added` is what the change brought. */
function quantitiesBy(items: readonly PricedItem[]): Readonly<Record<string, JsonObject>> {
  const sum = (some: readonly PricedItem[], of: (item: PricedItem) => number): number =>
    some.reduce((total, item) => total + of(item), 0);
  return Object.fromEntries(
    [...Map.groupBy(items, ({ category }) => category)].map(([category, some]) => [
      category,
      { added: sum(some, ({ added }) => added), quantity: sum(some, ({ quantity }) => quantity) },
    ]),
  );
}

/** Notes a billable change of an account: what became more or less, who did it, and what that costs. */
export function noteAudit(call: Call, account: StoredRecord, items: readonly PricedItem[]): void {
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
    changes: quantitiesBy(items.filter(({ added }) => added !== 0)),
    audit: {
      [account.id]: {
        account_name: calledName(account),
        account_quantities: counted,
        cascade_quantities: {},
      },
    },
    authenticating_user: {
      account_id: caller.account.id,
      account_name: calledName(caller.account),
      ...(caller.user
        ? { user_id: caller.user.id, ...pick(caller.user.body, ['first_name', 'last_name']) }
        : {}),
    },
    tree: [...textsAt(account.hidden, 'tree')],
  };
  const record = newRecord({ kind: auditKind, scope: account.id, id: monthId(clock, random) }, body, now);
  changes.push({ change: 'put', record, order: String(now), keys: [], claims: [] });
}
