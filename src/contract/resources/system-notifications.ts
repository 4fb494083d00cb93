import { collection } from '../operations.ts';
import { resource } from '../resource.ts';
import { largestTemplate, templateFacts, templateTypes } from './notifications.ts';

const path = '/notifications';
const one = `${path}/{system_notification_id}`;

export const system_notifications = resource({
  ...templateFacts,
  name: 'system_notifications',
  singular: 'system notification',
  summary: 'Templates of mails that all accounts inherit, changed by super administrators',
  order: 188,
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
    collection({
      path,
      without: ['create', 'update', 'patch', 'delete'],
      except: { get: { section: templateFacts.section, accepts: Object.values(templateTypes) } },
    }),
    {
      customise: {
        route: `PUT ${path}`,
        body: { kind: 'record' },
        role: 'super',
        summary: 'Add a template that all accounts inherit',
      },
      change: {
        route: `POST ${one}`,
        body: { kind: 'record' },
        role: 'super',
        summary: 'Replace the facts of a template that all accounts inherit',
      },
      upload: {
        route: `POST ${one}`,
        body: { kind: 'file', types: Object.values(templateTypes), largest: largestTemplate },
        role: 'super',
        summary: 'Replace one text of a template that all accounts inherit',
      },
    },
  ],
});
