import { flag, freeObject, text, texts } from '../fields.ts';
import { collection } from '../operations.ts';
import { resource } from '../resource.ts';

export const links = resource({
  name: 'links',
  singular: 'link',
  summary: "The signed-in user's links to SSO applications",
  order: 230,
  naturalKeys: ['email'],
  section: 'Resources and their fields, Authentication records',
  listedIn: 'Endpoints, Authentication and tokens',
  errors: 'legacy',
  prefix: 'always',
  doc: 'A link to an SSO application',
  fields: () => ({
    id: text('Id', { readOnly: true }),
    app: text('Application', { readOnly: true, ref: 'apps' }),
    provider: text('Provider', { readOnly: true, ref: 'providers' }),
    email: text('E-mail address at the provider', { readOnly: true }),
    display_name: text('Name at the provider', { readOnly: true }),
    verified_email: flag('The provider has verified the address', { readOnly: true }),
    scope: text('Scopes, with blanks between', { readOnly: true }),
    scopes: texts('Scopes', { readOnly: true }),
    profile: freeObject('Profile as the provider gives it', { readOnly: true }),
  }),
  columns: [
    { header: 'EMAIL', paths: ['email'] },
    { header: 'PROVIDER', paths: ['provider'] },
    { header: 'APP', paths: ['app'] },
    { header: 'SCOPES', paths: ['scopes'], show: 'list' },
    { header: 'ID', paths: ['id'] },
  ],
  commandWords: ['sso', 'links'],
  absent: { manifests: 'A link belongs to one person', page: 'A link belongs to one person' },
  keptIn: 'service',
  listFields: ['app', 'provider', 'email', 'scopes'],
  writes: ['sign-in'],
  operations: [
    collection({
      path: '/auth/links',
      documented: ['list', 'get', 'delete'],
      without: ['create', 'update', 'patch'],
      except: { delete: { summary: 'Unlink the user from an SSO application' } },
    }),
    {
      link: {
        route: 'PUT /auth/links/{link_id}',
        source: 'specification',
        repeat: 'idempotent',
        body: { kind: 'value', schema: freeObject('Nothing') },
        summary: 'Link the user to an SSO application',
      },
    },
  ],
});
