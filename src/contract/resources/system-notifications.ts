import { collectionOperations, operation } from '../operations.ts';
import { resource } from '../resource.ts';
import { largestTemplate, templateFacts, templateTypes } from './notifications.ts';

const common = {
  resource: 'system_notifications',
  section: templateFacts.section,
  errors: 'reference',
  source: 'convention',
} as const;
const path = '/notifications';
const one = `${path}/{system_notification_id}`;
const bySuper = { ...common, role: 'super' } as const;

/** Templates of mails that all accounts inherit: `/notifications` (Conventions, Notifications). They cannot be deleted. */
export const system_notifications = resource({
  ...templateFacts,
  name: 'system_notifications',
  singular: 'system notification',
  summary: 'Templates of mails that all accounts inherit, changed by super administrators',
  order: 188,
  idParameter: 'system_notification_id',
  commandWords: ['notifications', 'system'],
  absent: {
    manifests: 'They belong to the whole service',
    find: 'Templates are named by the service',
    page: 'They belong to the whole service',
    trial: 'mails would look different',
  },
  columns: templateFacts.columns.filter(({ header }) => header !== 'OWN'),
  listFields: ['category', 'friendly_name', 'macros', 'enabled'],
  operations: [
    ...collectionOperations({
      ...common,
      path,
      idParameter: 'system_notification_id',
      singular: 'system notification',
      documented: [],
      without: ['create', 'update', 'patch', 'delete'],
      except: { get: { ...common, accepts: Object.values(templateTypes) } },
    }),
    operation(common, {
      ...bySuper,
      verb: 'customise',
      method: 'PUT',
      path,
      body: { kind: 'record' },
      reply: { kind: 'record' },
      summary: 'Add a template that all accounts inherit',
    }),
    operation(common, {
      ...bySuper,
      verb: 'change',
      method: 'POST',
      path: one,
      body: { kind: 'record' },
      reply: { kind: 'record' },
      summary: 'Replace the facts of a template that all accounts inherit',
    }),
    operation(common, {
      ...bySuper,
      verb: 'upload',
      method: 'POST',
      path: one,
      body: { kind: 'file', types: Object.values(templateTypes), largest: largestTemplate },
      reply: { kind: 'record' },
      summary: 'Replace one text of a template that all accounts inherit',
    }),
  ],
});
