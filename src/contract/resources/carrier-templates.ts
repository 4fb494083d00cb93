import { collection } from '../operations.ts';
import { resource } from '../resource.ts';
import { carrierFacts, carrierRecord } from './carriers.ts';

export const carrier_templates = resource({
  ...carrierFacts,
  name: 'carrier_templates',
  singular: 'carrier template',
  summary: 'Templates of outside lines (resource_templates)',
  order: 152,
  idParameter: 'template_id',
  schema: () => carrierRecord('A template of an outside line'),
  absent: { manifests: 'Few accounts may write templates, and no record refers to one' },
  operations: [collection({ path: '/accounts/{account_id}/resource_templates' })],
});
