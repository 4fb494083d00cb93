import { flag, freeObject, text, texts } from '../fields.ts';
import { collection, listOperation, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

/** See Resources and their fields, Authentication records, `auth.app`. */
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
    description: text('Purpose', { source: 'convention', option: true }),
    account_id: text('Account that owns it', { source: 'convention', readOnly: true, ref: 'accounts' }),
  }),
  required: [
    { fields: ['client_id', 'provider', 'secret'], on: ['create', 'update'], source: 'specification' },
  ],
  unique: [{ field: 'client_id', within: 'service' }],
  columns: ['name', 'provider', { header: 'ID', paths: ['id'] }],
  commandWords: ['sso', 'apps'],
  sections: [{ order: 170 }],
  absent: {
    find: 'The provider assigns the id of an application and does not know the account',
    portable: 'An application has one id at its provider and belongs to one account',
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
      // The specification does not list this path, but describes an account in the path.
      'list-of-account': listOperation(
        '/accounts/{account_id}/auth/apps',
        'List SSO applications of an account',
        {
          section: 'Conventions, single sign-on',
        },
      ),
    },
  ],
});

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
    verified_email: flag('The provider verified the address', { readOnly: true }),
    scope: text('Scopes, separated by spaces', { readOnly: true }),
    scopes: texts('Scopes', { readOnly: true }),
    profile: freeObject('Profile from the provider', { readOnly: true }),
  }),
  columns: ['email', 'provider', 'app', 'scopes', { header: 'ID', paths: ['id'] }],
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
        body: value(freeObject('Nothing')),
        summary: 'Link the user to an SSO application',
      },
    },
  ],
});

const ours = { source: 'convention' } as const;

/** See Resources and their fields, Authentication records, `auth.provider`. */
export const providers = resource({
  name: 'providers',
  singular: 'provider',
  summary: 'SSO providers',
  order: 220,
  section: 'Resources and their fields, Authentication records',
  listedIn: 'Endpoints, Authentication and tokens',
  errors: 'legacy',
  prefix: 'always',
  doc: 'An SSO provider',
  fields: () => ({
    id: text('Id, such as google'),
    provider_type: text('Kind of provider', { enum: ['oauth', 'multi_factor'] }),
    enabled: flag('May be used', { option: true }),
    name: text('Name', { option: true }),
    provider_name: text('Name of the service behind it', { option: true }),
    access_code_url: text('URL that exchanges codes for tokens', { option: true }),
    auth_module: text('Module that connects to it'),
    auth_url: text('URL of the sign-in page', { option: true }),
    discovery: text('OpenID discovery document', { option: true }),
    issuer_domains: texts('Trusted issuers'),
    oauth_url: text('OAuth endpoint', ours),
    profile_url: text('URL of the user profile', ours),
    profile_identity_field: text('Profile field that forms the identity', ours),
    profile_identity_fields: texts('Profile fields that form the identity', ours),
    profile_displayName_field: text('Profile field with the name', ours),
    profile_email_field: text('Profile field with the e-mail address', ours),
    jwt_flow: freeObject('Exchange of signed tokens', ours),
    public_key_method: text('Lookup method for public keys', ours),
    public_key_discovery_field: text('Field of the discovery document that contains the public keys', ours),
    public_key_jwt_field: text('Field of a token with the key id', ours),
    public_key_jwt_location: text('Part of a token that contains the key id', ours),
    public_key_lookup_field: text('Field of a key with the key id', ours),
    scopes: freeObject('Scopes by name', ours),
    settings: freeObject('Settings of the module', { ...ours, secret: true }),
  }),
  required: [{ fields: ['id'], on: ['update'], source: 'specification' }],
  columns: [{ header: 'ID', paths: ['id'] }, { header: 'TYPE', paths: ['provider_type'] }, 'name', 'enabled'],
  commandWords: ['sso', 'providers'],
  absent: {
    manifests: 'Providers belong to the whole service',
    page: 'Providers belong to the whole service',
  },
  listFields: ['enabled', 'name', 'provider_name', 'provider_type'],
  writes: ['sign-in'],
  operations: [
    collection({
      path: '/auth/providers',
      singular: 'SSO provider',
      documented: ['list', 'get', 'update', 'delete'],
      without: ['create', 'patch'],
      except: {
        list: { summary: 'List SSO providers' },
        update: { role: 'super' },
        delete: { role: 'super' },
      },
    }),
  ],
});
