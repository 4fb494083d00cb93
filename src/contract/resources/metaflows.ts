import { object } from '../fields.ts';
import { operation } from '../operations.ts';
import { resource } from '../resource.ts';
import * as shared from '../structures.ts';

const common = {
  resource: 'metaflows',
  section: 'Endpoints, Account resources',
  errors: 'reference',
} as const;

const path = '/accounts/{account_id}/metaflows';

/** Resource of what callers can dial during a call (Resources and their fields, Metaflows). */
export const metaflows = resource({
  name: 'metaflows',
  singular: 'metaflow',
  summary: 'What callers can dial during a call',
  kind: 'singleton',
  order: 50,
  partOf: 'accounts',
  naturalKeys: [],
  section: 'Resources and their fields, Metaflows (account level)',
  schema: () => object(shared.metaflowFields, 'Metaflow settings of an account'),
  required: [],
  unique: [],
  columns: [
    { header: 'BINDING DIGIT', paths: ['binding_digit'] },
    { header: 'LISTEN ON', paths: ['listen_on'] },
    { header: 'NUMBERS', paths: ['numbers'], show: 'count' },
    { header: 'PATTERNS', paths: ['patterns'], show: 'count' },
  ],
  sections: [{ order: 50 }],
  listFields: [],
  operations: [
    operation(common, {
      verb: 'get',
      method: 'GET',
      path,
      source: 'specification',
      reply: { kind: 'record' },
      summary: 'Show the metaflow settings',
    }),
    operation(common, {
      verb: 'update',
      method: 'POST',
      path,
      source: 'convention',
      body: { kind: 'record' },
      reply: { kind: 'record' },
      summary: 'Replace the metaflow settings',
    }),
    operation(common, {
      verb: 'delete',
      method: 'DELETE',
      path,
      source: 'specification',
      reply: { kind: 'empty', bare: true },
      summary: 'Remove the metaflow settings',
    }),
  ],
});
