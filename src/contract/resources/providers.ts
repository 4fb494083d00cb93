import { flag, freeObject, text, texts } from '../fields.ts';
import { collection } from '../operations.ts';
import { resource } from '../resource.ts';

const ours = { source: 'convention' } as const;

/** SSO providers (Resources and their fields, Authentication records, `auth.provider`). */
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
    access_code_url: text('Where codes become tokens', { option: true }),
    auth_module: text('Module that speaks to it'),
    auth_url: text('Where people sign in', { option: true }),
    discovery: text('OpenID discovery document', { option: true }),
    issuer_domains: texts('Issuers that are trusted'),
    oauth_url: text('OAuth endpoint', ours),
    profile_url: text('Where the profile of a user is', ours),
    profile_identity_field: text('Field of the profile that makes the identity', ours),
    profile_identity_fields: texts('Fields of the profile that make the identity', ours),
    profile_displayName_field: text('Field of the profile with the name', ours),
    profile_email_field: text('Field of the profile with the e-mail address', ours),
    jwt_flow: freeObject('How signed tokens are exchanged', ours),
    public_key_method: text('How public keys are found', ours),
    public_key_discovery_field: text('Field of the discovery document with the keys', ours),
    public_key_jwt_field: text('Field of a token with the key id', ours),
    public_key_jwt_location: text('Part of a token with that field', ours),
    public_key_lookup_field: text('Field of a key with the key id', ours),
    scopes: freeObject('Scopes by name', ours),
    settings: freeObject('Settings of the module', { ...ours, secret: true }),
  }),
  required: [{ fields: ['id'], on: ['update'], source: 'specification' }],
  columns: [
    { header: 'ID', paths: ['id'] },
    { header: 'TYPE', paths: ['provider_type'] },
    { header: 'NAME', paths: ['name'] },
    { header: 'ENABLED', paths: ['enabled'], show: 'flag' },
  ],
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
