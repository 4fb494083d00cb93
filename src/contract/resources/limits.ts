import { flag, integer, object, texts } from '../fields.ts';
import { resource, value } from '../resource.ts';
import type { Support } from '../types.ts';

const path = '/accounts/{account_id}/limits';
const count = (doc: string, support: Support) =>
  integer(doc, { support, option: true, convention: { minimum: 0 } });

const fields = {
  allow_prepay: flag('Allow per-minute calls when no credit is available', {
    support: 'supported',
    option: true,
    default: true,
  }),
  authz_resource_types: texts('Resource types that authorize a call, past limits and billing', {
    support: 'beta',
    default: [],
  }),
  burst_trunks: count('Two-way flat-rate trunks used only if no other trunk is free', 'beta'),
  calls: count('Hard limit on all calls', 'beta'),
  inbound_trunks: count('Inbound flat-rate trunks', 'supported'),
  outbound_trunks: count('Outbound flat-rate trunks', 'supported'),
  resource_consuming_calls: count('Hard limit on calls that consume resources', 'beta'),
  twoway_trunks: count('Two-way flat-rate trunks', 'beta'),
};

/** The record, and the acceptance of charges after a 402. */
const change = object(
  { ...fields, accept_charges: flag('Accept the charges that the change adds') },
  'A change of the call limits',
);

export const limits = resource({
  name: 'limits',
  singular: 'limit',
  summary: 'Flat-rate trunks and hard limits on calls',
  kind: 'singleton',
  order: 180,
  pricedAs: { category: 'limits' },
  section: 'Limits',
  listedIn: 'Endpoints, Limits and webhooks',
  errors: 'legacy',
  prefix: 'always',
  doc: 'Call limits of an account',
  fields: () => fields,
  columns: [
    { header: 'TWO-WAY', paths: ['twoway_trunks'] },
    { header: 'INBOUND', paths: ['inbound_trunks'] },
    { header: 'OUTBOUND', paths: ['outbound_trunks'] },
    { header: 'BURST', paths: ['burst_trunks'] },
    'calls',
    { header: 'PREPAY', paths: ['allow_prepay'], show: 'flag' },
  ],
  sections: [{ order: 30, calls: { get: 'get', replace: 'set' } }],
  absent: { find: 'Limits are only counts' },
  operations: [
    {
      get: { route: `GET ${path}`, source: 'specification', summary: 'Show the call limits of an account' },
      set: {
        route: `POST ${path}`,
        source: 'specification',
        effect: 'charges',
        repeat: 'never',
        body: value(change),
        summary: 'Replace the call limits of an account; more trunks can add charges',
      },
    },
  ],
});
