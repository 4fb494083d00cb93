import { object, text, texts } from '../fields.ts';
import { settingOperations } from '../operations.ts';
import { resource } from '../resource.ts';

/** Networks that phones of an account may register and call from (Conventions, Security settings). */
export const access_lists = resource({
  name: 'access_lists',
  singular: 'access list',
  summary: 'Networks that phones of an account may register from',
  kind: 'singleton',
  order: 254,
  naturalKeys: [],
  section: 'Conventions, Security settings',
  schema: () =>
    object(
      {
        order: text('Which comes first; the last that fits counts', {
          option: true,
          convention: { enum: ['allow,deny', 'deny,allow'] },
        }),
        cidrs: texts('Networks, such as 203.0.113.0/24'),
        user_agent: text('Expression that the name of the phone must match', { option: true }),
      },
      'Networks that phones may register from',
    ),
  required: [{ fields: ['order', 'cidrs'], on: ['update'], source: 'convention' }],
  unique: [],
  columns: [
    { header: 'ORDER', paths: ['order'] },
    { header: 'NETWORKS', paths: ['cidrs'], show: 'list' },
    { header: 'USER AGENT', paths: ['user_agent'], sparse: true },
  ],
  absent: { manifests: 'A wrong network silences every phone, so that it is changed by itself' },
  listFields: [],
  operations: settingOperations({
    resource: 'access_lists',
    section: 'Conventions, Security settings',
    errors: 'reference',
    path: '/accounts/{account_id}/access_lists',
    what: 'the networks that phones may register from',
  }),
});
