import { keyIds } from '../envelope.ts';
import { text } from '../fields.ts';
import { resource, showOperation } from '../resource.ts';
import * as shared from '../structures.ts';

export const keys = resource({
  name: 'keys',
  singular: 'key',
  summary: 'Keys that sign tokens',
  order: 240,
  shownWithoutId: true,
  section: 'Resources and their fields, Authentication records',
  listedIn: 'Endpoints, Authentication and tokens',
  errors: 'legacy',
  prefix: 'always',
  doc: 'A signing key',
  fields: () => ({
    id: shared.id,
    public_key_pem: text('Public key as PEM text', { readOnly: true, shownAs: 'lines' }),
  }),
  columns: [{ header: 'ID', paths: ['id'] }],
  absent: { manifests: 'Keys belong to the whole service', page: 'Keys belong to the whole service' },
  writes: ['sign-in'],
  operations: [
    {
      list: showOperation('/auth/keys', 'List the ids of the signing keys', keyIds, {
        source: 'specification',
        role: 'admin',
      }),
      get: {
        route: 'GET /auth/keys/{key_id}',
        source: 'specification',
        accepts: ['application/x-pem-file'],
        role: 'admin',
        summary: 'Show a public key',
      },
      reset: {
        route: 'PUT /auth/keys/{key_id}',
        source: 'specification',
        effect: 'destructive',
        repeat: 'never',
        body: { kind: 'action', action: 'reset_private_key' },
        asks: {
          name: 'host',
          effect: 'This signs out every user of every account at {name} (system private key).',
        },
        reply: { kind: 'empty' },
        role: 'super',
        summary: 'Replace the private key and end all tokens of the service',
      },
    },
  ],
});
