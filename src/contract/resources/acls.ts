import { mapOf, object, text } from '../fields.ts';
import { operation } from '../operations.ts';
import { resource } from '../resource.ts';

const section = 'Conventions, Security settings';
const common = { resource: 'acls', section, errors: 'reference' } as const;
const made = { readOnly: true } as const;

const network = () => ({
  cidr: text('Network', made),
  type: text('allow or deny', made),
  'network-list-name': text('authoritative or trusted', made),
  description: text('Description', made),
});

const listAt = (verb: string, path: string, summary: string) =>
  operation(common, {
    ...{ source: 'convention', section, verb, method: 'GET', path, role: 'super', summary },
    reply: { kind: 'value', schema: mapOf(object(network(), 'A network'), 'By name') },
  });

/** Networks that the switches of the service know, for super administrators (Conventions, Security settings). */
export const acls = resource({
  name: 'acls',
  singular: 'acl',
  summary: 'Networks that the switches of the service know, for super administrators',
  kind: 'collection',
  order: 255,
  idParameter: 'name',
  naturalKeys: [],
  section,
  schema: () => object({ name: text('Name', made), ...network() }, 'A network'),
  required: [],
  unique: [],
  columns: [
    { header: 'NAME', paths: ['name'] },
    { header: 'NETWORK', paths: ['cidr'] },
    { header: 'TYPE', paths: ['type'] },
    { header: 'LIST', paths: ['network-list-name'] },
    { header: 'DESCRIPTION', paths: ['description'], sparse: true },
  ],
  absent: {
    manifests: 'They belong to the whole service',
    find: 'They belong to the whole service',
    orphans: 'They belong to the whole service',
    page: 'They belong to the whole service',
  },
  listFields: [],
  operations: [
    listAt('of-account', '/accounts/{account_id}/acls', 'List the networks that the switches know'),
    listAt('everywhere', '/acls', 'List the networks that the switches know, without an account'),
  ],
});
