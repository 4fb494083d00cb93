import { deliveryAttempt, hook } from '../envelope.ts';
import { flag, freeObject, integer, object, text, texts } from '../fields.ts';
import { hooks } from '../hooks.ts';
import { collection, resource, showOperation, timeRangeFilters, value } from '../resource.ts';
import * as shared from '../structures.ts';

const ours = { source: 'convention' } as const;
const path = '/accounts/{account_id}/webhooks';

const reEnabled = text('Confirmation');

const reEnable = value(
  object(
    { 're-enable': flag('Re-enable webhooks that the service disabled', ours) },
    'Request to re-enable webhooks',
  ),
);

export const webhooks = resource({
  name: 'webhooks',
  singular: 'webhook',
  summary: 'Subscriptions to events',
  order: 190,
  naturalKeys: ['name'],
  takesOwnId: true,
  mergesOneLevel: true,
  section: 'Resources and their fields, Webhook subscription',
  listedIn: 'Endpoints, Limits and webhooks',
  errors: 'legacy',
  prefix: 'always',
  doc: 'A subscription to events',
  fields: () => ({
    id: shared.id,
    name: text('Friendly name', { option: true }),
    uri: text('Endpoint that receives the events', {
      // The receiver sees all events of the account.
      does: 'privileges',
      option: true,
      secretBearing: true,
      convention: { format: 'uri' },
    }),
    // Services may add hooks, so an unknown hook only violates a convention.
    hook: text('Event to subscribe to', {
      option: true,
      convention: { enum: [...hooks.map(({ id }) => id), 'all'] },
    }),
    http_verb: text('Method of the requests', {
      option: true,
      enum: ['get', 'post', 'put'],
      default: 'post',
    }),
    format: text('Body of the requests', { option: true, enum: ['form-data', 'json'], default: 'form-data' }),
    retries: integer('Number of retries after a failure', {
      option: true,
      default: 2,
      convention: { minimum: 0, maximum: 4 },
    }),
    enabled: flag('Deliver events', { option: true, default: true }),
    include_subaccounts: flag('Include events of accounts below', { option: true, default: false }),
    custom_data: freeObject('Properties merged into every payload, such as a shared secret', {
      secret: true,
      openKeys: ['type', 'action'],
    }),
    include_internal_legs: flag('Include events of loop-back legs', {
      ...ours,
      convention: { default: true },
    }),
    modifiers: freeObject('Only events with these values', ours),
    disable_reason: text('Reason why the service disabled it', { ...ours, readOnly: true }),
  }),
  required: [{ fields: ['name', 'uri', 'hook'], on: ['create', 'update'], source: 'specification' }],
  columns: [
    'name',
    'hook',
    'uri',
    'enabled',
    { header: 'REASON', paths: ['disable_reason'], sparse: true },
    'id',
  ],
  sections: [{ order: 160 }],
  listOrder: ['name'],
  listFields: ['name', 'hook', 'uri', 'enabled', 'disable_reason'],
  operations: [
    {
      hooks: {
        route: 'GET /webhooks',
        source: 'specification',
        reply: { kind: 'list', items: hook },
        summary: 'List the events to subscribe to',
      },
      samples: showOperation('/webhooks/samples', 'List the samples of events', texts('Names of samples'), {
        section: 'Conventions, webhook endpoints',
      }),
      sample: {
        route: 'GET /webhooks/samples/{sample_name}',
        section: 'Conventions, webhook endpoints',
        reply: { kind: 'list', items: freeObject('A payload') },
        summary: 'Show a sample event of a hook',
      },
    },
    collection({ documented: ['create', 'patch'] }),
    {
      attempts: {
        route: `GET ${path}/{webhook_id}/attempts`,
        source: 'specification',
        reply: { kind: 'list', items: deliveryAttempt },
        query: timeRangeFilters,
        summary: 'List the deliveries of a webhook',
      },
      'attempts-all': {
        route: `GET ${path}/attempts`,
        section: 'Conventions, webhook endpoints',
        reply: { kind: 'list', items: deliveryAttempt },
        query: timeRangeFilters,
        summary: 'List the deliveries of all webhooks of an account',
      },
      're-enable': {
        route: `PATCH ${path}`,
        section: 'Conventions, webhook endpoints',
        body: reEnable,
        reply: value(reEnabled),
        summary: 'Re-enable all webhooks that the service disabled',
      },
      're-enable-descendants': {
        route: 'PATCH /accounts/{account_id}/descendants/webhooks',
        section: 'Conventions, webhook endpoints',
        body: reEnable,
        reply: value(reEnabled),
        summary: 'Re-enable all webhooks that the service disabled in accounts below',
      },
    },
  ],
});
