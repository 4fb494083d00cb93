import { keyIds } from '../envelope.ts';
import { object, text } from '../fields.ts';
import { type OperationFacts, operation } from '../operations.ts';
import { resource } from '../resource.ts';
import * as shared from '../structures.ts';

const common = {
  resource: 'keys',
  section: 'Endpoints, Authentication and tokens',
  errors: 'legacy',
  prefix: 'always',
} as const;

const documented = (facts: Omit<OperationFacts, 'source'>) =>
  operation(common, { ...facts, source: 'specification' });

/** Keys that sign tokens (Authentication 7; Authentication records, Public key). */
export const keys = resource({
  name: 'keys',
  singular: 'key',
  summary: 'Keys that sign tokens',
  kind: 'collection',
  order: 240,
  idParameter: 'key_id',
  naturalKeys: [],
  section: 'Resources and their fields, Authentication records',
  schema: () =>
    object(
      { id: shared.id, public_key_pem: text('Public key as PEM text', { readOnly: true, shownAs: 'lines' }) },
      'A signing key',
    ),
  required: [],
  unique: [],
  columns: [{ header: 'ID', paths: ['id'] }],
  absent: {
    manifests: 'Keys belong to the whole service',
    page: 'Keys belong to the whole service',
  },
  listFields: [],
  writes: ['sign-in'],
  operations: [
    documented({
      verb: 'list',
      method: 'GET',
      path: '/auth/keys',
      role: 'admin',
      reply: { kind: 'value', schema: keyIds },
      summary: 'List the ids of the signing keys',
    }),
    documented({
      verb: 'get',
      method: 'GET',
      path: '/auth/keys/{key_id}',
      role: 'admin',
      reply: { kind: 'record' },
      accepts: ['application/x-pem-file'],
      summary: 'Show a public key',
    }),
    documented({
      verb: 'reset',
      method: 'PUT',
      path: '/auth/keys/{key_id}',
      role: 'super',
      effect: 'destructive',
      repeat: 'never',
      body: { kind: 'action', action: 'reset_private_key' },
      asks: {
        name: 'host',
        effect: 'This signs out every user of every account at {name} (system private key).',
      },
      reply: { kind: 'empty' },
      summary: 'Replace the private key; ends all tokens of the service',
    }),
  ],
});
