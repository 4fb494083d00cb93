import { mapOf, object, text } from '../fields.ts';
import { resource, showOperation } from '../resource.ts';

const made = { readOnly: true } as const;

const network = () => ({
  cidr: text('Network', made),
  type: text('allow or deny', made),
  'network-list-name': text('authoritative or trusted', made),
  description: text('Description', made),
});

const byName = mapOf(object(network(), 'A network'), 'By name');
const forSuper = { role: 'super' } as const;

export const acls = resource({
  name: 'acls',
  singular: 'acl',
  summary: 'Networks known to the switches of the service (super administrators only)',
  order: 255,
  idParameter: 'name',
  section: 'Conventions, Security settings',
  doc: 'A network',
  fields: () => ({ name: text('Name', made), ...network() }),
  columns: [
    'name',
    { header: 'NETWORK', paths: ['cidr'] },
    'type',
    { header: 'LIST', paths: ['network-list-name'] },
    { header: 'DESCRIPTION', paths: ['description'], sparse: true },
  ],
  absent: {
    manifests: 'Belongs to the whole service',
    find: 'Belongs to the whole service',
    orphans: 'Belongs to the whole service',
    page: 'Belongs to the whole service',
  },
  operations: [
    {
      'of-account': showOperation(
        '/accounts/{account_id}/acls',
        'List the networks known to the switches',
        byName,
        forSuper,
      ),
      everywhere: showOperation(
        '/acls',
        'List the networks known to the switches, without an account',
        byName,
        forSuper,
      ),
    },
  ],
});
