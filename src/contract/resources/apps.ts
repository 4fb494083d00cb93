import { text } from '../fields.ts';
import { collection } from '../operations.ts';
import { resource } from '../resource.ts';
import * as shared from '../structures.ts';

/** SSO applications (Resources and their fields, Authentication records, `auth.app`). */
export const apps = resource({
  name: 'apps',
  singular: 'app',
  summary: 'SSO applications',
  order: 210,
  naturalKeys: ['name', 'client_id'],
  section: 'Resources and their fields, Authentication records',
  listedIn: 'Endpoints, Authentication and tokens',
  errors: 'legacy',
  prefix: 'always',
  doc: 'An SSO application',
  fields: () => ({
    id: shared.id,
    client_id: text('Application id at the provider', { option: true }),
    provider: text('Provider', { option: true, ref: 'providers' }),
    secret: text('Secret of the application at the provider', { secret: true }),
    email: text('E-mail address', { option: true }),
    name: text('Name', { source: 'convention', option: true }),
    description: text('What it is for', { source: 'convention', option: true }),
    account_id: text('Account that owns it', { source: 'convention', readOnly: true, ref: 'accounts' }),
  }),
  required: [
    { fields: ['client_id', 'provider', 'secret'], on: ['create', 'update'], source: 'specification' },
  ],
  unique: [{ field: 'client_id', within: 'service' }],
  columns: [
    { header: 'NAME', paths: ['name'] },
    { header: 'PROVIDER', paths: ['provider'] },
    { header: 'ID', paths: ['id'] },
  ],
  commandWords: ['sso', 'apps'],
  sections: [{ order: 170 }],
  absent: {
    find: 'An application has its id from a provider, which knows nothing of the account',
    portable: 'A provider knows an application under one id, in one account',
    page: 'Applications belong to the whole service',
  },
  keptIn: 'service',
  listFields: ['name', 'description', 'provider'],
  writes: ['sign-in'],
  operations: [
    collection({
      path: '/auth/apps',
      singular: 'SSO application',
      documented: ['list', 'get', 'update', 'delete'],
      without: ['patch'],
      except: {
        list: {
          summary: 'List SSO applications',
          query: [{ name: 'account_id', doc: 'Account whose applications are listed' }],
        },
        create: { role: 'admin', section: 'Conventions, single sign-on' },
        update: { role: 'admin' },
        delete: { role: 'admin' },
      },
    }),
    {
      // The specification lists no such path, but says that the account may be taken from one.
      'list-of-account': {
        route: 'GET /accounts/{account_id}/auth/apps',
        section: 'Conventions, single sign-on',
        reply: { kind: 'list' },
        summary: 'List SSO applications of an account',
      },
    },
  ],
});
