import {
  anyList,
  freeObject,
  integer,
  list,
  mapOf,
  number,
  object,
  openObject,
  text,
  texts,
} from '../fields.ts';
import { resource, showOperation, timeRangeFilters, value } from '../resource.ts';

const path = '/accounts/{account_id}/services';
const ours = { source: 'convention' } as const;

/** An entry of the billing log. */
const audited = openObject(
  {
    id: text('Id'),
    status: text('completed, or why not'),
    reason: text('Confirmation'),
    message: text('Description'),
    type: text('Type of the change'),
    summary: openObject({ today: integer('Due now'), recurring: integer('Due each month') }, 'Prices', {
      convention: { alsoType: ['array'] },
    }),
  },
  'A billable change',
);
const quantities = mapOf(
  mapOf(
    openObject(
      {
        addition: integer('Number added'),
        removal: integer('Number removed'),
        quantity: integer('Quantity after the change'),
        sum_quantity: integer('Quantity including accounts below'),
        last_timestamp: integer('Time of the last change, in Gregorian seconds', { shownAs: 'moment' }),
      },
      'A day',
    ),
    'By day',
  ),
  'By category',
);
const overrides = freeObject('Overrides of the plans, by category and item', ours);

/** Service of an account with its cost. */
const summary = openObject(
  {
    plans: freeObject('Plans by id'),
    overrides: freeObject('Overrides of the plans, by category and item'),
    invoices: anyList('Invoices: items with quantities and prices, and the plan'),
    quantities: freeObject(
      'Quantities of the account, of accounts below, and set manually, by category and item',
    ),
    limits: freeObject('Call limits'),
    billing_cycle: openObject(
      {
        next: integer('Next invoice, in Gregorian seconds', { shownAs: 'moment' }),
        period: integer('Number of units per period'),
        unit: text('day, month or year'),
      },
      'Billing cycle',
    ),
    reseller: freeObject('Reseller of the account'),
  },
  'Services of an account and their prices',
);

/** The fields are those of compatible services, because the specification shows none. */
export const services = resource({
  name: 'services',
  singular: 'service',
  summary: 'Service plans and their overrides',
  kind: 'singleton',
  order: 170,
  section: 'Resources and their fields, Service plans and overrides, contact list',
  listedIn: 'Endpoints, Account resources',
  conventionsIn: 'Conventions, service plans',
  doc: 'Service plans of an account',
  fields: () => ({
    plans: anyList('Plans: ids, or objects with id, vendor_id, overrides and contract', {
      ...ours,
      convention: { alsoType: ['object'] },
    }),
    add: anyList('Plans to add', ours),
    delete: texts('Ids of plans to remove', ours),
    overrides,
    billing_id: text('Account that pays', { ...ours, ref: 'accounts' }),
  }),
  columns: [
    { header: 'BILLED TO', paths: ['billing_id'], show: 'id' },
    { header: 'PLANS', paths: ['plans'], show: 'count' },
  ],
  sections: [{ order: 40, assigned: { all: 'plans', added: 'add', removed: 'delete' } }],
  absent: {
    find: 'Plans and prices do not refer to records of the account',
    page: 'Plans are computed when they are read',
  },
  writes: ['privileges', 'costs'],
  operations: [
    {
      get: {
        route: `GET ${path}`,
        reply: { kind: 'record', orBare: 'plans' },
        summary: 'Show the plans of an account',
      },
      update: {
        route: `POST ${path}`,
        source: 'specification',
        repeat: 'never',
        bodyOptional: true,
        body: { kind: 'record' },
        reply: { kind: 'empty', orOther: true },
        summary: 'Change the plans of an account',
      },
      overrides: showOperation(`${path}/overrides`, 'Show the overrides of the plans', overrides),
      override: {
        route: `POST ${path}/overrides`,
        source: 'specification',
        repeat: 'never',
        bodyOptional: true,
        body: value(overrides),
        reply: { kind: 'empty', orOther: true },
        summary: 'Set the overrides of the plans',
      },
      summary: showOperation(
        `${path}/summary`,
        'Show prices, quantities and the next invoice of an account',
        summary,
      ),
      audit: {
        route: `GET ${path}/audit`,
        query: timeRangeFilters,
        reply: { kind: 'list', items: audited },
        summary: 'List billable changes of an account',
      },
      'audit-entry': showOperation(`${path}/audit/{audit_id}`, 'Show one billable change', audited),
      'audit-summary': showOperation(
        `${path}/audit/summary`,
        'Show additions and removals, by category and day',
        list(quantities, 'Quantities, by category and day'),
        { query: timeRangeFilters },
      ),
      'audit-category': showOperation(
        `${path}/audit/summary/{category}`,
        'Show additions and removals of one category, by day',
        list(quantities, 'Quantities, by category and day'),
        { query: timeRangeFilters },
      ),
      available: {
        route: `GET ${path}/available`,
        reply: {
          kind: 'list',
          items: openObject({ id: text('Id'), name: text('Name'), category: text('Category') }, 'A plan'),
        },
        summary: 'List the plans that the reseller of an account offers',
      },
      quote: {
        route: `POST ${path}/quote`,
        effect: 'read',
        repeat: 'safe',
        body: { kind: 'record' },
        reply: value(summary),
        summary: 'Show the price of an account with other plans, without changing it',
      },
      topup: {
        route: `POST ${path}/topup`,
        repeat: 'never',
        does: ['costs'],
        body: value(
          object({ amount: number('Amount') }, 'A payment', { convention: { required: ['amount'] } }),
        ),
        reply: value(openObject({ ledger: freeObject('The entry') }, 'What was booked')),
        summary: 'Pay an amount with the default payment method of an account',
      },
      assign: {
        route: `POST ${path}/{plan_id}`,
        source: 'specification',
        repeat: 'never',
        bodyOptional: true,
        body: value(
          openObject(
            {
              vendor_id: text('Account that owns the plan', { ...ours, ref: 'accounts' }),
              overrides,
              contract: freeObject('Contract', ours),
            },
            'How the plan is assigned',
          ),
        ),
        reply: { kind: 'empty', orOther: true },
        summary: 'Assign a plan to an account',
      },
      unassign: { route: `DELETE ${path}/{plan_id}`, summary: 'Remove a plan from an account' },
    },
  ],
});
