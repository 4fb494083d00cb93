import { flag, list, openObject, text } from '../fields.ts';
import { collection, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

const provider = () =>
  openObject({ id: shared.id, name: text('Name'), provider_name: text('Service behind it') }, 'A provider');

export const multi_factor = resource({
  name: 'multi_factor',
  singular: 'second factor',
  plural: 'second factors',
  summary: 'Second factors at sign-in: providers and their settings',
  order: 258,
  idParameter: 'multi_factor_id',
  naturalKeys: ['name'],
  section: 'Conventions, Security settings',
  doc: 'Settings of a second factor',
  fields: () => ({
    id: shared.id,
    name: text('Name', { option: true }),
    enabled: flag('May be used', { option: true }),
    provider_name: text('Service behind it', { option: true, examples: ['duo'] }),
    provider_type: text('Kind of provider', { readOnly: true }),
    settings: openObject(
      {
        integration_key: text('Key at the provider', { secret: true }),
        secret_key: text('Secret at the provider', { secret: true }),
        application_secret_key: text('Secret of the service', { secret: true }),
        api_hostname: text('Host of the provider'),
      },
      'Settings of the provider',
      { secret: true },
    ),
  }),
  required: [
    { fields: ['name', 'enabled', 'provider_name'], on: ['create', 'update'], source: 'convention' },
  ],
  columns: ['name', { header: 'PROVIDER', paths: ['provider_name'] }, 'enabled', 'id'],
  leftOutAs: 'second factors',
  absent: {
    manifests: 'Wrong settings can lock you out, so they have their own commands',
    trial: 'a second factor can lock users out',
  },
  listFields: ['enabled', 'name', 'provider_name', 'provider_type'],
  writes: ['sign-in'],
  operations: [
    collection({
      plural: 'second factors',
      except: {
        list: {
          listed: { as: 'field', key: 'configured' },
          reply: value(
            openObject(
              {
                configured: list(provider(), 'Settings of the account'),
                multi_factor_providers: list(provider(), 'Providers of the service'),
              },
              'Settings of the account, and providers of the service',
            ),
          ),
        },
      },
    }),
  ],
});
