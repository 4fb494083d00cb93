import { resource } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/metaflows';

export const metaflows = resource({
  name: 'metaflows',
  singular: 'metaflow',
  summary: 'What callers can dial during a call',
  kind: 'singleton',
  order: 50,
  partOf: 'accounts',
  section: 'Resources and their fields, Metaflows (account level)',
  listedIn: 'Endpoints, Account resources',
  doc: 'Metaflow settings of an account',
  fields: () => shared.metaflowFields,
  columns: [
    'binding_digit',
    'listen_on',
    { header: 'NUMBERS', paths: ['numbers'], show: 'count' },
    { header: 'PATTERNS', paths: ['patterns'], show: 'count' },
  ],
  sections: [{ order: 50 }],
  operations: [
    {
      get: { route: `GET ${path}`, source: 'specification', summary: 'Show the metaflow settings' },
      update: { route: `POST ${path}`, body: { kind: 'record' }, summary: 'Replace the metaflow settings' },
      delete: {
        route: `DELETE ${path}`,
        source: 'specification',
        reply: { kind: 'empty', bare: true },
        summary: 'Remove the metaflow settings',
      },
    },
  ],
});
